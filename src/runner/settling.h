/* Settling: does what is measured get faster while it is being measured? Then the warm-up before it was too short.
 *
 * The occurrences of each regular window that has two or more are halved by number, the middle one counting to the
 * second half; what each half took is divided by what its phases take on average over all windows. A hint, not a proof:
 * a program may itself be slower at the places where its windows begin.
 */
#ifndef PAS2P_SETTLING_H
#define PAS2P_SETTLING_H

#include "core/windows/estimate.h"

struct settling {
	uint32_t windows;  /* that could be halved */
	uint32_t slower;   /* of them: the first half's quotient is above the second's */
	double ratio;      /* mean of the first halves' quotients over that of the second ones'; NAN: not defined */
	bool late;         /* ratio over 1.1, and slower in all but one, of at least five */
};

struct settling settling_look(const struct estimate_input *in, const struct estimate *x);

#endif
