/* The factors that people compare programs by: the formulas of docs/reference/metrics.md, "Efficiency factors", whose
 * products must be what they are factors of, and nothing where nothing is known: an efficiency of 0 would send someone
 * looking for a fault that is not there.
 */
#include <math.h>

#include "core/metrics/calls/calls.h"
#include "gen.h"
#include "tap.h"

#define NEAR 1e-7

static void tiny(void)
{
	struct factors_from f = {.processes = 2};
	struct factors x;

	factors_add(&f, 0, 14, 0, 6);
	factors_add(&f, 1, 13, 0, 7);
	x = factors_of(&f, 20, 15);
	is_double(x.load_balance, .9642857, NEAR, "load balance");
	is_double(x.communication_balance, .9285714, NEAR, "communication balance");
	is_double(x.communication_efficiency, .7, NEAR, "communication efficiency");
	is_double(x.parallel_efficiency, .675, NEAR, "parallel efficiency");
	is_double(x.serialisation_efficiency, .9333333, NEAR, "serialisation efficiency");
	is_double(x.transfer_efficiency, .75, NEAR, "transfer efficiency");
	is_double(x.tracer_efficiency, 1, NEAR, "tracer efficiency");
	is_int(f.heaviest, 0, "the process that computes most");
}

static void tracer(void)
{
	struct factors_from f = {.processes = 2};
	struct factors x;

	factors_add(&f, 0, 12.9, 0, 6.85);
	factors_add(&f, 1, 14.5, .25, 4);
	x = factors_of(&f, 20, 15.75);
	is_double(x.serialisation_efficiency, 14.75 / 15.75, NEAR, "the tracer's writes are no serialisation");
	is_double(x.tracer_efficiency, 14.5 / 14.75, NEAR, "they are told apart");
}

static void absent(void)
{
	struct factors_from none = {.processes = 3}, silent = {.processes = 3}, idle = {.processes = 3};
	struct factors x = factors_of(&none, 10, 10);

	ok(isnan(x.load_balance) && isnan(x.communication_balance) && isnan(x.communication_efficiency) &&
	   isnan(x.parallel_efficiency) && isnan(x.serialisation_efficiency) && isnan(x.transfer_efficiency) &&
	   isnan(x.tracer_efficiency), "of nothing nothing is known");
	factors_add(&silent, 1, 5, 0, 0);
	x = factors_of(&silent, 10, NAN);
	is_double(x.load_balance, 1. / 3, NEAR, "what one of three does is balanced by a third");
	ok(isnan(x.communication_balance), "without communication there is none to balance");
	ok(isnan(x.serialisation_efficiency) && isnan(x.transfer_efficiency), "without an ideal run there is nothing to compare with");
	x = factors_of(&silent, 0, 10);
	ok(isnan(x.communication_efficiency) && isnan(x.parallel_efficiency), "nor without a run time");
	factors_add(&idle, 0, 0, 1, 4);
	factors_add(&idle, 2, 0, 0, 2);
	x = factors_of(&idle, 10, 10);
	is_double(x.communication_balance, .5, NEAR, "who only communicates has a balance of that");
	ok(isnan(x.load_balance) && isnan(x.communication_efficiency) && isnan(x.tracer_efficiency), "and no other factor");
}

static void heaviest(void)
{
	struct factors_from f = {.processes = 9};

	factors_add(&f, 4, 0, 0, 0);
	factors_add(&f, 7, 3, 0, 0);
	factors_add(&f, 5, 3, 0, 0);
	factors_add(&f, 6, 2, 0, 0);
	is_int(f.heaviest, 5, "of several equal ones the lowest, in whatever order they come");
}

static void products(void)
{
	uint64_t seed = 3;
	unsigned bad = 0;

	for (int i = 0; i < 2000; i++) {
		struct factors_from f = {.processes = 1 + gen_below(&seed, 20)};
		struct factors x;

		for (uint32_t p = 0; p < f.processes; p++)
			factors_add(&f, p, 1 + gen_below(&seed, 100), gen_below(&seed, 3), gen_below(&seed, 100));
		x = factors_of(&f, 250, 102 + gen_below(&seed, 148));
		bad += !(fabs(x.parallel_efficiency - x.load_balance * x.communication_efficiency) < 1e-12);
		bad += !(fabs(x.communication_efficiency - x.serialisation_efficiency * x.transfer_efficiency) < 1e-12);
		bad += !(x.load_balance <= 1 + 1e-12 && x.serialisation_efficiency <= 1 && x.tracer_efficiency <= 1);
	}
	is_int(bad, 0, "parallel = load balance x communication, communication = serialisation x transfer");
}

int main(void)
{
	tiny();
	tracer();
	absent();
	heaviest();
	products();
	return done_testing();
}
