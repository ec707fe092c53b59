/* The main loop of a run: what a user of the program counts ("a time step takes 0.31 ms").
 *
 * It is told by what the program does, never by how long that takes: a loop is as large as the ticks that its
 * iterations cover, all its places together. So runs that do the same have the same main loop, whatever their times and
 * whatever is relevant.
 *
 *     1. The outermost loop of the exact folding with a count of at least five and at least half of the run's ticks; of
 *        several the larger.
 *     2. If there is none, rare phases may spoil the repetition: the same of the folding without the phases that cover
 *        less than 1/256 of the ticks each, then 1/128 and so on, up to 1/16. A single phase that is repeated does not
 *        count here: with enough left out there always is one.
 *     3. If there is none, the largest loop of the exact folding with at least five iterations in all.
 *
 * Of equal ones it is the one whose first iteration ends first. It need not be the loop that windows follow (loops.h),
 * which depends on how long windows are. Times are seconds.
 */
#ifndef PAS2P_MAIN_LOOP_H
#define PAS2P_MAIN_LOOP_H

#include <stdint.h>

#include "core/base/err.h"
#include "loops.h"

struct main_loop {
	uint32_t iterations;  /* at all its places; 0: there is no main loop, and nothing below is said */
	const struct folding *folding; /* the exact one, or `without_rare` */
	uint32_t loop;        /* of the folding: fold->loops[loop] has its count and body */
	double share;         /* of the AET */
	double mean, median;
	double deviation;     /* standard, of all iterations */
	/* In order of the run; the folding's own. */
	const uint32_t *from, *to;
	double *seconds;      /* per iteration; owned */
	/* Iterations, from 0, that differ from the median by more than 5 x 1.4826 times the median difference; owned. */
	uint32_t *outliers;
	uint32_t outlier_count;
	struct folding *without_rare; /* owned; NULL: it is of the exact one */
};

/* The exact folding of the phases' occurrences, which must outlive it; tick[k] is how many ticks lie before occurrence k,
 * tick[occurrence_count] the number of all; u and aet as in loops.h. */
enum err_code main_loop_init(struct main_loop *out, const struct phases *p, const struct folding *exact, const double *tick,
			     const double *u, double aet, const struct job *job, struct err *e);
void main_loop_release(struct main_loop *m);

#endif
