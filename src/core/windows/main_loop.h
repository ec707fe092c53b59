/* The main loop of a folding: what a user of the program counts ("a time step takes 0.31 ms").
 *
 * It is the outermost loop with a count of at least five and at least half of the run's time, all its places
 * together; of several the one with the larger share. If there is none, the loop with at least five iterations in
 * all whose share is largest. Equal shares: the one whose first iteration ends first. It need not be the loop that
 * windows follow (loops.h), which depends on how long windows are. Times are seconds.
 */
#ifndef PAS2P_MAIN_LOOP_H
#define PAS2P_MAIN_LOOP_H

#include <stdint.h>

#include "core/base/err.h"
#include "loops.h"

struct main_loop {
	uint32_t iterations;  /* at all its places; 0: there is no main loop, and nothing below is said */
	uint32_t loop;        /* of the folding: fold->loops[loop] has its count and body */
	double share;         /* of the AET */
	double mean, median;
	double deviation;     /* standard, of all iterations */
	/* In order of the run; the folding's own, valid as long as it is. */
	const uint32_t *from, *to;
	double *seconds;      /* per iteration; owned */
	/* Iterations, from 0, that differ from the median by more than 5 x 1.4826 times the median difference; owned. */
	uint32_t *outliers;
	uint32_t outlier_count;
};

/* u and aet as in loops.h. */
enum err_code main_loop_init(struct main_loop *out, const struct folding *f, const double *u, double aet, struct err *e);
void main_loop_release(struct main_loop *m);

#endif
