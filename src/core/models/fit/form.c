#include "fit.h"

#include <math.h>
#include <stdlib.h>

/* ---- terms ---- */

double form_power_at(struct form_power p, double x)
{
	double v;

	if ((p.logs && !(x >= 1)) || (p.top < 0 && !(x > 0)) || (p.bottom > 1 && !(x >= 0)))
		return NAN;
	v = p.top ? pow(x, (double)p.top / p.bottom) : 1;
	for (unsigned i = 0; i < p.logs; i++)
		v *= log2(x);
	return v;
}

double form_term_at(const struct form_term *t, const double *x)
{
	double v = 1;

	for (unsigned i = 0; i < t->factors; i++)
		v *= form_power_at(t->factor[i].power, x[t->factor[i].parameter]);
	return v;
}

/* ---- the lists ---- */

#define WITH_LOGS(top, bottom) {top, bottom, 0}, {top, bottom, 1}, {top, bottom, 2}

static const struct form_power full[] = {
	{-3, 1, 0}, {-2, 1, 0}, {-3, 2, 0}, {-1, 1, 0}, {-1, 1, 1}, {-2, 3, 0}, {-1, 2, 0}, {-1, 3, 0},
	{0, 1, 1}, {0, 1, 2}, WITH_LOGS(1, 4), WITH_LOGS(1, 3), WITH_LOGS(1, 2), WITH_LOGS(2, 3), WITH_LOGS(3, 4), WITH_LOGS(1, 1),
	WITH_LOGS(5, 4), WITH_LOGS(4, 3), WITH_LOGS(3, 2), WITH_LOGS(5, 3), WITH_LOGS(7, 4), WITH_LOGS(2, 1), WITH_LOGS(9, 4),
	WITH_LOGS(7, 3), WITH_LOGS(5, 2), WITH_LOGS(8, 3), WITH_LOGS(11, 4), WITH_LOGS(3, 1),
};

static const struct form_power few[FORM_FEW] = {
	{-1, 1, 0}, {-1, 2, 0}, {0, 1, 1}, {1, 2, 0}, {1, 2, 1}, {1, 1, 0}, {1, 1, 1}, {3, 2, 0}, {3, 2, 1}, {2, 1, 0}, {2, 1, 1},
	{3, 1, 0}, {3, 1, 1},
};

#define FULL (sizeof full / sizeof *full)

static bool same_power(struct form_power a, struct form_power b)
{
	return a.top == b.top && a.bottom == b.bottom && a.logs == b.logs;
}

int form_power_few(struct form_power p)
{
	for (int i = 0; i < FORM_FEW; i++)
		if (same_power(few[i], p))
			return i;
	return -1;
}

struct form_power form_few(int place)
{
	return few[place];
}

bool form_term_same(const struct form_term *a, const struct form_term *b)
{
	if (a->factors != b->factors)
		return false;
	for (unsigned i = 0; i < a->factors; i++)
		if (a->factor[i].parameter != b->factor[i].parameter || !same_power(a->factor[i].power, b->factor[i].power))
			return false;
	return true;
}

/* ---- which is simpler ---- */

struct form_weight form_weight_of(const struct form_term *terms, uint32_t count)
{
	struct form_weight w = {.terms = (uint8_t)count};
	bool seen[UINT8_MAX + 1] = {false};

	for (uint32_t t = 0; t < count; t++) {
		for (unsigned i = 0; i < terms[t].factors; i++) {
			struct form_power p = terms[t].factor[i].power;
			uint8_t parameter = terms[t].factor[i].parameter;

			w.parameters = (uint8_t)(w.parameters + !seen[parameter]);
			seen[parameter] = true;
			w.unusual = (uint8_t)(w.unusual + (form_power_few(p) < 0));
			w.size += (uint32_t)abs(p.top) * 12 / p.bottom + p.logs * 6u;
		}
	}
	return w;
}

int form_weight_compare(const struct form_weight *a, const struct form_weight *b)
{
	if (a->terms != b->terms)
		return a->terms < b->terms ? -1 : 1;
	if (a->parameters != b->parameters)
		return a->parameters < b->parameters ? -1 : 1;
	if (a->unusual != b->unusual)
		return a->unusual < b->unusual ? -1 : 1;
	return a->size < b->size ? -1 : a->size > b->size;
}

/* ---- the candidates ---- */

enum { AT_CONSTANT, AT_ONE, AT_TWO_OF_ONE, AT_PAIR, AT_POLYNOMIAL, AT_END };

static struct form_term power_of(uint8_t parameter, struct form_power p)
{
	return (struct form_term){1, {{parameter, p}}};
}

static struct form_term product_of(uint8_t a, struct form_power f, uint8_t b, struct form_power g)
{
	return (struct form_term){2, {{a, f}, {b, g}}};
}

void form_polynomial(uint8_t parameter, uint32_t degree, struct form_term terms[FORM_COLUMNS])
{
	terms[0] = (struct form_term){0};
	for (uint32_t i = 1; i <= degree; i++)
		terms[i] = power_of(parameter, (struct form_power){(int8_t)i, 1, 0});
}

void form_walk_init(struct form_walk *w, enum form_family family, const uint8_t *parameter, uint32_t parameters)
{
	*w = (struct form_walk){.family = family, .parameter = parameter, .parameters = parameters, .stage = AT_CONSTANT};
}

static bool form_walk_start(struct form_walk *w, uint32_t stage, uint32_t a, uint32_t b)
{
	w->stage = stage;
	w->a = a;
	w->b = b;
	w->i = w->j = w->k = 0;
	return true;
}

/* h, then the constant and h. */
static bool next_one(struct form_walk *w, struct form *f)
{
	struct form_term h;

	if (w->i == FULL)
		return false;
	h = power_of(w->parameter[w->a], full[w->i]);
	*f = w->k ? (struct form){2, {{0}, h}} : (struct form){1, {h}};
	w->i += w->k;
	w->k ^= 1;
	return true;
}

static bool next_two_of_one(struct form_walk *w, struct form *f)
{
	uint8_t a = w->parameter[w->a];

	if (++w->j == FORM_FEW) {
		w->i++;
		w->j = w->i + 1;
	}
	if (w->j >= FORM_FEW)
		return false;
	*f = (struct form){2, {power_of(a, few[w->i]), power_of(a, few[w->j])}};
	return true;
}

static bool next_pair(struct form_walk *w, struct form *out)
{
	uint8_t a = w->parameter[w->a], b = w->parameter[w->b];
	struct form_term one = {0}, f, g, fg;

	if (w->k == 7) {
		w->k = 0;
		w->j++;
	}
	if (w->j == FORM_FEW) {
		w->j = 0;
		w->i++;
	}
	if (w->i == FORM_FEW)
		return false;
	f = power_of(a, few[w->i]);
	g = power_of(b, few[w->j]);
	fg = product_of(a, few[w->i], b, few[w->j]);
	switch (w->k++) {
	case 0: *out = (struct form){1, {fg}}; break;
	case 1: *out = (struct form){2, {one, fg}}; break;
	case 2: *out = (struct form){2, {f, g}}; break;
	case 3: *out = (struct form){2, {f, fg}}; break;
	case 4: *out = (struct form){2, {g, fg}}; break;
	case 5: *out = (struct form){3, {one, f, g}}; break;
	default: *out = (struct form){4, {one, f, g, fg}}; break;
	}
	return true;
}

static bool next_polynomial(struct form_walk *w, struct form *f)
{
	uint32_t degree = (w->family == FORM_POLY ? 1 : 2) + w->k;
	struct form_term terms[FORM_COLUMNS];

	if (degree > 3)
		return false;
	form_polynomial(w->parameter[w->a], degree, terms);
	f->count = degree + 1;
	for (uint32_t i = 0; i < f->count; i++)
		f->term[i] = terms[i];
	w->k++;
	return true;
}

/* The place behind one that has no more forms. */
static bool form_walk_advance(struct form_walk *w)
{
	switch (w->stage) {
	case AT_CONSTANT:
		return w->parameters ? form_walk_start(w, w->family == FORM_POLY ? AT_POLYNOMIAL : AT_ONE, 0, 0) : form_walk_start(w, AT_END, 0, 0);
	case AT_ONE:
		return form_walk_start(w, AT_TWO_OF_ONE, w->a, 0);
	case AT_TWO_OF_ONE:
		if (w->a + 1 < w->parameters)
			return form_walk_start(w, AT_ONE, w->a + 1, 0);
		if (w->parameters > 1)
			return form_walk_start(w, AT_PAIR, 0, 1);
		break;
	case AT_PAIR:
		if (w->b + 1 < w->parameters)
			return form_walk_start(w, AT_PAIR, w->a, w->b + 1);
		if (w->a + 2 < w->parameters)
			return form_walk_start(w, AT_PAIR, w->a + 1, w->a + 2);
		break;
	default:
		return w->a + 1 < w->parameters ? form_walk_start(w, AT_POLYNOMIAL, w->a + 1, 0) : form_walk_start(w, AT_END, 0, 0);
	}
	return form_walk_start(w, w->family == FORM_ALL ? AT_POLYNOMIAL : AT_END, 0, 0);
}

bool form_walk_next(struct form_walk *w, struct form *f)
{
	for (; w->stage != AT_END; form_walk_advance(w)) {
		bool found = false;

		switch (w->stage) {
		case AT_CONSTANT:
			found = !w->k++;
			if (found)
				*f = (struct form){1, {{0}}};
			break;
		case AT_ONE: found = next_one(w, f); break;
		case AT_TWO_OF_ONE: found = next_two_of_one(w, f); break;
		case AT_PAIR: found = next_pair(w, f); break;
		default: found = next_polynomial(w, f); break;
		}
		if (found)
			return true;
	}
	return false;
}
