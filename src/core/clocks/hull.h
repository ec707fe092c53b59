/* The upper hull of points: what a line that lies on or above all of them has to clear (docs/clocks.md 2).
 *
 *     struct hull h = {0};
 *     hull_add(&h, x, y);        x ascending costs O(1); one that steps back is kept aside and merged later
 *     hull_settle(&h);           before it is read: merges what was kept aside
 *     hull_release(&h);
 *
 * Only vertices are kept, by x, with slopes that fall from left to right: 16 bytes each, some tens of them however many
 * points came. A lower hull is the upper one of the points turned upside down. Points are finite.
 */
#ifndef PAS2P_HULL_H
#define PAS2P_HULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hull_point {
	double x, y;
};

struct hull {
	struct hull_point *point; /* owned */
	uint32_t count;
	uint32_t late;            /* behind the vertices: points that stepped back */
	size_t cap;
};

/* False: no memory; the hull is as it was. */
bool hull_add(struct hull *h, double x, double y);
void hull_settle(struct hull *h);
void hull_release(struct hull *h);

/* The hull's height at x, from its first x to its last. NAN beyond them, or where there are no points. Binary
 * search. */
double hull_at(const struct hull *h, double x);

#endif
