#include "stream.h"

#include <string.h>

#include "mem.h"

void stream_init(struct stream *s, int32_t thread, bool readings)
{
	*s = (struct stream){.thread = thread, .last_event = NO_EVENT, .readings = readings};
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

void stream_enter(struct stream *s, double time)
{
	if (!s->readings) {
		if (s->was_outside)
			add_gap(s, time - s->outside_since);
		return;
	}
	s->awaits_inside = false;
	if (s->gap_readings >= 2) {
		add_gap(s, s->last_gap - s->first_gap);
	} else if (s->gap_readings == 1 && s->inside_known) {
		add_gap(s, s->last_gap - s->last_inside);
	} else if (s->gap_readings == 1 || s->inside_known) {
		s->exit_reading = s->gap_readings ? s->first_gap : s->last_inside;
		s->awaits_inside = true;
	}
	s->gap_readings = 0;
	s->inside_known = false;
}

void stream_leave(struct stream *s, double time)
{
	s->outside_since = time;
	s->was_outside = true;
	s->awaits_inside = false;
	if (s->event_in_call) {
		s->gap = 0;
		s->event_in_call = false;
	}
}

bool stream_event(struct stream *s, uint32_t event, uint32_t *before, double *compute)
{
	bool complete = s->last_event != NO_EVENT && !s->event_in_call;

	*before = s->last_event;
	*compute = s->gap;
	s->last_event = event;
	s->event_in_call = true;
	return complete;
}

void stream_reading(struct stream *s, double value)
{
	if (s->mpi_depth) {
		if (s->awaits_inside)
			add_gap(s, value - s->exit_reading);
		s->awaits_inside = false;
		s->last_inside = value;
		s->inside_known = true;
		return;
	}
	if (!s->gap_readings)
		s->first_gap = value;
	s->last_gap = value;
	if (s->gap_readings < 2)
		s->gap_readings++;
}
