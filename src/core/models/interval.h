/* Intervals of numbers, and arithmetic on them (docs/models.md 6, "Intervals").
 *
 * A value that is not known exactly is [lo, hi], lo <= hi, both finite; one that is known is a point, lo == hi. Each
 * operation gives an interval that holds every result of points of its operands. (Ends are ordinary doubles, not
 * rounded outward.)
 *
 * A condition is a number too: 0 no, 1 yes, [0, 1] not decided. `and` is the smaller, `or` the greater, `not` 1 - x.
 *
 * What has no value (a division by an interval with 0 in it, a root of less than 0) is not finite at an end:
 * interval_is_finite() is what the caller asks after interval_div(), interval_pow() and the functions; expressions make
 * a sentence of it.
 */
#ifndef PAS2P_INTERVAL_H
#define PAS2P_INTERVAL_H

#include <math.h>
#include <stdbool.h>

struct interval {
	double lo, hi;
};

static inline struct interval interval_point(double v)
{
	return (struct interval){v, v};
}

static inline bool interval_is_point(struct interval x)
{
	return x.lo == x.hi;
}

static inline bool interval_is_finite(struct interval x)
{
	return isfinite(x.lo) && isfinite(x.hi);
}

static inline double interval_middle(struct interval x)
{
	return x.lo == x.hi ? x.lo : x.lo / 2 + x.hi / 2;
}

static inline struct interval interval_add(struct interval a, struct interval b)
{
	return (struct interval){a.lo + b.lo, a.hi + b.hi};
}

static inline struct interval interval_sub(struct interval a, struct interval b)
{
	return (struct interval){a.lo - b.hi, a.hi - b.lo};
}

static inline struct interval interval_negate(struct interval a)
{
	return (struct interval){-a.hi, -a.lo};
}

static inline struct interval interval_min(struct interval a, struct interval b)
{
	return (struct interval){a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

static inline struct interval interval_max(struct interval a, struct interval b)
{
	return (struct interval){a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static inline struct interval interval_hull(struct interval a, struct interval b)
{
	return (struct interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

struct interval interval_mul(struct interval a, struct interval b);
struct interval interval_div(struct interval a, struct interval b); /* 0 in b: NAN */
/* By the four corners. NAN: a base below 0 to a power that is no whole point, 0 in the base to a power below 0. */
struct interval interval_pow(struct interval a, struct interval b);
struct interval interval_abs(struct interval a);

/* Conditions. */
struct interval interval_less(struct interval a, struct interval b);       /* a < b */
struct interval interval_less_equal(struct interval a, struct interval b); /* a <= b */
struct interval interval_equal(struct interval a, struct interval b);
struct interval interval_not(struct interval a);

/* One number to a power, as interval_pow() has it at the corners. */
double interval_power(double base, double exponent);

#endif
