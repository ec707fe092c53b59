/* The points that clocks are bounded by: those of a trace. */
#include <math.h>
#include <string.h>

#include "bounds.h"
#include "core/trace/remote.h"

#define MOST_PARTS 16u

static enum err_code visit_trace(const void *arg, const struct clock_share *share, clock_point_add *add, void *to, struct err *e)
{
	return clock_points_visit(arg, share, add, to, e);
}

static enum err_code bounds_of(struct clock_bounds **out, struct clock_points *points, const struct clock_options *o, bool barriers,
			       const struct progress *progress, struct err *e)
{
	const struct trace *t = points->times->trace;
	const struct process *reference = &t->processes[o->reference];
	const struct clock_source source = {visit_trace, points, t->process_count, reference->start, reference->end,
					    fmax(fabs(t->start), fabs(t->end)),
					    parallel_threads(t->threads, t->process_count < MOST_PARTS ? t->process_count : MOST_PARTS),
					    trace_team(t)};
	enum err_code code;

	points->barriers = barriers;
	code = clock_bounds_from(out, &source, o, progress, e);
	if (!code)
		(*out)->barriers = barriers;
	return code;
}

/* Collectives other than barriers are presumed to hold their members. A collective step. */
static enum err_code presumes(const struct clock_times *times, bool *presumed, struct err *e)
{
	const struct trace *t = times->trace;
	uint64_t any = 0;
	enum err_code code;

	for (uint32_t i = 0; !any && i < times->held_count; i++)
		any = strcmp(t->colls[EVENT_INDEX(t->type[times->held[i].event])].op, "Barrier") != 0;
	code = team_reduce(trace_team(t), &any, 1, TEAM_OR, e);
	*presumed = any;
	return code;
}

enum err_code clock_bounds_of(struct clock_bounds **out, struct clock_points *points, const struct clock_options *o, const struct progress *progress,
			      struct err *e)
{
	struct clock_bounds *barriers = NULL;
	enum err_code code = bounds_of(out, points, o, false, progress, e);
	bool better, presumed;

	if (code || !((*out)->forced || (*out)->windows > 1))
		return code;
	code = presumes(points->times, &presumed, e);
	if (!code && !presumed)
		return ERR_OK;
	if (!code)
		code = bounds_of(&barriers, points, o, true, progress, e);
	if (code) {
		clock_bounds_free(*out);
		*out = NULL;
		return code;
	}
	better = barriers->forced < (*out)->forced ||
		 (barriers->forced == (*out)->forced && barriers->windows < (*out)->windows);
	clock_bounds_free(better ? *out : barriers);
	if (better)
		*out = barriers;
	points->barriers = better;
	return ERR_OK;
}

enum err_code clock_bounds_new(struct clock_bounds **out, const struct clock_times *times, const struct clock_options *o,
			       const struct progress *progress, struct err *e)
{
	struct clock_points points;
	enum err_code code = clock_points_init(&points, times, o->latency, false, e);

	*out = NULL;
	if (!code) {
		code = clock_bounds_of(out, &points, o, progress, e);
		clock_points_release(&points);
	}
	return code;
}
