#include "models_evaluate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"

/* --- figures --- */

/* Of all nodes the one that is busy longest is told. */
static uint32_t busiest_node(const struct outcome *out)
{
	uint32_t node = UINT32_MAX;

	for (uint32_t i = 0; i < out->load_count; i++)
		if (out->loads[i].kind == LOAD_NODE && (node == UINT32_MAX || out->loads[i].time.hi > out->loads[node].time.hi))
			node = i;
	return node;
}

static void take_loads(struct models_figures *f, const struct outcome *out)
{
	uint32_t node = busiest_node(out), left = out->load_count;

	f->bottleneck = UINT32_MAX;
	/* In the outcome's order; where there are more than have room, those that are longer than all but so many
	 * others. */
	for (uint32_t i = 0; i < out->load_count; i++) {
		uint32_t longer = 0;

		if (out->loads[i].kind == LOAD_NODE && i != node)
			continue;
		for (uint32_t k = 0; k < out->load_count; k++)
			longer += (out->loads[k].kind != LOAD_NODE || k == node) &&
				  (out->loads[k].time.hi > out->loads[i].time.hi || (k < i && out->loads[k].time.hi >= out->loads[i].time.hi));
		if (longer >= MODELS_LOADS)
			continue;
		left--;
		if (i == out->bottleneck)
			f->bottleneck = f->loads;
		snprintf(f->load[f->loads].name, sizeof f->load->name, "%s", out->loads[i].name);
		f->load[f->loads++].time = out->loads[i].time;
	}
	f->loads_left = left;
}

static void take_figures(struct models_figures *f, const struct outcome *out)
{
	*f = (struct models_figures){.known = true, .time = out->time, .free = out->free, .processes = out->process_count, .notes = out->note_count};
	take_loads(f, out);
	if (out->note_count)
		snprintf(f->note, sizeof f->note, "%s", out->notes[0]);
}

/* What is wrong with a model is what there is to be shown of it: the task fails only where it was stopped. */
static enum err_code said(enum err_code code, const struct err *why, char say[ERR_TEXT], struct err *e)
{
	if (code == ERR_CANCELLED || code == ERR_MEMORY) {
		*e = *why;
		return code;
	}
	if (code)
		memcpy(say, why->text, ERR_TEXT);
	return ERR_OK;
}

static enum err_code evaluate_point(struct task *t, const struct job *job, struct err *e)
{
	struct models_evaluating *x = (struct models_evaluating *)t;
	struct evaluate_input in;
	struct outcome out;
	struct err why = {ERR_OK, ""};
	enum err_code code = models_point_resolve(&x->point, &why);

	if (code)
		return said(code, &why, x->say, e);
	models_point_input(&x->point, job, &in);
	if (x->graph_wanted) {
		code = bounds_make(&x->bounds, &in, &why);
		if (code == ERR_CANCELLED || code == ERR_MEMORY)
			return said(code, &why, x->say, e);
		if (code) {
			memcpy(x->bounds_say, why.text, sizeof x->bounds_say);
			bounds_release(&x->bounds);
		}
		code = graph_make(&x->graph, &in, &why);
		x->has_graph = !code;
		if (!code) {
			take_figures(&x->figures, &x->graph.outcome);
			return ERR_OK;
		}
		graph_release(&x->graph);
		if (code != ERR_LIMIT)
			return said(code, &why, x->say, e);
	}
	/* T may be known where a graph would be too large. */
	code = evaluate(&out, &in, &why);
	if (!code)
		take_figures(&x->figures, &out);
	outcome_release(&out);
	return said(code, &why, x->say, e);
}

static void free_evaluating(struct task *t)
{
	struct models_evaluating *x = (struct models_evaluating *)t;

	graph_release(&x->graph);
	bounds_release(&x->bounds);
	models_point_release(&x->point);
	mem_free(x);
}

struct models_evaluating *models_evaluating_new(const struct models *s, bool graph)
{
	struct models_evaluating *x = mem_zero(1, sizeof *x);
	struct err e;

	if (!x)
		return NULL;
	x->task = (struct task){evaluate_point, free_evaluating};
	x->of = s->serial;
	x->graph_wanted = graph;
	x->figures.bottleneck = UINT32_MAX;
	if (!models_point_init(&x->point, s, &e))
		return x;
	free_evaluating(&x->task);
	return NULL;
}

/* --- over a range --- */

uint32_t models_places(double low, double high, bool log, bool whole, double here, double *x, uint32_t most)
{
	bool put = !(here >= low && here <= high);
	uint32_t n = 0;

	most--; /* one is `here` */
	for (uint32_t i = 0; i < most; i++) {
		double part = most > 1 ? (double)i / (most - 1) : 0;
		double v = log && low > 0 ? low * pow(high / low, part) : low + part * (high - low);

		if (whole)
			v = floor(v + 0.5);
		if (!put && v >= here) {
			if (v > here)
				x[n++] = here;
			put = true;
		}
		if (!n || v > x[n - 1])
			x[n++] = v;
	}
	return n;
}

static void take_place(struct models_sweep *s, uint32_t i, const struct outcome *out)
{
	s->low[i] = out->time.lo;
	s->high[i] = out->time.hi;
	s->free[i] = out->free.hi;
	for (uint32_t k = 0; k < out->load_count; k++) {
		const char *name = out->loads[k].kind == LOAD_NODE ? "cpu" : out->loads[k].name;
		uint32_t at = 0;

		if (out->loads[k].kind == LOAD_NODE && k != busiest_node(out))
			continue;
		while (at < s->loads && strcmp(s->load_name[at], name) != 0)
			at++;
		if (at == MODELS_LOADS)
			continue;
		if (at == s->loads) {
			snprintf(s->load_name[at], sizeof s->load_name[at], "%s", name);
			for (uint32_t j = 0; j < s->count; j++)
				s->load[at][j] = NAN;
			s->loads++;
		}
		s->load[at][i] = out->loads[k].time.hi;
	}
}

static enum err_code sweep(struct task *t, const struct job *job, struct err *e)
{
	struct models_sweeping *x = (struct models_sweeping *)t;
	struct models_sweep *s = &x->sweep;
	struct evaluate_input in;
	struct err why = {ERR_OK, ""};
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; i < s->count; i++) {
		struct outcome out;

		if (job_stopped(job))
			return err_set(e, ERR_CANCELLED, "stopped");
		if (x->knob.kind == KNOB_SPEED) {
			models_point_speed(&x->point, interval_point(s->x[i]));
		} else {
			x->point.values[x->knob.parameter] = interval_point(s->x[i]);
			x->point.given[x->knob.parameter] = true;
		}
		s->low[i] = s->high[i] = s->free[i] = NAN;
		code = models_point_resolve(&x->point, &why);
		models_point_input(&x->point, job, &in);
		if (!code) {
			code = evaluate(&out, &in, &why);
			if (!code)
				take_place(s, i, &out);
			outcome_release(&out);
		}
		if (code == ERR_CANCELLED) {
			*e = why;
			return code;
		}
		if (code && !s->say[0])
			memcpy(s->say, why.text, sizeof s->say);
	}
	return ERR_OK;
}

static void free_sweeping(struct task *t)
{
	struct models_sweeping *x = (struct models_sweeping *)t;

	models_point_release(&x->point);
	mem_free(x);
}

struct models_sweeping *models_sweeping_new(const struct models *s, uint32_t knob)
{
	struct models_sweeping *x = mem_zero(1, sizeof *x);
	const struct models_knob *k = &s->knob[knob];
	struct err e;

	if (!x)
		return NULL;
	x->task = (struct task){sweep, free_sweeping};
	x->knob = *k;
	x->sweep.of = s->serial;
	x->sweep.knob = knob;
	x->sweep.count = models_places(k->low, k->high, k->log, k->whole, interval_middle(k->value), x->sweep.x, MODELS_SWEEP);
	if (!models_point_init(&x->point, s, &e))
		return x;
	free_sweeping(&x->task);
	return NULL;
}
