/* How much of the run the relevant phases cover, by how many there are: each point of the frontier, the one to
 * begin with, that of the settings now, and the row under the cursor. */
#include <math.h>

#include "tui/widgets/plot.h"
#include "tune_int.h"

static void tune_mark_point(struct plot_series *series, const struct tune_view *s, uint32_t n, uint32_t row)
{
	if (row >= n) {
		series->name = NULL;
		series->count = 0;
		return;
	}
	series->x = &s->points[row];
	series->y = &s->points[n + row];
}

void tune_plot_draw(const struct tune_view *s, struct pane p)
{
	const struct model *m = s->view.model;
	const struct tune *t = &s->found;
	const struct figures *f = m->analysis ? m->analysis->figures : NULL;
	double now[2] = {f ? f->relevant : 0, f ? f->coverage : (double)NAN};
	struct plot_series series[] = {
		{.name = "frontier", .kind = PLOT_POINTS, .role = ROLE_COMPUTE, .count = t->count, .x = s->points, .y = s->points + t->count},
		{.name = "now", .kind = PLOT_POINTS, .role = ROLE_WARN, .count = 1, .x = &now[0], .y = &now[1]},
		{.name = "to begin with", .kind = PLOT_POINTS, .role = ROLE_BETTER, .count = 1},
		{.name = "this row", .kind = PLOT_POINTS, .role = ROLE_MATCH, .count = 1},
	};
	struct plot plot = PLOT_INIT;

	plot.title = "coverage by relevant phases";
	plot.x.scale = SCALE_LOG;
	plot.y.unit = PLOT_SHARE;
	if (!f || !f->relevant || isnan(f->coverage)) {
		series[1].name = NULL;
		series[1].count = 0;
	}
	tune_mark_point(&series[2], s, t->count, t->best);
	tune_mark_point(&series[3], s, t->count, list_row(&s->view.list));
	plot.series = series;
	plot.series_count = sizeof series / sizeof *series;
	plot_axes(&plot, &plot.x, &plot.y);
	plot_draw(&plot, p);
}
