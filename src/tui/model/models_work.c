#include "models_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "models_evaluate.h"
#include "models_function.h"
#include "models_knobs.h"
#include "tui/jobs/background.h"

/* --- measurements and fits --- */

/* A file is read and all that is in it fitted; or one of its sets is fitted anew. */
struct fitting {
	struct task task;
	char *path;                     /* NULL: `file` is read already */
	struct models_measured *file;   /* a reference */
	uint32_t first, count;          /* sets */
	struct fit_options options;
	struct fit *fit;                /* of each; owned */
	uint32_t made;
};

static enum err_code read_and_fit(struct task *t, const struct job *job, struct err *e)
{
	struct fitting *x = (struct fitting *)t;
	enum err_code code = x->path ? models_measured_open(&x->file, x->path, job, e) : ERR_OK;

	if (!code && x->path)
		x->count = x->file->sets.count;
	if (!code) {
		x->fit = mem_zero(x->count, sizeof *x->fit);
		code = x->fit ? ERR_OK : err_memory(e, "fits");
	}
	for (; !code && x->made < x->count; x->made++) {
		struct fit_points points = measured_set_points(&x->file->sets.set[x->first + x->made]);

		code = fit_make(&x->fit[x->made], &points, &x->options, job, e);
		if (code)
			break;
	}
	return code;
}

static void free_fitting(struct task *t)
{
	struct fitting *x = (struct fitting *)t;

	for (uint32_t i = 0; i < x->made; i++)
		fit_release(&x->fit[i]);
	mem_free(x->fit);
	mem_free(x->path);
	models_measured_unref(x->file);
	mem_free(x);
}

static void ask_fit(struct model *m, const char *path, struct models_fit *f)
{
	struct fitting *x = mem_zero(1, sizeof *x);

	if (!x)
		return;
	x->task = (struct task){read_and_fit, free_fitting};
	if (path && !(x->path = mem_strdup(path))) {
		mem_free(x);
		return;
	}
	if (f) {
		x->file = models_measured_ref(f->file);
		x->first = f->set;
		x->count = 1;
		x->options = f->options;
	}
	background_ask(m->background, BACKGROUND_MODEL_FIT, &x->task);
}

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
static void take_file(struct models *s, struct fitting *x)
{
	struct models_reading *reading = &s->reading[s->reading_asked - 1];
	struct models_fit *list;
	struct err e;

	drop_fits_of(s, x->file->path);
	list = mem_resize(s->fit, (size_t)s->fits + x->count, sizeof *list);
	if (!list)
		return;
	s->fit = list;
	for (uint32_t i = 0; i < x->count; i++) {
		list[s->fits] = (struct models_fit){.file = models_measured_ref(x->file), .set = i, .fit = x->fit[i],
						    .has_fit = true, .state = MODELS_KNOWN};
		list[s->fits].options.kind = x->fit[i].kind;
		s->fits++;
	}
	x->made = 0; /* they are the list's now */
	reading->state = MODELS_KNOWN;
	if (models_settle(s, &e))
		snprintf(reading->say, sizeof reading->say, "%s", e.text);
}

static void take_fit(struct models_fit *f, struct fitting *x)
{
	const struct fit_options *a = &f->options, *b = &x->options;

	if (a->kind != b->kind || a->segments != b->segments)
		return; /* it was turned on meanwhile: it waits still */
	if (f->has_fit)
		fit_release(&f->fit);
	f->fit = x->fit[0];
	x->made = 0;
	f->has_fit = true;
	f->state = MODELS_KNOWN;
	f->say[0] = 0;
}

static void take_fits(struct model *m)
{
	struct models *s = m->models;
	struct models_fit *f = s->fit_asked && s->fit_asked <= s->fits ? &s->fit[s->fit_asked - 1] : NULL;
	struct models_reading *r = s->reading_asked ? &s->reading[s->reading_asked - 1] : NULL;
	struct err e;
	struct fitting *x = (struct fitting *)background_take(m->background, BACKGROUND_MODEL_FIT, &e);

	if (!x && !e.code)
		return;
	if (x && r) {
		take_file(s, x);
	} else if (x && f && f->file == x->file && f->set == x->first) {
		take_fit(f, x);
	} else if (r) {
		r->state = MODELS_FAILED;
		snprintf(r->say, sizeof r->say, "%s", e.text);
		s->reading_failed = s->reading_asked;
	} else if (f) {
		f->state = MODELS_FAILED;
		snprintf(f->say, sizeof f->say, "%s", e.text);
	}
	s->fit_asked = s->reading_asked = 0;
	if (x)
		free_fitting(&x->task);
	s->serial++;
}

static void ask_fits(struct model *m)
{
	struct models *s = m->models;

	if (s->fit_asked || s->reading_asked)
		return;
	for (uint32_t i = 0; i < s->readings; i++) {
		if (s->reading[i].state != MODELS_WAITING)
			continue;
		s->reading[i].state = MODELS_BUSY;
		s->reading_asked = i + 1;
		ask_fit(m, s->reading[i].path, NULL);
		return;
	}
	for (uint32_t i = 0; i < s->fits; i++) {
		if (s->fit[i].state != MODELS_WAITING)
			continue;
		s->fit_asked = i + 1;
		ask_fit(m, NULL, &s->fit[i]);
		return;
	}
}

/* --- the program --- */

/* What defaults came to, for the sliders. */
static void take_values(struct models *s, const struct models_point *p)
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

static void take_graph(struct models *s, struct models_evaluating *x)
{
	graph_release(&s->graph);
	models_program_unref(s->graph_program);
	s->graph = x->graph;
	x->graph = (struct graph){.rows = 0};
	bounds_release(&s->bounds);
	s->bounds = x->bounds;
	x->bounds = (struct bounds){.count = 0};
	memcpy(s->bounds_say, x->bounds_say, sizeof s->bounds_say);
	s->graph_program = models_program_ref(x->point.program);
	s->graph_of = x->of;
}

static void take_figures(struct model *m)
{
	struct models *s = m->models;
	struct err e;
	struct models_evaluating *x = (struct models_evaluating *)background_take(m->background, BACKGROUND_MODEL, &e);

	if (!x) {
		if (e.code)
			snprintf(s->say, sizeof s->say, "%s", e.code == ERR_CANCELLED ? "Stopped." : e.text);
		return;
	}
	if (x->point.program == s->program) {
		if (!x->say[0]) {
			take_values(s, &x->point);
			s->now = x->figures;
		} else {
			s->now.known = false;
		}
		memcpy(s->say, x->say, sizeof s->say);
		s->figures_of = x->of;
		if (x->has_graph)
			take_graph(s, x);
	}
	x->task.free(&x->task);
}

static void ask_figures(struct model *m)
{
	struct models *s = m->models;
	struct models_evaluating *x;

	if (!s->program || !s->program->model.program)
		return;
	if (s->asked == s->serial && (!s->graph_wanted || s->graph_asked == s->serial))
		return;
	x = models_evaluating_new(s, s->graph_wanted);
	if (!x)
		return;
	s->asked = s->serial;
	if (s->graph_wanted)
		s->graph_asked = s->serial;
	background_ask(m->background, BACKGROUND_MODEL, &x->task);
}

static void sweep_over(struct model *m)
{
	struct models *s = m->models;
	struct err e;
	struct models_sweeping *x = (struct models_sweeping *)background_take(m->background, BACKGROUND_MODEL_SWEEP, &e);
	const struct models_row *row = models_selected(s);
	const struct models_knob *k = s->selected < s->knobs ? &s->knob[s->selected] : NULL;

	if (x) {
		if (x->point.program == s->program)
			s->sweep = x->sweep;
		x->task.free(&x->task);
	}
	if (!s->program || !s->program->model.program || !k || k->kind > KNOB_SPEED || !k->known)
		return;
	if (!s->strip && !(row && row->kind == MODELS_PROGRAM))
		return;
	if (s->sweep_asked == s->serial && s->sweep_knob == s->selected)
		return;
	x = models_sweeping_new(s, s->selected);
	if (!x)
		return;
	s->sweep_asked = s->serial;
	s->sweep_knob = s->selected;
	background_ask(m->background, BACKGROUND_MODEL_SWEEP, &x->task);
}

static void draw_function(struct model *m)
{
	struct models *s = m->models;
	struct err e;
	struct models_drawing *x = (struct models_drawing *)background_take(m->background, BACKGROUND_MODEL_CURVE, &e);
	const struct models_row *row = models_selected(s);

	if (x) {
		if (x->point.program == s->program)
			s->curve = x->curve;
		x->task.free(&x->task);
	}
	if (!row || !models_function(s, row))
		return;
	if (s->curve_asked == s->serial && s->curve_row.kind == row->kind && s->curve_row.index == row->index)
		return;
	x = models_drawing_new(s, row);
	if (!x)
		return;
	s->curve_asked = s->serial;
	s->curve_row = *row;
	background_ask(m->background, BACKGROUND_MODEL_CURVE, &x->task);
}

void models_work(struct model *m, bool looked)
{
	struct models *s = m->models;

	if (!m->background || !s)
		return;
	take_fits(m);
	ask_fits(m);
	take_figures(m);
	if (looked) {
		ask_figures(m);
		sweep_over(m);
		draw_function(m);
	}
}

const char *models_news(struct models *s)
{
	const char *say = s->reading_failed ? s->reading[s->reading_failed - 1].say : NULL;

	s->reading_failed = 0;
	return say;
}

void models_work_end(struct models *s)
{
	if (s->reading_asked && s->reading[s->reading_asked - 1].state == MODELS_BUSY)
		s->reading[s->reading_asked - 1].state = MODELS_WAITING;
	s->fit_asked = s->reading_asked = 0;
	s->asked = s->graph_asked = s->sweep_asked = s->curve_asked = 0;
}
