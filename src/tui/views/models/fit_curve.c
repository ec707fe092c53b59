/* The selected fit along one of its parameters: sampled here, drawn by the pages of curves and residuals, of which the latter is here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "models_int.h"
#include "tui/widgets/plot.h"
#include "tui/widgets/units.h"

/* The parameter of the selected knob if the fit has it, otherwise the first. */
static uint32_t along_of(const struct models *m, const struct measured_set *set)
{
	const char *name = m->selected < m->knobs ? m->knob[m->selected].name : "";

	for (uint32_t k = 0; k < set->parameters; k++)
		if (!strcmp(set->parameter[k], name))
			return k;
	return 0;
}

/* Of the other parameters the points' values that are nearest to the knobs': those points are seen. */
static void hold_others(const struct measured_set *set, uint32_t along, double *x, char *held, size_t size)
{
	uint32_t best = 0;
	double least = INFINITY;
	size_t n = 0;

	held[0] = 0;
	for (uint32_t i = 0; i < set->points; i++) {
		double far = 0;

		for (uint32_t k = 0; k < set->parameters; k++)
			if (k != along)
				far += fabs(log(fmax(set->at[(size_t)i * set->parameters + k], 1e-12) / fmax(x[k], 1e-12)));
		if (far < least) {
			least = far;
			best = i;
		}
	}
	for (uint32_t k = 0; k < set->parameters && set->points; k++) {
		if (k == along)
			continue;
		x[k] = set->at[(size_t)best * set->parameters + k];
		n += (size_t)snprintf(held + n, n < size ? size - n : 0, "%s%.24s = %.6g", n ? ", " : "", set->parameter[k], x[k]);
		if (n >= size)
			n = size - 1;
	}
}

static void take_points(struct fit_look *c, const struct measured_set *set, const struct fit *fit, const double *x)
{
	c->curve.points = c->errors = 0;
	for (uint32_t i = 0; i < set->points; i++) {
		const double *at = set->at + (size_t)i * set->parameters;
		struct fit_value v;
		bool here = true;

		fit_at(fit, at, &v);
		c->ex[c->errors] = set->parameters ? at[c->along] : (double)i + 1;
		c->error[c->errors] = (v.value - set->value[i]) / set->value[i];
		if (isfinite(c->error[c->errors]))
			c->errors++;
		for (uint32_t k = 0; k < set->parameters; k++)
			here = here && (k == c->along || (at[k] >= x[k] && at[k] <= x[k]));
		if (!here)
			continue;
		c->curve.px[c->curve.points] = set->parameters ? at[c->along] : 1;
		c->curve.py[c->curve.points] = set->value[i];
		c->curve.plow[c->curve.points] = set->low[i];
		c->curve.phigh[c->curve.points++] = set->high[i];
	}
}

static void sample(struct fit_look *c, const struct measured_set *set, const struct fit *fit, double *x)
{
	double place = x[c->along];

	c->curve.place = set->parameters ? place : 1;
	fit_curve_range(&c->curve);
	for (uint32_t i = 0; i < c->curve.samples; i++) {
		struct fit_value v;

		if (set->parameters)
			x[c->along] = c->curve.x[i];
		fit_at(fit, x, &v);
		fit_curve_sample(&c->curve, i, &v);
	}
	x[c->along] = place;
}

void models_fit_update(struct models_view *s)
{
	const struct models *m = models_of(s);
	const struct models_row *row = models_selected(m);
	const struct models_fit *f = row && row->kind == MODELS_FIT ? &m->fit[row->index] : NULL;
	struct fit_look *c = &s->fit;
	const struct measured_set *set;
	double x[FIT_PARAMETERS + 1] = {0}, *room;

	if (!f || !f->has_fit) {
		c->of = NULL;
		return;
	}
	set = &f->file->sets.set[f->set];
	if (c->of == f && c->serial == m->serial && c->curve.log == s->log && c->along == along_of(m, set))
		return;
	c->of = NULL;
	if (set->parameters > FIT_PARAMETERS)
		return;
	room = mem_resize(c->curve.px, (size_t)set->points * 6 + 6, sizeof *room);
	if (!room)
		return;
	c->curve.px = room;
	c->curve.py = room + set->points;
	c->curve.plow = room + 2 * (size_t)set->points;
	c->curve.phigh = room + 3 * (size_t)set->points;
	c->error = room + 4 * (size_t)set->points;
	c->ex = room + 5 * (size_t)set->points;
	c->along = along_of(m, set);
	c->curve.log = s->log;
	models_place(m, f, x);
	fit_at(&f->fit, x, &c->at);
	hold_others(set, c->along, x, c->held, sizeof c->held);
	take_points(c, set, &f->fit, x);
	sample(c, set, &f->fit, x);
	c->of = f;
	c->serial = m->serial;
}

void models_fit_release(struct models_view *s)
{
	mem_free(s->fit.curve.px);
	s->fit = (struct fit_look){.of = NULL};
}

/* The page of residuals: how far a fit is off at its points. */

void models_residuals_draw(const struct models_view *s, struct pane p)
{
	const struct models *m = models_of(s);
	const struct models_row *row = models_selected(m);
	const struct fit_look *c = &s->fit;
	const struct measured_set *set;
	double most = 0, zero[2] = {0, 0}, ends[2];
	struct plot plot = PLOT_INIT;
	char title[160], mean[UNIT_TEXT], worst[UNIT_TEXT];

	if (row->kind != MODELS_FIT || !c->of) {
		models_say(p, ROLE_DIM, row->kind == MODELS_FIT ? m->fit[row->index].say :
			   "Only fits have residuals.");
		return;
	}
	set = &c->of->file->sets.set[c->of->set];
	for (uint32_t i = 0; i < c->errors; i++)
		most = fmax(most, fabs(c->error[i]));
	ends[0] = c->curve.from;
	ends[1] = c->curve.to;
	snprintf(title, sizeof title, "relative error · mean %s, largest %s",
		 unit_figure_percent(mean, c->of->fit.mean_error),
		 unit_figure_percent(worst, c->of->fit.max_error));
	plot.title = title;
	plot.x.unit = set->parameters && !strcmp(set->parameter[c->along], "bytes") ? PLOT_BYTES : PLOT_NUMBER;
	plot.x.from = c->curve.from;
	plot.x.to = c->curve.to;
	plot.x.scale = s->log && c->curve.from > 0 ? SCALE_LOG : SCALE_LINEAR;
	plot.y.unit = PLOT_SHARE;
	plot.y.from = -1.1 * fmax(most, 1e-6);
	plot.y.to = 1.1 * fmax(most, 1e-6);
	plot.series = (struct plot_series[]){
		{.kind = PLOT_CURVE, .role = ROLE_DIM, .silent = true, .count = 2, .x = ends, .y = zero},
		{.kind = PLOT_POINTS, .role = ROLE_BETTER, .silent = true, .count = c->errors, .x = c->ex, .y = c->error},
	};
	plot.series_count = 2;
	plot_draw(&plot, p);
}
