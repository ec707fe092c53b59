/* Batches of a millisecond: what is measured of a machine is what they have in common. Private to machine_measured.c
 * and machine_memory.c. */
#ifndef PAS2P_MACHINE_BATCHES_H
#define PAS2P_MACHINE_BATCHES_H

#include <stdint.h>

#include "machine_measured.h"

#define BATCHES 40
#define BATCHES_FIRST 10   /* are not counted */
#define BATCHES_COUNTED (BATCHES - BATCHES_FIRST)
#define BATCH_SECONDS 1e-3
#define BATCHES_LOWER 0.05 /* quantiles: what an interruption does not reach, */
#define BATCHES_UPPER 0.95 /* and what hardly any batch takes longer than */

/* No processor begins more operations of one kind in a cycle: today's have up to 8 units for one. So what is measured
 * below cycle / BATCHES_ISSUE is a mistake of measuring. */
#define BATCHES_ISSUE 8

/* How often something must be done to last so long; `once` does it n times and returns the seconds. Interruptions only
 * lengthen, so the least of several tries counts. */
uint64_t batch_length(double (*once)(void *arg, uint64_t n), void *arg, double seconds);

/* Of sorted values. */
void batches_sort(double value[BATCHES_COUNTED]);
double batches_quantile(const double value[BATCHES_COUNTED], double q);

/* Seconds of a loop, and of one that has so many operations more and is otherwise the same; both sorted. */
struct batch_loops {
	double operations;
	double shorter[BATCHES_COUNTED], longer[BATCHES_COUNTED];
};

/* s of an operation at a quantile of the longer loop. The loop's own cost is that of shorter loops that nothing
 * interrupted, or an operation would take less the more the others were. */
double batches_operation(const struct batch_loops *b, double q);

/* From independent operations at their fastest to dependent ones at their slowest, never below cycle / BATCHES_ISSUE. */
struct machine_range batches_range(const struct batch_loops *independent, const struct batch_loops *dependent, double cycle);

#endif
