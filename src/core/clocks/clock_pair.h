/* Two clocks: the lines that all messages between them allow (docs/clocks.md 2).
 *
 * For processes p < q, D(t) is what must be added to q's stamp t to get p's. Messages from p to q say D >= y at x,
 * those from q to p D <= y: D clears the hull `least`, and stays below `most`, which is kept turned upside down (y is
 * -y). Over a stretch [start, end] a line is its middle and its rise D(end) - D(start); the lines that are possible
 * form a convex polygon, whose extremes are exact. Seconds throughout; what nothing bounds is infinite.
 */
#ifndef PAS2P_CLOCK_PAIR_H
#define PAS2P_CLOCK_PAIR_H

#include "hull.h"

struct clock_range {
	double low, high;
};

struct pair_hulls {
	struct hull least, most;
};

struct pair_bounds {
	struct clock_range start, end, middle, rise;
	double crossing;  /* 0: some line is possible; else no line is, and with `least` lowered and `most` raised by half of this one would be */
};

void pair_hulls_release(struct pair_hulls *h);
void pair_hulls_settle(struct pair_hulls *h);

static inline bool pair_is_one_way(const struct pair_hulls *h)
{
	return !h->least.count || !h->most.count;
}

/* Of the lines whose rate is at most `rate` [s/s], where both hulls give way by `slack`. start < end. */
struct pair_bounds pair_bounds_of(const struct pair_hulls *h, double start, double end, double rate, double slack);

/* Smallest vertical distance of the hulls where both are; negative where they cross. INFINITY: nowhere, such as in
 * pairs of one direction. */
double pair_gap(const struct pair_hulls *h);

#endif
