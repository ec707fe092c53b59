/* What stands out of a list of figures: what is further from their median than 5 x 1.4826 times the median difference
 * from it (about five standard deviations where they are spread evenly). NANs are left out. */
#ifndef PAS2P_OUTLIERS_H
#define PAS2P_OUTLIERS_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"

struct outlier_bounds {
	double median;     /* NAN: there are no figures */
	double low, high;  /* beyond them it stands out */
};

enum err_code outlier_bounds_of(struct outlier_bounds *out, const double *figure, uint32_t count, struct err *e);

static inline bool outlier_is(const struct outlier_bounds *b, double figure)
{
	return figure < b->low || figure > b->high;
}

/* ---- student ---- */

/* Student's distribution: how sure a mean or a coefficient of few measurements is. */

/* The 97.5 % quantile for that many degrees of freedom, at least 1: half the width of a 95 % interval in standard
 * errors. */
double student_quantile(uint32_t df);

#endif
