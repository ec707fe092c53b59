#include "model_int.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static void figures_loads(struct models_figures *f, const struct outcome *out)
{
	uint32_t node = busiest_node(out), left = out->load_count;

	f->bottleneck = UINT32_MAX;
	/* In the outcome's order; if there are more than have room, those that are longer than all but so many others. */
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

static void figures_of(struct models_figures *f, const struct outcome *out)
{
	*f = (struct models_figures){.known = true, .time = out->time, .free = out->free, .processes = out->process_count, .notes = out->note_count};
	figures_loads(f, out);
	if (out->note_count)
		snprintf(f->note, sizeof f->note, "%s", out->notes[0]);
}

/* What is wrong with a model is what there is to be shown of it: the task fails only where it was stopped. */
static enum err_code figures_said(enum err_code code, const struct err *why, char say[ERR_TEXT], struct err *e)
{
	if (code == ERR_CANCELLED || code == ERR_MEMORY) {
		*e = *why;
		return code;
	}
	if (code)
		memcpy(say, why->text, ERR_TEXT);
	return ERR_OK;
}

static bool has_program(const struct models *s)
{
	return s->program && s->program->model.program;
}

static bool evaluate_can(const void *from)
{
	return has_program(from);
}

static void evaluate_begin(void *made, const void *from)
{
	const struct models *s = from;
	struct models_evaluated *x = made;

	x->of = s->serial;
	x->graph_wanted = s->graph_wanted;
	x->figures.bottleneck = UINT32_MAX;
	models_point_init(&x->point, s);
}

static bool evaluate_is_of(const void *made, const void *from)
{
	const struct models_evaluated *x = made;
	const struct models *s = from;

	return x->of == s->serial && (x->graph_wanted || !s->graph_wanted);
}

static enum err_code evaluate_make(void *made, const struct progress *progress, struct err *e)
{
	struct models_evaluated *x = made;
	struct evaluate_input in;
	struct outcome out;
	struct err why = {ERR_OK, ""};
	enum err_code code = models_point_resolve(&x->point, &why);

	if (code)
		return figures_said(code, &why, x->say, e);
	models_point_input(&x->point, progress, &in);
	if (x->graph_wanted) {
		code = bounds_make(&x->bounds, &in, &why);
		if (code == ERR_CANCELLED || code == ERR_MEMORY)
			return figures_said(code, &why, x->say, e);
		if (code) {
			memcpy(x->bounds_say, why.text, sizeof x->bounds_say);
			bounds_release(&x->bounds);
		}
		code = graph_make(&x->graph, &in, &why);
		x->has_graph = !code;
		if (!code) {
			figures_of(&x->figures, &x->graph.outcome);
			return ERR_OK;
		}
		graph_release(&x->graph);
		if (code != ERR_LIMIT)
			return figures_said(code, &why, x->say, e);
	}
	/* T may be known where a graph would be too large. */
	code = evaluate(&out, &in, &why);
	if (!code)
		figures_of(&x->figures, &out);
	outcome_release(&out);
	return figures_said(code, &why, x->say, e);
}

static void evaluate_release(void *made)
{
	struct models_evaluated *x = made;

	graph_release(&x->graph);
	bounds_release(&x->bounds);
	models_point_release(&x->point);
}

const struct derived_kind models_evaluate_kind = {
	"the model's figures", sizeof(struct models_evaluated), evaluate_can, evaluate_begin, evaluate_is_of, evaluate_make, evaluate_release,
};

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

static void sweep_place(struct models_sweep *s, uint32_t i, const struct outcome *out)
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

static bool sweep_can(const void *from)
{
	const struct models *s = from;
	const struct models_row *row = models_selected(s);
	const struct models_knob *k = s->selected < s->knobs ? &s->knob[s->selected] : NULL;

	return has_program(s) && k && k->kind <= KNOB_SPEED && k->known && (s->strip || (row && row->kind == MODELS_PROGRAM));
}

static void sweep_begin(void *made, const void *from)
{
	const struct models *s = from;
	const struct models_knob *k = &s->knob[s->selected];
	struct models_swept *x = made;

	x->of = s->serial;
	x->knob = *k;
	x->sweep.knob = s->selected;
	x->sweep.count = models_places(k->low, k->high, k->log, k->whole, interval_middle(k->value), x->sweep.x, MODELS_SWEEP);
	models_point_init(&x->point, s);
}

static bool sweep_is_of(const void *made, const void *from)
{
	const struct models_swept *x = made;
	const struct models *s = from;

	return x->of == s->serial && x->sweep.knob == s->selected;
}

static enum err_code sweep_make(void *made, const struct progress *progress, struct err *e)
{
	struct models_swept *x = made;
	struct models_sweep *s = &x->sweep;
	struct evaluate_input in;
	struct err why = {ERR_OK, ""};
	enum err_code code = x->point.complete ? ERR_OK : err_memory(e, "a model's values");

	for (uint32_t i = 0; x->point.complete && i < s->count; i++) {
		struct outcome out;

		if (progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "stopped");
		if (x->knob.kind == KNOB_SPEED) {
			models_point_speed(&x->point, interval_point(s->x[i]));
		} else {
			x->point.values[x->knob.parameter] = interval_point(s->x[i]);
			x->point.given[x->knob.parameter] = true;
		}
		s->low[i] = s->high[i] = s->free[i] = NAN;
		code = models_point_resolve(&x->point, &why);
		models_point_input(&x->point, progress, &in);
		if (!code) {
			code = evaluate(&out, &in, &why);
			if (!code)
				sweep_place(s, i, &out);
			outcome_release(&out);
		}
		if (code == ERR_CANCELLED) {
			*e = why;
			return code;
		}
		if (code && !s->say[0])
			memcpy(s->say, why.text, sizeof s->say);
	}
	return x->point.complete ? ERR_OK : code;
}

static void sweep_release(void *made)
{
	models_point_release(&((struct models_swept *)made)->point);
}

const struct derived_kind models_sweep_kind = {
	"the program's curve", sizeof(struct models_swept), sweep_can, sweep_begin, sweep_is_of, sweep_make, sweep_release,
};
