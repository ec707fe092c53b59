/* Declarations that only the files of src/core/models/machine use. Each part begins with its own description. */
#ifndef PAS2P_CORE_MODELS_MACHINE_MACHINE_INT_H
#define PAS2P_CORE_MODELS_MACHINE_MACHINE_INT_H

#include <stdint.h>

#include "machine.h"

/* ---- batches ---- */

/* Batches of a millisecond: what is measured of a machine is what they have in common. Private to measured.c
 * and memory.c. */

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

/* ---- kernels ---- */

/* The loops that operations are timed with (docs/explain/models-language.md, "Machine files"). Private to measured.c.
 * */

#define KERNEL_OPS 8 /* by which the longer loop's body is longer */

/* Goes round n times. */
typedef void kernel(uint64_t n);

/* A loop of 16 operations beside one of 8 that is otherwise the same: their difference is 8 operations, and nothing of
 * the loop. */
struct kernel_loops {
	kernel *shorter, *longer;
};
struct kernels {
	struct kernel_loops dependent;   /* each operation needs the one before */
	struct kernel_loops independent; /* eight chains that need nothing of each other */
};

/* All NULL: not measured by itself (those whose type is any but for call, and memory). */
extern const struct kernels machine_kernels[MACHINE_OPS];

/* ---- memory ---- */

/* Memory beyond the caches: what reading, writing and copying a byte takes (docs/explain/models-language.md, "Machine
 * files"). Private to measured.c. */

/* Fills the figures of memory, buffer, and, if asked for, shared. ERR_MEMORY. */
enum err_code machine_measure_memory(struct machine_measured *m, bool shared, const struct progress *progress, struct err *e);

#endif
