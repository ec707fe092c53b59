/* The page of curves: a fit among its points, a function over its first argument, the program's T over the selected
 * knob. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models_int.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/plot.h"

void models_say(struct pane p, enum role role, const char *text)
{
	int top = p.h > 2 ? p.h / 3 : 0;

	paragraph_draw(pane_part(p, 1, top, p.w - 2, p.h - top), 0, 2, role, text);
}

/* T over the range of the selected knob is known, if only as it was before the last change. */
static bool models_has_sweep(const struct models *s)
{
	const struct models_sweep *w = models_sweep(s);

	return w && w->count > 1 && w->knob < s->knobs;
}

static void scales(struct plot *plot, bool log, double from)
{
	plot->x.scale = log && from > 0 ? SCALE_LOG : SCALE_LINEAR;
	plot->y.scale = log ? SCALE_LOG : SCALE_LINEAR;
}

/* Whether there is an interval anywhere: without one a band would only repeat each value. */
static bool has_band(const double *low, const double *high, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (low[i] < high[i])
			return true;
	return false;
}

/* --- fits --- */

static void draw_fit(const struct models_view *s, struct pane p)
{
	const struct fit_look *c = &s->fit;
	const struct fit *fit = &c->of->fit;
	const struct measured_set *set = &c->of->file->sets.set[c->of->set];
	const char *name = set->parameters ? set->parameter[c->along] : "";
	struct fit_curve_look look = {.x = fit_curve_unit(name), .y = PLOT_SECONDS, .band = !isnan(fit->error),
				      .cursor = models_of(s)->knobs && set->parameters ? c->curve.place : (double)NAN, .mark = (double)NAN};
	char title[200];

	snprintf(title, sizeof title, "time by %s%s%s", *name ? name : "no parameter", c->held[0] ? ", " : "", c->held);
	look.title = title;
	for (uint32_t i = 0; i + 1 < fit->pieces && i < FIT_EDGES && fit->along == c->along; i++)
		look.edge[look.edges++] = fit->piece[i].to;
	fit_curve_draw(&c->curve, &look, p);
}

/* --- functions --- */

static void draw_function(const struct models_view *s, const struct models_row *row, struct pane p)
{
	const struct models *m = models_of(s);
	const struct models_curve *c = models_curve(m, row);
	const struct function *f = models_function(m, row);
	struct plot_series series = {.name = f->name, .kind = PLOT_CURVE, .role = ROLE_SLIDER};
	struct plot plot = PLOT_INIT;
	char title[160];

	if (!c) {
		models_say(p, ROLE_DIM, "…");
		return;
	}
	if (!c->count) {
		models_say(p, ROLE_WARN, c->say[0] ? c->say : "No arguments, so no curve; v shows the expression.");
		return;
	}
	series.count = c->count;
	series.x = c->x;
	series.y = c->middle;
	if (has_band(c->low, c->high, c->count)) {
		series.low = c->low;
		series.high = c->high;
	}
	snprintf(title, sizeof title, "%.60s by %.60s", f->name, f->arguments[0]);
	plot.title = title;
	plot.x.unit = row->kind == MODELS_MESSAGES ? PLOT_BYTES : fit_curve_unit(f->arguments[0]);
	plot.y.unit = row->kind == MODELS_MESSAGES ? PLOT_SECONDS : PLOT_NUMBER;
	plot.x.from = c->x[0];
	plot.x.to = c->x[c->count - 1];
	scales(&plot, s->log, c->x[0]);
	plot.cursor = interval_middle(c->at);
	plot.series = &series;
	plot.series_count = 1;
	plot_draw(&plot, p);
}

/* --- the program --- */

static const enum role load_roles[MODELS_LOADS] = {ROLE_SEND, ROLE_COLLECTIVE, ROLE_RECEIVE, ROLE_COMPUTE,
						   ROLE_PHASE_4, ROLE_PHASE_8};

static void draw_sweep(const struct models_view *s, struct pane p, bool small)
{
	const struct models *m = models_of(s);
	const struct models_sweep *w = models_sweep(m);
	const struct models_knob *k = &m->knob[w->knob];
	struct plot_series series[3 + MODELS_LOADS];
	struct plot plot = PLOT_INIT;
	char title[120];
	int n = 0;

	/* The band by itself: T's upper end has room in every legend, its interval stands in the panel. */
	series[n++] = (struct plot_series){.name = "T", .kind = PLOT_CURVE, .role = ROLE_SLIDER, .count = w->count, .x = w->x,
					   .y = w->high};
	if (has_band(w->low, w->high, w->count))
		series[n++] = (struct plot_series){.kind = PLOT_CURVE, .role = ROLE_SLIDER, .silent = true, .count = w->count,
						   .x = w->x, .y = w->high,
						   .low = w->low, .high = w->high};
	series[n++] = (struct plot_series){.name = "T_0", .kind = PLOT_CURVE, .role = ROLE_DIM, .count = w->count, .x = w->x,
					   .y = w->free};
	for (uint32_t i = 0; i < w->loads; i++)
		series[n++] = (struct plot_series){.name = w->load_name[i], .kind = PLOT_CURVE, .role = load_roles[i], .dashed = true,
						   .count = w->count, .x = w->x, .y = w->load[i]};
	snprintf(title, sizeof title, "T by %s", k->name);
	plot.title = title;
	plot.x.unit = k->kind == KNOB_PARAMETER && m->program && k->parameter >= m->program->parameters ? PLOT_SHARE :
		fit_curve_unit(k->name);
	plot.y.unit = PLOT_SECONDS;
	plot.x.from = w->x[0];
	plot.x.to = w->x[w->count - 1];
	plot.x.scale = k->log && w->x[0] > 0 ? SCALE_LOG : SCALE_LINEAR;
	plot.y.scale = s->log ? SCALE_LOG : SCALE_LINEAR;
	if (!s->log)
		plot.y.from = 0;
	plot.y.hidden = small;
	plot.cursor = interval_middle(k->value);
	plot.series = series;
	plot.series_count = n;
	plot_draw(&plot, p);
}

/* Whether T could be evaluated anywhere. */
static bool has_value(const struct models_sweep *w)
{
	for (uint32_t i = 0; i < w->count; i++)
		if (isfinite(w->high[i]))
			return true;
	return false;
}

static void draw_program(const struct models_view *s, struct pane p)
{
	const struct models *m = models_of(s);

	if (models_has_sweep(m) && !has_value(models_sweep(m)) && models_sweep(m)->say[0])
		models_say(p, ROLE_WARN, models_sweep(m)->say);
	else if (models_has_sweep(m))
		draw_sweep(s, p, false);
	else if (m->say[0])
		models_say(p, ROLE_WARN, m->say);
	else
		models_say(p, ROLE_DIM, m->selected < m->knobs && m->knob[m->selected].kind > KNOB_SPEED ?
			   "T does not depend on the selected parameter." : "…");
}

void models_strip_draw(const struct models_view *s, struct pane p)
{
	const struct models *m = models_of(s);

	pane_hline(p, 0, 0, p.w, GLYPH_HLINE, ROLE_RULE);
	p = pane_part(p, 1, 1, p.w - 2, p.h - 1);
	if (models_has_sweep(m))
		draw_sweep(s, p, p.h < 7);
	else
		pane_text_in(p, 0, 0, p.w, ROLE_DIM, 0, !m->program || !m->program->model.program ?
			     "No program is open." :
			     m->say[0] ? m->say : "…");
}

void models_curve_draw(const struct models_view *s, struct pane p)
{
	const struct models *m = models_of(s);
	const struct models_row *row = models_selected(m);

	if (row->kind == MODELS_PROGRAM)
		draw_program(s, p);
	else if (row->kind != MODELS_FIT)
		draw_function(s, row, p);
	else if (s->fit.of)
		draw_fit(s, p);
	else
		models_say(p, ROLE_WARN, m->fit[row->index].say[0] ? m->fit[row->index].say : "…");
}
