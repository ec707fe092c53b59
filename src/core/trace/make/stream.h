/* A stream: the calls of one thread of one process while a trace is read, paired into states; and the
 * computation between those that make events (docs/explain/method.md, "Compute time").
 *
 * Compute time after an event runs from the end of its MPI call to the start of the next one that makes an
 * event, with the time inside MPI calls and the tracer's buffer writes between them left out. A message outside of any
 * call counts as a call of no length, so that without call states compute times are the gaps between events.
 *
 * With CPU samples the same accounting runs on these. A tracer may read at a call's start before or after the record of
 * it, and at its end likewise: of the CPU samples on both sides of a call's border the one nearest to it in time counts
 * (equally near: the one outside). So what lies before a call may be known only at the first CPU sample within it.
 *
 * After the last event it runs to where the process's work ends: stream_finish().
 *
 * With a counter, seconds are accounted for as without, and beside them the counter's increase as readings are
 * (make_int.h).
 */
#ifndef PAS2P_CORE_TRACE_MAKE_STREAM_H
#define PAS2P_CORE_TRACE_MAKE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/trace/trace.h"

struct frame {
	uint32_t kind; /* of state */
	double start;
	double nested; /* time of the states within */
};

#define STREAM_SHALLOW 3

struct cpu_sample {
	double time, value; /* when it was logged; CPU seconds */
	bool known;
};

enum stream_account { STREAM_OF_SECONDS, STREAM_OF_SAMPLES, STREAM_WITH_COUNT };

/* What every call touches comes first: with many processes those are other lines of memory for each record. */
struct stream {
	struct frame *stack;   /* `shallow` until that is not enough */
	int32_t thread;
	uint32_t depth;        /* of the stack */
	size_t stack_cap;
	uint32_t mpi_depth;    /* MPI calls and tracer writes on it */
	uint32_t last_event;   /* index in the trace's columns, NO_EVENT: none yet */
	uint32_t calls;        /* complete states */
	bool event_in_call;    /* the open call made last_event */
	bool was_outside;      /* outside_since is valid */
	uint8_t account;       /* enum stream_account */
	bool entry_open;       /* CPU samples: the one at this call's start is not settled; with a count: in a call */
	double outside_since;
	double gap;            /* computation since the end of last_event's call */
	struct frame shallow[STREAM_SHALLOW];
	uint32_t unpaired;     /* starts without ends and ends without starts */
	uint64_t event_end;    /* record of the process at which last_event's call ended, from 1; a CPU sample right behind it belongs to the call */
	double event_end_time; /* and when that is */
	/* With CPU samples, or a count, only. */
	uint32_t waiting;      /* for the entry to be settled: the event whose compute time is complete then; NO_EVENT: none */
	union {
		double entered_at;
		struct stream_count *count;
	};
	struct cpu_sample first_gap, last_gap;         /* in the gap before the call */
	struct cpu_sample before_inside, last_inside;  /* in the call before that gap; in this call */
	bool cpu_known;        /* there was one */
	double cpu;            /* seconds outside of calls, so far */
};

/* Streams stay where they are initialised. */
void stream_init(struct stream *s, int32_t thread, bool cpu_samples);
void stream_release(struct stream *s);

bool stream_grow(struct stream *s);

/* Room for one more frame; NULL: no memory. */
static inline struct frame *stream_push(struct stream *s)
{
	if (__builtin_expect(s->depth == s->stack_cap, 0) && !stream_grow(s))
		return NULL;
	return &s->stack[s->depth++];
}

/* An event whose compute time is complete now. */
struct stream_complete {
	uint32_t event; /* NO_EVENT: none is */
	double compute;
};

/* An MPI call (or a tracer's write) begins as the outermost one. */
void stream_enter_sample(struct stream *s, double time); /* with CPU samples or a count */

static inline void stream_enter(struct stream *s, double time)
{
	if (__builtin_expect(s->account, 0))
		stream_enter_sample(s, time);
	else if (s->was_outside && time > s->outside_since)
		s->gap += time - s->outside_since;
}

/* What its end, and its first event, add with CPU samples or a count. */
struct stream_complete stream_leave_sample(struct stream *s, double time);
struct stream_complete stream_event_sample(struct stream *s, uint32_t event);

/* It ends. */
static inline struct stream_complete stream_leave(struct stream *s, double time)
{
	struct stream_complete complete = {NO_EVENT, 0};

	if (__builtin_expect(s->account, 0))
		complete = stream_leave_sample(s, time);
	s->outside_since = time;
	s->was_outside = true;
	if (s->event_in_call) {
		s->gap = 0;
		s->event_in_call = false;
	}
	return complete;
}

/* An event was made now. */
static inline struct stream_complete stream_event(struct stream *s, uint32_t event)
{
	struct stream_complete complete = {NO_EVENT, 0};

	if (!s->event_in_call) {
		if (__builtin_expect(s->entry_open, 0))
			complete = stream_event_sample(s, event);
		else
			complete = (struct stream_complete){s->last_event, s->gap};
	}
	s->last_event = event;
	s->event_in_call = true;
	return complete;
}

/* No more is told. What follows the last event, if there is one, ends at `end`; NAN: nothing says how much it
 * computes, as where no record follows its call. No call is open. */
struct stream_complete stream_finish(struct stream *s, double end, bool followed);

/* CPU seconds outside of calls, up to the last CPU sample. No call is open. */
double stream_cpu(const struct stream *s);

/* A CPU sample, seconds, logged at `time`. */
struct stream_complete stream_sample(struct stream *s, double time, double value);

#endif
