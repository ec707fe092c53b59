/* What stands out is what a person looks at first, of iterations, processes or runs alike: so the bounds must be what
 * they are said to be, for lists that are even, constant, empty or not all numbers. Held against a median that is found
 * by counting.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/outliers.h"
#include "gen.h"
#include "tap.h"

static struct outlier_bounds bounds_of(const double *list, uint32_t n)
{
	struct outlier_bounds b;
	struct err e;

	if (outlier_bounds_of(&b, list, n, &e))
		bail_out("%s", e.text);
	return b;
}

/* The one with k smaller ones before it, counted. */
static double number_in_order(const double *list, uint32_t n, uint32_t k)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t less = 0, same = 0;

		for (uint32_t j = 0; j < n; j++) {
			less += list[j] < list[i];
			same += list[j] == list[i];
		}
		if (!isnan(list[i]) && less <= k && k < less + same)
			return list[i];
	}
	return NAN;
}

static double naive_median(const double *list, uint32_t n)
{
	uint32_t numbers = 0;

	for (uint32_t i = 0; i < n; i++)
		numbers += !isnan(list[i]);
	return numbers ? (number_in_order(list, n, (numbers - 1) / 2) + number_in_order(list, n, numbers / 2)) / 2 : NAN;
}

static void known(void)
{
	static const double times[] = {1, 1.25, 1, 4, 0.75, 1, 1.25, 1, 1, 0.1};
	static const double constant[] = {3, 3, 3, 3, 3.5};
	struct outlier_bounds b = bounds_of(times, 10);

	/* Differences 0 x 5, 0.25 x 3, 0.9, 3: median 0.125, and 5 x 1.4826 times that is 0.926625. */
	is_double(b.median, 1, 0, "the median of ten");
	is_double(b.low, 1 - 0.926625, 1e-12, "how far below nothing stands out");
	is_double(b.high, 1 + 0.926625, 1e-12, "how far above");
	ok(outlier_is(&b, 4) && !outlier_is(&b, 0.1) && !outlier_is(&b, 1.926) && outlier_is(&b, 0), "what stands out");
	ok(!outlier_is(&b, NAN), "no figure does not");
	b = bounds_of(constant, 5);
	ok(b.low == 3 && b.high == 3 && outlier_is(&b, 3.5) && !outlier_is(&b, 3), "of equal ones all that differs stands out");
}

static void edges(void)
{
	static const double none[] = {NAN, NAN}, some[] = {NAN, 2, NAN, 4, NAN}, endless[] = {1, INFINITY, INFINITY, INFINITY};
	struct outlier_bounds b = bounds_of(NULL, 0);

	ok(isnan(b.median) && !outlier_is(&b, 0) && !outlier_is(&b, INFINITY), "nothing stands out of nothing");
	b = bounds_of(none, 2);
	ok(isnan(b.median) && !outlier_is(&b, 0), "nor of what is not defined");
	b = bounds_of(some, 5);
	ok(b.median == 3 && !outlier_is(&b, 2) && outlier_is(&b, 11), "what is not defined is left out");
	b = bounds_of(some + 1, 1);
	ok(b.median == 2 && b.low == 2 && b.high == 2, "one alone is the median");
	b = bounds_of(endless, 4);
	ok(b.median == (double)INFINITY && !outlier_is(&b, INFINITY), "figures without end do not upset it");
}

static void against_the_naive_median(void)
{
	uint32_t n = 0;
	bool good = true;

	for (uint64_t seed = 1; seed <= 2000 && good; seed++) {
		uint64_t state = seed;
		double list[60], differences[60], median, reach;
		struct outlier_bounds b;

		n = gen_below(&state, 60);
		for (uint32_t i = 0; i < n; i++)
			list[i] = gen_below(&state, 12) ? gen_below(&state, 40) / 8.0 - 2 : NAN;
		b = bounds_of(list, n);
		median = naive_median(list, n);
		for (uint32_t i = 0; i < n; i++)
			differences[i] = fabs(list[i] - median);
		reach = 5 * 1.4826 * naive_median(differences, n);
		good = isnan(median) ? isnan(b.median) && isnan(b.low) && isnan(b.high)
				     : b.median == median && fabs(b.low - (median - reach)) < 1e-12 && fabs(b.high - (median + reach)) < 1e-12;
		if (!good)
			diag("seed %llu: %g in [%g, %g], expected %g -+ %g", (unsigned long long)seed, b.median, b.low, b.high, median, reach);
	}
	ok(good, "bounds of random lists are those of a median found by counting");
}

static void without_memory(void)
{
	static const double list[] = {1, 2, 3};
	struct outlier_bounds b;
	struct err e = {0};
	enum err_code code;

	mem_fail_after(0);
	code = outlier_bounds_of(&b, list, 3, &e);
	mem_fail_after(-1);
	ok(code == ERR_MEMORY && e.text[0] && isnan(b.median), "without memory there is an error");
}

int main(void)
{
	known();
	edges();
	against_the_naive_median();
	without_memory();
	return done_testing();
}
