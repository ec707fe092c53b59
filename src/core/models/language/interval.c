#include "language.h"

static struct interval of_four(double a, double b, double c, double d)
{
	return interval_hull(interval_hull(interval_point(a), interval_point(b)),
			     interval_hull(interval_point(c), interval_point(d)));
}

struct interval interval_mul(struct interval a, struct interval b)
{
	return of_four(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi);
}

struct interval interval_div(struct interval a, struct interval b)
{
	if (b.lo <= 0 && b.hi >= 0)
		return interval_point(NAN);
	return of_four(a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi);
}

double interval_power(double base, double exponent)
{
	/* The powers that times and counts have; pow() takes ten times as long. */
	if (exponent == 1)
		return base;
	if (exponent == 2)
		return base * base;
	if (exponent == 3)
		return base * base * base;
	return pow(base, exponent);
}

struct interval interval_pow(struct interval a, struct interval b)
{
	bool whole = interval_is_point(b) && floor(b.lo) == b.lo;
	struct interval x;

	if ((a.lo < 0 && !whole) || (a.lo <= 0 && a.hi >= 0 && b.lo < 0))
		return interval_point(NAN);
	x = of_four(interval_power(a.lo, b.lo), interval_power(a.lo, b.hi), interval_power(a.hi, b.lo),
		    interval_power(a.hi, b.hi));
	if (a.lo < 0 && a.hi > 0 && b.lo > 0 && fmod(b.lo, 2) == 0)
		x.lo = 0;
	return x;
}

struct interval interval_abs(struct interval a)
{
	if (a.lo >= 0)
		return a;
	if (a.hi <= 0)
		return interval_negate(a);
	return (struct interval){0, -a.lo > a.hi ? -a.lo : a.hi};
}

static struct interval decided(bool surely, bool possibly)
{
	return (struct interval){surely, possibly};
}

struct interval interval_less(struct interval a, struct interval b)
{
	return decided(a.hi < b.lo, a.lo < b.hi);
}

struct interval interval_less_equal(struct interval a, struct interval b)
{
	return decided(a.hi <= b.lo, a.lo <= b.hi);
}

struct interval interval_equal(struct interval a, struct interval b)
{
	return decided(interval_is_point(a) && interval_is_point(b) && a.lo == b.lo, a.lo <= b.hi && b.lo <= a.hi);
}

struct interval interval_not(struct interval a)
{
	return (struct interval){1 - a.hi, 1 - a.lo};
}
