/* A model along one of its parameters among what was measured: the curve with its interval, the points, and the place
 * that is asked for. Views fill it and draw it alike.
 *
 *     c.log = ...; c.place = ...; c.px, c.py = ...; c.points = ...
 *     fit_curve_range(&c);                   from where to where, and the samples' places; their values are not known yet
 *     fit_curve_sample(&c, i, &value);       each of them
 *     fit_curve_draw(&c, &look, pane);
 */
#ifndef PAS2P_TUI_FIT_CURVE_H
#define PAS2P_TUI_FIT_CURVE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/models/fit/fit.h"
#include "tui/widgets/plot.h"

#define FIT_SAMPLES 96

struct fit_curve {
	bool log;
	double place;                   /* that is asked for; NAN: none is */
	uint32_t points, samples;
	double *px, *py, *plow, *phigh; /* points; the filler's. plow NULL: without intervals */
	double from, to;
	double x[FIT_SAMPLES], y[FIT_SAMPLES], low[FIT_SAMPLES], high[FIT_SAMPLES]; /* NAN: not known */
};

void fit_curve_range(struct fit_curve *c);
static inline void fit_curve_sample(struct fit_curve *c, uint32_t i, const struct fit_value *v)
{
	c->y[i] = v->value;
	c->low[i] = v->low;
	c->high[i] = v->high;
}

#define FIT_EDGES 8

struct fit_curve_look {
	const char *title;
	enum plot_unit x, y;
	bool band;                      /* the interval is known */
	double cursor, mark;            /* NAN: none */
	double edge[FIT_EDGES];         /* verticals */
	uint32_t edges;
	/* Measured elsewhere, so that the curve need not meet them: dim. */
	const double *other_x, *other_y;
	uint32_t others;
	const struct fit_value *asked;  /* at `place`, a cross; NULL: not shown */
};

void fit_curve_draw(const struct fit_curve *c, const struct fit_curve_look *look, struct pane p);
/* Bytes have a unit of their own, all other parameters are numbers. */
enum plot_unit fit_curve_unit(const char *parameter);

#endif
