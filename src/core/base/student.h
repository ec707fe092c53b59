/* Student's distribution: how sure a mean or a coefficient of few measurements is. */
#ifndef PAS2P_STUDENT_H
#define PAS2P_STUDENT_H

#include <stdint.h>

/* The 97.5 % quantile for that many degrees of freedom, at least 1: half the width of a 95 % interval in standard
 * errors. */
double student_quantile(uint32_t df);

#endif
