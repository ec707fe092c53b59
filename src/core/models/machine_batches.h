/* Batches of a millisecond: what is measured of a machine is what they have in common. Private to machine_measured.c
 * and machine_memory.c. */
#ifndef PAS2P_MACHINE_BATCHES_H
#define PAS2P_MACHINE_BATCHES_H

#include <stdint.h>

#define BATCHES 40
#define BATCHES_FIRST 10   /* are not counted */
#define BATCHES_COUNTED (BATCHES - BATCHES_FIRST)
#define BATCH_SECONDS 1e-3

/* How often something must be done to last so long; `once` does it n times and returns the seconds. */
uint64_t batch_length(double (*once)(void *arg, uint64_t n), void *arg, double seconds);

/* Of sorted values. */
void batches_sort(double value[BATCHES_COUNTED]);
double batches_quantile(const double value[BATCHES_COUNTED], double q);

#endif
