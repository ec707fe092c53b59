#include "bounds.h"

#include <math.h>

void pair_hulls_release(struct pair_hulls *h)
{
	hull_release(&h->least);
	hull_release(&h->most);
}

void pair_hulls_settle(struct pair_hulls *h)
{
	hull_settle(&h->least);
	hull_settle(&h->most);
}

/* A line's height at x is middle + rise * part(x), so each vertex says what the middle is at least (at most) for a
 * rise. As the rise grows, the vertex that decides moves along the hull, one way: a sweep. */
struct rise_sweep {
	const struct pair_hulls *h;
	double start, length, slack;
	uint32_t least, most; /* vertices that decide */
};

static double sweep_part_of(const struct rise_sweep *s, double x)
{
	return (x - s->start) / s->length - 0.5;
}

/* The rise at which vertices i - 1 and i of a hull decide alike. */
static double hull_turn_rise(const struct rise_sweep *s, const struct hull *h, uint32_t i)
{
	const struct hull_point *a = &h->point[i - 1], *b = &h->point[i];

	return (b->y - a->y) / (b->x - a->x) * s->length;
}

static double least_middle(const struct rise_sweep *s, double rise)
{
	const struct hull *h = &s->h->least;

	return h->count ? h->point[s->least].y - s->slack - rise * sweep_part_of(s, h->point[s->least].x) : -INFINITY;
}

static double most_middle(const struct rise_sweep *s, double rise)
{
	const struct hull *h = &s->h->most;

	return h->count ? -h->point[s->most].y + s->slack - rise * sweep_part_of(s, h->point[s->most].x) : INFINITY;
}

/* Where the next vertex takes over, `last` if none does before. */
static double next_turn(const struct rise_sweep *s, double last)
{
	double least = s->h->least.count && s->least > 0 ? hull_turn_rise(s, &s->h->least, s->least) : INFINITY;
	double most = s->h->most.count && s->most + 1 < s->h->most.count ? -hull_turn_rise(s, &s->h->most, s->most + 1) : INFINITY;

	return fmin(last, fmin(least, most));
}

static void go_to(struct rise_sweep *s, double rise)
{
	while (s->h->least.count && s->least > 0 && hull_turn_rise(s, &s->h->least, s->least) <= rise)
		s->least--;
	while (s->h->most.count && s->most + 1 < s->h->most.count && -hull_turn_rise(s, &s->h->most, s->most + 1) <= rise)
		s->most++;
}

static void widen(struct clock_range *r, double low, double high)
{
	r->low = fmin(r->low, low);
	r->high = fmax(r->high, high);
}

/* The lines of this rise are possible: what they reach. */
static void sweep_take_rise(struct pair_bounds *b, const struct rise_sweep *s, double rise)
{
	double least = least_middle(s, rise), most = most_middle(s, rise);

	if (least > most) /* by rounding, where the two have just met */
		least = most = least / 2 + most / 2;
	widen(&b->rise, rise, rise);
	widen(&b->middle, least, most);
	widen(&b->start, least - rise / 2, most - rise / 2);
	widen(&b->end, least + rise / 2, most + rise / 2);
}

struct pair_bounds pair_bounds_of(const struct pair_hulls *h, double start, double end, double rate, double slack)
{
	const struct clock_range none = {INFINITY, -INFINITY};
	struct pair_bounds b = {none, none, none, none, INFINITY};
	struct rise_sweep s = {h, start, end - start, slack, h->least.count ? h->least.count - 1 : 0, 0};
	double last = rate * s.length, at = -last, over;

	go_to(&s, at);
	over = least_middle(&s, at) - most_middle(&s, at);
	for (;;) {
		double next, over_next;

		b.crossing = fmin(b.crossing, over);
		if (over <= 0)
			sweep_take_rise(&b, &s, at);
		if (at >= last)
			break;
		next = next_turn(&s, last);
		over_next = least_middle(&s, next) - most_middle(&s, next);
		/* Between two turns all is straight: here it becomes possible, or ceases to be. */
		if ((over > 0) != (over_next > 0) && isfinite(over) && isfinite(over_next))
			sweep_take_rise(&b, &s, at + (next - at) * (over / (over - over_next)));
		at = next;
		over = over_next;
		go_to(&s, at);
	}
	b.crossing = b.crossing > 0 ? b.crossing : 0;
	return b;
}

double pair_gap(const struct pair_hulls *h)
{
	const struct hull *least = &h->least, *most = &h->most;
	double gap = INFINITY;

	for (uint32_t i = 0; i < least->count; i++)
		gap = fmin(gap, -hull_at(most, least->point[i].x) - least->point[i].y); /* a NAN gives way */
	for (uint32_t i = 0; i < most->count; i++)
		gap = fmin(gap, -most->point[i].y - hull_at(least, most->point[i].x));
	return gap;
}
