#include "fit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "fit_int.h"

#define SAME 1e-9          /* values that differ by less, as a share of the largest, are the same */
#define TINY 1e-100        /* a value that is less, as a share of the largest, has no weight of its own */

struct fit_points measured_set_points(const struct measured_set *s)
{
	return (struct fit_points){s->parameter, s->parameters, s->points, s->at, s->value};
}

/* ---- points made ready ---- */

static void work_release(struct fit_work *w)
{
	mem_free(w->at);
	mem_free(w->value);
	mem_free(w->root);
	mem_free(w->weighted);
}

static int by_place(const void *a, const void *b, void *arg)
{
	const struct fit_points *p = arg;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

	for (uint32_t k = 0; k < p->parameters; k++) {
		double x = p->at[(size_t)i * p->parameters + k], y = p->at[(size_t)j * p->parameters + k];

		if (x != y)
			return x < y ? -1 : 1;
	}
	return p->value[i] < p->value[j] ? -1 : p->value[i] > p->value[j];
}

/* A power of two near v. */
static double near_power(double v)
{
	int exponent;

	if (!(v > 0))
		return 1;
	frexp(v, &exponent);
	return ldexp(1, exponent > DBL_MAX_EXP - 1 ? DBL_MAX_EXP - 1 : exponent < DBL_MIN_EXP ? DBL_MIN_EXP : exponent);
}

static void work_scale(struct fit_work *w)
{
	double least = INFINITY, most = -INFINITY, size;

	for (uint32_t i = 0; i < w->points; i++) {
		least = fmin(least, w->value[i]);
		most = fmax(most, w->value[i]);
	}
	size = fmax(fabs(least), fabs(most));
	w->positive = least > 0;
	w->equal = w->points == 1 || most / 2 - least / 2 <= SAME * size / 2;
	w->scale = near_power(size);
	for (uint32_t i = 0; i < w->points; i++)
		w->value[i] /= w->scale;
}

static void work_weights(struct fit_work *w, enum fit_weights weights)
{
	for (uint32_t i = 0; i < w->points; i++) {
		w->root[i] = weights == FIT_RELATIVE ? 1 / w->value[i] : 1;
		w->weighted[i] = w->root[i] * w->value[i];
		w->squares += w->weighted[i] * w->weighted[i];
	}
}

static enum err_code work_init(struct fit_work *w, const struct fit_points *p, const struct progress *progress, struct err *e)
{
	uint32_t *order = mem_alloc(p->count, sizeof *order);
	uint32_t n = p->count;

	*w = (struct fit_work){.parameters = p->parameters, .points = n, .progress = progress};
	w->at = mem_alloc((size_t)n * (p->parameters ? p->parameters : 1), sizeof *w->at);
	w->value = mem_alloc(n, sizeof *w->value);
	w->root = mem_alloc(n, sizeof *w->root);
	w->weighted = mem_alloc(n, sizeof *w->weighted);
	if (!order || !w->at || !w->value || !w->root || !w->weighted) {
		mem_free(order);
		return err_memory(e, "the points of a fit");
	}
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof *order, by_place, (void *)(uintptr_t)p);
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < p->parameters; k++)
			w->at[(size_t)i * p->parameters + k] = p->at[(size_t)order[i] * p->parameters + k];
		w->value[i] = p->value[order[i]];
	}
	mem_free(order);
	work_scale(w);
	return ERR_OK;
}

/* The points' range, and which parameters vary. */
static enum err_code find_ranges(struct fit *f, struct fit_work *w, struct err *e)
{
	f->low = mem_alloc(f->parameters, sizeof *f->low);
	f->high = mem_alloc(f->parameters, sizeof *f->high);
	if (!f->low || !f->high)
		return err_memory(e, "a fit");
	for (uint32_t k = 0; k < f->parameters; k++) {
		f->low[k] = INFINITY;
		f->high[k] = -INFINITY;
		for (uint32_t i = 0; i < w->points; i++) {
			f->low[k] = fmin(f->low[k], w->at[(size_t)i * w->parameters + k]);
			f->high[k] = fmax(f->high[k], w->at[(size_t)i * w->parameters + k]);
		}
		if (f->low[k] == f->high[k])
			continue;
		if (w->varying == FIT_PARAMETERS || k > UINT8_MAX)
			return err_set(e, ERR_FORMAT, "more than %d parameters vary", FIT_PARAMETERS);
		w->varies[w->varying++] = (uint8_t)k;
	}
	return ERR_OK;
}

/* ---- pieces ---- */

static bool piece_is_finite(const struct fit_piece *p)
{
	return isfinite(p->a) && isfinite(p->b) && !isinf(p->half_a) && !isinf(p->half_b);
}

static enum err_code take_pieces(struct fit *f, const struct fit_work *w, const double *x, double scale, struct err *e)
{
	double lost = 0;

	f->piece = mem_alloc(f->cut->count, sizeof *f->piece);
	if (!f->piece)
		return err_memory(e, "the pieces of a fit");
	for (uint32_t k = 0, from = 0; k < f->cut->count; k++) {
		uint32_t to = f->cut->end[k];
		struct piece_line line = pieces_line(x + from, w->value + from, w->root + from, to - from);

		f->piece[k] = (struct fit_piece){
			.from = x[k ? from - 1 : 0] * scale, .to = x[to - 1] * scale,
			.points = to - from, .coefficients = to - from > 1 ? 2 : 1,
			.a = line.a * w->scale, .b = line.b * (w->scale / scale),
			.half_a = line.half_a * w->scale, .half_b = line.half_b * (w->scale / scale),
		};
		if (!piece_is_finite(&f->piece[k]))
			return err_set(e, ERR_FORMAT, "the values are too far apart for a fit");
		lost += line.lost;
		from = to;
	}
	f->pieces = f->cut->count;
	f->error = isfinite(lost) ? fmax(FIT_LEAST_ERROR, sqrt(lost / w->squares)) : (double)NAN;
	if (w->squares == 0)
		f->error = 0;
	return ERR_OK;
}

static enum err_code fit_pieces(struct fit *f, const struct fit_work *w, const struct fit_options *o, struct err *e)
{
	uint32_t n = w->points, k = w->varying ? w->varies[0] : 0;
	double *x = mem_alloc(n, sizeof *x), *at = mem_alloc(o->break_count, sizeof *at), scale;
	enum err_code code = ERR_OK;

	f->cut = mem_zero(1, sizeof *f->cut);
	if (!x || !at || !f->cut)
		code = err_memory(e, "the pieces of a fit");
	scale = w->varying ? near_power(fmax(fabs(f->low[k]), fabs(f->high[k]))) : 1;
	for (uint32_t i = 0; !code && i < n; i++)
		x[i] = w->varying ? w->at[(size_t)i * w->parameters + k] / scale : 0;
	for (uint32_t i = 0; !code && i < o->break_count; i++)
		at[i] = o->breaks[i] / scale;
	if (!code && o->break_count)
		code = pieces_cut_at(f->cut, x, w->value, w->root, n, at, o->break_count, scale, e);
	else if (!code)
		code = pieces_cut(f->cut, x, w->value, w->root, n, o->segments, w->progress, e);
	if (!code)
		code = take_pieces(f, w, x, scale, e);
	mem_free(x);
	mem_free(at);
	return code;
}

/* ---- values ---- */

static double value_of_terms(const struct fit *f, const struct fit_form *form, const double *x)
{
	double v = 0;

	for (uint32_t k = 0; k < form->count; k++) {
		const struct fit_maybe *t = &f->maybe[form->first + k];

		v += t->coefficient * form_term_at(&t->form, x);
	}
	return v;
}

static double value_of_piece(const struct fit *f, const double *x)
{
	double at = f->parameters ? x[f->along] : 0;
	uint32_t k = 0;

	while (k + 1 < f->pieces && at > f->piece[k].to)
		k++;
	return f->piece[k].a + f->piece[k].b * at;
}

static double chosen_value(const struct fit *f, const double *x)
{
	double v = 0;

	if (f->pieces)
		return value_of_piece(f, x);
	for (uint32_t k = 0; k < f->terms; k++)
		v += f->term[k].coefficient * form_term_at(&f->term[k].form, x);
	return v;
}

static double extrapolation(const struct fit *f, const double *x)
{
	double far = 1;

	for (uint32_t k = 0; k < f->parameters; k++) {
		double over = x[k] > f->high[k] ? x[k] / f->high[k] : x[k] < f->low[k] ? f->low[k] / x[k] : 1;

		/* From 0 or below no factor leads beyond it. */
		far = fmax(far, over >= 1 ? over : (double)INFINITY);
	}
	return far;
}

static void widen(double *low, double *high, double v)
{
	*low = fmin(*low, v);
	*high = fmax(*high, v);
}

void fit_at(const struct fit *f, const double *x, struct fit_value *v)
{
	double low, high;

	*v = (struct fit_value){chosen_value(f, x), NAN, NAN, extrapolation(f, x)};
	if (!isfinite(v->value)) {
		v->value = NAN;
		return;
	}
	if (isnan(f->error))
		return;
	low = high = v->value;
	for (uint32_t i = 0; i < f->forms; i++) {
		double other = value_of_terms(f, &f->form[i], x);

		if (isfinite(other) && !(f->positive && other < 0))
			widen(&low, &high, other);
	}
	v->low = low - 2 * f->error * fabs(low);
	v->high = high + 2 * f->error * fabs(high);
	if (f->positive) {
		v->low = fmax(v->low, 0);
		v->high = fmax(v->high, 0);
	}
	if (!isfinite(v->low) || !isfinite(v->high)) /* beyond what a double can hold */
		v->low = v->high = NAN;
}

double fit_off(double model, double measured)
{
	double off = (model - measured) / measured;

	return isfinite(off) ? off : (double)NAN;
}

/* How far the model is off at the points themselves. */
static void find_errors(struct fit *f, const struct fit_work *w)
{
	double sum = 0;
	uint32_t known = 0;

	f->mean_error = f->max_error = NAN;
	for (uint32_t i = 0; i < w->points; i++) {
		double measured = w->value[i] * w->scale, off;

		off = fabs(fit_off(chosen_value(f, w->at + (size_t)i * w->parameters), measured));
		if (isnan(off))
			continue;
		sum += off;
		f->max_error = fmax(f->max_error, off);
		known++;
	}
	if (known)
		f->mean_error = sum / known;
}

/* ---- all of it ---- */

static enum fit_kind kind_of(const struct fit_options *o, const struct fit *f, const struct fit_work *w)
{
	bool bytes = w->varying == 1 && !strcmp(f->parameter[w->varies[0]], "bytes");

	if (o->kind != FIT_DEFAULT)
		return o->kind;
	if (o->degree)
		return FIT_POLY;
	return o->segments || o->break_count || bytes ? FIT_PIECES : FIT_AUTO;
}

/* Do the options go together, and with the points? */
static enum err_code check_options(const struct fit *f, const struct fit_work *w, const struct fit_options *o, struct err *e)
{
	if ((o->segments || o->break_count) && f->kind != FIT_PIECES)
		return err_set(e, ERR_USAGE, "segments and breakpoints need the form pieces");
	if (o->segments && o->break_count)
		return err_set(e, ERR_USAGE, "--segments and --breakpoints cannot be used together");
	if (o->degree && f->kind != FIT_POLY)
		return err_set(e, ERR_USAGE, "a degree needs the form polynomial");
	if (f->kind == FIT_PIECES && w->varying > 1)
		return err_set(e, ERR_USAGE, "the form pieces needs one varying parameter, found %u", w->varying);
	return ERR_OK;
}

static enum err_code fit_it(struct fit *f, struct fit_work *w, const struct fit_options *o, struct err *e)
{
	static const enum form_family family[] = {[FIT_POWER] = FORM_POWER, [FIT_POLY] = FORM_POLY, [FIT_AUTO] = FORM_ALL};
	enum err_code code = find_ranges(f, w, e);

	if (code)
		return code;
	f->kind = kind_of(o, f, w);
	f->weights = o->weights;
	f->positive = w->positive;
	for (uint32_t i = 0; i < w->points; i++)
		if (o->weights == FIT_RELATIVE && !(w->value[i] > TINY))
			f->weights = FIT_EQUAL;
	f->weights_fell_back = f->weights != o->weights;
	work_weights(w, f->weights);
	code = check_options(f, w, o, e);
	if (code)
		return code;
	if (f->kind == FIT_PIECES && !w->varying && !o->segments && !o->break_count)
		f->kind = FIT_AUTO; /* one place alone has no pieces */
	f->along = w->varies[0];
	if (f->kind == FIT_PIECES)
		code = fit_pieces(f, w, o, e);
	else
		code = o->degree ? fit_polynomial(f, w, o->degree, e) : fit_forms(f, w, family[f->kind], e);
	if (!code)
		find_errors(f, w);
	return code;
}

enum err_code fit_make(struct fit *f, const struct fit_points *points, const struct fit_options *o, const struct progress *progress, struct err *e)
{
	struct fit_work w = {0};
	enum err_code code;

	*f = (struct fit){.parameter = points->parameter, .parameters = points->parameters, .points = points->count};
	if (!points->count)
		return err_set(e, ERR_FORMAT, "no points to fit");
	code = work_init(&w, points, progress, e);
	if (!code)
		code = fit_it(f, &w, o, e);
	work_release(&w);
	if (code)
		fit_release(f);
	return code;
}

void fit_release(struct fit *f)
{
	mem_free(f->low);
	mem_free(f->high);
	mem_free(f->term);
	mem_free(f->form);
	mem_free(f->maybe);
	mem_free(f->piece);
	mem_free(f->cut);
	*f = (struct fit){0};
}
