/* The three steps that bounds of clocks are made of, each against the obvious way that is too slow for a trace: hulls
 * against all chords, pairs against the corners of their linear programme, closures against Floyd and Warshall. A sign
 * that is wrong in one of them would make bounds that the truth is not within. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clocks/bounds/bounds.h"
#include "core/clocks/bounds/bounds_int.h"
#include "gen.h"
#include "tap.h"

#define POINTS 14
#define NEAR 1e-9

static uint64_t state = 20;

static double uniform(double from, double to)
{
	return from + (to - from) * (gen_below(&state, 1u << 30) / (double)(1u << 30));
}

/* ---- hulls ---- */

/* The highest chord, or point, above x. */
static double chord_at(const struct hull_point *p, uint32_t n, double x)
{
	double most = NAN;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++) {
			double y;

			if (p[i].x > x || p[j].x < x)
				continue;
			y = p[j].x > p[i].x ? p[i].y + (p[j].y - p[i].y) * ((x - p[i].x) / (p[j].x - p[i].x)) : fmax(p[i].y, p[j].y);
			most = fmax(most, y); /* of a NAN and a number: the number */
		}
	return most;
}

static void hulls(void)
{
	uint32_t bad = 0, kept = 0, given = 0;

	for (int round = 0; round < 400; round++) {
		uint32_t n = 1 + gen_below(&state, 40);
		struct hull_point p[40];
		struct hull h = {0};
		double at = 0;

		for (uint32_t i = 0; i < n; i++) {
			at += gen_below(&state, 4) ? uniform(0, 1) : 0;
			p[i] = (struct hull_point){gen_below(&state, 10) ? at : at - uniform(0, 3), uniform(-1, 1)};
			if (!hull_add(&h, p[i].x, p[i].y))
				bail_out("no memory");
		}
		hull_settle(&h);
		for (uint32_t i = 0; i < n; i++) {
			double x = i % 2 ? p[i].x : uniform(p[i].x - .5, p[i].x + .5), want = chord_at(p, n, x), got = hull_at(&h, x);

			bad += isnan(want) != isnan(got) || fabs(want - got) > NEAR;
		}
		kept += h.count;
		given += n;
		hull_release(&h);
	}
	ok(!bad && kept < given / 2, "hulls are the highest chords: %u vertices of %u points", kept, given);
}

/* Points on a line are two vertices; of points at one x the highest stays, whatever comes first, and late ones as
 * well. */
static void ties(void)
{
	struct hull line = {0}, tied = {0};
	bool done = true;

	for (int i = 0; i < 200; i++)
		done = done && hull_add(&line, i, .5 * i);
	for (int i = 0; i < 60; i++) /* the highest of each x first, last and between */
		done = done && hull_add(&tied, i / 3, (i / 3 == 10 ? 8 : 0) + (double)((i + i / 3) % 3));
	for (int i = 0; i < 3; i++) /* from now on late */
		done = done && hull_add(&tied, 0, (double)(4 - (i + 1) % 3));
	if (!done)
		bail_out("no memory");
	hull_settle(&tied);
	is_u64(line.count, 2, "points on a line are two vertices");
	is_double(hull_at(&line, 100.5), 50.25, 0, "on it");
	is_double(hull_at(&tied, 0), 4, 0, "the highest of those at one x");
	is_double(hull_at(&tied, 10), 10, 0, "also between others");
	is_double(hull_at(&tied, 5), 7, 0, "and the line from it");
	is_u64(tied.count, 3, "no vertex but these");
	hull_release(&line);
	hull_release(&tied);
}

/* The hull of all points is that of hulls of some of them: so windows are joined. */
static void joined_hulls(void)
{
	uint32_t bad = 0;

	for (int round = 0; round < 200; round++) {
		uint32_t n = 8 + gen_below(&state, 120), parts = 2 + gen_below(&state, 7);
		struct hull all = {0}, joined = {0}, part[8] = {{0}};
		bool done = true;

		for (uint32_t i = 0; i < n; i++) {
			double x = i + uniform(0, 1), y = uniform(-1, 1);

			done = done && hull_add(&all, x, y) && hull_add(&part[(size_t)i * parts / n], x, y);
		}
		for (uint32_t k = 0; k < parts; k++) {
			hull_settle(&part[k]);
			for (uint32_t i = 0; i < part[k].count; i++)
				done = done && hull_add(&joined, part[k].point[i].x, part[k].point[i].y);
			hull_release(&part[k]);
		}
		if (!done)
			bail_out("no memory");
		hull_settle(&all);
		hull_settle(&joined);
		bad += all.count != joined.count || memcmp(all.point, joined.point, all.count * sizeof *all.point) != 0;
		hull_release(&all);
		hull_release(&joined);
	}
	ok(!bad, "hulls of parts join to the hull of all points");
}

/* ---- pairs ---- */

/* a * D(start) + b * D(end) >= c */
struct half {
	double a, b, c;
};

struct programme {
	struct half half[2 * POINTS + 8];
	uint32_t count;
};

#define BOX 1e3 /* s: so far out is without bounds */

static void constrain(struct programme *l, double a, double b, double c)
{
	l->half[l->count++] = (struct half){a, b, c};
}

static bool holds(const struct programme *l, double x, double y)
{
	for (uint32_t i = 0; i < l->count; i++)
		if (l->half[i].a * x + l->half[i].b * y < l->half[i].c - 1e-9)
			return false;
	return true;
}

static void widen(struct clock_range *r, double v)
{
	r->low = fmin(r->low, v);
	r->high = fmax(r->high, v);
}

/* Over all corners. False: there is none. */
static bool corners(const struct programme *l, struct pair_bounds *b)
{
	const struct clock_range empty = {INFINITY, -INFINITY};

	*b = (struct pair_bounds){empty, empty, empty, empty, 0};
	for (uint32_t i = 0; i < l->count; i++)
		for (uint32_t j = i + 1; j < l->count; j++) {
			const struct half *p = &l->half[i], *q = &l->half[j];
			double det = p->a * q->b - p->b * q->a, x, y;

			if (fabs(det) < 1e-12)
				continue;
			x = (p->c * q->b - p->b * q->c) / det;
			y = (p->a * q->c - p->c * q->a) / det;
			if (!holds(l, x, y))
				continue;
			widen(&b->start, x);
			widen(&b->end, y);
			widen(&b->middle, (x + y) / 2);
			widen(&b->rise, y - x);
		}
	return b->start.low <= b->start.high;
}

static bool same_side(double got, double want)
{
	return fabs(want) > BOX / 2 ? isinf(got) : fabs(got - want) < 1e-7;
}

static bool same(struct clock_range got, struct clock_range want)
{
	return same_side(got.low, want.low) && same_side(got.high, want.high);
}

/* The smallest distance of all chords, which lies at some point; INFINITY: the two are nowhere above each other. */
static double naive_gap(const struct hull_point *least, uint32_t n, const struct hull_point *most, uint32_t m)
{
	double gap = INFINITY;

	for (uint32_t i = 0; i < n; i++)
		gap = fmin(gap, -chord_at(most, m, least[i].x) - chord_at(least, n, least[i].x));
	for (uint32_t i = 0; i < m; i++)
		gap = fmin(gap, -chord_at(most, m, most[i].x) - chord_at(least, n, most[i].x));
	return gap;
}

static void pairs(void)
{
	uint32_t bad = 0, fit = 0, crossed = 0, half = 0, gaps = 0;

	for (int round = 0; round < 600; round++) {
		double start = uniform(-50, 50), end = start + uniform(1, 100), rate = 1e-3;
		double offset = uniform(-1, 1), slope = uniform(-5e-4, 5e-4), give = round % 3 ? 1e-4 : -1e-5;
		struct pair_hulls h = {0};
		struct pair_bounds want, got;
		struct programme l = {.count = 0};
		struct hull_point told[2][POINTS];
		uint32_t count[2] = {0, 0};
		double gap, want_gap;

		for (int i = 0; i < POINTS; i++) {
			double x = start + (end - start) * ((i + uniform(0, 1)) / POINTS), part = (x - start) / (end - start);
			double y = offset + slope * (x - start);
			bool least = gen_below(&state, 2);

			if (round % 7 == 0)
				least = true;
			y += least ? -give * uniform(0, 1) : give * uniform(0, 1);
			if (!(least ? hull_add(&h.least, x, y) : hull_add(&h.most, x, -y)))
				bail_out("no memory");
			told[!least][count[!least]++] = (struct hull_point){x, least ? y : -y};
			constrain(&l, least ? 1 - part : part - 1, least ? part : -part, least ? y : -y);
		}
		pair_hulls_settle(&h);
		constrain(&l, -1, 1, -rate * (end - start));
		constrain(&l, 1, -1, -rate * (end - start));
		for (int i = 0; i < 2; i++) {
			constrain(&l, i ? 1 : -1, 0, -BOX);
			constrain(&l, 0, i ? 1 : -1, -BOX);
		}
		gap = pair_gap(&h);
		want_gap = naive_gap(told[0], count[0], told[1], count[1]);
		gaps += isinf(want_gap) ? !isinf(gap) : !(fabs(gap - want_gap) < NEAR);
		got = pair_bounds_of(&h, start, end, rate, 0);
		if (corners(&l, &want)) {
			fit++;
			half += pair_is_one_way(&h);
			bad += got.crossing > NEAR || !same(got.start, want.start) || !same(got.end, want.end) ||
			       !same(got.middle, want.middle);
			/* With one direction only the box says nothing of the rise. */
			bad += !pair_is_one_way(&h) && !same(got.rise, want.rise);
		} else {
			crossed++;
			bad += !(got.crossing > 0);
			bad += pair_bounds_of(&h, start, end, rate, got.crossing * .5001 + 1e-12).crossing > 1e-9;
			bad += !(pair_bounds_of(&h, start, end, rate, got.crossing * .49).crossing > 0);
		}
		pair_hulls_release(&h);
	}
	ok(!bad && fit > 200 && crossed > 50 && half > 20, "pairs: %u have the corners' bounds (%u half of them), %u have no line: %u wrong", fit,
	   half, crossed, bad);
	is_u64(gaps, 0, "and their hulls the smallest distance of all chords");
}

/* ---- closures ---- */

#define MANY 9

static void closures(void)
{
	uint32_t bad = 0, solved = 0, none = 0;

	for (int round = 0; round < 500; round++) {
		double far[MANY][MANY], truth[MANY];
		uint32_t n = 2 + gen_below(&state, MANY - 1), count = 0, p[MANY * MANY], q[MANY * MANY], root[MANY];
		struct clock_range pair[MANY * MANY], out[MANY];
		struct clock_graph g;
		struct err e;
		bool closed, cycle = false, reached = false;

		for (uint32_t i = 0; i < n; i++) {
			truth[i] = uniform(-1, 1);
			for (uint32_t j = 0; j < n; j++)
				far[i][j] = i == j ? 0 : INFINITY;
		}
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t j = i + 1; j < n; j++) {
				double d = truth[j] - truth[i] + (round % 2 ? 0 : uniform(-.2, .2));

				if (gen_below(&state, 3) == 0)
					continue;
				pair[count] = (struct clock_range){d - uniform(0, .3), d + uniform(0, .3)};
				if (gen_below(&state, 6) == 0)
					pair[count].low = -INFINITY;
				else if (gen_below(&state, 6) == 0)
					pair[count].high = INFINITY;
				far[i][j] = pair[count].high;
				far[j][i] = -pair[count].low;
				p[count] = i;
				q[count++] = j;
			}
		for (uint32_t k = 0; k < n; k++)
			for (uint32_t i = 0; i < n; i++)
				for (uint32_t j = 0; j < n; j++)
					far[i][j] = fmin(far[i][j], far[i][k] + far[k][j]);
		for (uint32_t i = 0; i < n; i++)
			cycle |= far[i][i] < -1e-12;
		/* Those that a pair connects have one root, the lowest. */
		for (uint32_t i = 0; i < n; i++)
			root[i] = i;
		for (uint32_t again = 0; again < n; again++)
			for (uint32_t k = 0; k < count; k++)
				root[p[k]] = root[q[k]] = root[p[k]] < root[q[k]] ? root[p[k]] : root[q[k]];
		if (clock_graph_init(&g, n, p, q, count, &e) || clock_closure(out, &closed, &g, pair, root, &e))
			bail_out("%s", e.text);
		for (uint32_t i = 0; closed && !cycle && i < n; i++) {
			double high = far[root[i]][i], low = -far[i][root[i]];

			bad += isinf(high) ? !isinf(out[i].high) : fabs(out[i].high - high) > NEAR;
			bad += isinf(low) ? !isinf(out[i].low) : fabs(out[i].low - low) > NEAR;
		}
		/* A cycle that nothing leads to from the root, nor from it to the root, bounds nobody. */
		for (uint32_t i = 0; i < n; i++)
			reached |= far[i][i] < -1e-9 && (isfinite(far[root[i]][i]) || isfinite(far[i][root[i]]));
		bad += !closed && !cycle;
		bad += closed && reached;
		solved += closed;
		none += !closed;
		clock_graph_release(&g);
	}
	ok(!bad && solved > 200 && none > 30, "closures: %u are the shortest paths, %u have a cycle: %u wrong", solved, none, bad);
}

/* ---- the coarse map ---- */

/* The tree by the page: of all pairs from a process that is reached to one that is not, the closest. Offsets of pairs
 * are all different, so that no other tree has these lines. */
static void trees(void)
{
	uint32_t bad = 0, reached = 0;

	for (int round = 0; round < 200; round++) {
		uint32_t n = 2 + gen_below(&state, MANY - 1), count = 0, p[MANY * MANY], q[MANY * MANY], root[MANY], want_root[MANY];
		uint32_t reference = gen_below(&state, n), left = n;
		double d[MANY * MANY], gap[MANY * MANY], want[MANY];
		struct pair_hulls hulls[MANY * MANY] = {0};
		struct clock_line line[MANY];
		struct clock_graph g;
		struct err e;
		bool done = true;

		for (uint32_t i = 0; i < n; i++) {
			want_root[i] = UINT32_MAX;
			for (uint32_t j = i + 1; j < n; j++) {
				if (gen_below(&state, 3) == 0)
					continue;
				d[count] = uniform(-1, 1);
				gap[count] = uniform(1e-3, 1e-2);
				for (int x = 0; x < 2; x++)
					done = done && hull_add(&hulls[count].least, x, d[count] - gap[count] / 2) &&
					       hull_add(&hulls[count].most, x, -d[count] - gap[count] / 2);
				p[count] = i;
				q[count++] = j;
			}
		}
		for (uint32_t from = reference; left;) {
			uint32_t next = UINT32_MAX;

			if (want_root[from] == UINT32_MAX) {
				want_root[from] = from;
				want[from] = 0;
				left--;
			}
			for (uint32_t k = 0; k < count; k++)
				if ((want_root[p[k]] == UINT32_MAX) != (want_root[q[k]] == UINT32_MAX) &&
				    (next == UINT32_MAX || gap[k] < gap[next]))
					next = k;
			if (next == UINT32_MAX) {
				for (from = 0; from < n && want_root[from] != UINT32_MAX;)
					from++;
			} else if (want_root[p[next]] == UINT32_MAX) {
				want_root[p[next]] = want_root[q[next]];
				want[p[next]] = want[q[next]] - d[next];
				left--;
			} else {
				want_root[q[next]] = want_root[p[next]];
				want[q[next]] = want[p[next]] + d[next];
				left--;
			}
		}
		if (!done || clock_graph_init(&g, n, p, q, count, &e) || clock_coarse(line, root, &g, hulls, reference, 0, &e))
			bail_out("no memory");
		for (uint32_t i = 0; i < n; i++) {
			bad += root[i] != want_root[i] || fabs(line[i].offset - want[i]) > 1e-9 || fabs(line[i].rate) > 1e-9;
			reached += root[i] != i;
		}
		clock_graph_release(&g);
		for (uint32_t k = 0; k < count; k++)
			pair_hulls_release(&hulls[k]);
	}
	ok(!bad && reached > 400, "coarse maps go by the closest pairs: %u processes reached, %u wrong", reached, bad);
}

int main(void)
{
	hulls();
	ties();
	joined_hulls();
	pairs();
	closures();
	trees();
	return done_testing();
}
