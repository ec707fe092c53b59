/* The page of residuals: how far a fit is off at its points. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models_int.h"
#include "tui/widgets/plot.h"
#include "tui/widgets/units.h"

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
	snprintf(title, sizeof title, "(model - measured) / measured · mean %s, worst %s",
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
