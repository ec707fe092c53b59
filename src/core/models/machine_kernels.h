/* The loops that operations are timed with (docs/models.md 7). Private to machine_measured.c. */
#ifndef PAS2P_MACHINE_KERNELS_H
#define PAS2P_MACHINE_KERNELS_H

#include <stdint.h>

#include "machine_measured.h"

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

#endif
