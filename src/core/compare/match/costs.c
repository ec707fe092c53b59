#include "match.h"

#include <math.h>

#include "core/models/fit/fit.h"
#include "core/models/fit/write.h"

#define ASK_EVERY 8192

struct cost_measuring {
	const struct phase_steps *s;
	const struct trace *t;
	struct phase_costs *c;
	struct err *e;
};

static enum err_code costs_add_measured(struct cost_measuring *g, int what, uint64_t bytes, double seconds)
{
	return measurements_add(&g->c->measured[what], "", (double[]){(double)bytes}, seconds > 0 ? seconds : 0, g->e);
}

/* When what follows an event begins, less what is computed before it; false: a receive follows, or nothing. */
static bool goes_on(const struct cost_measuring *g, uint32_t process, uint32_t event, double *when)
{
	const struct trace *t = g->t;

	if (event + 1 >= t->first[process + 1] || EVENT_KIND(t->type[event + 1]) == EVENT_RECEIVE)
		return false;
	*when = t->time[event + 1] - t->compute[event];
	return true;
}

/* When a receive began: behind what was computed after the event before it. */
static double entered(const struct cost_measuring *g, uint32_t process, uint32_t event)
{
	return event > g->t->first[process] ? g->t->time[event - 1] + g->t->compute[event - 1] : -INFINITY;
}

static enum err_code measure_receive(struct cost_measuring *g, uint32_t process, uint32_t event)
{
	const struct trace *t = g->t;
	uint32_t send = t->match[event];
	uint64_t bytes = trace_size(t, send);
	double took = t->time[event] - t->time[send], since = entered(g, process, event) - t->time[send];
	enum err_code code;

	if (bytes == SIZE_UNKNOWN)
		return ERR_OK;
	code = costs_add_measured(g, COSTS_ANY_TRANSFER, bytes, took);
	if (!code && since <= 0)
		return costs_add_measured(g, NODE_RECV, bytes, took);
	if (!code)
		code = measurements_add(&g->c->measured[COSTS_RECEIVES], "", (double[]){(double)bytes, since}, fmax(took - since, 0), g->e);
	return code;
}

/* One said by messages takes as many of them as there are rounds. */
static enum err_code measure_collective(struct cost_measuring *g, const struct phase_step *step)
{
	const struct trace *t = g->t;
	double last = -INFINITY, when;
	uint32_t ev = step->event, members = 0;
	int what = step->lead ? NODE_RECV : step->kind, rounds = 1;
	enum err_code code = ERR_OK;

	do {
		last = fmax(last, t->time[ev]);
		members++;
		ev = t->match[ev];
	} while (ev != step->event);
	for (uint32_t far = 2; step->lead && far < members; far *= 2)
		rounds++;
	do {
		if (goes_on(g, trace_process_of(t, ev), ev, &when))
			code = costs_add_measured(g, what, step->bytes, (when - last) / rounds);
		ev = t->match[ev];
	} while (!code && ev != step->event);
	return code;
}

static enum err_code measure_step(struct cost_measuring *g, uint32_t process, const struct phase_step *step)
{
	double when;

	if (step->kind == NODE_COMPUTE)
		return ERR_OK;
	g->c->used[step->kind] = true;
	/* Once for all members: process 0 is one of each collective of all processes. */
	if (EVENT_KIND(g->t->type[step->event]) == EVENT_COLLECTIVE)
		return step->lead || (process == 0 && step->tag != STEPS_TAG) ? measure_collective(g, step) : ERR_OK;
	if (step->kind == NODE_RECV)
		return measure_receive(g, process, step->event);
	if (!goes_on(g, process, step->event, &when))
		return ERR_OK;
	return costs_add_measured(g, NODE_SEND, step->bytes, when - g->t->time[step->event]);
}

enum err_code phase_costs_add(struct phase_costs *c, const struct phase_steps *s, const struct progress *progress, struct err *e)
{
	struct cost_measuring g = {.s = s, .t = s->trace, .c = c, .e = e};
	enum err_code code = ERR_OK;

	for (uint32_t q = 0; !code && q < s->process_count; q++)
		for (size_t i = s->first[q]; !code && i < s->first[q + 1]; i++) {
			code = measure_step(&g, q, &s->step[i]);
			if (!code && i % ASK_EVERY == 0 && progress_stopped(progress))
				code = err_set(e, ERR_CANCELLED, "stopped while a phase's messages were measured");
		}
	return code;
}

/* ---- fits ---- */

/* The function of what was measured; nothing measured: none, and nothing written. */
static enum err_code fit_measured(const struct phase_costs *c, int what, enum measured_value value, struct fit *f,
				  struct measured_sets *sets, const struct progress *progress, bool *made, struct err *e)
{
	struct fit_points points;
	struct fit_options o = {.kind = FIT_PIECES};
	enum err_code code;

	*made = false;
	if (!c->measured[what].rows)
		return ERR_OK;
	code = measurements_sets(&c->measured[what], value, sets, e);
	if (code)
		return code;
	points = measured_set_points(&sets->set[0]);
	if (!points.parameters)
		o.kind = FIT_AUTO;
	code = fit_make(f, &points, &o, progress, e);
	*made = !code;
	return code;
}

static enum err_code write_fit(const struct phase_costs *c, int what, enum measured_value value, struct out *out,
			       const struct progress *progress, struct err *e)
{
	struct measured_sets sets = {.count = 0};
	struct fit f = {.points = 0};
	bool made;
	enum err_code code = fit_measured(c, what, value, &f, &sets, progress, &made, e);

	if (!code && made)
		fit_expression(&f, out);
	else
		out_str(out, "0");
	fit_release(&f);
	measured_sets_release(&sets);
	return code ? code : out->failed ? err_memory(e, "what messages take") : ERR_OK;
}

/* Receives that began when their message had long been there, by the fitted time of a message. */
static enum err_code measure_copies(struct phase_costs *c, int what, enum measured_value value, const struct progress *progress, struct err *e)
{
	const struct measurements *m = &c->measured[COSTS_RECEIVES];
	struct measured_sets sets = {.count = 0};
	struct fit f = {.points = 0};
	bool made;
	enum err_code code = fit_measured(c, what, value, &f, &sets, progress, &made, e);

	for (size_t i = 0; !code && made && i < m->rows; i++) {
		const double *bytes = &m->at[2 * i];
		struct fit_value v;

		fit_at(&f, bytes, &v);
		if (bytes[1] >= fmax(v.value, 0))
			code = measurements_add(&c->measured[COSTS_COPIES], "", bytes, m->value[i], e);
	}
	fit_release(&f);
	measured_sets_release(&sets);
	return code;
}

enum err_code phase_costs_fit(struct phase_costs *c, const struct progress *progress, struct err *e)
{
	enum measured_value value = VALUE_MEAN;
	int transfers = NODE_RECV;
	enum err_code code = ERR_OK;

	if (!c->measured[NODE_RECV].rows) {
		transfers = COSTS_ANY_TRANSFER;
		value = VALUE_MIN;
	}
	if (c->used[NODE_SEND] || c->used[NODE_RECV]) {
		code = write_fit(c, NODE_SEND, VALUE_MEAN, &c->function[NODE_SEND], progress, e);
		if (!code)
			code = write_fit(c, transfers, value, &c->function[NODE_RECV], progress, e);
		if (!code)
			code = measure_copies(c, transfers, value, progress, e);
		if (!code)
			code = write_fit(c, COSTS_COPIES, VALUE_MEAN, &c->copy, progress, e);
	}
	for (int k = 0; !code && k < NODE_KINDS; k++)
		if (c->used[k] && model_node_info(k)->family == MODEL_COLLECTIVE)
			code = write_fit(c, k, VALUE_MEAN, &c->function[k], progress, e);
	return code;
}

enum err_code phase_costs_init(struct phase_costs *c, struct err *e)
{
	static const char *const parameters[] = {"b", "since"};
	enum err_code code = ERR_OK;

	*c = (struct phase_costs){.copy = {.failed = false}};
	for (int n = 0; !code && n < COSTS_MEASURED; n++)
		code = measurements_init(&c->measured[n], parameters, n == COSTS_RECEIVES ? 2 : 1, e);
	return code;
}

static void put_function(struct out *out, const char *name, const char *arguments, const struct out *f)
{
	out_printf(out, "  %s(%s): %s\n", name, arguments, f->text);
}

void phase_costs_write(const struct phase_costs *c, struct out *out)
{
	for (int k = 0; k < NODE_KINDS; k++)
		if (c->function[k].len)
			put_function(out, model_node_info(k)->name, model_node_info(k)->family == MODEL_COLLECTIVE ? "b, q" : "b", &c->function[k]);
	if (c->copy.len)
		put_function(out, "copy", "b", &c->copy);
}

void phase_costs_release(struct phase_costs *c)
{
	for (int n = 0; n < COSTS_MEASURED; n++)
		measurements_release(&c->measured[n]);
	for (int k = 0; k < NODE_KINDS; k++)
		out_release(&c->function[k]);
	out_release(&c->copy);
}
