#include "language_int.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/order.h"

struct claim { /* on one of the tasks that are left */
	double remainder; /* in units of APPORTION_EQUAL, whole */
	uint32_t rank;
};

bool apportion_whole(double n)
{
	return n >= 0 && n <= APPORTION_MOST && floor(n) == n;
}

/* A quota that is whole but for rounding is whole. */
static double whole_of(double n, double share, double *remainder)
{
	long double quota = (long double)n * share, whole = floorl(quota);
	double rest = round((double)(quota - whole) / APPORTION_EQUAL);

	if (rest * APPORTION_EQUAL >= 1) {
		whole++;
		rest = 0;
	}
	*remainder = rest;
	return (double)whole;
}

double apportion_least(double n, double share)
{
	double remainder;

	return whole_of(n, share, &remainder);
}

double apportion_most(double n, double share)
{
	double remainder, whole = whole_of(n, share, &remainder);

	return whole + (remainder > 0);
}

ORDER_BY(order_claims, struct claim, DOWN(remainder) UP(rank))

bool apportion(double n, const double *share, uint32_t ranks, double *part)
{
	struct claim *claim = mem_alloc(ranks, sizeof *claim);
	double left = n;

	if (!claim)
		return false;
	for (uint32_t r = 0; r < ranks; r++) {
		claim[r].rank = r;
		part[r] = whole_of(n, share ? share[r] : 1.0 / ranks, &claim[r].remainder);
		left -= part[r];
	}
	SORT(claim, ranks, order_claims);
	/* One round is enough but where so many tasks are shared out that rounding is more than one of them. */
	while (left > 0)
		for (uint32_t i = 0; i < ranks && left > 0; i++, left--)
			part[claim[i].rank]++;
	while (left < 0)
		for (uint32_t i = ranks; i-- > 0 && left < 0;) {
			double *p = &part[claim[i].rank];

			left += *p > 0;
			*p -= *p > 0;
		}
	mem_free(claim);
	return true;
}
