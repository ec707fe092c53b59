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
};

#define NO_RUN UINT32_MAX

/* runs are in order already (scaling_order). serial: seconds of the best sequential program, NAN: not given. Returns
 * the index of the reference, NO_RUN: there is none (a single run of several processes). */
uint32_t scaling_fill(struct scaling_run *runs, uint32_t count, enum scaling_kind kind, double serial);

/* order[i]: which of the runs, as given, comes i-th: by processes, then as given. */
void scaling_order(const uint32_t *processes, uint32_t count, uint32_t *order);

#endif
