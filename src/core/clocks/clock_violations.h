/* Violations: what arrived before it was sent, by the clocks as they are (docs/clocks.md 1).
 *
 *     clock_violations_new(&v, &points, bins, medians, job, &e);
 *     clock_violations_free(v);
 *
 * A message is one if its receive is stamped before its send + latency; the end of a collective that holds its members,
 * if some other member began after that - latency. `worst` is the smallest (receive - send - latency), below 0 where it
 * is violated; NAN: there is none. All related messages count, also those to oneself and those whose relation is
 * doubtful; times are the trace's own. Of a trace that ranks share, a meeting: rank 0 has those of all, the others what
 * they have counted themselves. Medians take 8 bytes a message while they are found, all else takes memory by pairs and
 * processes alone: ask for them where they are shown.
 */
#ifndef PAS2P_CLOCK_VIOLATIONS_H
#define PAS2P_CLOCK_VIOLATIONS_H

#include "clock_points.h"

struct violation_count {
	uint64_t all, violated;
	double worst;
};

struct process_violations {
	struct violation_count sent, received, collective; /* collective: its ends */
};

struct pair_violations {
	uint32_t from, to;
	struct violation_count messages;
	double median;           /* of receive - send - latency; NAN if medians were not asked for */
};

struct bin_violations {
	double start, end;
	struct violation_count messages; /* by the receive's time; the last bin has its end */
};

struct clock_violations {
	struct violation_count messages, collective;
	struct process_violations *process;
	uint32_t process_count;
	struct pair_violations *pair;   /* that have messages, by sender, then receiver */
	uint32_t pair_count;
	struct bin_violations *bin;     /* equal parts of the AET */
	uint32_t bin_count;
};

enum err_code clock_violations_new(struct clock_violations **out, const struct clock_points *points, uint32_t bins, bool medians,
				   const struct job *job, struct err *e);
void clock_violations_free(struct clock_violations *v); /* NULL is fine */

#endif
