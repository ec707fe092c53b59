#include "fit_int.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"

#define NEAR 1.25          /* times the least error, and NEAR_TOO more: a form that fits about as well */
#define NEAR_TOO 0.005
#define MAYBE 2.0          /* times the least error, and MAYBE_TOO over the square of the degrees of freedom of one mean: one that may be as true */
#define MAYBE_TOO 0.2
#define LEVERAGE 1e-9      /* a point whose leverage is closer to 1 says nothing of the error */
#define OFTEN 256          /* forms between looks at progress */

/* A form that takes part. */
struct form_candidate {
	struct form form;
	double coefficient[FORM_TERMS];
	double error;
};

struct searching {
	const struct fit_work *w;
	struct least_squares q;
	struct form_term pushed[FORM_COLUMNS]; /* the columns of q */
	double *few;             /* [parameter][power of the short list][point]: values, so that each is computed once */
	double *column, *residual;
	struct form_candidate *list;
	size_t count, cap;
};

/* ---- columns ---- */

static const double *few_of(const struct searching *s, uint8_t parameter, int power)
{
	return s->few + ((size_t)parameter * FORM_FEW + (size_t)power) * s->w->points;
}

/* The short list's columns: they are in most forms. */
static bool make_few(struct searching *s, bool wanted)
{
	const struct fit_work *w = s->w;
	if (!wanted)
		return true;
	s->few = mem_alloc((size_t)w->parameters * FORM_FEW * w->points, sizeof *s->few);
	for (uint32_t k = 0; s->few && k < w->parameters; k++)
		for (int i = 0; i < FORM_FEW; i++)
			for (uint32_t row = 0; row < w->points; row++)
				s->few[((size_t)k * FORM_FEW + (size_t)i) * w->points + row] =
					form_power_at(form_few(i), w->at[(size_t)row * w->parameters + k]);
	return s->few != NULL;
}

/* A term at every point, with the weights. */
static void make_column(struct searching *s, const struct form_term *t)
{
	const struct fit_work *w = s->w;

	memcpy(s->column, w->root, w->points * sizeof *s->column);
	for (unsigned i = 0; i < t->factors; i++) {
		uint8_t parameter = t->factor[i].parameter;
		int power = s->few ? form_power_few(t->factor[i].power) : -1;

		if (power >= 0) {
			const double *value = few_of(s, parameter, power);

			for (uint32_t row = 0; row < w->points; row++)
				s->column[row] *= value[row];
		} else {
			for (uint32_t row = 0; row < w->points; row++)
				s->column[row] *= form_power_at(t->factor[i].power, w->at[(size_t)row * w->parameters + parameter]);
		}
	}
}

/* Make q's columns those of the form; what it begins with as the last one did stays. False: it is singular or not
 * defined everywhere. */
static bool set_columns(struct searching *s, const struct form_term *terms, uint32_t count)
{
	uint32_t same = 0;

	while (same < count && same < s->q.columns && form_term_same(&s->pushed[same], &terms[same]))
		same++;
	while (s->q.columns > same)
		least_squares_pop(&s->q);
	for (; same < count; same++) {
		make_column(s, &terms[same]);
		if (!least_squares_push(&s->q, s->column))
			return false;
		s->pushed[same] = terms[same];
	}
	return true;
}

/* ---- one form ---- */

/* What a point would be off by if it had not been measured, over all. NAN: some point's own value decides its fitted
 * one. */
static double error_of(const struct searching *s)
{
	const double *leverage = least_squares_leverages(&s->q);
	double sum = 0;

	for (uint32_t i = 0; i < s->w->points; i++) {
		double rest = 1 - leverage[i], off = s->residual[i] / rest;

		if (rest < LEVERAGE)
			return NAN;
		sum += off * off;
	}
	return fmax(FIT_LEAST_ERROR, sqrt(sum / s->w->squares));
}

/* Coefficients in the measurements' unit. False: one is too large or too small for a double. */
static bool solve(const struct searching *s, double *coefficient, double *rss)
{
	*rss = least_squares_solve(&s->q, s->w->weighted, coefficient, s->residual);
	for (uint32_t k = 0; k < s->q.columns; k++) {
		bool zero = coefficient[k] == 0;

		coefficient[k] *= s->w->scale;
		if (!zero && !isnormal(coefficient[k]))
			return false;
	}
	return true;
}

static bool has_negative(const double *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (v[i] < 0)
			return true;
	return false;
}

/* Does a form take part, and with what error? */
static bool try_form(struct searching *s, const struct form *form, enum form_family family, struct form_candidate *c)
{
	double rss;

	if (s->w->points < form->count + 1 || !set_columns(s, form->term, form->count) || !solve(s, c->coefficient, &rss))
		return false;
	c->form = *form;
	c->error = error_of(s);
	if (!isfinite(c->error))
		return false;
	return !s->w->positive || family == FORM_POLY || c->error <= FIT_EXACT || !has_negative(c->coefficient, form->count);
}

/* ---- the choice ---- */

static enum err_code find_candidates(struct searching *s, enum form_family family, struct err *e)
{
	struct form_walk walk;
	struct form form;
	uint32_t looked = 0;

	form_walk_init(&walk, family, s->w->varies, s->w->varying);
	while (form_walk_next(&walk, &form)) {
		struct form_candidate c;

		if (++looked % OFTEN == 0 && progress_stopped(s->w->progress))
			return err_set(e, ERR_CANCELLED, "stopped");
		if (!try_form(s, &form, family, &c))
			continue;
		if (s->count == s->cap) {
			struct form_candidate *moved = mem_grow(s->list, s->count, &s->cap, sizeof *s->list);

			if (!moved)
				return err_memory(e, "the forms of a fit");
			s->list = moved;
		}
		s->list[s->count++] = c;
	}
	return ERR_OK;
}

static const struct form_candidate *candidate_choose(const struct searching *s, double best)
{
	double limit = best <= FIT_EXACT ? FIT_EXACT : NEAR * best + NEAR_TOO;
	const struct form_candidate *chosen = NULL;
	struct form_weight least = {0};

	for (size_t i = 0; i < s->count; i++) {
		struct form_weight weight;

		if (s->list[i].error > limit)
			continue;
		weight = form_weight_of(s->list[i].form.term, s->list[i].form.count);
		if (!chosen || form_weight_compare(&weight, &least) < 0) {
			chosen = &s->list[i];
			least = weight;
		}
	}
	return chosen;
}

/* Keep those that may be as true as the chosen one, and that one. */
static enum err_code keep_maybe(struct fit *f, const struct searching *s, const struct form_candidate *chosen, double best, struct err *e)
{
	double freedom = s->w->points - 1.0, limit = best <= FIT_EXACT ? FIT_EXACT : MAYBE * best + MAYBE_TOO / (freedom * freedom);
	uint32_t forms = 0, terms = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (s->list[i].error <= limit || &s->list[i] == chosen) {
			forms++;
			terms += s->list[i].form.count;
		}
	}
	f->form = mem_alloc(forms, sizeof *f->form);
	f->maybe = mem_alloc(terms, sizeof *f->maybe);
	if (!f->form || !f->maybe)
		return err_memory(e, "the forms of a fit");
	terms = 0;
	for (size_t i = 0; i < s->count; i++) {
		const struct form_candidate *c = &s->list[i];

		if (c->error > limit && c != chosen)
			continue;
		f->form[f->forms++] = (struct fit_form){terms, c->form.count, c->error};
		for (uint32_t k = 0; k < c->form.count; k++)
			f->maybe[terms++] = (struct fit_maybe){c->form.term[k], c->coefficient[k]};
	}
	return ERR_OK;
}

/* The fit's terms are those of q's columns, the largest first. */
static enum err_code take_terms(struct fit *f, struct searching *s, struct err *e)
{
	double coefficient[FORM_COLUMNS], half[FORM_COLUMNS], rss;
	uint32_t n = s->q.columns;

	f->term = mem_alloc(n, sizeof *f->term);
	if (!f->term)
		return err_memory(e, "a fit");
	if (!solve(s, coefficient, &rss))
		return err_set(e, ERR_FORMAT, "the values are too far apart for a fit");
	least_squares_half_widths(&s->q, rss, half);
	for (uint32_t k = 0; k < n; k++)
		f->term[n - 1 - k] = (struct fit_term){s->pushed[k], coefficient[k], half[k] * s->w->scale};
	f->terms = n;
	return ERR_OK;
}

/* The only form there is. */
static enum err_code take_alone(struct fit *f, struct searching *s, struct err *e)
{
	enum err_code code = take_terms(f, s, e);

	if (code)
		return code;
	f->form = mem_alloc(1, sizeof *f->form);
	f->maybe = mem_alloc(f->terms, sizeof *f->maybe);
	if (!f->form || !f->maybe)
		return err_memory(e, "a fit");
	f->form[f->forms++] = (struct fit_form){0, f->terms, f->error};
	for (uint32_t k = 0; k < f->terms; k++)
		f->maybe[k] = (struct fit_maybe){f->term[k].form, f->term[k].coefficient};
	return ERR_OK;
}

/* ---- what is asked for ---- */

static enum err_code searching_init(struct searching *s, const struct fit_work *w, uint32_t columns, bool several, struct err *e)
{
	enum err_code code;

	*s = (struct searching){.w = w};
	code = least_squares_init(&s->q, w->points, columns, e);
	if (code)
		return code;
	s->column = mem_alloc(w->points, sizeof *s->column);
	s->residual = mem_alloc(w->points, sizeof *s->residual);
	return s->column && s->residual && make_few(s, several) ? ERR_OK : err_memory(e, "a fit");
}

static void searching_release(struct searching *s)
{
	least_squares_release(&s->q);
	mem_free(s->few);
	mem_free(s->column);
	mem_free(s->residual);
	mem_free(s->list);
}

enum err_code fit_forms(struct fit *f, const struct fit_work *w, enum form_family family, struct err *e)
{
	static const struct form constant = {1, {{0}}};
	const struct form_candidate *chosen = NULL;
	struct searching s;
	double best = INFINITY;
	enum err_code code = searching_init(&s, w, FORM_TERMS, !w->equal, e);

	if (!code && !w->equal)
		code = find_candidates(&s, family, e);
	for (size_t i = 0; i < s.count; i++)
		best = fmin(best, s.list[i].error);
	if (!code && s.count)
		chosen = candidate_choose(&s, best);
	if (!code && !set_columns(&s, chosen ? chosen->form.term : constant.term, chosen ? chosen->form.count : 1))
		code = err_set(e, ERR_FORMAT, "the values are too far apart for a fit");
	if (!code && chosen) {
		f->error = chosen->error;
		code = take_terms(f, &s, e);
		if (!code)
			code = keep_maybe(f, &s, chosen, best, e);
	} else if (!code) {
		f->error = w->equal ? 0 : (double)NAN; /* no form takes part: how far off the constant is cannot be told */
		code = take_alone(f, &s, e);
	}
	searching_release(&s);
	return code;
}

enum err_code fit_polynomial(struct fit *f, const struct fit_work *w, uint32_t degree, struct err *e)
{
	struct form_term terms[FORM_COLUMNS];
	struct searching s = {0};
	double unused[FORM_COLUMNS], rss;
	enum err_code code;

	if (w->varying != 1 && degree)
		return err_set(e, ERR_USAGE, "a polynomial needs one varying parameter, found %u", w->varying);
	if (degree > FORM_DEGREE)
		return err_set(e, ERR_USAGE, "degree %u: the limit is %d", degree, FORM_DEGREE);
	if (w->points < degree + 1)
		return err_set(e, ERR_USAGE, "degree %u of %u points: the limit is "
			       "%u", degree, w->points, w->points - 1);
	form_polynomial(w->varies[0], degree, terms);
	code = searching_init(&s, w, degree + 1, false, e);
	if (!code && !set_columns(&s, terms, degree + 1))
		code = err_set(e, ERR_USAGE, "degree %u: the points are too close together", degree);
	if (!code) {
		solve(&s, unused, &rss);
		f->error = error_of(&s);
		code = take_alone(f, &s, e);
	}
	searching_release(&s);
	return code;
}
