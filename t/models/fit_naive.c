/* The choice among forms and cuts is a long chain of small rules; one that is missed gives models that look right. So
 * it is held against a second implementation, written from the page alone: every form on its own, each point really
 * left out and fitted again in long double, every way to cut a few points.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/models/fit/write.h"
#include "gen.h"
#include "tap.h"

#define POINTS 12
#define TERMS 4
#define FORMS 2000

static double uniform(uint64_t *seed)
{
	return gen_below(seed, 1u << 30) / (double)(1u << 30);
}

/* Nearly normal. */
static double noise(uint64_t *seed)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += uniform(seed);
	return sum;
}

/* ---- least squares, naive ---- */

/* Gram and Schmidt; false: singular. h: the leverages. */
static bool naive_solve(long double x[POINTS][TERMS], const long double *y, int m, int k, long double *c, long double *h)
{
	long double q[TERMS][POINTS], r[TERMS][TERMS] = {{0}}, norm[TERMS], z[TERMS], rest[POINTS];

	for (int j = 0; j < k; j++) {
		long double sum = 0;

		for (int i = 0; i < m; i++)
			sum += x[i][j] * x[i][j];
		norm[j] = sqrtl(sum);
		for (int i = 0; i < m; i++)
			q[j][i] = x[i][j] / norm[j];
		for (int pass = 0; pass < 2; pass++) {
			for (int a = 0; a < j; a++) {
				long double along = 0;

				for (int i = 0; i < m; i++)
					along += q[a][i] * q[j][i];
				r[a][j] += along;
				for (int i = 0; i < m; i++)
					q[j][i] -= along * q[a][i];
			}
		}
		sum = 0;
		for (int i = 0; i < m; i++)
			sum += q[j][i] * q[j][i];
		r[j][j] = sqrtl(sum);
		if (!(r[j][j] >= 1e-10L))
			return false;
		for (int i = 0; i < m; i++)
			q[j][i] /= r[j][j];
	}
	memcpy(rest, y, sizeof rest);
	for (int j = 0; j < k; j++) {
		z[j] = 0;
		for (int i = 0; i < m; i++)
			z[j] += q[j][i] * rest[i];
		for (int i = 0; i < m; i++)
			rest[i] -= z[j] * q[j][i];
	}
	for (int j = k; j-- > 0;) {
		c[j] = z[j];
		for (int a = j + 1; a < k; a++)
			c[j] -= r[j][a] * c[a];
		c[j] /= r[j][j];
	}
	for (int j = 0; j < k; j++)
		c[j] /= norm[j];
	for (int i = 0; h && i < m; i++) {
		h[i] = 0;
		for (int j = 0; j < k; j++)
			h[i] += q[j][i] * q[j][i];
	}
	return true;
}

/* ---- forms, naive ---- */

struct naive_power { int top, bottom, logs; };
struct naive_term { struct naive_power of[2]; }; /* per parameter */
struct naive_form {
	struct naive_term term[TERMS];
	int count, order;
	double error, c[TERMS];
};

static struct naive_power full[80], few[20];
static int fulls, fews;
static struct naive_form forms[FORMS];
static int form_count;

static void make_lists(void)
{
	static const int first[8][3] = {{-3, 1, 0}, {-2, 1, 0}, {-3, 2, 0}, {-1, 1, 0}, {-1, 1, 1}, {-2, 3, 0}, {-1, 2, 0}, {-1, 3, 0}};
	static const int i[19][2] = {{0, 1}, {1, 4}, {1, 3}, {1, 2}, {2, 3}, {3, 4}, {1, 1}, {5, 4}, {4, 3}, {3, 2}, {5, 3}, {7, 4}, {2, 1}, {9, 4},
				     {7, 3}, {5, 2}, {8, 3}, {11, 4}, {3, 1}};
	static const int short_i[6][2] = {{0, 1}, {1, 2}, {1, 1}, {3, 2}, {2, 1}, {3, 1}};

	for (int k = 0; k < 8; k++)
		full[fulls++] = (struct naive_power){first[k][0], first[k][1], first[k][2]};
	for (int k = 0; k < 19; k++)
		for (int j = 0; j < 3; j++)
			if (k || j)
				full[fulls++] = (struct naive_power){i[k][0], i[k][1], j};
	few[fews++] = (struct naive_power){-1, 1, 0};
	few[fews++] = (struct naive_power){-1, 2, 0};
	for (int k = 0; k < 6; k++)
		for (int j = 0; j < 2; j++)
			if (k || j)
				few[fews++] = (struct naive_power){short_i[k][0], short_i[k][1], j};
}

static struct naive_term term_of(int parameter, struct naive_power p)
{
	struct naive_term t = {{{0, 1, 0}, {0, 1, 0}}};

	t.of[parameter] = p;
	return t;
}

static void add(int count, struct naive_term a, struct naive_term b, struct naive_term c, struct naive_term d)
{
	forms[form_count] = (struct naive_form){{a, b, c, d}, count, form_count, 0, {0}};
	form_count++;
}

static void make_forms(int parameters)
{
	const struct naive_term one = {{{0, 1, 0}, {0, 1, 0}}};

	form_count = 0;
	add(1, one, one, one, one);
	for (int p = 0; p < parameters; p++) {
		for (int i = 0; i < fulls; i++) {
			add(1, term_of(p, full[i]), one, one, one);
			add(2, one, term_of(p, full[i]), one, one);
		}
		for (int f = 0; f < fews; f++)
			for (int g = f + 1; g < fews; g++)
				add(2, term_of(p, few[f]), term_of(p, few[g]), one, one);
	}
	for (int i = 0; parameters > 1 && i < fews; i++) {
		for (int j = 0; j < fews; j++) {
			struct naive_term f = term_of(0, few[i]), g = term_of(1, few[j]), fg = {{few[i], few[j]}};

			add(1, fg, one, one, one);
			add(2, one, fg, one, one);
			add(2, f, g, one, one);
			add(2, f, fg, one, one);
			add(2, g, fg, one, one);
			add(3, one, f, g, one);
			add(4, one, f, g, fg);
		}
	}
	for (int p = 0; p < parameters; p++) {
		struct naive_term x = term_of(p, (struct naive_power){1, 1, 0}), x2 = term_of(p, (struct naive_power){2, 1, 0});

		add(3, one, x, x2, one);
		add(4, one, x, x2, term_of(p, (struct naive_power){3, 1, 0}));
	}
}

static long double naive_term_at(const struct naive_term *t, const double *x, int parameters)
{
	long double v = 1;

	for (int p = 0; p < parameters; p++) {
		struct naive_power w = t->of[p];

		if ((w.logs && x[p] < 1) || (w.top < 0 && x[p] <= 0) || (w.bottom > 1 && x[p] < 0))
			return NAN;
		v *= w.top ? powl(x[p], (long double)w.top / w.bottom) : 1;
		for (int j = 0; j < w.logs; j++)
			v *= log2l(x[p]);
	}
	return v;
}

static long double naive_value(const struct naive_form *f, const double *x, int parameters)
{
	long double v = 0;

	for (int k = 0; k < f->count; k++)
		v += f->c[k] * naive_term_at(&f->term[k], x, parameters);
	return v;
}

/* Each point left out in turn, the others fitted, and what is off there. False: it takes no part. */
static bool naive_error(struct naive_form *f, const double *at, const double *y, int m, int parameters, bool relative)
{
	long double x[POINTS][TERMS], wy[POINTS], c[TERMS], h[POINTS], sum = 0, all = 0;

	if (m < f->count + 1)
		return false;
	for (int i = 0; i < m; i++) {
		long double root = relative ? 1 / (long double)y[i] : 1;

		for (int k = 0; k < f->count; k++) {
			x[i][k] = root * naive_term_at(&f->term[k], at + i * parameters, parameters);
			if (!isfinite((double)x[i][k]))
				return false;
		}
		wy[i] = root * y[i];
		all += wy[i] * wy[i];
	}
	for (int k = 0; k < f->count; k++) {
		bool zero = true;

		for (int i = 0; i < m; i++)
			zero &= x[i][k] == 0;
		if (zero)
			return false;
	}
	if (!naive_solve(x, wy, m, f->count, c, h))
		return false;
	for (int i = 0; i < m; i++)
		if (h[i] > 1 - 1e-9L)
			return false;
	for (int k = 0; k < f->count; k++)
		f->c[k] = (double)c[k];
	for (int i = 0; i < m; i++) {
		long double less[POINTS][TERMS], less_y[POINTS], d[TERMS], off = wy[i];
		int n = 0;

		for (int j = 0; j < m; j++) {
			if (j == i)
				continue;
			memcpy(less[n], x[j], sizeof less[n]);
			less_y[n++] = wy[j];
		}
		if (!naive_solve(less, less_y, n, f->count, d, NULL))
			return false;
		for (int k = 0; k < f->count; k++)
			off -= d[k] * x[i][k];
		sum += off * off;
	}
	f->error = fmax(1e-9, (double)sqrtl(sum / all));
	return true;
}

static bool is_few(struct naive_power p)
{
	for (int i = 0; i < fews; i++)
		if (few[i].top == p.top && few[i].bottom == p.bottom && few[i].logs == p.logs)
			return true;
	return false;
}

/* What is compared, the first difference decides. */
static void complexity(const struct naive_form *f, int parameters, int to[5])
{
	memset(to, 0, 5 * sizeof *to);
	to[0] = f->count;
	for (int p = 0; p < parameters; p++) {
		bool used = false;

		for (int k = 0; k < f->count; k++) {
			struct naive_power w = f->term[k].of[p];

			if (!w.top && !w.logs)
				continue;
			used = true;
			to[2] += !is_few(w);
			to[3] += 12 * abs(w.top) / w.bottom + 6 * w.logs;
		}
		to[1] += used;
	}
	to[4] = f->order;
}

struct naive_fit {
	struct naive_form chosen;
	int admissible;
	double low, high;    /* at the place that was asked for */
};

static struct naive_fit naive_fit(const double *at, const double *y, int m, int parameters, const double *far)
{
	struct naive_fit n = {.low = INFINITY, .high = -INFINITY};
	bool positive = true, takes_part[FORMS];
	double best = INFINITY, limit, maybe;
	int least[5] = {1000};

	for (int i = 0; i < m; i++)
		positive &= y[i] > 0;
	make_forms(parameters);
	for (int i = 0; i < form_count; i++) {
		struct naive_form *f = &forms[i];

		takes_part[i] = naive_error(f, at, y, m, parameters, positive);
		for (int k = 0; takes_part[i] && k < f->count; k++)
			if (positive && f->c[k] < 0 && f->error > 1e-6)
				takes_part[i] = false;
		if (takes_part[i])
			best = fmin(best, f->error);
	}
	limit = best <= 1e-6 ? 1e-6 : 1.25 * best + 0.005;
	maybe = best <= 1e-6 ? 1e-6 : 2 * best + 0.2 / (m - 1.0) / (m - 1.0);
	for (int i = 0; i < form_count; i++) {
		int own[5], k = 0;

		if (!takes_part[i] || forms[i].error > limit)
			continue;
		complexity(&forms[i], parameters, own);
		while (k < 4 && own[k] == least[k])
			k++;
		if (own[k] < least[k]) {
			memcpy(least, own, sizeof least);
			n.chosen = forms[i];
		}
	}
	for (int i = 0; i < form_count; i++) {
		bool chosen = takes_part[i] && i == n.chosen.order;
		double v;

		if (!takes_part[i] || (!chosen && forms[i].error > maybe))
			continue;
		n.admissible++;
		v = (double)naive_value(&forms[i], far, parameters);
		if (!isfinite(v) || (!chosen && positive && v < 0))
			continue;
		n.low = fmin(n.low, v);
		n.high = fmax(n.high, v);
	}
	n.low -= 2 * n.chosen.error * fabs(n.low);
	n.high += 2 * n.chosen.error * fabs(n.high);
	if (positive)
		n.low = fmax(0, n.low);
	return n;
}

/* ---- held against it ---- */

static bool same_form(const struct fit *f, const struct naive_form *n)
{
	if (f->terms != (uint32_t)n->count)
		return false;
	for (uint32_t k = 0; k < f->terms; k++) {
		struct naive_term want = n->term[n->count - 1 - (int)k];

		for (uint32_t p = 0; p < f->parameters; p++) {
			struct form_power got = {0, 1, 0};

			for (unsigned i = 0; i < f->term[k].form.factors; i++)
				if (f->term[k].form.factor[i].parameter == p)
					got = f->term[k].form.factor[i].power;
			if (got.top != want.of[p].top || (got.top && got.bottom != want.of[p].bottom) || got.logs != want.of[p].logs)
				return false;
		}
		if (fabs(f->term[k].coefficient - n->c[n->count - 1 - (int)k]) > 1e-6 * fabs(f->term[k].coefficient))
			return false;
	}
	return true;
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b)) + 1e-12;
}

static void random_forms(int parameters, int sets)
{
	static const char *const names[] = {"n", "p"};
	uint64_t seed = 7 + (uint64_t)parameters;
	int wrong = 0, several = 0;

	for (int set = 0; set < sets; set++) {
		double at[POINTS * 2], y[POINTS], far[2] = {0, 0}, level = (double[]){0, 0.01, 0.05, 0.3}[set % 4];
		int m = 0, wide = parameters == 1 ? 3 + (int)gen_below(&seed, 6) : 2 + (int)gen_below(&seed, 2), high = parameters == 1 ? 1 : wide + 1;
		struct naive_power f, g;
		double c[3] = {uniform(&seed), uniform(&seed), uniform(&seed)}, shift = set % 10 == 9 ? -2 : 0;
		struct naive_fit want;
		struct fit got;
		struct fit_value v;
		struct err e;

		f = full[gen_below(&seed, (uint32_t)fulls)];
		g = few[gen_below(&seed, (uint32_t)fews)];
		for (int i = 0; i < wide; i++) {
			for (int j = 0; j < high && m < POINTS; j++, m++) {
				double *x = at + m * parameters;
				struct naive_term a = term_of(0, f), b = term_of(parameters - 1, g);

				x[0] = 2 + i * (1 + floor(c[0] * 8));
				if (parameters == 2)
					x[1] = 1 << (j + 1);
				far[0] = fmax(far[0], 2 * x[0]);
				far[1] = parameters == 2 ? fmax(far[1], 2 * x[1]) : 0;
				y[m] = c[0] + (set % 3 ? c[1] * (double)naive_term_at(&a, x, parameters) : 0) +
				       (set % 2 ? c[2] * (double)naive_term_at(&b, x, parameters) : 0) + shift;
				y[m] *= fmax(0.1, 1 + level * noise(&seed));
			}
		}
		if (fit_make(&got, &(struct fit_points){names, (uint32_t)parameters, (uint32_t)m, at, y}, &(struct fit_options){.kind = FIT_AUTO}, NULL, &e))
			bail_out("%s", e.text);
		fit_at(&got, far, &v);
		if (got.error > 0) {
			want = naive_fit(at, y, m, parameters, far);
			several += want.admissible > 1;
			if (!same_form(&got, &want.chosen) || !near(got.error, want.chosen.error) || (int)got.forms != want.admissible ||
			    !near(v.low, want.low) || !near(v.high, want.high)) {
				struct out out;

				out_init(&out);
				fit_expression(&got, &out);
				wrong++;
				diag("set %d: %s, error %g, %u forms, [%g, %g]; expected %d terms, form %d, error %g, %d forms, [%g, %g]", set, out.text,
				     got.error, got.forms, v.low, v.high, want.chosen.count, want.chosen.order, want.chosen.error, want.admissible, want.low, want.high);
				out_release(&out);
			}
		}
		fit_release(&got);
	}
	is_int(wrong, 0, "%d random sets of %d parameters: form, error, admissible forms and interval are those of every form by itself", sets, parameters);
	ok(several > sets / 3, "in which often several forms are admissible (%d)", several);
}

/* ---- pieces ---- */

static long double naive_line(const double *x, const double *y, int n, double *a, double *b)
{
	long double w = 0, mx = 0, my = 0, xx = 0, xy = 0, rss = 0, slope;

	for (int i = 0; i < n; i++) {
		long double wi = 1 / ((long double)y[i] * y[i]);

		w += wi;
		mx += wi * x[i];
		my += wi * y[i];
	}
	mx /= w;
	my /= w;
	for (int i = 0; i < n; i++) {
		long double wi = 1 / ((long double)y[i] * y[i]);

		xx += wi * (x[i] - mx) * (x[i] - mx);
		xy += wi * (x[i] - mx) * (y[i] - my);
	}
	slope = xy / xx;
	for (int i = 0; i < n; i++) {
		long double off = (y[i] - my - slope * (x[i] - mx)) / y[i];

		rss += off * off;
	}
	*a = (double)(my - slope * mx);
	*b = (double)slope;
	return rss;
}

struct naive_cut {
	long double rss;
	int end[4];
};

/* All ways to cut [from, m) into k pieces, the list of ends ascending. */
static void all_cuts(const double *x, const double *y, int m, int from, int k, int depth, long double rss, int *end, struct naive_cut *best)
{
	for (int to = k == 1 ? m : from + 3; to <= m - 3 * (k - 1) && to - from >= 3; to++) {
		double a, b;
		long double own = naive_line(x + from, y + from, to - from, &a, &b);

		own = own < 1e-18L * m ? 0 : own;
		end[depth] = to;
		if (k > 1)
			all_cuts(x, y, m, to, k - 1, depth + 1, rss + own, end, best);
		else if (rss + own < best->rss) {
			best->rss = rss + own;
			memcpy(best->end, end, sizeof best->end);
		}
	}
}

static void random_pieces(void)
{
	static const char *const names[] = {"bytes"};
	uint64_t seed = 99;
	int wrong = 0, cuts[5] = {0};

	for (int set = 0; set < 400; set++) {
		int m = 3 + (int)gen_below(&seed, 10), most = m / 3, chosen = 0;
		double x[POINTS], y[POINTS], level = (double[]){0, 0.001, 0.02, 0.2}[set % 4], lowest = INFINITY;
		struct naive_cut best[5];
		struct fit f;
		struct err e;
		bool same;

		for (int i = 0; i < m; i++) {
			int part = set % 3 ? i * 3 / m : 0;

			x[i] = (i ? x[i - 1] : 0) + 1 + gen_below(&seed, 50);
			y[i] = (1 + part * 3 + (1 + part * 0.7) * x[i]) * 1e-6 * fmax(0.1, 1 + level * noise(&seed));
		}
		if (fit_make(&f, &(struct fit_points){names, 1, (uint32_t)m, x, y}, &(struct fit_options){0}, NULL, &e))
			bail_out("%s", e.text);
		same = (int)f.cut->criteria == (most < 8 ? most : 8);
		for (int k = 1; k <= most; k++) {
			int end[4] = {0};
			double bic;

			best[k].rss = INFINITY;
			all_cuts(x, y, m, 0, k, 0, 0, end, &best[k]);
			bic = m * log(fmax((double)best[k].rss, 1e-18 * m) / m) + (5 * k - 3) * log(m);
			same &= fabs(bic - f.cut->criterion[k - 1].bic) < 1e-4;
			if (bic < lowest - 1e-9) {
				lowest = bic;
				chosen = k;
			}
		}
		same &= (int)f.pieces == chosen;
		for (int k = 0; same && k < chosen; k++) {
			int from = k ? best[chosen].end[k - 1] : 0, to = best[chosen].end[k];
			double a, b;

			naive_line(x + from, y + from, to - from, &a, &b);
			same &= f.piece[k].to == x[to - 1] && (int)f.piece[k].points == to - from && fabs(f.piece[k].b - b) <= 1e-9 * fabs(b) + 1e-15 &&
				fabs(f.piece[k].a - a) <= 1e-8 * (fabs(a) + y[from]);
		}
		cuts[chosen]++;
		wrong += !same;
		if (!same)
			diag("set %d: %u pieces, expected %d", set, f.pieces, chosen);
		fit_release(&f);
	}
	is_int(wrong, 0, "400 random sets are cut as the best of all cuts is");
	ok(cuts[1] > 20 && cuts[2] > 20 && cuts[3] > 5, "into one (%d), two (%d), three (%d) and four (%d)", cuts[1], cuts[2], cuts[3], cuts[4]);
}

int main(void)
{
	make_lists();
	is_int(fulls, 64, "64 powers");
	is_int(fews, 13, "13 of them few");
	random_forms(1, 160);
	random_forms(2, 24);
	random_pieces();
	return done_testing();
}
