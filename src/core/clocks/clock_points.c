#include "clock_points.h"

#include <math.h>
#include <string.h>

#include "clock_members.h"
#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/trace/trace_part.h"

#define POLL 0xffff /* events between two looks at the job */

/* ---- messages whose relation is doubtful ---- */

/* The channel of a message: who to whom, communicator and tag. Value 1 in a map of those that are doubtful. */
static bool doubt(struct map *m, const struct trace *t, uint32_t event, bool set)
{
	uint32_t here = trace_process_of(t, event), there = EVENT_INDEX(t->type[event]) - 1;
	bool send = EVENT_KIND(t->type[event]) == EVENT_SEND;
	uint64_t a = (uint64_t)(send ? here : there) << 32 | (send ? there : here);
	uint64_t b = (uint64_t)trace_comm(t, event) << 32 | (uint32_t)trace_tag(t, event);
	uint32_t *place;

	if (!set)
		return map_get(m, a, b) != 0;
	place = map_at(m, a, b);
	if (place)
		*place = 1;
	return place != NULL;
}

static bool is_message(const struct trace *t, uint32_t event)
{
	return EVENT_KIND(t->type[event]) != EVENT_COLLECTIVE;
}

static bool is_odd(const struct trace *t, uint32_t event)
{
	uint32_t other = t->match[event];

	if (other == NO_EVENT)
		return true;
	return t->size[event] != SIZE_UNKNOWN && t->size[other] != SIZE_UNKNOWN && t->size[event] != t->size[other];
}

/* A channel with a message too few or of another size may have related the wrong ones. */
static enum err_code find_doubtful(struct clock_points *p, struct err *e)
{
	const struct trace *t = p->times->trace;
	struct map *channels = NULL;
	bool done = true;

	for (uint32_t event = 0; done && event < t->event_count; event++) {
		if (!is_message(t, event) || !is_odd(t, event))
			continue;
		channels = channels ? channels : map_new();
		done = channels && doubt(channels, t, event, true);
	}
	if (channels && done) {
		p->doubtful = mem_zero((size_t)t->event_count / 64 + 1, sizeof *p->doubtful);
		done = p->doubtful != NULL;
		for (uint32_t event = 0; done && event < t->event_count; event++)
			if (is_message(t, event) && (doubt(channels, t, event, false) ||
						     (t->match[event] != NO_EVENT && doubt(channels, t, t->match[event], false))))
				p->doubtful[event / 64] |= (uint64_t)1 << event % 64;
	}
	map_free(channels);
	return done ? ERR_OK : err_memory(e, "the messages");
}

enum err_code clock_points_init(struct clock_points *p, const struct clock_times *times, double latency, bool barriers, struct err *e)
{
	enum err_code code;

	*p = (struct clock_points){.times = times, .latency = latency, .barriers = barriers};
	code = find_doubtful(p, e);
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
	*p = (struct clock_points){0};
}

/* ---- points ---- */

struct visit {
	const struct clock_points *points;
	const struct trace *trace;
	clock_point_add *add;
	void *arg;
	uint32_t q;            /* the process whose events are looked at */
	uint32_t held;         /* entry of times->held at or behind the event at hand */
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
static bool tell(struct visit *v, uint32_t p, double at_p, double at_q, bool from_p)
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

static bool message(struct visit *v, uint32_t event)
{
	const struct trace *t = v->trace;
	uint32_t other = t->match[event], p = EVENT_INDEX(t->type[event]) - 1;
	bool send = EVENT_KIND(t->type[event]) == EVENT_SEND;
	double here, there;

	if (other == NO_EVENT || p >= v->q)
		return true;
	if (v->points->doubtful && v->points->doubtful[event / 64] >> event % 64 & 1)
		return true;
	here = send ? clock_times_sent(v->points->times, event) : t->time[event];
	there = send ? t->time[other] : clock_times_sent(v->points->times, other);
	return tell(v, p, unstepped(v, p, other, there), unstepped(v, v->q, event, here), !send);
}

/* Every member with those whose ranks differ in one bit: that binds all of them. */
static bool collective(struct visit *v, uint32_t entry)
{
	const struct trace *t = v->trace;
	const struct clock_points *p = v->points;
	const struct clock_event_time *held = p->times->held, *mine = &held[entry];
	const struct coll_type *type = &t->colls[EVENT_INDEX(t->type[mine->event])];
	double begin = unstepped(v, v->q, mine->event, t->time[mine->event]), end = unstepped(v, v->q, mine->event, mine->time);

	if (p->first_member[entry] == NO_MEMBERS || (p->barriers && strcmp(type->op, "Barrier") != 0))
		return true;
	for (uint32_t bit = 1; bit < t->comms[type->comm].size; bit *= 2) {
		uint32_t rank = p->rank[entry] ^ bit, process;
		const struct clock_event_time *other;

		if (rank >= t->comms[type->comm].size)
			continue;
		other = &held[p->member[p->first_member[entry] + rank]];
		process = trace_process_of(t, other->event);
		if (process >= v->q)
			continue;
		if (!tell(v, process, unstepped(v, process, other->event, other->time), begin, false) ||
		    !tell(v, process, unstepped(v, process, other->event, t->time[other->event]), end, true))
			return false;
	}
	return true;
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
	uint32_t low = 0, high = times->held_count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (times->held[mid].event < event)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
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
					job_progress(share->stop->job, JOB_CLOCKS, event, t->first[end]);
				if (parallel_stopped(share->stop, share->part))
					return err_set(e, ERR_CANCELLED, "stopped while comparing clocks");
			}
			if (done && EVENT_KIND(t->type[event]) != EVENT_COLLECTIVE)
				done = message(v, event);
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
