#include "bounds.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/base/search.h"

#define LATE 64 /* points that step back are merged by so many */
#define FIRST 4 /* points that there is room for first: most hulls of windows have no more, and there are hundreds of thousands */

/* Is b on or below the line from a to c? */
static bool is_below(const struct hull_point *a, const struct hull_point *b, const struct hull_point *c)
{
	return (b->y - a->y) * (c->x - a->x) <= (c->y - a->y) * (b->x - a->x);
}

/* Behind `count` vertices, at their last x or beyond. */
static uint32_t hull_push_point(struct hull_point *point, uint32_t count, struct hull_point p)
{
	if (count && point[count - 1].x == p.x) {
		if (p.y <= point[count - 1].y)
			return count;
		count--;
	}
	while (count >= 2 && is_below(&point[count - 2], &point[count - 1], &p))
		count--;
	point[count++] = p;
	return count;
}

/* Of points at one x the highest stays, in whatever order. */
ORDER_BY(hull_by_x, struct hull_point, UP(x))

void hull_settle(struct hull *h)
{
	uint32_t all = h->count + h->late;

	if (!h->late)
		return;
	SORT(h->point, all, hull_by_x);
	h->count = h->late = 0;
	for (uint32_t i = 0; i < all; i++) /* a vertex is written where a point was read, or before it */
		h->count = hull_push_point(h->point, h->count, h->point[i]);
}

bool hull_add(struct hull *h, double x, double y)
{
	struct hull_point *point = h->point;

	if (h->count + h->late == h->cap) {
		size_t cap = h->cap ? 2 * h->cap : FIRST;

		point = mem_resize(point, cap, sizeof *point);
		if (!point)
			return false;
		h->point = point;
		h->cap = cap;
	}
	if (!h->late && (!h->count || x >= point[h->count - 1].x)) {
		h->count = hull_push_point(point, h->count, (struct hull_point){x, y});
		return true;
	}
	point[h->count + h->late++] = (struct hull_point){x, y};
	if (h->late >= LATE)
		hull_settle(h);
	return true;
}

void hull_release(struct hull *h)
{
	mem_free(h->point);
	*h = (struct hull){0};
}

double hull_at(const struct hull *h, double x)
{
	const struct hull_point *p = h->point;
	uint32_t low;

	if (!h->count || !(x >= p[0].x) || x > p[h->count - 1].x)
		return NAN;
	low = SEARCH_LAST(i, 0, h->count, p[i].x <= x);
	if (p[low].x == x || low + 1 == h->count)
		return p[low].y;
	return p[low].y + (p[low + 1].y - p[low].y) * ((x - p[low].x) / (p[low + 1].x - p[low].x));
}
