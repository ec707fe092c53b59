/* A stream: the calls of one thread of one process while a trace is read, paired into states; and the
 * computation between those that make events (docs/method.md 1.2).
 *
 * Compute time after an event runs from the end of its MPI call to the start of the next one that makes an
 * event, with the time inside MPI calls and the tracer's buffer writes between them left out. A message outside of any
 * call counts as a call of no length, so that without call states compute times are the gaps between events.
 *
 * With readings of the CPU clock the same accounting runs on these. A tracer may read at a call's start before or after the
 * record of it, and at its end likewise: of the readings on both sides of a call's border the one nearest to it in time counts
 * (equally near: the one outside). So what lies before a call may be known only at the first reading within it.
 */
#ifndef PAS2P_STREAM_H
#define PAS2P_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "trace.h"

struct frame {
	uint32_t kind; /* of state */
	double start;
	double nested; /* time of the states within */
};

#define STREAM_SHALLOW 3

struct cpu_reading {
	double time, value; /* when it was logged; CPU seconds */
	bool known;
};

struct stream {
	int32_t thread;
	uint32_t depth;        /* of the stack */
	uint32_t mpi_depth;    /* MPI calls and tracer writes on it */
	uint32_t last_event;   /* index in the trace's columns, NO_EVENT: none yet */
	bool event_in_call;    /* the open call made last_event */
	bool was_outside;      /* outside_since is valid */
	bool readings;
	bool entry_open;       /* readings: the one at this call's start is not settled */
	bool due_waits;        /* due's compute time waits for that */
	uint32_t due;          /* the event whose compute time is complete or waits, NO_EVENT: none */
	double outside_since;
	double gap;            /* computation since the end of last_event's call */
	double due_compute;
	double entered_at;
	struct cpu_reading first_gap, last_gap;        /* in the gap before the call */
	struct cpu_reading before_inside, last_inside; /* in the call before that gap; in this call */
	size_t stack_cap;
	struct frame *stack;   /* NULL: `shallow` is enough so far */
	struct frame shallow[STREAM_SHALLOW];
	struct stream *next;   /* of the same process */
	uint32_t calls, unpaired; /* complete states; starts without ends and ends without starts */
};

static inline struct frame *stream_stack(struct stream *s)
{
	return s->stack ? s->stack : s->shallow;
}

/* Room for one more frame; NULL: no memory. */
struct frame *stream_push(struct stream *s);

void stream_init(struct stream *s, int32_t thread, bool readings);
void stream_release(struct stream *s);

/* An MPI call (or a tracer's write) begins and ends as the outermost one. */
void stream_enter(struct stream *s, double time);
void stream_leave(struct stream *s, double time);

/* An event was made now. */
void stream_event(struct stream *s, uint32_t event);

/* A reading of the process CPU clock, seconds, logged at `time`. */
void stream_reading(struct stream *s, double time, double value);

/* To be asked after each of the four: an event whose compute time is complete now. */
static inline bool stream_due(struct stream *s, uint32_t *event, double *compute)
{
	if (s->due == NO_EVENT || s->due_waits)
		return false;
	*event = s->due;
	*compute = s->due_compute;
	s->due = NO_EVENT;
	return true;
}

#endif
