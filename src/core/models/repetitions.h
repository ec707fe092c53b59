/* Repetitions of one measurement: which of them count, their mean, and how sure it is (docs/models.md 1, 5). */
#ifndef PAS2P_REPETITIONS_H
#define PAS2P_REPETITIONS_H

#include <stdint.h>

#define REPETITIONS_MOST 200 /* that are made */

struct repetitions_mean {
	uint32_t kept;      /* the others stand out: of at least five, what is further from the median than 7.413 median differences and 5 % of it */
	double mean;        /* of those that are kept; NAN: there are none */
	double half_width;  /* of the mean's 95 % interval; NAN: fewer than two are kept */
};

struct repetitions_mean repetitions_mean(const double *value, uint32_t count);

#endif
