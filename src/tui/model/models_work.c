#include "model_int.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "model.h"

/* --- measurements and fits: one after the other, first of all the first that waits --- */

/* A file is read and all that is in it fitted; or one of its sets is fitted again. */
struct models_fitted {
	struct made made;
	bool reads;
	char *path;                     /* of what it reads; owned */
	struct models_measured *file;   /* a reference */
	uint32_t first, count;          /* sets */
	struct fit_options options;
	struct fit *fit;                /* of each; owned */
	uint32_t fits;                  /* so many are there */
};

static struct models_reading *first_reading(const struct models *s)
{
	for (uint32_t i = 0; i < s->readings; i++)
		if (s->reading[i].state == MODELS_WAITING)
			return &s->reading[i];
	return NULL;
}

static struct models_fit *first_fit(const struct models *s)
{
	for (uint32_t i = 0; i < s->fits; i++)
		if (s->fit[i].state == MODELS_WAITING)
			return &s->fit[i];
	return NULL;
}

static bool fit_can(const void *from)
{
	return first_reading(from) || first_fit(from);
}

static void fit_begin(void *made, const void *from)
{
	const struct models_reading *r = first_reading(from);
	const struct models_fit *f = first_fit(from);
	struct models_fitted *x = made;

	x->reads = r;
	if (r) {
		x->path = mem_strdup(r->path);
		return;
	}
	x->file = models_measured_ref(f->file);
	x->first = f->set;
	x->count = 1;
	x->options = f->options;
}

static bool fit_is_of(const void *made, const void *from)
{
	const struct models_reading *r = first_reading(from);
	const struct models_fit *f = first_fit(from);
	const struct models_fitted *x = made;

	if (r || x->reads)
		return r && x->reads && (!x->path || !strcmp(x->path, r->path));
	return f && f->file == x->file && f->set == x->first && f->options.kind == x->options.kind && f->options.segments == x->options.segments;
}

static enum err_code fit_derive(void *made, const struct progress *progress, struct err *e)
{
	struct models_fitted *x = made;
	enum err_code code = !x->reads ? ERR_OK : x->path ? models_measured_open(&x->file, x->path, progress, e) : err_memory(e, "measurements");

	if (!code && x->reads)
		x->count = x->file->sets.count;
	if (!code) {
		x->fit = mem_zero(x->count, sizeof *x->fit);
		code = x->fit ? ERR_OK : err_memory(e, "fits");
	}
	for (; !code && x->fits < x->count; x->fits++) {
		struct fit_points points = measured_set_points(&x->file->sets.set[x->first + x->fits]);

		code = fit_make(&x->fit[x->fits], &points, &x->options, progress, e);
		if (code)
			break;
	}
	return code;
}

static void fitted_release(void *made)
{
	struct models_fitted *x = made;

	for (uint32_t i = 0; i < x->fits; i++)
		fit_release(&x->fit[i]);
	mem_free(x->fit);
	mem_free(x->path);
	models_measured_unref(x->file);
}

static const struct derived_kind fit_kind = {"fits", sizeof(struct models_fitted), fit_can, fit_begin, fit_is_of, fit_derive, fitted_release};

static void drop_fits_of(struct models *s, const char *path)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->fits; i++) {
		if (strcmp(s->fit[i].file->path, path) != 0) {
			s->fit[n++] = s->fit[i];
			continue;
		}
		if (s->fit[i].has_fit)
			fit_release(&s->fit[i].fit);
		models_measured_unref(s->fit[i].file);
	}
	s->fits = n;
}

/* All that is in a file, in place of what was when it was read before. */
static void file_show(struct models *s, struct models_reading *reading, struct models_fitted *x)
{
	struct models_fit *list;
	struct err e;

	drop_fits_of(s, x->file->path);
	list = mem_resize(s->fit, (size_t)s->fits + x->count, sizeof *list);
	if (!list) {
		reading->state = MODELS_FAILED;
		snprintf(reading->say, sizeof reading->say, "Not enough memory for fits.");
		return;
	}
	s->fit = list;
	for (uint32_t i = 0; i < x->count; i++) {
		list[s->fits] = (struct models_fit){.file = models_measured_ref(x->file), .set = i, .fit = x->fit[i],
						    .has_fit = true, .state = MODELS_KNOWN};
		list[s->fits].options.kind = x->fit[i].kind;
		s->fits++;
	}
	reading->state = MODELS_KNOWN;
	if (models_settle(s, &e))
		snprintf(reading->say, sizeof reading->say, "%s", e.text);
	x->fits = 0; /* they are the list's now */
}

static void fit_show(struct models_fit *f, struct models_fitted *x)
{
	if (f->has_fit)
		fit_release(&f->fit);
	f->fit = x->fit[0];
	x->fits = 0;
	f->has_fit = true;
	f->state = MODELS_KNOWN;
	f->say[0] = 0;
}

static void fit_fail(struct models *s, const char *why)
{
	struct models_reading *r = first_reading(s);
	struct models_fit *f = first_fit(s);

	if (r) {
		r->state = MODELS_FAILED;
		snprintf(r->say, sizeof r->say, "%s", why);
		s->reading_failed = (uint32_t)(r - s->reading) + 1;
	} else if (f) {
		f->state = MODELS_FAILED;
		snprintf(f->say, sizeof f->say, "%s", why);
	}
}

/* False: there are no news. */
static bool fits_work(struct models *s, struct background *b)
{
	if (derived_update(&s->fitting, &fit_kind, b, s)) {
		struct models_fitted *x = s->fitting.now;

		/* Else it was turned on meanwhile: it waits still. */
		if (fit_is_of(x, s) && x->reads)
			file_show(s, first_reading(s), x);
		else if (fit_is_of(x, s))
			fit_show(first_fit(s), x);
	} else if (s->fitting.failure[0]) {
		fit_fail(s, s->fitting.failure);
	} else {
		return false;
	}
	derived_forget(&s->fitting);
	s->serial++;
	return true;
}

/* --- the program --- */

/* What defaults came to, for the sliders. */
static void show_values(struct models *s, const struct models_point *p)
{
	for (uint32_t i = 0; i < s->knobs; i++) {
		struct models_knob *k = &s->knob[i];

		if (k->kind != KNOB_PARAMETER || k->given || k->parameter >= p->program->model.parameter_count)
			continue;
		k->value = p->values[k->parameter];
		k->known = true;
		if (k->parameter < p->program->parameters)
			models_range_knob(k);
	}
}

static void figures_show(struct models *s)
{
	struct models_evaluated *x = s->evaluating.now;

	if (x->point.program != s->program)
		return;
	if (!x->say[0]) {
		show_values(s, &x->point);
		s->now = x->figures;
	} else {
		s->now.known = false;
	}
	memcpy(s->say, x->say, sizeof s->say);
	s->figures_of = x->of;
	if (x->has_graph) {
		made_unref(s->graphed);
		s->graphed = made_ref(x);
	}
}

void models_work(struct model *m, bool looked)
{
	struct models *s = m->models;
	bool failed;

	if (!m->background || !s)
		return;
	while (fits_work(s, m->background))
		;
	if (!looked)
		return;
	failed = s->evaluating.failure[0];
	if (derived_update(&s->evaluating, &models_evaluate_kind, m->background, s))
		figures_show(s);
	if (!failed && s->evaluating.failure[0])
		memcpy(s->say, s->evaluating.failure, sizeof s->say);
	derived_update(&s->sweeping, &models_sweep_kind, m->background, s);
	derived_update(&s->drawing, &models_curve_kind, m->background, s);
}

const struct models_sweep *models_sweep(const struct models *s)
{
	const struct models_swept *x = s->sweeping.now;

	return x && x->point.program == s->program ? &x->sweep : NULL;
}

const struct models_curve *models_curve(const struct models *s, const struct models_row *row)
{
	const struct models_drawn *x = s->drawing.now;

	return x && x->point.program == s->program && x->curve.row.kind == row->kind && x->curve.row.index == row->index ? &x->curve : NULL;
}

const char *models_news(struct models *s)
{
	const char *say = s->reading_failed ? s->reading[s->reading_failed - 1].say : NULL;

	s->reading_failed = 0;
	return say;
}

void models_leave(struct models *s)
{
	derived_leave(&s->fitting);
	derived_leave(&s->evaluating);
	derived_leave(&s->sweeping);
	derived_leave(&s->drawing);
}
