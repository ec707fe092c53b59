#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/trace/remote.h"
#include "core/trace/times.h"

static enum err_code find_reference(uint32_t *reference, const struct trace *t, uint32_t asked, struct err *e)
{
	*reference = asked == REFERENCE_ANY ? 0 : asked;
	if (!t->process_count)
		return err_set(e, ERR_DAMAGED, "no process has a readable record: there are no clocks");
	if (*reference >= t->process_count)
		return err_set(e, ERR_USAGE, "--reference is %u, but the trace has %u process%s: expected 0 to %u", *reference, t->process_count,
			       t->process_count == 1 ? "" : "es", t->process_count - 1);
	if (t->processes[*reference].records)
		return ERR_OK;
	if (asked != REFERENCE_ANY)
		return err_set(e, ERR_USAGE, "--reference is %u, but this rank has no records: choose another rank", asked);
	for (uint32_t p = 0; p < t->process_count; p++)
		if (t->processes[p].records) {
			*reference = p;
			break;
		}
	return ERR_OK;
}

/* The worst first. Empty figures do not occur: each pair has a message. */
ORDER_BY(by_violations, struct pair_violations, DOWN(messages.violated) UP(messages.worst) UP(from) UP(to))

static enum err_code take_gaps(struct clock_report *r, struct err *e)
{
	struct clock_violations *v = r->violations;
	const struct clock_bounds *b = r->bounds;
	struct map *number = map_new();
	bool done = number != NULL;

	SORT(v->pair, v->pair_count, by_violations);
	r->gap = mem_alloc(v->pair_count, sizeof *r->gap);
	for (uint32_t k = 0; done && k < b->pair_count; k++) {
		uint32_t *at = map_at(number, b->pair[k].p, b->pair[k].q);

		done = at != NULL;
		if (at)
			*at = k + 1;
	}
	for (uint32_t k = 0; done && r->gap && k < v->pair_count; k++) {
		uint32_t from = v->pair[k].from, to = v->pair[k].to;
		uint32_t at = map_get(number, from < to ? from : to, from < to ? to : from);

		r->gap[k] = at && isfinite(b->pair[at - 1].gap) ? b->pair[at - 1].gap : (double)NAN;
	}
	map_free(number);
	return done && r->gap ? ERR_OK : err_memory(e, "the pairs");
}

static enum err_code bound_and_count(struct clock_report *r, const struct clock_options *options, const struct clock_report_options *o,
				     const struct progress *progress, struct err *e)
{
	struct clock_points points;
	enum err_code code = clock_points_init(&points, &r->times, r->latency, false, e);

	if (code)
		return code;
	code = clock_bounds_of(&r->bounds, &points, options, progress, e);
	if (!code)
		code = clock_violations_new(&r->violations, &points, o->bins, o->medians, progress, e);
	clock_points_release(&points);
	return code;
}

enum err_code clock_report_new(struct clock_report **out, const struct call_log *log, const struct clock_report_options *o,
			       const struct progress *progress, struct err *e)
{
	const struct trace *t = log->trace;
	struct clock_options options = {.latency = o->latency, .windows = o->windows};
	struct clock_report *r = mem_zero(1, sizeof *r);
	enum err_code code = r ? find_reference(&options.reference, t, o->reference, e) : err_memory(e, "the clocks");

	*out = NULL;
	code = team_agree(trace_team(t), code, e);
	if (!code) {
		r->trace = t;
		r->latency = o->latency;
	}
	if (!code)
		code = clock_times_init(&r->times, log, o->resolution, e);
	for (uint32_t p = 0; !code && p < t->process_count; p++)
		r->resolution = fmax(r->resolution, r->times.resolution[p]);
	if (!code)
		code = bound_and_count(r, &options, o, progress, e);
	if (!code && !team_rank(trace_team(t)))
		code = take_gaps(r, e);
	code = team_agree(trace_team(t), code, e);
	if (code)
		clock_report_free(r);
	else
		*out = r;
	return code;
}

void clock_report_free(struct clock_report *r)
{
	if (!r)
		return;
	clock_times_release(&r->times);
	clock_bounds_free(r->bounds);
	clock_violations_free(r->violations);
	mem_free(r->gap);
	mem_free(r);
}

enum err_code clock_report_correct(struct clock_report *r, const char *path, const struct clock_correct_options *o, bool *unwritten,
				   const struct progress *progress, struct err *e)
{
	struct clock_points points;
	enum err_code code = clock_points_init(&points, &r->times, r->latency, r->bounds->barriers, e);

	*unwritten = false;
	if (code)
		return code;
	code = clock_correct_file(path, &r->correction, &points, r->bounds, o, unwritten, progress, e);
	clock_points_release(&points);
	r->corrected = !code;
	return code;
}

/* ---- what it says ---- */

const char *clock_report_method(const struct clock_report *r)
{
	return times_method(r->correction.steps);
}

bool clock_report_has_clock(const struct clock_report *r, uint32_t process)
{
	return r->trace->processes[process].records > 0;
}

static double figure(const struct clock_report *r, const double *of, uint32_t process, uint32_t border)
{
	double v = of[(size_t)process * r->bounds->borders + border];

	return clock_report_has_clock(r, process) && isfinite(v) ? v : (double)NAN;
}

double clock_report_offset(const struct clock_report *r, uint32_t process, uint32_t border)
{
	return figure(r, r->bounds->offset, process, border);
}

double clock_report_low(const struct clock_report *r, uint32_t process, uint32_t border)
{
	return figure(r, r->bounds->low, process, border);
}

double clock_report_high(const struct clock_report *r, uint32_t process, uint32_t border)
{
	return figure(r, r->bounds->high, process, border);
}

double clock_report_misfit(const struct clock_report *r)
{
	return r->bounds->pair_count ? r->bounds->misfit : (double)NAN;
}

double clock_report_worst(const struct clock_report *r, uint32_t process)
{
	const struct process_violations *v = &r->violations->process[process];

	return fmin(v->sent.worst, v->received.worst); /* of a NAN and a number: the number */
}

uint64_t clock_report_found(const struct clock_report *r)
{
	return r->violations->messages.violated + r->violations->collective.violated;
}
