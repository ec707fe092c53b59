#include "bounds.h"

#include <math.h>
#include <string.h>

#include "bounds_int.h"
#include "core/base/mem.h"
#include "core/base/search.h"
#include "core/trace/remote.h"
#include "core/trace/trace.h"

#define POLL 0xffff /* events between two looks at progress */

enum err_code clock_points_init(struct clock_points *p, const struct clock_times *times, double latency, bool barriers, struct err *e)
{
	enum err_code code;

	*p = (struct clock_points){.times = times, .latency = latency, .barriers = barriers};
	code = clock_doubtful_find(p, e);
	if (!code)
		code = clock_members_find(p, e);
	if (code)
		clock_points_release(p);
	return code;
}

void clock_points_release(struct clock_points *p)
{
	mem_free(p->doubtful);
	mem_free(p->rank);
	mem_free(p->first_member);
	mem_free(p->member);
	mem_free(p->stamps);
	clock_spanning_free(p->spanning);
	*p = (struct clock_points){0};
}

/* ---- points ---- */

struct visit {
	const struct clock_points *points;
	const struct trace *trace;
	clock_point_add *add;
	void *arg;
	uint32_t q;            /* the process whose events are looked at */
	uint32_t held;         /* entry of times->held at or after the event at hand */
	uint32_t seen;         /* entry of times->seen that comes next */
	const double *resolution; /* per process */
	bool stepped;          /* some process's clock was synchronised */
	bool measured;         /* some clock was, by the tracer */
	uint32_t pairs;        /* so far */
	uint32_t *pair_with;   /* per process below q: the pair, where seen_with says q */
	uint32_t *seen_with;
};

static uint32_t pair_with(struct visit *v, uint32_t p)
{
	if (v->seen_with[p] != v->q) {
		v->seen_with[p] = v->q;
		v->pair_with[p] = v->pairs++;
	}
	return v->pair_with[p];
}

/* p has it at stamp `from`, q at `to` and later: D(to) >= from + latency - to; the other way round likewise. */
static bool visit_add_point(struct visit *v, uint32_t p, double at_p, double at_q, bool from_p)
{
	double give = !v->resolution ? 0 : v->resolution[p] > v->resolution[v->q] ? v->resolution[p] : v->resolution[v->q];
	double latency = v->points->latency - give;
	struct clock_point point = {pair_with(v, p), p, v->q, from_p, at_q, at_p - at_q + (from_p ? latency : -latency)};

	return v->add(v->arg, &point);
}

static inline double unstepped(const struct visit *v, uint32_t process, uint32_t event, double time)
{
	return !v->stepped ? time : time + clock_times_step(v->points->times, process, event);
}

/* Likewise of the other end of a message, which may be elsewhere. */
static double other_end(const struct visit *v, uint32_t process, uint32_t other, bool sent)
{
	const struct clock_remote *remote = v->points->times->remote;
	double time;

	if (remote && is_remote(other))
		return remote->later ? remote->stamp[other - REMOTE_EVENT] + remote->later[other - REMOTE_EVENT] : remote->stamp[other - REMOTE_EVENT];
	time = sent ? clock_times_sent(v->points->times, other) : v->trace->time[other];
	return unstepped(v, process, other, time);
}

static bool visit_message(struct visit *v, uint32_t event)
{
	const struct trace *t = v->trace;
	uint32_t other = t->match[event], p = EVENT_INDEX(t->type[event]) - 1;
	bool send = EVENT_KIND(t->type[event]) == EVENT_SEND;
	double here;

	if (other == NO_EVENT || p >= v->q)
		return true;
	if (v->points->doubtful && v->points->doubtful[event / 64] >> event % 64 & 1)
		return true;
	here = send ? clock_times_sent(v->points->times, event) : t->time[event];
	return visit_add_point(v, p, other_end(v, p, other, !send), unstepped(v, v->q, event, here), !send);
}

static struct clock_stamps member_stamps(const struct visit *v, uint32_t process, uint32_t entry)
{
	const struct clock_event_time *member = &v->points->times->held[entry];

	return (struct clock_stamps){unstepped(v, process, member->event, v->trace->time[member->event]),
					unstepped(v, process, member->event, member->time)};
}

static bool tell_member(struct visit *v, uint32_t process, struct clock_stamps other, struct clock_stamps mine)
{
	return visit_add_point(v, process, other.end, mine.begin, false) && visit_add_point(v, process, other.begin, mine.end, true);
}

/* Every member with those whose ranks differ in one bit: that binds all of them. */
static bool collective_here(struct visit *v, uint32_t entry, const struct comm_info *comm, struct clock_stamps mine)
{
	const struct clock_points *p = v->points;

	for (uint32_t bit = 1; bit < comm->size; bit *= 2) {
		uint32_t rank = p->rank[entry] ^ bit, other, process;

		if (rank >= comm->size)
			continue;
		process = v->trace->comm_members[comm->members + rank];
		if (process >= v->q)
			continue;
		other = p->first_member[entry] + rank;
		if (!tell_member(v, process, v->stepped ? member_stamps(v, process, p->member[other]) : p->stamps[other], mine))
			return false;
	}
	return true;
}

/* The same where members are on other ranks. */
static bool collective_spanning(struct visit *v, uint32_t entry, const struct comm_info *comm, struct clock_stamps mine)
{
	const struct clock_spanning *s = v->points->spanning;
	uint32_t told = s->first_stamps[entry], begin, end;

	trace_local(v->trace, &begin, &end);
	for (uint32_t bit = 1; bit && bit < comm->size; bit *= 2) {
		uint32_t rank = v->points->rank[entry] ^ bit, process;
		struct clock_stamps other;

		if (rank >= comm->size)
			continue;
		process = v->trace->comm_members[comm->members + rank];
		if (process >= v->q)
			continue;
		other = process < begin ? s->stamps[told++] : member_stamps(v, process, clock_spanning_member(s, s->of[entry], process));
		if (!tell_member(v, process, other, mine))
			return false;
	}
	return true;
}

static bool collective(struct visit *v, uint32_t entry)
{
	const struct trace *t = v->trace;
	const struct clock_points *p = v->points;
	const struct coll_type *type = &t->colls[EVENT_INDEX(t->type[p->times->held[entry].event])];
	const struct comm_info *comm = &t->comms[type->comm];

	if (p->first_member[entry] == NO_MEMBERS || (p->barriers && strcmp(type->op, "Barrier") != 0))
		return true;
	if (p->spanning && p->spanning->of[entry] != NO_MEMBERS)
		return collective_spanning(v, entry, comm, member_stamps(v, v->q, entry));
	return collective_here(v, entry, comm, member_stamps(v, v->q, entry));
}

/* What the tracer measured before that event of q: rank 0's clock less q's. */
static bool measured(struct visit *v, uint32_t event)
{
	const struct clock_times *times = v->points->times;
	double give = v->resolution ? fmax(v->resolution[0], v->resolution[v->q]) : 0;

	for (; v->seen < times->first_seen[v->q + 1] && times->seen[v->seen].event <= event; v->seen++) {
		const struct clock_seen *seen = &times->seen[v->seen];
		struct clock_point low = {pair_with(v, 0), 0, v->q, true, seen->time, seen->low - give};
		struct clock_point high = {low.pair, 0, v->q, false, seen->time, seen->high + give};

		if (!v->add(v->arg, &low) || !v->add(v->arg, &high))
			return false;
	}
	return true;
}

/* The entry of times->held that is of that event or a later one. */
static uint32_t held_from(const struct clock_times *times, uint32_t event)
{
	return SEARCH_PAST(i, 0, times->held_count, times->held[i].event < event);
}

static enum err_code visit_part(struct visit *v, const struct clock_share *share, struct err *e)
{
	const struct trace *t = v->trace;
	const struct clock_times *times = v->points->times;
	uint32_t begin, end;

	trace_part(t, share->part, share->parts, &begin, &end);
	v->held = held_from(times, t->first[begin]);
	v->seen = v->measured ? times->first_seen[begin] : 0;
	for (v->q = begin; v->q < end; v->q++) {
		for (uint32_t event = t->first[v->q]; event < t->first[v->q + 1]; event++) {
			bool done = !v->measured || measured(v, event);

			if ((event & POLL) == 0) {
				if (share->part == 0)
					progress_report(share->stop->progress, PROGRESS_CLOCKS, event, t->first[end]);
				if (parallel_stopped(share->stop, share->part))
					return err_set(e, ERR_CANCELLED, "stopped while comparing clocks");
			}
			if (done && EVENT_KIND(t->type[event]) != EVENT_COLLECTIVE)
				done = visit_message(v, event);
			else if (done && v->held < times->held_count && times->held[v->held].event == event)
				done = collective(v, v->held++);
			if (!done)
				return err_memory(e, "the bounds of clocks");
		}
		if (v->measured && !measured(v, UINT32_MAX))
			return err_memory(e, "the bounds of clocks");
	}
	return ERR_OK;
}

enum err_code clock_points_visit(const struct clock_points *p, const struct clock_share *share, clock_point_add *add, void *arg, struct err *e)
{
	const struct clock_times *times = p->times;
	uint32_t n = times->trace->process_count;
	struct visit v = {.points = p, .trace = times->trace, .add = add, .arg = arg, .pair_with = mem_alloc(n, sizeof *v.pair_with),
			  .seen_with = mem_alloc(n, sizeof *v.seen_with), .resolution = times->resolution,
			  .stepped = times->first_step && times->first_step[n] > 0, .measured = times->first_seen && times->first_seen[n] > 0};
	enum err_code code;

	if (v.pair_with && v.seen_with) {
		memset(v.seen_with, 0xff, n * sizeof *v.seen_with);
		code = visit_part(&v, share, e);
	} else {
		code = err_memory(e, "the bounds of clocks");
	}
	mem_free(v.pair_with);
	mem_free(v.seen_with);
	return code;
}
