/* When messages were sent and received, and who was held by whom, by each process's own clock (docs/clocks.md 1).
 *
 * A trace's events have the times of their records. Not those count where the record says less than the trace knows: a
 * persistent send was started when its outermost call began; a collective that holds its members till all are there
 * ends when its outermost call does. And a process whose clock was synchronised more than once has a step at each:
 * taken out, its stamps are those of one clock.
 *
 * Of a trace that ranks share (core/trace/trace_far.h) the log's are of the own processes; steps and resolutions are of all, steps of others
 * with event numbers of theirs.
 */
#ifndef PAS2P_CLOCK_TIMES_H
#define PAS2P_CLOCK_TIMES_H

#include <stdbool.h>

#include "core/metrics/call_log.h"

struct clock_times {
	const struct trace *trace;
	/* The log's (core/metrics/call_clocks.h); steps where ranks share the trace: of all processes. */
	const struct clock_event_time *sent, *held;
	uint32_t sent_count, held_count;
	const struct clock_step *steps;
	const uint32_t *first_step;
	const struct clock_seen *seen;
	const uint32_t *first_seen;
	double *resolution;            /* per process, s: what its stamps may be off by; 0: they are exact */
	struct clock_far *far;         /* of messages with other ranks (clock_far.h); NULL: the trace is whole */
};

#define RESOLUTION_AUTO (-1.0)
#define RESOLUTION_COARSE 1e-6 /* s: of clocks that stamp in whole microseconds */

/* resolution: s, of all processes; RESOLUTION_AUTO: as their records show. The log must outlive it. Of a trace that ranks share all come to
 * it, and the code is agreed. ERR_MEMORY. */
enum err_code clock_times_init(struct clock_times *c, const struct call_log *log, double resolution, struct err *e);
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
