#include "fit_curve.h"

#include <string.h>

#include "tui/model/models.h"
#include "tui/screen/glyphs.h"

enum plot_unit fit_curve_unit(const char *parameter)
{
	return !strcmp(parameter, "bytes") ? PLOT_BYTES : PLOT_NUMBER;
}

void fit_curve_range(struct fit_curve *c)
{
	double low = c->points ? c->px[0] : isnan(c->place) ? 0 : c->place, high = low;

	for (uint32_t i = 0; i < c->points; i++) {
		low = fmin(low, c->px[i]);
		high = fmax(high, c->px[i]);
	}
	/* A little beyond the points, and to the place. */
	c->from = fmin(low, c->place);
	c->to = fmax(high, c->place);
	if (!c->log || c->from <= 0)
		c->to += 0.04 * (c->to - c->from);
	c->samples = models_places(c->from, c->to, c->log && c->from > 0, false, c->place, c->x, FIT_SAMPLES);
	for (uint32_t i = 0; i < c->samples; i++)
		c->y[i] = c->low[i] = c->high[i] = (double)NAN;
}

void fit_curve_draw(const struct fit_curve *c, const struct fit_curve_look *look, struct pane p)
{
	struct plot_series series[4 + FIT_EDGES];
	double edge[FIT_EDGES][2], ends[2];
	struct plot plot = PLOT_INIT;
	struct plot_axis x, y;
	int n = 0;

	series[n++] = (struct plot_series){.name = "model", .kind = PLOT_CURVE, .role = ROLE_SLIDER, .count = c->samples,
					   .x = c->x, .y = c->y, .low = look->band ? c->low : NULL, .high = look->band ? c->high : NULL};
	if (look->others)
		series[n++] = (struct plot_series){.kind = PLOT_POINTS, .role = ROLE_DIM, .mark = '+', .silent = true,
						   .count = look->others, .x = look->other_x, .y = look->other_y};
	/* The cross is the asked place's, if there is one, and over all others. */
	series[n++] = (struct plot_series){.name = "measured", .kind = PLOT_POINTS, .role = ROLE_BETTER,
					   .mark = look->asked ? GLYPH_RING : GLYPH_TIMES, .count = c->points,
					   .x = c->px, .y = c->py, .low = c->plow, .high = c->phigh};
	if (look->asked)
		series[n++] = (struct plot_series){.kind = PLOT_POINTS, .role = ROLE_WARN, .mark = GLYPH_TIMES, .silent = true, .count = 1,
						   .x = &c->place, .y = &look->asked->value,
						   .low = isnan(look->asked->low) ? NULL : &look->asked->low,
						   .high = isnan(look->asked->low) ? NULL : &look->asked->high};
	plot.title = look->title;
	plot.x.unit = look->x;
	plot.y.unit = look->y;
	plot.x.from = c->from;
	plot.x.to = c->to;
	plot.x.scale = c->log && c->from > 0 ? SCALE_LOG : SCALE_LINEAR;
	plot.y.scale = c->log ? SCALE_LOG : SCALE_LINEAR;
	plot.cursor = look->cursor;
	plot.mark = look->mark;
	plot.series = series;
	plot.series_count = n;
	plot_axes(&plot, &x, &y);
	ends[0] = y.from;
	ends[1] = y.to;
	for (uint32_t i = 0; i < look->edges && i < FIT_EDGES; i++) {
		edge[i][0] = edge[i][1] = look->edge[i];
		series[n++] = (struct plot_series){.kind = PLOT_CURVE, .role = ROLE_DIM, .silent = true, .count = 2, .x = edge[i],
						   .y = ends};
	}
	plot.y = y;
	plot.series_count = n;
	plot_draw(&plot, p);
}
