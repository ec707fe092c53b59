/* Several runs of one program: speedup, efficiency, what limits it (docs/metrics.md 6). */
#ifndef PAS2P_SCALING_H
#define PAS2P_SCALING_H

#include "core/metrics/run_metrics.h"

enum scaling_kind { SCALING_STRONG, SCALING_WEAK };

/* What of a run is needed; NAN where it is not known. */
struct scaling_run {
	uint32_t processes;
	double runtime, useful;  /* s; useful over all processes */
	double parallel_efficiency;
	/* filled in: */
	double speedup, efficiency, serial_fraction, computation_scaling, global_efficiency;
	/* of all runs on as many processes: how many have a time, and their times; NAN: none has */
	uint32_t equals;
	double median, least, most;
};

#define NO_RUN UINT32_MAX

/* runs are in order already (scaling_order). serial: seconds of the best sequential program, NAN: not given. Returns
 * the index of the reference, NO_RUN: there is none (a single run of several processes). The reference is of the runs
 * with the fewest processes that with the median time, of an even number the shorter of the two in the middle. */
uint32_t scaling_fill(struct scaling_run *runs, uint32_t count, enum scaling_kind kind, double serial);

/* "5 runs on 4 processes: median 1.24 s, 1.2 s to 1.3 s"; "" where there is one. */
#define SCALING_TEXT 128
const char *scaling_equals_text(const struct scaling_run *run, char text[SCALING_TEXT]);

/* Slower than the reference: then no part of it is a serial fraction, which would be above 1. */
static inline bool scaling_is_slower(const struct scaling_run *run)
{
	return run->serial_fraction > 1;
}

/* order[i]: which of the runs, as given, comes i-th: by processes, then as given. */
void scaling_order(const uint32_t *processes, uint32_t count, uint32_t *order);

#endif
