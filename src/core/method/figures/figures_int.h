/* A phase's occurrences over the run: how long they take in each part of it, and whether they are of one speed.
 *
 * Cost: O(occurrences of the phase).
 */
#ifndef PAS2P_CORE_METHOD_FIGURES_FIGURES_INT_H
#define PAS2P_CORE_METHOD_FIGURES_FIGURES_INT_H

#include <stdbool.h>
#include <stdint.h>

#include "clockwork.h"
#include "core/base/err.h"
#include "core/base/job.h"
#include "core/method/phases/phases.h"

struct series_bin {
	uint32_t count;          /* occurrences that begin in this part of the run; 0: all else is 0 */
	double mean, min, max;   /* seconds: their times, each the mean over processes */
};

/* Two humps: occurrences of two speeds, merged into one phase. Told where the best cut of the times in two groups
 * leaves the groups far apart for their spread (see series.c), each with a tenth of the occurrences, and one a tenth
 * slower than the other. Times of one speed with noise - even, normal, lognormal, exponential - are told so in less
 * than 1 % of cases. Eight occurrences are needed. */
struct two_humps {
	bool told;
	double fast, slow;       /* mean times of the groups */
	uint32_t fast_count, slow_count;
	double cut;              /* times up to here are fast */
};

struct phase_series {
	struct series_bin *bin;  /* bins of equal numbers of ticks, over the whole run */
	uint32_t bins;
	double min, median, max, mean, deviation; /* of all occurrences; deviation: standard */
	struct two_humps humps;
};

enum err_code phase_series_init(struct phase_series *series, const struct clockwork *c, const struct phases *p,
				uint32_t id, uint32_t bins, const struct job *job, struct err *e);
void phase_series_release(struct phase_series *series);

/* The cut on its own: times in ascending order. */
struct two_humps two_humps(const double *times, uint32_t n);

#endif
