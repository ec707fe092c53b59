#include "model_int.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/models/language/language.h"
#include "core/models/fit/fit.h"

#define FINE 1.05      /* a fine step of a logarithmic slider; of a linear one a hundredth of its range */
#define COARSE 2.0
#define SPAN 8.0       /* a slider goes from a part of its first value to as often of it */
#define SEGMENTS_MOST 8

/* --- which there are --- */

void models_range_knob(struct models_knob *k)
{
	double v = interval_middle(k->value);

	if (k->high > k->low && (k->value.lo >= k->low && k->value.hi <= k->high))
		return;
	if (k->high > k->low) { /* typed from outside of it */
		k->low = fmin(k->low, k->value.lo);
		k->high = fmax(k->high, k->value.hi);
		k->log = k->log && k->low > 0;
		return;
	}
	k->log = v > 0;
	k->low = v > 0 ? v / SPAN : v < 0 ? 4 * v : 0;
	k->high = v > 0 ? v * SPAN : v < 0 ? -4 * v : 1;
	if (k->whole && k->log)
		k->low = fmax(1, floor(k->low));
	if (k->whole && k->log)
		k->high = ceil(k->high);
}

static struct models_knob *models_add_knob(struct models_knob *list, uint32_t *n, enum models_knob_kind kind, const char *name)
{
	struct models_knob *k;

	if (*n == MODELS_KNOBS)
		return NULL;
	k = &list[(*n)++];
	*k = (struct models_knob){.kind = kind};
	snprintf(k->name, sizeof k->name, "%s", name);
	return k;
}

static bool has_name(const struct models_knob *list, uint32_t n, const char *name)
{
	for (uint32_t i = 0; i < n; i++)
		if (list[i].kind <= KNOB_PLACE && !strcmp(list[i].name, name))
			return true;
	return false;
}

static void add_parameters(const struct models_program *p, struct models_knob *list, uint32_t *n)
{
	for (uint32_t i = 0; i < p->model.parameter_count; i++) {
		const struct model_parameter *from = &p->model.parameters[i];
		const struct expression *x = from->value;
		struct models_knob *k;
		struct err e;

		/* A model without a program has p only because every model has. */
		if (!p->model.program && !strcmp(from->name, "p"))
			continue;
		k = models_add_knob(list, n, KNOB_PARAMETER, from->name);
		if (!k)
			return;
		k->parameter = i;
		if (x->kind == EXPRESSION_NUMBER || x->kind == EXPRESSION_INTERVAL)
			k->known = !expression_constant(x, &k->value, &e);
		k->whole = !strcmp(from->name, "p") || (k->known && interval_is_point(k->value) &&
							k->value.lo == floor(k->value.lo) &&
							 fabs(k->value.lo) >= 1);
		if (i >= p->parameters) {
			k->low = 0;
			k->high = 1;
		} else if (k->known) {
			models_range_knob(k);
		}
	}
}

/* What fits are looked at by, and no model has: over the range of all points. */
static void add_places(const struct models *s, struct models_knob *list, uint32_t *n)
{
	uint32_t first = *n;

	for (uint32_t i = 0; i < s->fits; i++) {
		const struct measured_set *set = &s->fit[i].file->sets.set[s->fit[i].set];

		for (uint32_t k = 0; k < set->parameters; k++) {
			struct models_knob *knob = NULL;

			if (!has_name(list, *n, set->parameter[k])) {
				knob = models_add_knob(list, n, KNOB_PLACE, set->parameter[k]);
				if (!knob)
					return;
				*knob = (struct models_knob){.kind = KNOB_PLACE, .known = true, .low = INFINITY, .high = -INFINITY, .whole = true};
				snprintf(knob->name, sizeof knob->name, "%s", set->parameter[k]);
				knob->value = interval_point(set->at[(size_t)(set->points / 2) * set->parameters + k]);
			}
			for (uint32_t j = first; j < *n; j++)
				knob = !strcmp(list[j].name, set->parameter[k]) ? &list[j] : knob;
			for (uint32_t j = 0; knob && j < set->points; j++) {
				double v = set->at[(size_t)j * set->parameters + k];

				knob->low = fmin(knob->low, v);
				knob->high = fmax(knob->high, v);
				knob->whole = knob->whole && v == floor(v);
			}
		}
	}
	for (uint32_t j = first; j < *n; j++) {
		list[j].low = list[j].low > 0 ? list[j].low / 4 : list[j].low;
		list[j].high *= 4;
		list[j].log = list[j].low > 0;
		if (list[j].whole && list[j].low > 0)
			list[j].low = fmax(1, floor(list[j].low));
	}
}

/* One that was there keeps what it was turned to. */
static void keep_values(const struct models *s, struct models_knob *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < s->knobs; k++) {
			const struct models_knob *old = &s->knob[k];

			if (old->kind != list[i].kind || strcmp(old->name, list[i].name) != 0 || !old->given)
				continue;
			list[i].given = list[i].known = true;
			list[i].value = old->value;
			models_range_knob(&list[i]);
		}
}

void models_find_knobs(struct models *s)
{
	struct models_knob list[MODELS_KNOBS];
	char selected[64];
	uint32_t n = 0;

	snprintf(selected, sizeof selected, "%s", s->selected < s->knobs ? s->knob[s->selected].name : "");
	if (s->program)
		add_parameters(s->program, list, &n);
	add_places(s, list, &n);
	if (s->program && s->program->model.program) {
		struct models_knob *k = models_add_knob(list, &n, KNOB_SPEED, "speed");

		if (k)
			*k = (struct models_knob){.kind = KNOB_SPEED, .name = "speed", .known = true, .value = {1, 1}, .low = 0.125, .high = 8, .log = true};
	}
	if (s->fits) {
		struct models_knob *form = models_add_knob(list, &n, KNOB_FORM, "form"), *segments = models_add_knob(list, &n, KNOB_SEGMENTS, "segments");

		if (form)
			form->high = FIT_AUTO;
		if (segments)
			segments->high = SEGMENTS_MOST;
	}
	keep_values(s, list, n);
	memcpy(s->knob, list, sizeof s->knob);
	s->knobs = n;
	s->selected = 0;
	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(list[i].name, selected))
			s->selected = i;
	s->undo_count = s->undo_at = 0; /* the changes were of other knobs */
	s->gesture = false;
}

/* --- values --- */

bool models_knob_here(const struct models *s, uint32_t knob)
{
	return s->knob[knob].kind < KNOB_FORM || models_selected_fit(s);
}

struct interval models_knob_value(const struct models *s, uint32_t knob)
{
	const struct models_fit *f = models_selected_fit(s);

	if (s->knob[knob].kind == KNOB_FORM)
		return interval_point(f ? (double)f->options.kind : 0);
	if (s->knob[knob].kind == KNOB_SEGMENTS)
		return interval_point(f ? (double)f->options.segments : 0);
	return s->knob[knob].value;
}

const char *models_form_name(enum fit_kind kind)
{
	return fit_kind_name(kind);
}

void models_knob_text(const struct models *s, uint32_t knob, char *text, size_t size)
{
	const struct models_knob *k = &s->knob[knob];
	const struct models_fit *f = models_selected_fit(s);
	struct interval v = models_knob_value(s, knob);
	char unit[2][NUMBER_TEXT];

	if (k->kind == KNOB_FORM)
		snprintf(text, size, "%s", !f ? "" : f->options.kind == FIT_DEFAULT ? "default" : fit_kind_name(f->options.kind));
	else if (k->kind == KNOB_SEGMENTS && v.lo > 0)
		snprintf(text, size, "%.0f", v.lo);
	else if (k->kind == KNOB_SEGMENTS)
		snprintf(text, size, "auto");
	else if (!k->known)
		snprintf(text, size, "…");
	else if (interval_is_point(v))
		snprintf(text, size, fabs(v.lo) < 1e9 ? "%.7g" : "%.4g", v.lo);
	else {
		snprintf(unit[0], sizeof unit[0], "%.3g", v.lo);
		snprintf(unit[1], sizeof unit[1], "%.3g", v.hi);
		snprintf(text, size, "[%s, %s]", unit[0], unit[1]);
	}
}

void models_select_knob(struct models *s, int by)
{
	if (!s->knobs)
		return;
	for (uint32_t tries = 0; tries < s->knobs; tries++) {
		s->selected = (s->selected + (by < 0 ? s->knobs - 1 : 1)) % s->knobs;
		if (models_knob_here(s, s->selected))
			break;
	}
	s->gesture = false;
}

static void models_put_value(struct models *s, uint32_t knob, uint32_t row, struct interval v, bool given)
{
	struct models_knob *k = &s->knob[knob];
	struct models_fit *f = row < s->rows && s->row[row].kind == MODELS_FIT ? &s->fit[s->row[row].index] : NULL;

	if (k->kind == KNOB_FORM && f) {
		f->options.kind = (enum fit_kind)v.lo;
		if (f->options.kind != FIT_PIECES && f->options.kind != FIT_DEFAULT)
			f->options.segments = 0;
		f->state = MODELS_WAITING;
	} else if (k->kind == KNOB_SEGMENTS && f) {
		f->options.segments = (uint32_t)v.lo;
		if (v.lo > 0)
			f->options.kind = FIT_PIECES;
		f->state = MODELS_WAITING;
	} else if (k->kind < KNOB_FORM) {
		k->value = v;
		k->given = given;
		k->known = given || k->known;
		models_range_knob(k);
	}
	s->serial++;
}

/* Turning one knob several times in a row is one change. */
static void change(struct models *s, uint32_t knob, struct interval v, bool gesture)
{
	struct models_change *last = s->undo_at ? &s->undo[s->undo_at - 1] : NULL;
	struct models_change c = {.knob = knob, .row = s->selected_row, .given_before = s->knob[knob].given,
				  .given_after = true,
				  .before = models_knob_value(s, knob), .after = v};

	if (v.lo == c.before.lo && v.hi == c.before.hi)
		return;
	if (gesture && s->gesture && last && last->knob == knob && last->row == c.row) {
		last->after = v;
		s->undo_count = s->undo_at;
	} else {
		if (s->undo_at == MODELS_UNDO) {
			memmove(s->undo, s->undo + 1, (MODELS_UNDO - 1) * sizeof *s->undo);
			s->undo_at--;
		}
		s->undo[s->undo_at++] = c;
		s->undo_count = s->undo_at;
		s->before = s->now;
	}
	s->gesture = gesture;
	models_put_value(s, knob, c.row, v, true);
}

bool models_undo(struct models *s, bool again)
{
	const struct models_change *c;

	if (again ? s->undo_at == s->undo_count : s->undo_at == 0)
		return false;
	c = &s->undo[again ? s->undo_at++ : --s->undo_at];
	s->before = s->now;
	s->selected = c->knob;
	if (s->knob[c->knob].kind >= KNOB_FORM)
		s->selected_row = c->row;
	models_put_value(s, c->knob, c->row, again ? c->after : c->before, again ? c->given_after : c->given_before);
	s->gesture = false;
	return true;
}

/* One step from v. */
static double stepped(const struct models_knob *k, double v, int by, bool coarse)
{
	double next;

	if (k->kind == KNOB_FORM || k->kind == KNOB_SEGMENTS)
		return v + by;
	if (k->log && v > 0)
		next = v * pow(coarse ? COARSE : FINE, by);
	else
		next = v + by * (k->high - k->low) / (coarse ? 10 : 100);
	if (!k->whole)
		return next;
	next = by > 0 ? floor(next + 1e-9) : ceil(next - 1e-9);
	return by > 0 ? fmax(next, floor(v) + 1) : fmin(next, ceil(v) - 1);
}

/* Three digits are as fine as a slider is. */
static double rounded(const struct models_knob *k, double v)
{
	char text[40];

	if (k->whole || k->kind >= KNOB_FORM)
		return v;
	snprintf(text, sizeof text, "%.3g", v);
	if (!number_parse(text, strlen(text), &v))
		return v;
	return v;
}

void models_turn(struct models *s, int steps, bool coarse)
{
	struct models_knob *k = s->selected < s->knobs ? &s->knob[s->selected] : NULL;
	struct interval v;
	double to;

	if (!k || !k->known || !models_knob_here(s, s->selected)) {
		if (k && k->kind >= KNOB_FORM && models_knob_here(s, s->selected)) {
			v = models_knob_value(s, s->selected);
			to = fmin(fmax(v.lo + (steps > 0 ? 1 : -1), 0), k->high);
			change(s, s->selected, interval_point(to), true);
		}
		return;
	}
	v = models_knob_value(s, s->selected);
	to = interval_middle(v);
	for (int i = 0; i < (steps > 0 ? steps : -steps); i++) {
		to = rounded(k, stepped(k, to, steps > 0 ? 1 : -1, coarse));
		if (to <= k->low || to >= k->high)
			break;
	}
	change(s, s->selected, interval_point(fmin(fmax(to, k->low), k->high)), true);
}

/* --- typed --- */

static enum err_code set_form(struct models *s, uint32_t knob, const char *text, struct err *e)
{
	for (enum fit_kind kind = FIT_PIECES; kind <= FIT_AUTO; kind++)
		if (!strcmp(text, fit_kind_name(kind))) {
			change(s, knob, interval_point((double)kind), false);
			return ERR_OK;
		}
	return err_set(e, ERR_USAGE, "form: expected pieces, power, poly or auto");
}

static enum err_code parse(const char *text, struct interval *v, struct err *e)
{
	const struct expression *x;
	struct arena arena;
	struct err ignored;
	enum err_code code;

	arena_init(&arena);
	code = expression_parse(&arena, text, (struct place){"", 1, 1}, &x, &ignored);
	if (!code)
		code = expression_constant(x, v, &ignored);
	arena_release(&arena);
	return code ? err_set(e, ERR_USAGE, "expected a number, such as 400 or 1ms, or an interval [0.3, 0.5]") : ERR_OK;
}

static enum err_code set_value(struct models *s, uint32_t knob, const char *text, struct err *e)
{
	const struct models_knob *k = &s->knob[knob];
	bool probability = k->kind == KNOB_PARAMETER && k->parameter >= s->program->parameters;
	struct interval v;
	enum err_code code;

	if (k->kind == KNOB_FORM)
		return set_form(s, knob, text, e);
	if (k->kind == KNOB_SEGMENTS && !strcmp(text, "auto")) {
		change(s, knob, interval_point(0), false);
		return ERR_OK;
	}
	code = parse(text, &v, e);
	if (code)
		return code;
	if (probability && (v.lo < 0 || v.hi > 1))
		return err_set(e, ERR_USAGE, "expected a probability from 0 to 1");
	if (k->kind == KNOB_SPEED && !(v.lo > 0))
		return err_set(e, ERR_USAGE, "speed: expected a value above 0");
	if (k->kind == KNOB_SEGMENTS && !(interval_is_point(v) && v.lo == floor(v.lo) && v.lo >= 1 && v.lo <= PIECES_MOST))
		return err_set(e, ERR_USAGE, "segments: expected 1 to %d, or auto", PIECES_MOST);
	change(s, knob, v, false);
	return ERR_OK;
}

enum err_code models_set(struct models *s, const char *text, struct err *e)
{
	const char *equals = strchr(text, '='), *value = equals ? equals + 1 : text;
	uint32_t knob = s->selected;
	char name[64], safe[80];

	if (!s->knobs)
		return err_set(e, ERR_USAGE, "no model is open; :model FILE opens one");
	if (equals) {
		size_t n = (size_t)(equals - text);

		while (n && text[n - 1] == ' ')
			n--;
		snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : (int)sizeof name - 1, text);
		for (knob = 0; knob < s->knobs && strcmp(s->knob[knob].name, name) != 0; knob++)
			;
		if (knob == s->knobs)
			return err_set(e, ERR_USAGE, "unknown parameter '%s'", text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8));
	}
	if (!models_knob_here(s, knob))
		return err_set(e, ERR_USAGE, "%s belongs to a fit; select a fit first", s->knob[knob].name);
	value += strspn(value, " ");
	if (!*value)
		return err_set(e, ERR_USAGE, "%s needs a value", s->knob[knob].name);
	s->selected = knob;
	return set_value(s, knob, value, e);
}
