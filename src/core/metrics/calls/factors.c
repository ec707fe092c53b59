#include "calls.h"

#include <math.h>

static void offer_heaviest(struct factors_from *f, uint32_t process, double useful)
{
	if (useful > f->useful_max || (useful == f->useful_max && useful > 0 && process < f->heaviest)) {
		f->useful_max = useful;
		f->heaviest = process;
	}
}

void factors_add(struct factors_from *f, uint32_t process, double useful, double tracer, double communication)
{
	offer_heaviest(f, process, useful);
	f->useful_sum += useful;
	f->communication_sum += communication;
	if (communication > f->communication_max)
		f->communication_max = communication;
	if (useful + tracer > f->local_max)
		f->local_max = useful + tracer;
}

void factors_join(struct factors_from *f, const struct factors_from *more)
{
	offer_heaviest(f, more->heaviest, more->useful_max);
	f->useful_sum += more->useful_sum;
	f->communication_sum += more->communication_sum;
	if (more->communication_max > f->communication_max)
		f->communication_max = more->communication_max;
	if (more->local_max > f->local_max)
		f->local_max = more->local_max;
}

/* NAN if there is nothing to divide by. */
static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

struct factors factors_of(const struct factors_from *f, double whole, double ideal)
{
	double n = f->processes;
	struct factors x = {
		.load_balance = NAN, .communication_balance = ratio(ratio(f->communication_sum, n), f->communication_max),
		.communication_efficiency = NAN, .parallel_efficiency = NAN, .serialisation_efficiency = NAN,
		.transfer_efficiency = NAN, .tracer_efficiency = NAN,
	};

	/* Who computes nothing at all has no efficiency, good or bad. */
	if (!(f->useful_max > 0))
		return x;
	x.load_balance = ratio(ratio(f->useful_sum, n), f->useful_max);
	x.communication_efficiency = ratio(f->useful_max, whole);
	x.parallel_efficiency = ratio(ratio(f->useful_sum, n), whole);
	x.serialisation_efficiency = ratio(f->local_max, ideal);
	x.transfer_efficiency = x.communication_efficiency / x.serialisation_efficiency;
	x.tracer_efficiency = ratio(f->useful_max, f->local_max);
	return x;
}
