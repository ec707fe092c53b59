#include "stream.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "make_int.h"

void stream_init(struct stream *s, int32_t thread, bool cpu_samples)
{
	*s = (struct stream){.thread = thread, .last_event = NO_EVENT, .waiting = NO_EVENT, .account = cpu_samples ? STREAM_OF_SAMPLES : STREAM_OF_SECONDS,
			     .stack_cap = STREAM_SHALLOW};
	s->stack = s->shallow;
}

void stream_release(struct stream *s)
{
	if (s->stack != s->shallow)
		mem_free(s->stack);
	s->stack = NULL;
	stream_count_end(s);
}

bool stream_grow(struct stream *s)
{
	struct frame *deeper = s->stack == s->shallow ? NULL : s->stack;
	size_t cap = deeper ? s->stack_cap : 0;

	deeper = mem_grow(deeper, s->depth, &cap, sizeof *deeper);
	if (!deeper)
		return false;
	if (s->stack == s->shallow)
		memcpy(deeper, s->shallow, sizeof s->shallow);
	s->stack = deeper;
	s->stack_cap = cap;
	return true;
}

/* Of two CPU samples, one before and one after a border, the nearer one. */
static const struct cpu_sample *nearer(double border, const struct cpu_sample *preferred, const struct cpu_sample *other)
{
	if (!other->known)
		return preferred;
	if (!preferred->known)
		return other;
	return fabs(other->time - border) < fabs(preferred->time - border) ? other : preferred;
}

static double passed(const struct cpu_sample *from, const struct cpu_sample *to)
{
	return from->known && to->known && to->value > from->value ? to->value - from->value : 0;
}

/* The CPU sample where the gap begins: behind a call, or the first of all. */
static const struct cpu_sample *gap_begin(const struct stream *s)
{
	return s->was_outside ? nearer(s->outside_since, &s->first_gap, &s->before_inside) : &s->first_gap;
}

double stream_cpu(const struct stream *s)
{
	return s->cpu + passed(gap_begin(s), &s->last_gap);
}

/* All computation since the last event's call, up to the end. Readings say nothing of it if none was made since. */
static double gap_at_end(const struct stream *s, double end)
{
	if (s->account != STREAM_OF_SAMPLES)
		return s->gap + (s->was_outside && end > s->outside_since ? end - s->outside_since : 0);
	if (!s->last_gap.known && s->gap <= 0)
		return (double)NAN;
	return s->gap + passed(gap_begin(s), &s->last_gap);
}

struct stream_complete stream_finish(struct stream *s, double end, bool followed)
{
	uint32_t event = s->last_event;

	if (s->account == STREAM_WITH_COUNT)
		stream_count_finish(s, end, followed);
	s->last_event = NO_EVENT;
	return (struct stream_complete){event, event == NO_EVENT ? 0 : followed ? gap_at_end(s, end) : (double)NAN};
}

/* The CPU sample at this call's start is known: so is the computation before it. */
static struct stream_complete settle_entry(struct stream *s, const struct cpu_sample *inside)
{
	const struct cpu_sample *exit = gap_begin(s);
	const struct cpu_sample *entry = nearer(s->entered_at, &s->last_gap, inside);
	struct stream_complete complete = {NO_EVENT, 0};

	s->entry_open = false;
	if (s->was_outside)
		s->gap += passed(exit, entry);
	s->cpu += passed(exit, entry);
	if (s->waiting != NO_EVENT)
		complete = (struct stream_complete){s->waiting, s->gap};
	s->waiting = NO_EVENT;
	return complete;
}

void stream_enter_sample(struct stream *s, double time)
{
	s->entry_open = true;
	if (s->account == STREAM_WITH_COUNT) {
		if (s->was_outside && time > s->outside_since)
			s->gap += time - s->outside_since;
		stream_enter(&s->count->increases, time);
	} else {
		s->entered_at = time;
	}
}

struct stream_complete stream_event_sample(struct stream *s, uint32_t event)
{
	if (s->account == STREAM_WITH_COUNT) {
		stream_count_event(s, event);
		return (struct stream_complete){s->last_event, s->gap};
	}
	s->waiting = s->last_event;
	return (struct stream_complete){NO_EVENT, 0};
}

struct stream_complete stream_leave_sample(struct stream *s, double time)
{
	static const struct cpu_sample none;
	struct stream_complete complete = {NO_EVENT, 0};

	if (s->account == STREAM_WITH_COUNT) {
		s->entry_open = false;
		stream_count_leave(s, time);
		return complete;
	}
	if (s->entry_open)
		complete = settle_entry(s, &none);
	s->before_inside = s->last_inside;
	s->last_inside.known = s->first_gap.known = s->last_gap.known = false;
	return complete;
}

struct stream_complete stream_sample(struct stream *s, double time, double value)
{
	struct cpu_sample r = {time, value, true};
	struct stream_complete complete = {NO_EVENT, 0};

	s->cpu_known = true;
	if (s->mpi_depth) {
		if (s->entry_open)
			complete = settle_entry(s, &r);
		s->last_inside = r;
		return complete;
	}
	if (!s->first_gap.known)
		s->first_gap = r;
	s->last_gap = r;
	return complete;
}
