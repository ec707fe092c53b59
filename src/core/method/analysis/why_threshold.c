#include "analysis_int.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/base/search.h"

/* Doubles from 0 up are in the order of their bits, so a search by halves over those ends at neighbours. */
static uint64_t bits_of(double v)
{
	uint64_t u;

	memcpy(&u, &v, sizeof u);
	return u;
}

static double double_of(uint64_t u)
{
	double v;

	memcpy(&v, &u, sizeof v);
	return v;
}

/* The boundary between `low`, where answer is given, and `high`, where it is not: the last that is like low. */
static double last_like_low(bool (*holds)(const void *arg, double v), const void *arg, double guess, bool answer)
{
	uint64_t low = bits_of(0.0), high = bits_of(1.0), near;

	if (guess > 0 && guess < 1) {
		/* Rounding moves the boundary by a few neighbours at most: try there first. */
		near = bits_of(guess);
		if (near > 4 && holds(arg, double_of(near - 4)) == answer)
			low = near - 4;
		if (near + 4 < high && holds(arg, double_of(near + 4)) != answer)
			high = near + 4;
	}
	return double_of(SEARCH_LAST(i, low, high, holds(arg, double_of(i)) == answer));
}

double threshold_least(bool (*holds)(const void *arg, double v), const void *arg, double guess)
{
	if (holds(arg, 0))
		return 0;
	if (!holds(arg, 1))
		return INFINITY;
	return nextafter(last_like_low(holds, arg, guess, false), 2);
}

double threshold_most(bool (*holds)(const void *arg, double v), const void *arg, double guess)
{
	if (holds(arg, 1))
		return 1;
	if (!holds(arg, 0))
		return -1;
	return last_like_low(holds, arg, guess, true);
}
