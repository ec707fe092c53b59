/* When messages were sent and received, and who was held by whom, by each process's own clock (docs/clocks.md 1).
 *
 * A trace's events have the times of their records. Not those count where the record says less than the trace knows: a
 * persistent send was started when its outermost call began; a collective that holds its members till all are there
 * ends when its outermost call does. And a process whose clock was synchronised more than once has a step at each:
 * taken out, its stamps are those of one clock.
 *
 * Of a trace that ranks share (core/trace/trace_far.h) `sent`, `held` and `seen` are of the own processes; steps and
 * resolutions of all, steps of others with event numbers of theirs.
 */
#ifndef PAS2P_CLOCK_TIMES_H
#define PAS2P_CLOCK_TIMES_H

#include <stdbool.h>

#include "clock_records.h"

/* A clock was synchronised: from that event of the process on, its raw clock showed `shift` more than its stamps, and
 * its stamps are so much later than its first shift makes them. */
struct clock_step {
	uint32_t event;     /* number of the trace */
	uint32_t record;    /* from 0, within its process */
	double later;       /* of the first: 0 */
	double shift;
};

struct clock_event_time {
	uint32_t event;
	uint32_t record;    /* that has the time: from 0, within the event's process */
	double time;
};

/* The tracer measured a process's clock: at that time of it, rank 0's less it lies between low and high. Steps are
 * taken out. */
struct clock_seen {
	uint32_t event;     /* the first one of the process that comes behind; else where the next process's begin */
	double time, low, high;
};

struct clock_times {
	const struct trace *trace;
	struct clock_event_time *sent; /* persistent sends, by event */
	uint32_t sent_count;
	struct clock_event_time *held; /* collectives that hold their members, by event: when their call ended */
	uint32_t held_count;
	struct clock_step *steps;      /* those of process p are [first_step[p], first_step[p + 1]), by event */
	uint32_t *first_step;          /* process_count + 1 */
	struct clock_seen *seen;       /* those of process p are [first_seen[p], first_seen[p + 1]), in order; of rank 0 there are none */
	uint32_t *first_seen;          /* process_count + 1 */
	double *resolution;            /* per process, s: what its stamps may be off by; 0: they are exact */
	struct clock_records *records; /* for the first correction, which takes them; NULL: they were not asked for */
	struct clock_far *far;         /* of messages with other ranks (clock_far.h); NULL: the trace is whole */
};

void clock_times_release(struct clock_times *c);

/* NULL: the event is none of these; its own record has the time. */
const struct clock_event_time *clock_times_started(const struct clock_times *c, uint32_t event);
/* As recorded; of a send on another rank, too, as match[] has it. */
double clock_times_sent(const struct clock_times *c, uint32_t event);
/* Its entry in held[]; NO_ENTRY: it holds nobody. */
#define NO_ENTRY UINT32_MAX
uint32_t clock_times_held(const struct clock_times *c, uint32_t event);
/* How much later than its first shift makes them the stamps around that event are; process: the event's. */
double clock_times_step(const struct clock_times *c, uint32_t process, uint32_t event);

#endif
