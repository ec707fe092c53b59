#include "phase_costs.h"

#include <math.h>

#include "core/models/fit.h"
#include "core/models/fit_write.h"

#define ASK_EVERY 8192

/* Measurements by what they are of: a kind of node; of receives the least, and copies. */
enum { ANY_TRANSFER = NODE_KINDS, COPIES, MEASURED };

struct measuring {
	const struct phase_steps *s;
	const struct trace *t;
	struct measurements m[MEASURED];
	bool used[NODE_KINDS];
	struct err *e;
};

static enum err_code add(struct measuring *g, int what, uint32_t bytes, double seconds)
{
	return measurements_add(&g->m[what], "", (double[]){bytes}, seconds > 0 ? seconds : 0, g->e);
}

/* When what follows an event begins, less what is computed before it; false: a receive follows, or nothing. */
static bool goes_on(const struct measuring *g, uint32_t process, uint32_t event, double *when)
{
	const struct trace *t = g->t;

	if (event + 1 >= t->first[process + 1] || EVENT_KIND(t->type[event + 1]) == EVENT_RECEIVE)
		return false;
	*when = t->time[event + 1] - t->compute[event];
	return true;
}

/* When a receive began: behind what was computed after the event before it. */
static double entered(const struct measuring *g, uint32_t process, uint32_t event)
{
	return event > g->t->first[process] ? g->t->time[event - 1] + g->t->compute[event - 1] : -INFINITY;
}

static enum err_code measure_receive(struct measuring *g, uint32_t process, uint32_t event)
{
	const struct trace *t = g->t;
	uint32_t send = t->match[event], bytes = t->size[send] == SIZE_UNKNOWN ? 0 : t->size[send];
	double took = t->time[event] - t->time[send];
	enum err_code code = add(g, ANY_TRANSFER, bytes, took);

	if (!code && entered(g, process, event) <= t->time[send])
		code = add(g, NODE_RECV, bytes, took);
	return code;
}

/* One said by messages takes as many of them as there are rounds. */
static enum err_code measure_collective(struct measuring *g, const struct phase_step *step)
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
			code = add(g, what, step->bytes, (when - last) / rounds);
		ev = t->match[ev];
	} while (!code && ev != step->event);
	return code;
}

static enum err_code measure_step(struct measuring *g, uint32_t process, const struct phase_step *step)
{
	double when;

	if (step->kind == NODE_COMPUTE)
		return ERR_OK;
	g->used[step->kind] = true;
	/* Once for all members: process 0 is one of each collective of all processes. */
	if (EVENT_KIND(g->t->type[step->event]) == EVENT_COLLECTIVE)
		return step->lead || (process == 0 && step->tag != STEPS_TAG) ? measure_collective(g, step) : ERR_OK;
	if (step->kind == NODE_RECV)
		return measure_receive(g, process, step->event);
	return goes_on(g, process, step->event, &when) ? add(g, NODE_SEND, step->bytes, when - g->t->time[step->event]) : ERR_OK;
}

/* ---- fits ---- */

/* The function of what was measured; nothing measured: none, and nothing written. */
static enum err_code fit_measured(struct measuring *g, int what, enum measured_value value, struct fit *f, struct measured_sets *sets,
				  const struct job *job, bool *made)
{
	struct fit_points points;
	struct fit_options o = {.kind = FIT_PIECES};
	enum err_code code;

	*made = false;
	if (!g->m[what].rows)
		return ERR_OK;
	code = measurements_sets(&g->m[what], value, sets, g->e);
	if (code)
		return code;
	points = measured_set_points(&sets->set[0]);
	if (!points.parameters)
		o.kind = FIT_AUTO;
	code = fit_make(f, &points, &o, job, g->e);
	*made = !code;
	return code;
}

static enum err_code write_fit(struct measuring *g, int what, enum measured_value value, struct out *out, const struct job *job)
{
	struct measured_sets sets = {.count = 0};
	struct fit f = {.points = 0};
	bool made;
	enum err_code code = fit_measured(g, what, value, &f, &sets, job, &made);

	if (!code && made)
		fit_expression(&f, out);
	else
		out_str(out, "0");
	fit_release(&f);
	measured_sets_release(&sets);
	return code ? code : out->failed ? err_memory(g->e, "what messages take") : ERR_OK;
}

/* Receives that began when their message had long been there, by the fitted time of a message. */
static enum err_code measure_copies(struct measuring *g, int what, enum measured_value value, const struct job *job)
{
	const struct phase_steps *s = g->s;
	const struct trace *t = g->t;
	struct measured_sets sets = {.count = 0};
	struct fit f = {.points = 0};
	bool made;
	enum err_code code = fit_measured(g, what, value, &f, &sets, job, &made);

	for (uint32_t q = 0; !code && made && q < s->process_count; q++)
		for (size_t i = s->first[q]; !code && i < s->first[q + 1]; i++) {
			uint32_t event = s->step[i].event, send;
			struct fit_value v;
			double bytes;

			if (s->step[i].kind != NODE_RECV || EVENT_KIND(t->type[event]) != EVENT_RECEIVE)
				continue;
			send = t->match[event];
			bytes = t->size[send] == SIZE_UNKNOWN ? 0 : t->size[send];
			fit_at(&f, &bytes, &v);
			if (entered(g, q, event) >= t->time[send] + fmax(v.value, 0))
				code = add(g, COPIES, (uint32_t)bytes, t->time[event] - entered(g, q, event));
		}
	fit_release(&f);
	measured_sets_release(&sets);
	return code;
}

static enum err_code make(struct phase_costs *c, struct measuring *g, const struct job *job)
{
	const struct phase_steps *s = g->s;
	enum measured_value value = VALUE_MEAN;
	int transfers = NODE_RECV;
	enum err_code code = ERR_OK;

	for (uint32_t q = 0; !code && q < s->process_count; q++)
		for (size_t i = s->first[q]; !code && i < s->first[q + 1]; i++) {
			code = measure_step(g, q, &s->step[i]);
			if (!code && i % ASK_EVERY == 0 && job_stopped(job))
				code = err_set(g->e, ERR_CANCELLED, "stopped while a phase's messages were measured");
		}
	if (code)
		return code;
	if (!g->m[NODE_RECV].rows) {
		transfers = ANY_TRANSFER;
		value = VALUE_MIN;
	}
	if (g->used[NODE_SEND] || g->used[NODE_RECV]) {
		code = write_fit(g, NODE_SEND, VALUE_MEAN, &c->function[NODE_SEND], job);
		if (!code)
			code = write_fit(g, transfers, value, &c->function[NODE_RECV], job);
		if (!code)
			code = measure_copies(g, transfers, value, job);
		if (!code)
			code = write_fit(g, COPIES, VALUE_MEAN, &c->copy, job);
	}
	for (int k = 0; !code && k < NODE_KINDS; k++)
		if (g->used[k] && model_node_info(k)->family == MODEL_COLLECTIVE)
			code = write_fit(g, k, VALUE_MEAN, &c->function[k], job);
	return code;
}

enum err_code phase_costs_init(struct phase_costs *c, const struct phase_steps *s, const struct job *job, struct err *e)
{
	static const char *const bytes[] = {"b"};
	struct measuring g = {.s = s, .t = s->trace, .e = e};
	enum err_code code = ERR_OK;
	int n;

	*c = (struct phase_costs){.copy = {.failed = false}};
	for (n = 0; !code && n < MEASURED; n++)
		code = measurements_init(&g.m[n], bytes, 1, e);
	if (!code)
		code = make(c, &g, job);
	while (n-- > 0)
		measurements_release(&g.m[n]);
	return code;
}

void phase_costs_release(struct phase_costs *c)
{
	for (int k = 0; k < NODE_KINDS; k++)
		out_release(&c->function[k]);
	out_release(&c->copy);
}
