#include "fit.h"

#include <math.h>
#include <stddef.h>

#include "core/base/mem.h"
#include "core/base/outliers.h"

#define POINTS_MOST 4096   /* that cuts are looked for in */
#define NOTHING 1e-18      /* part of the sum of w y^2 that is rounding */
#define TOO_MUCH 1e300     /* cost of a piece whose numbers overflow: it is possible, and nobody's choice */

/* ---- one line ---- */

/* What points say of their line so far, about their weighted means: sums that do not cancel, however far the points are
 * from 0. */
struct running {
	double weight, x, y;   /* the sum, and the means */
	double xx, xy;         /* sums of w (x - mean)^2, w (x - mean)(y - mean) */
	double rss;            /* of the best line */
	uint32_t points;
};

/* How far one point more is off the line so far says by how much the least sum of squares grows. */
static void running_add(struct running *r, double x, double y, double weight)
{
	double dx = x - r->x, dy = y - r->y, all = r->weight + weight, part = weight / all;

	if (r->points > 1 && r->xx > 0) {
		double off = dy - r->xy / r->xx * dx;

		r->rss += off * off / (1 / weight + 1 / r->weight + dx * dx / r->xx);
	}
	r->xx += r->weight * part * dx * dx;
	r->xy += r->weight * part * dx * dy;
	r->x += part * dx;
	r->y += part * dy;
	r->weight = all;
	r->points++;
}

struct piece_line pieces_line(const double *x, const double *y, const double *root, uint32_t points)
{
	struct piece_line line = {.half_a = NAN, .half_b = NAN};
	struct running r = {0};
	double t, mean;

	for (uint32_t i = 0; i < points; i++)
		running_add(&r, x[i], y[i], root[i] * root[i]);
	line.b = r.points > 1 && r.xx > 0 ? r.xy / r.xx : 0;
	mean = r.x;
	line.a = r.y - line.b * mean;
	for (uint32_t i = 0; i < points; i++) {
		double off = root[i] * (y[i] - r.y - line.b * (x[i] - mean)), d = root[i] * (x[i] - mean);
		double leverage = root[i] * root[i] / r.weight + (r.xx > 0 ? d * d / r.xx : 0);

		line.rss += off * off;
		line.lost += points > 2 && 1 - leverage > 1e-9 ? off / (1 - leverage) * (off / (1 - leverage)) : (double)INFINITY;
	}
	if (points > 2 && r.xx > 0) {
		t = student_quantile(points - 2) * sqrt(line.rss / (points - 2));
		line.half_b = t / sqrt(r.xx);
		line.half_a = t * sqrt(1 / r.weight + mean * mean / r.xx);
	}
	return line;
}

/* ---- the cut ---- */

struct piece_cutting {
	const double *x, *y, *root;  /* joined points, where there were too many */
	double *joined;              /* those, owned */
	uint32_t *last;              /* per joined point: number of the point after its last */
	uint32_t points, most;       /* pieces at most */
	double nothing;              /* what costs less costs nothing */
	double *cost;                /* [pieces - 1][first point]: of the points from there on in so many pieces; infinite: not possible */
	uint32_t *end;               /* the same: the first piece's end, the least of equally good ones */
};

static void cutting_release(struct piece_cutting *c)
{
	mem_free(c->joined);
	mem_free(c->last);
	mem_free(c->cost);
	mem_free(c->end);
}

/* Join neighbours until there are no more than are looked at. Weights are those of the joined values where they follow
 * from these. */
static enum err_code cutting_join(struct piece_cutting *c, struct err *e)
{
	const double *x = c->x, *y = c->y, *root = c->root;
	double *to;
	uint32_t n = c->points;

	to = mem_alloc((size_t)n * 3, sizeof *to);
	c->last = mem_alloc(n, sizeof *c->last);
	c->joined = to;
	if (!to || !c->last)
		return err_memory(e, "the points of a fit");
	for (uint32_t i = 0; i < n; i++) {
		to[i] = x[i];
		to[n + i] = y[i];
		to[2 * (size_t)n + i] = root[i];
		c->last[i] = i + 1;
	}
	c->x = to;
	c->y = to + n;
	c->root = to + 2 * (size_t)n;
	while (c->points > POINTS_MOST) {
		uint32_t half = 0;

		for (uint32_t i = 0; i < c->points; i += 2, half++) {
			uint32_t j = i + 1 < c->points ? i + 1 : i;

			to[half] = (to[i] + to[j]) / 2;
			to[n + half] = (to[n + i] + to[n + j]) / 2;
			/* 1/y of the mean, or 1 */
			to[2 * (size_t)n + half] = 2 / (1 / to[2 * (size_t)n + i] + 1 / to[2 * (size_t)n + j]);
			c->last[half] = c->last[j];
		}
		c->points = half;
	}
	return ERR_OK;
}

/* From the last point backwards, so that where two cuts are equally good the one whose pieces end first is found by
 * looking at first pieces alone. */
static enum err_code cutting_search(struct piece_cutting *c, const struct progress *progress, struct err *e)
{
	uint32_t m = c->points, wide = m + 1;

	c->cost = mem_alloc((size_t)wide * c->most, sizeof *c->cost);
	c->end = mem_alloc((size_t)wide * c->most, sizeof *c->end);
	if (!c->cost || !c->end)
		return err_memory(e, "the pieces of a fit");
	for (uint32_t first = m + 1; first-- > 0;) {
		uint32_t left = m - first, pieces = left / PIECES_LEAST < c->most ? left / PIECES_LEAST : c->most;
		struct running r = {0};

		if (first % 64 == 0 && progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "stopped");
		for (uint32_t k = 0; k < c->most; k++) {
			c->cost[(size_t)k * wide + first] = INFINITY;
			c->end[(size_t)k * wide + first] = m;
		}
		for (uint32_t i = first; i < m; i++) {
			uint32_t end = i + 1;
			double cost;

			running_add(&r, c->x[i], c->y[i], c->root[i] * c->root[i]);
			if (end - first < PIECES_LEAST && (first || end < m))
				continue;
			cost = r.rss < c->nothing ? 0 : fmin(r.rss, TOO_MUCH); /* which NAN is, too */
			if (end == m && (left >= PIECES_LEAST || !first)) {
				c->cost[first] = cost;
				c->end[first] = m;
			}
			for (uint32_t k = 1; k < pieces; k++) {
				double all = cost + c->cost[(size_t)(k - 1) * wide + end];

				if (all < c->cost[(size_t)k * wide + first]) {
					c->cost[(size_t)k * wide + first] = all;
					c->end[(size_t)k * wide + first] = end;
				}
			}
		}
	}
	return ERR_OK;
}

/* What lines through the pieces leave, each again from its own points. */
static double refitted(const struct piece_cutting *c, uint32_t pieces, uint32_t *end)
{
	double rss = 0;

	for (uint32_t k = 0, from = 0; k < pieces; k++) {
		uint32_t to = c->end[(size_t)(pieces - 1 - k) * (c->points + 1) + from];
		double own = pieces_line(c->x + from, c->y + from, c->root + from, to - from).rss;

		rss += own < c->nothing ? 0 : own;
		end[k] = c->last ? c->last[to - 1] : to;
		from = to;
	}
	return rss;
}

static double criterion(double rss, double nothing, uint32_t m, uint32_t pieces)
{
	return m * log(fmax(rss, nothing) / m) + (5.0 * pieces - 3) * log(m);
}

/* Not below what a double can hold, so that points that are all 0 have a logarithm. */
static double nothing_of(const double *y, const double *root, uint32_t points)
{
	double sum = 0;

	for (uint32_t i = 0; i < points; i++)
		sum += root[i] * y[i] * (root[i] * y[i]);
	return fmax(NOTHING * sum, 1e-300);
}

enum err_code pieces_cut(struct pieces_cut *cut, const double *x, const double *y, const double *root, uint32_t points, uint32_t pieces,
			 const struct progress *progress, struct err *e)
{
	struct piece_cutting c = {.x = x, .y = y, .root = root, .points = points};
	enum err_code code = points > POINTS_MOST ? cutting_join(&c, e) : ERR_OK;
	uint32_t possible = c.points / PIECES_LEAST ? c.points / PIECES_LEAST : 1, best = 0;

	*cut = (struct pieces_cut){0};
	if (!code && pieces > (possible < PIECES_MOST ? possible : PIECES_MOST))
		code = err_set(e, ERR_USAGE, "%u segments of %u points: the limit is %u, with %d points "
			       "each", pieces, points,
			       possible < PIECES_MOST ? possible : PIECES_MOST, PIECES_LEAST);
	c.nothing = nothing_of(c.y, c.root, c.points);
	c.most = possible < PIECES_CHOSEN ? possible : PIECES_CHOSEN;
	c.most = c.most < pieces ? pieces : c.most;
	if (!code)
		code = cutting_search(&c, progress, e);
	for (uint32_t k = 1; !code && k <= c.most; k++) {
		uint32_t end[PIECES_MOST];
		double bic = criterion(refitted(&c, k, end), c.nothing, c.points, k);

		cut->criterion[cut->criteria].pieces = k;
		cut->criterion[cut->criteria++].bic = bic;
		if (pieces ? k == pieces : !best || bic < cut->criterion[best - 1].bic)
			best = k;
	}
	if (!code) {
		cut->count = best;
		refitted(&c, best, cut->end);
	}
	cutting_release(&c);
	return code;
}

enum err_code pieces_cut_at(struct pieces_cut *cut, const double *x, const double *y, const double *root, uint32_t points,
			    const double *at, uint32_t count, double unit, struct err *e)
{
	double nothing = nothing_of(y, root, points), rss = 0;

	*cut = (struct pieces_cut){0};
	if (count >= PIECES_MOST)
		return err_set(e, ERR_USAGE, "%u breakpoints: the limit is %d", count, PIECES_MOST - 1);
	for (uint32_t k = 0, from = 0; k <= count; k++) {
		uint32_t to = from;
		double own;

		while (to < points && (k == count || x[to] <= at[k]))
			to++;
		if (to == from && k == count)
			return err_set(e, ERR_USAGE, "no point is above the breakpoint %.9g", at[k - 1] * unit);
		if (to == from)
			return err_set(e, ERR_USAGE, "no point is %s the breakpoint %.9g", k ? "between the previous "
				       "breakpoint and" : "at or below",
				       at[k] * unit);
		own = pieces_line(x + from, y + from, root + from, to - from).rss;
		rss += own < nothing ? 0 : own;
		cut->end[cut->count++] = from = to;
	}
	cut->criteria = 1;
	cut->criterion[0].pieces = cut->count;
	cut->criterion[0].bic = criterion(rss, nothing, points, cut->count);
	return ERR_OK;
}
