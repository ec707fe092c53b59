/* A stream: the calls of one thread of one process while a trace is read, paired into states; and the
 * computation between those that make events (method.md 1).
 *
 * Compute time after an event runs from the end of its MPI call to the start of the next one that makes an
 * event, with the time inside MPI calls and the tracer's buffer writes between them left out. A message outside of any
 * call counts as a call of no length, so that without call states compute times are the gaps between events.
 *
 * With readings of the CPU clock the same accounting runs on these: in a gap between two calls the first reading is the
 * exit of the one, the last the entry of the other; a tracer that reads inside the call is understood too.
 */
#ifndef PAS2P_STREAM_H
#define PAS2P_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "defs.h"

struct frame {
	uint32_t def;
	double start;
	double nested; /* time of the states within */
};

#define STREAM_SHALLOW 3

struct stream {
	int32_t thread;
	uint32_t depth;        /* of the stack */
	uint32_t mpi_depth;    /* MPI calls and tracer writes on it */
	uint32_t last_event;   /* index in the trace's columns, NO_EVENT: none yet */
	bool event_in_call;    /* the open call made last_event */
	bool was_outside;      /* outside_since is valid */
	bool readings;
	uint8_t gap_readings;  /* in this gap: 0, 1, 2 = more */
	bool inside_known;     /* last_inside is valid */
	bool awaits_inside;    /* the first reading in this call completes the gap before it */
	double outside_since;
	double gap;            /* computation since the end of last_event's call */
	double first_gap, last_gap, last_inside, exit_reading;
	size_t stack_cap;
	struct frame *stack;   /* NULL: `shallow` is enough so far */
	struct frame shallow[STREAM_SHALLOW];
	struct stream *next;   /* of the same process */
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

/* An event was made now; returns through *before the event whose compute time is complete and its value, if any. */
bool stream_event(struct stream *s, uint32_t event, uint32_t *before, double *compute);

/* A reading of the process CPU clock, seconds. */
void stream_reading(struct stream *s, double value);

#endif
