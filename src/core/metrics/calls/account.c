#include "calls.h"

#include <math.h>

void account_add(struct account *to, const struct account *from)
{
	account_add_share(to, from, 1);
}

void account_add_share(struct account *to, const struct account *from, double share)
{
	for (int k = 0; k < ACCOUNT_KINDS; k++)
		to->by_kind[k] += share * from->by_kind[k];
	for (int r = 0; r < WAIT_REASONS; r++)
		to->by_reason[r] += share * from->by_reason[r];
	to->hidden += share * from->hidden;
	to->not_analysed += share * from->not_analysed;
	to->not_analysed_transfer += share * from->not_analysed_transfer;
}

double account_time(const struct account *a)
{
	double time = 0;

	for (int k = 0; k < ACCOUNT_KINDS; k++)
		time += a->by_kind[k];
	return time;
}

double account_communication(const struct account *a)
{
	return a->by_kind[ACCOUNT_SEND] + a->by_kind[ACCOUNT_RECEIVE] + a->by_kind[ACCOUNT_WAIT] +
	       a->by_kind[ACCOUNT_COLLECTIVE];
}

double account_sync(const struct account *a)
{
	double sync = 0;

	for (int r = 0; r < WAIT_REASONS; r++)
		sync += a->by_reason[r];
	return sync;
}

double account_transfer(const struct account *a)
{
	return account_communication(a) - account_sync(a);
}

double account_moving(const struct account *a)
{
	return account_transfer(a) - a->not_analysed_transfer;
}

double account_other_mpi(const struct account *a)
{
	return a->by_kind[ACCOUNT_OTHER_MPI] - (a->not_analysed - a->not_analysed_transfer);
}

double account_overlap(const struct account *a, struct overlap_known known)
{
	double whole = a->hidden + account_communication(a);

	if (!(whole > 0) || (known.nonblocking && !known.posts))
		return NAN;
	return a->hidden / whole;
}
