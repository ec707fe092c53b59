/* Whatever points come, in whatever order and unit, a fit must say the same thing of them; laws that made them must
 * come back as often as the rule was chosen for, with the truth inside its interval; and numbers that are absurd must
 * give a sentence or a model that is finite, never garbage.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/models/fit/write.h"
#include "core/models/fit/fit_int.h"
#include "gen.h"
#include "tap.h"

static const char *const bytes_only[] = {"bytes"}, *const names[] = {"n", "p"};

static double uniform(uint64_t *seed)
{
	return gen_below(seed, 1u << 30) / (double)(1u << 30);
}

static double noise(uint64_t *seed)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += uniform(seed);
	return sum;
}

static struct fit fitted(const char *const *parameter, uint32_t parameters, const double *at, const double *value, uint32_t count,
			 struct fit_options o)
{
	const struct fit_points points = {parameter, parameters, count, at, value};
	struct fit f;
	struct err e;

	if (fit_make(&f, &points, &o, NULL, &e))
		bail_out("%s", e.text);
	return f;
}

/* ---- the same points in another way ---- */

static bool same_values(const struct fit *a, const struct fit *b, double scale, double tolerance)
{
	bool same = a->terms == b->terms && a->pieces == b->pieces && a->forms == b->forms && fabs(a->error - b->error) <= tolerance * a->error + 1e-9;

	for (uint32_t k = 0; same && k < a->terms; k++)
		same = form_term_same(&a->term[k].form, &b->term[k].form) &&
		       fabs(a->term[k].coefficient * scale - b->term[k].coefficient) <= tolerance * fabs(b->term[k].coefficient) &&
		       fabs(a->term[k].half_width * scale - b->term[k].half_width) <= 1e-6 * fabs(b->term[k].coefficient);
	for (double x = 1; same && x < 1e4; x *= 3) {
		const double at[] = {x, x};
		struct fit_value v, w;

		fit_at(a, at, &v);
		fit_at(b, at, &w);
		same = fabs(v.value * scale - w.value) <= tolerance * fabs(w.value) && fabs(v.low * scale - w.low) <= tolerance * fabs(w.value) + 1e-300 &&
		       fabs(v.high * scale - w.high) <= tolerance * fabs(w.high) && v.extrapolation == w.extrapolation;
	}
	return same;
}

static void order_and_unit(void)
{
	uint64_t seed = 5;
	int moved = 0, scaled = 0, sets = 0;

	for (int set = 0; set < 120; set++, sets++) {
		uint32_t parameters = 1 + set % 2, m = parameters == 1 ? 4 + gen_below(&seed, 9) : 9;
		const char *const *parameter = set % 4 == 0 ? bytes_only : names;
		double at[26], y[13], at2[26], y2[13], scale = set % 3 ? 1000 : 1.0 / 1024;
		struct fit a, b;

		for (uint32_t i = 0; i < m; i++) {
			at[i * parameters] = parameters == 1 ? 2 + 3 * i + gen_below(&seed, 3) : 2u << i % 3;
			if (parameters == 2)
				at[i * 2 + 1] = 1 << i / 3;
			y[i] = (0.5 + at[i * parameters] * (parameters == 2 ? at[2 * i + 1] : 1)) * (1 + 0.05 * noise(&seed)) * 1e-3;
		}
		a = fitted(parameter, parameters, at, y, m, (struct fit_options){0});
		memcpy(at2, at, sizeof at);
		memcpy(y2, y, sizeof y);
		for (uint32_t i = m; i-- > 1;) {
			uint32_t j = gen_below(&seed, i + 1);
			double t = y2[i];

			y2[i] = y2[j];
			y2[j] = t;
			for (uint32_t k = 0; k < parameters; k++) {
				t = at2[i * parameters + k];
				at2[i * parameters + k] = at2[j * parameters + k];
				at2[j * parameters + k] = t;
			}
		}
		b = fitted(parameter, parameters, at2, y2, m, (struct fit_options){0});
		moved += same_values(&a, &b, 1, 0);
		fit_release(&b);
		for (uint32_t i = 0; i < m; i++)
			y2[i] = y[i] * scale;
		b = fitted(parameter, parameters, at, y2, m, (struct fit_options){0});
		scaled += same_values(&a, &b, scale, scale < 1 ? 0 : 1e-8);
		fit_release(&b);
		fit_release(&a);
	}
	is_int(moved, sets, "the order of points changes no bit");
	is_int(scaled, sets, "another unit of what was measured changes that of coefficients and intervals alone");
}

static void parameter_that_stays(void)
{
	static const double both[] = {1, 7, 2, 7, 3, 7, 5, 7}, alone[] = {1, 2, 3, 5}, y[] = {3, 5, 7, 11};
	struct fit a = fitted(names, 2, both, y, 4, (struct fit_options){0}), b = fitted(names, 1, alone, y, 4, (struct fit_options){0});

	ok(a.forms == b.forms && a.terms == 2 && b.terms == 2 && a.term[0].coefficient == b.term[0].coefficient, "a parameter that does not vary does not count");
	fit_release(&a);
	fit_release(&b);
}

/* ---- planted laws ---- */

static const struct form_power laws[] = {{0, 1, 1}, {1, 2, 0}, {1, 1, 0}, {1, 1, 1}, {3, 2, 0}, {2, 1, 0}, {2, 1, 1}, {3, 1, 0}, {-1, 1, 0}, {2, 3, 0}, {5, 4, 1}};

#define LAWS (sizeof laws / sizeof *laws)

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void planted(void)
{
	uint64_t seed = 1;
	int found = 0, inside = 0, inside4 = 0, exact = 0, exacts = 0;
	double off[800];
	const int sets = 800;

	for (int set = 0; set < sets; set++) {
		uint32_t m = (uint32_t[]){3, 4, 5, 6, 8}[gen_below(&seed, 5)], terms = 1 + gen_below(&seed, 2);
		double x[8], y[8], level = (double[]){0, 0.01, 0.02, 0.05}[set % 4], c0, c1, far, truth, truth4;
		struct form_power a = laws[gen_below(&seed, LAWS)];
		struct fit f;
		struct fit_value v;
		bool is;

		for (uint32_t i = 0; i < m; i++)
			x[i] = set % 2 ? 16u << i : 100 * (i + 1);
		/* Terms that are all seen somewhere among the points. */
		c1 = (0.2 + uniform(&seed)) / form_power_at(a, x[m - 1]);
		c0 = terms == 2 ? (0.2 + uniform(&seed)) * c1 * form_power_at(a, x[m / 2]) : 0;
		for (uint32_t i = 0; i < m; i++)
			y[i] = (c0 + c1 * form_power_at(a, x[i])) * (1 + level * noise(&seed));
		f = fitted(names, 1, x, y, m, (struct fit_options){0});
		is = f.terms == terms && f.term[0].form.factors == 1 && f.term[0].form.factor[0].power.top == a.top &&
		     f.term[0].form.factor[0].power.bottom == a.bottom && f.term[0].form.factor[0].power.logs == a.logs;
		found += is;
		exacts += level == 0 && m > terms;
		exact += level == 0 && m > terms && is;
		far = 2 * x[m - 1];
		truth = c0 + c1 * form_power_at(a, far);
		fit_at(&f, &far, &v);
		inside += v.low <= truth * (1 + 1e-9) && truth * (1 - 1e-9) <= v.high;
		off[set] = fabs(v.value - truth) / truth;
		far *= 2;
		truth4 = c0 + c1 * form_power_at(a, far);
		fit_at(&f, &far, &v);
		inside4 += v.low <= truth4 * (1 + 1e-9) && truth4 * (1 - 1e-9) <= v.high;
		fit_release(&f);
	}
	qsort(off, (size_t)sets, sizeof *off, by_size);
	diag("law found %.0f %% (without noise %.0f %%), truth inside %.0f and %.0f %%, off by %.1f %%, 90 %% worst %.1f %%", 100.0 * found / sets,
	     100.0 * exact / exacts, 100.0 * inside / sets, 100.0 * inside4 / sets, 100 * off[sets / 2], 100 * off[sets * 9 / 10]);
	ok(found > sets * 0.55, "the law is found in most of %d sets (%d)", sets, found);
	ok(exact > exacts * 0.9, "without noise in nearly all (%d of %d)", exact, exacts);
	ok(inside > sets * 0.9 && inside4 > sets * 0.9, "the truth is in the interval (%d and %d)", inside, inside4);
	ok(off[sets / 2] < 0.02 && off[sets * 9 / 10] < 0.2, "the value at twice the range is off by 2 %% at most typically, by 20 %% in the worst tenth");
}

/* ---- far from the ordinary ---- */

static bool finite_fit(const struct fit *f)
{
	bool fine = !isinf(f->error) && !isinf(f->max_error);

	for (uint32_t k = 0; k < f->terms; k++)
		fine &= isfinite(f->term[k].coefficient);
	for (uint32_t k = 0; k < f->pieces; k++)
		fine &= isfinite(f->piece[k].a) && isfinite(f->piece[k].b);
	return fine;
}

static void absurd(void)
{
	static const double odd[] = {0, 1, -1, 1e-300, 1e300, DBL_MAX, -DBL_MAX, DBL_MIN, 5e-324, 1e15, 1e-15, 2, 3, 1e8, -1e8, 65536};
	uint64_t seed = 3;
	int made = 0, refused = 0, bad = 0;

	for (int set = 0; set < 3000; set++) {
		static const enum fit_kind kinds[] = {FIT_PIECES, FIT_POWER, FIT_POLY, FIT_AUTO, FIT_DEFAULT};
		uint32_t m = 1 + gen_below(&seed, 7);
		double x[8], y[8];
		struct fit f;
		struct fit_value v;
		struct err e = {0};
		struct fit_points points = {bytes_only, 1, m, x, y};
		struct fit_options o = {.kind = kinds[set % 5], .weights = set % 3 ? FIT_RELATIVE : FIT_EQUAL};

		for (uint32_t i = 0; i < m; i++) {
			x[i] = odd[gen_below(&seed, 16)];
			y[i] = odd[gen_below(&seed, 16)];
		}
		if (o.kind == FIT_DEFAULT && set % 2)
			o.degree = 1 + gen_below(&seed, 6);
		if (fit_make(&f, &points, &o, NULL, &e)) {
			refused++;
			bad += !e.text[0] || f.term || f.low;
			continue;
		}
		made++;
		for (uint32_t i = 0; i < 16; i++) {
			fit_at(&f, &odd[i], &v);
			bad += isinf(v.value) || v.low > v.high || v.extrapolation < 1;
		}
		bad += !finite_fit(&f);
		fit_release(&f);
	}
	ok(bad == 0, "absurd numbers: %d fits are finite, %d are refused with a sentence", made, refused);
	ok(made > 1000, "and most can be made");
}

static void no_weights(void)
{
	static const double x[] = {1, 2, 3, 4}, y[] = {-3, -1, 1, 3};
	struct fit f = fitted(names, 1, x, y, 4, (struct fit_options){0});
	const double far = 0.5;
	struct fit_value v;

	ok(f.weights == FIT_EQUAL && f.weights_fell_back && !f.positive, "values below 0 have no relative weights");
	fit_at(&f, &far, &v);
	ok(f.terms == 2 && fabs(v.value + 4) < 1e-8 && v.low <= -4 && v.high >= -4 && v.high < -3.999, "and their fits may be below 0");
	fit_release(&f);
	f = fitted(bytes_only, 1, x, y, 4, (struct fit_options){0});
	fit_at(&f, &far, &v);
	ok(f.pieces == 1 && v.low <= -4 && v.high >= -4 && v.high < -3.999, "so may their pieces");
	fit_release(&f);
}

static void asked_too_much(void)
{
	static const double x[] = {1, 2, 3, 4, 5, 6, 7}, y[] = {1, 4, 3, 5, 6, 6, 9}, grid[] = {1, 1, 1, 2, 2, 1, 2, 2}, two[] = {2, 8};
	static const struct { struct fit_options o; const char *why; } wrong[] = {
		{{.segments = 3}, "3 segments of 7 points: the limit is 2, with 3 points each"},
		{{.degree = 7}, "degree 7 of 7 points: the limit is 6"},
		{{.degree = 13}, "degree 13: the limit is 12"},
		{{.kind = FIT_AUTO, .segments = 2}, "segments and breakpoints need the form pieces"},
		{{.kind = FIT_PIECES, .degree = 2}, "a degree needs the form polynomial"},
		{{.breaks = two, .break_count = 2}, "no point is above the breakpoint 8"},
		{{.breaks = two + 1, .break_count = 1}, "no point is above the breakpoint 8"},
		{{.breaks = two, .break_count = 1, .segments = 2}, "--segments and --breakpoints cannot be used together"},
	};
	struct fit f;
	struct err e;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		is_int(fit_make(&f, &(struct fit_points){names, 1, 7, x, y}, &wrong[i].o, NULL, &e), ERR_USAGE, "refused: %s", wrong[i].why);
		is_str(e.text, wrong[i].why, "with that sentence");
	}
	is_int(fit_make(&f, &(struct fit_points){names, 2, 4, grid, y}, &(struct fit_options){.kind = FIT_PIECES}, NULL, &e), ERR_USAGE, "pieces of two parameters");
	is_int(fit_make(&f, &(struct fit_points){names, 2, 4, grid, y}, &(struct fit_options){.degree = 1}, NULL, &e), ERR_USAGE, "a polynomial of two");
	is_int(fit_make(&f, &(struct fit_points){names, 1, 0, x, y}, &(struct fit_options){0}, NULL, &e), ERR_FORMAT, "no point at all");
}

static void given_breaks(void)
{
	static const double x[] = {1, 2, 3, 4, 5, 6, 7}, y[] = {1, 2, 3, 14, 15, 16, 17}, at = 3, ends[] = {1, 3};
	struct fit f = fitted(names, 1, x, y, 7, (struct fit_options){.breaks = &at, .break_count = 1});

	ok(f.kind == FIT_PIECES && f.pieces == 2 && f.piece[0].points == 3 && f.piece[0].to == 3 && f.piece[1].from == 3, "a point at a breakpoint is left of it");
	ok(f.cut->criteria == 1 && f.cut->criterion[0].pieces == 2, "only their own criterion is known");
	fit_release(&f);
	f = fitted(names, 1, x, y, 7, (struct fit_options){.breaks = ends, .break_count = 2});
	ok(f.pieces == 3 && f.piece[0].coefficients == 1 && f.piece[1].coefficients == 2 && isnan(f.piece[1].half_a) && isnan(f.error),
	   "with so few points in a piece nobody knows the error");
	fit_release(&f);
	f = fitted(names, 1, x, y, 7, (struct fit_options){.segments = 1});
	ok(f.pieces == 1 && f.cut->criteria == 2, "one segment may be asked for where two are better");
	fit_release(&f);
}

/* More points than cuts are looked for in. */
static void many_points(void)
{
	enum { MANY = 10000 };
	double *x = malloc(MANY * sizeof *x), *y = malloc(MANY * sizeof *y);
	struct fit f;

	if (!x || !y)
		bail_out("no memory");
	for (int i = 0; i < MANY; i++) {
		x[i] = i + 1;
		y[i] = (i < 6000 ? 5 + 0.01 * x[i] : 100 + 0.05 * x[i]) * (1 + 0.001 * ((i * 7919) % 13 - 6));
	}
	f = fitted(bytes_only, 1, x, y, MANY, (struct fit_options){0});
	is_int(f.pieces, 2, "ten thousand points of two lines are two pieces");
	ok(f.pieces == 2 && fabs(f.piece[0].to - 6000) <= 4 && f.piece[0].points + f.piece[1].points == MANY, "cut where they meet, or three points from it");
	ok(f.pieces == 2 && fabs(f.piece[1].b - 0.05) < 1e-3 && fabs(f.piece[0].a - 5) < 0.1, "and every point counts for its line");
	fit_release(&f);
	free(x);
	free(y);
}

static void factorisation(void)
{
	static const double one[] = {1, 1, 1, 1, 1}, x[] = {1, 2, 3, 4, 6}, nearly[] = {1, 1, 1, 1, 1 + 1e-11}, y[] = {2, 3, 5, 4, 8}, infinite[] = {1, 1, INFINITY, 1, 1};
	const double rss = 21.2 - 16.6 * 16.6 / 14.8;
	struct least_squares q;
	double c[2], rest[5], half[2], sum = 0;
	struct err e;

	if (least_squares_init(&q, 5, 3, &e))
		bail_out("%s", e.text);
	ok(least_squares_push(&q, one) && least_squares_push(&q, x), "two columns");
	ok(!least_squares_push(&q, nearly) && !least_squares_push(&q, infinite) && q.columns == 2, "one that is nearly a combination of them is not taken, nor an infinite one");
	is_double(least_squares_solve(&q, y, c, rest), rss, 1e-12, "the sum of squares");
	is_double(c[1], 166.0 / 148, 1e-12, "the slope");
	is_double(c[0], 4.4 - 3.2 * 166 / 148, 1e-12, "and the other coefficient");
	for (int i = 0; i < 5; i++)
		sum += least_squares_leverages(&q)[i];
	is_double(sum, 2, 1e-12, "leverages add up to the number of columns");
	least_squares_half_widths(&q, rss, half);
	is_double(half[1], 3.182446 * sqrt(rss / 3 / 14.8), 1e-5, "the slope's half width: t s / sqrt(sum of squares)");
	is_double(half[0], 3.182446 * sqrt(rss / 3 * (0.2 + 3.2 * 3.2 / 14.8)), 1e-5, "that of the other");
	least_squares_release(&q);
}

int main(void)
{
	order_and_unit();
	parameter_that_stays();
	planted();
	absurd();
	no_weights();
	asked_too_much();
	given_breaks();
	many_points();
	factorisation();
	return done_testing();
}
