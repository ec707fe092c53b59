#include "stream.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"

void stream_init(struct stream *s, int32_t thread, bool readings)
{
	*s = (struct stream){.thread = thread, .last_event = NO_EVENT, .due = NO_EVENT, .readings = readings};
}

void stream_release(struct stream *s)
{
	mem_free(s->stack);
	s->stack = NULL;
}

struct frame *stream_push(struct stream *s)
{
	struct frame *stack;

	if (!s->stack) {
		if (s->depth < STREAM_SHALLOW)
			return &s->shallow[s->depth++];
		stack = mem_alloc(4 * STREAM_SHALLOW, sizeof *stack);
		if (!stack)
			return NULL;
		memcpy(stack, s->shallow, sizeof s->shallow);
		s->stack_cap = 4 * STREAM_SHALLOW;
	} else {
		stack = mem_grow(s->stack, s->depth, &s->stack_cap, sizeof *stack);
		if (!stack)
			return NULL;
	}
	s->stack = stack;
	return &stack[s->depth++];
}

static void add_gap(struct stream *s, double length)
{
	if (length > 0)
		s->gap += length;
}

/* Of two readings, one before and one after a border, the nearer one. */
static const struct cpu_reading *nearer(double border, const struct cpu_reading *preferred, const struct cpu_reading *other)
{
	if (!other->known)
		return preferred;
	if (!preferred->known)
		return other;
	return fabs(other->time - border) < fabs(preferred->time - border) ? other : preferred;
}

/* The reading at this call's start is known: so is the computation before it. */
static void settle_entry(struct stream *s, const struct cpu_reading *inside)
{
	const struct cpu_reading *exit = nearer(s->outside_since, &s->first_gap, &s->before_inside);
	const struct cpu_reading *entry = nearer(s->entered_at, &s->last_gap, inside);

	s->entry_open = false;
	if (s->was_outside && exit->known && entry->known)
		add_gap(s, entry->value - exit->value);
	if (s->due != NO_EVENT && s->due_waits) {
		s->due_compute = s->gap;
		s->due_waits = false;
	}
}

void stream_enter(struct stream *s, double time)
{
	s->entered_at = time;
	if (s->readings)
		s->entry_open = true;
	else if (s->was_outside)
		add_gap(s, time - s->outside_since);
}

void stream_leave(struct stream *s, double time)
{
	static const struct cpu_reading none;

	if (s->readings) {
		if (s->entry_open)
			settle_entry(s, &none);
		s->before_inside = s->last_inside;
		s->last_inside.known = s->first_gap.known = s->last_gap.known = false;
	}
	s->outside_since = time;
	s->was_outside = true;
	if (s->event_in_call) {
		s->gap = 0;
		s->event_in_call = false;
	}
}

void stream_event(struct stream *s, uint32_t event)
{
	if (s->last_event != NO_EVENT && !s->event_in_call) {
		s->due = s->last_event;
		s->due_compute = s->gap;
		s->due_waits = s->entry_open;
	}
	s->last_event = event;
	s->event_in_call = true;
}

void stream_reading(struct stream *s, double time, double value)
{
	struct cpu_reading r = {time, value, true};

	if (s->mpi_depth) {
		if (s->entry_open)
			settle_entry(s, &r);
		s->last_inside = r;
		return;
	}
	if (!s->first_gap.known)
		s->first_gap = r;
	s->last_gap = r;
}
