/* Loops over an index: closed forms of sums where the body is a polynomial in the index
 * (docs/explain/models-language.md, "Evaluation"). */
#include <string.h>

#include "graph_int.h"

#define DEGREE 6
#define FEW 64         /* so many bodies are done one by one at once */
#define MORE 32        /* places where a polynomial is looked at once more: what is cut off at 0 may lie between the others */
#define TOLERANCE 1e-10

/* All figures of a body, one after the other: free, nested, loads, each with its two ends. */
static uint32_t figures(const struct program_run *r)
{
	return 2 * (2 + RUN_LOADS(r));
}

static enum err_code body_at(struct program_run *r, struct code *loop, double i, double *v)
{
	struct work_cost body = {.free = {0, 0}};
	enum err_code code = work_loads(r, &body.loads);

	if (code)
		return code;
	r->frame[loop->slot] = interval_point(i);
	code = formula_step(&r->formulas, 1, &loop->node->place, r->e);
	if (!code)
		code = work_chain(r, loop->body, &body);
	v[0] = body.free.lo;
	v[1] = body.free.hi;
	v[2] = body.nested.lo;
	v[3] = body.nested.hi;
	memcpy(v + 4, body.loads, RUN_LOADS(r) * sizeof *body.loads);
	work_loads_drop(r);
	return code;
}

static void add_figures(const struct program_run *r, const double *v, struct work_cost *cost)
{
	struct work_cost part = {.free = {v[0], v[1]}, .nested = {v[2], v[3]}};

	cost->free = interval_add(cost->free, part.free);
	cost->nested = interval_add(cost->nested, part.nested);
	for (uint32_t i = 0; i < RUN_LOADS(r); i++)
		cost->loads[i] = interval_add(cost->loads[i], (struct interval){v[4 + 2 * i], v[5 + 2 * i]});
}

/* The polynomial through (t[j], y[j]), j = 0 ... d, as coefficients of powers of t: Newton's, expanded. */
static void interpolate(const double *t, const double *y, int d, double *c)
{
	double newton[DEGREE + 1];

	for (int j = 0; j <= d; j++)
		newton[j] = y[j];
	for (int k = 1; k <= d; k++)
		for (int j = d; j >= k; j--)
			newton[j] = (newton[j] - newton[j - 1]) / (t[j] - t[j - k]);
	memset(c, 0, (DEGREE + 1) * sizeof *c);
	for (int k = d; k >= 0; k--) { /* c = c (t - t_k) + newton_k */
		for (int j = d; j >= 1; j--)
			c[j] = c[j - 1] - t[k] * c[j];
		c[0] = newton[k] - t[k] * c[0];
	}
}

static double polynomial_at(const double *c, int d, double t)
{
	double v = c[d];

	while (d--)
		v = v * t + c[d];
	return v;
}

/* The sum over the n points t = (i - middle) / half. Odd powers vanish. */
static double polynomial_sum(const double *c, double n, double half)
{
	double n2 = n * n, h2 = half * half;
	double s2 = (n2 - 1) / 12, s4 = (n2 - 1) * (3 * n2 - 7) / 240, s6 = (n2 - 1) * (3 * n2 * n2 - 18 * n2 + 31) / 1344;

	return n * (c[0] + c[2] * s2 / h2 + c[4] * s4 / (h2 * h2) + c[6] * s6 / (h2 * h2 * h2));
}

static bool meets(double got, double wanted, double scale)
{
	return fabs(got - wanted) <= TOLERANCE * fabs(wanted) + 1e-14 * scale;
}

struct samples {
	double *v;                 /* figures of each of the points, then of each of the others */
	double t[2 * DEGREE + 3];
	int points, others;
};

/* d + 1 points spread evenly, and d + 2 others between them. */
static enum err_code sample(struct program_run *r, struct code *loop, double from, double n, int d, struct samples *s)
{
	uint32_t k = figures(r);
	double half = (n - 1) / 2;

	s->points = d + 1;
	s->others = d + 2;
	for (int j = 0; j < s->points + s->others; j++) {
		int other = j - s->points;
		double share = other < 0 ? (d ? (double)j / d : 0.5) : (2 * other + 1) / (2.0 * s->others), i = floor(share * (n - 1));
		enum err_code code;

		for (int seen = 0; other >= 0 && seen < s->points; seen++)
			if (i == s->t[seen] * half + half)
				i++;
		s->t[j] = (i - half) / half;
		code = body_at(r, loop, from + i, s->v + (size_t)j * k);
		if (code)
			return code;
	}
	return ERR_OK;
}

/* Whether one figure is the polynomial of degree d that it would be, and then its sum. */
static bool sum_of_figure(const struct samples *s, uint32_t k, uint32_t figure, int d, double n, double *total)
{
	double y[DEGREE + 1], c[DEGREE + 1], scale = 0;

	for (int j = 0; j < s->points; j++) {
		y[j] = s->v[(size_t)j * k + figure];
		scale = fmax(scale, fabs(y[j]));
	}
	interpolate(s->t, y, d, c);
	for (int j = s->points; j < s->points + s->others; j++) {
		double v = s->v[(size_t)j * k + figure];

		if (!meets(polynomial_at(c, d, s->t[j]), v, scale))
			return false;
	}
	*total = polynomial_sum(c, n, (n - 1) / 2);
	return true;
}

/* Whether all figures are those of the polynomial at more places. */
static enum err_code holds(struct program_run *r, struct code *loop, double from, double n, int d, const struct samples *s, bool *good)
{
	uint32_t k = figures(r);
	double *v = mem_alloc(k, sizeof *v), half = (n - 1) / 2, y[DEGREE + 1], c[DEGREE + 1];
	enum err_code code = v ? ERR_OK : err_memory(r->e, "a loop's sum");

	for (int place = 0; !code && *good && place < MORE; place++) {
		double i = floor((place + 0.5) / MORE * (n - 1));

		code = body_at(r, loop, from + i, v);
		for (uint32_t figure = 0; !code && *good && figure < k; figure++) {
			double scale = 0;

			for (int j = 0; j < s->points; j++) {
				y[j] = s->v[(size_t)j * k + figure];
				scale = fmax(scale, fabs(y[j]));
			}
			interpolate(s->t, y, d, c);
			*good = meets(polynomial_at(c, d, (i - half) / half), v[figure], scale);
		}
	}
	mem_free(v);
	return code;
}

static enum err_code closed(struct program_run *r, struct code *loop, double from, double n, double *totals, bool *found)
{
	uint32_t k = figures(r);
	uint64_t clipped = r->clipped;
	struct samples s;
	enum err_code code = ERR_OK;

	*found = false;
	s.v = mem_alloc((size_t)(2 * DEGREE + 3) * k, sizeof *s.v);
	if (!s.v)
		return err_memory(r->e, "a loop's sum");
	for (int d = 0; !code && !*found && d <= DEGREE && r->clipped == clipped; d++) {
		uint32_t figure = 0;

		code = sample(r, loop, from, n, d, &s);
		while (!code && figure < k && sum_of_figure(&s, k, figure, d, n, &totals[figure]))
			figure++;
		*found = !code && figure == k && r->clipped == clipped; /* what was cut off at 0 is no polynomial */
		if (*found)
			code = holds(r, loop, from, n, d, &s, found);
		*found = *found && !code && r->clipped == clipped;
	}
	mem_free(s.v);
	return code;
}

enum err_code work_sum(struct program_run *r, struct code *loop, double from, double n, struct work_cost *cost)
{
	double *v;
	bool found = false;
	enum err_code code = ERR_OK;

	if (n < 0)
		r->clipped++;
	if (n <= 0)
		return ERR_OK;
	v = mem_alloc(figures(r), sizeof *v);
	if (!v)
		return err_memory(r->e, "a loop's sum");
	if (loop->index_polynomial && n > FEW)
		code = closed(r, loop, from, n, v, &found);
	if (found)
		add_figures(r, v, cost);
	if (!code && !found && n > (double)r->formulas.steps) /* said at once, not after all that could be done */
		code = formula_step(&r->formulas, r->formulas.steps + 1, &loop->node->place, r->e);
	for (double i = 0; !code && !found && i < n; i++) {
		code = body_at(r, loop, from + i, v);
		if (!code)
			add_figures(r, v, cost);
	}
	mem_free(v);
	return code;
}
