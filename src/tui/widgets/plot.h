/* Plots: what is to be drawn, as data, and one way to draw it in cells.
 *
 *     struct plot_series s = {.name = "measured", .kind = PLOT_CURVE, .role = ROLE_SEND, .count = n, .x = x, .y = y};
 *     struct plot p = PLOT_INIT;
 *     p.series = &s;
 *     p.series_count = 1;
 *     plot_draw(&p, pane);
 *
 * From the top: a head (title, where the cursor is, the legend with each series' value there, what is not shown), the
 * values, the x axis. Curves are Braille dots, two by four in a cell, bars blocks of eighths; on an ASCII screen a
 * curve is its series' mark. A cell shows one of them: curves go over bars. Since all goes through the canvas, the
 * terminal, the text dumps and the SVG pictures show the same.
 *
 * NAN (not known) is a gap in a curve and a dot at the foot of the bars. Values beyond the range are arrows at its
 * edge. On a log axis, values that are not above 0 have no place, and the head gives their number. Any size is safe:
 * parts without room (axes, then head) are left out.
 *
 * Nothing is kept: names, values and series are the caller's.
 */
#ifndef PAS2P_TUI_PLOT_H
#define PAS2P_TUI_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "widgets.h"
#include "tui/screen/canvas.h"

enum plot_kind {
	PLOT_CURVE,
	PLOT_STEPS,  /* each value holds until the next x */
	PLOT_AREA,   /* a curve, filled to the foot */
	PLOT_POINTS,
	PLOT_BARS    /* a histogram, if x is NULL */
};

struct plot_series {
	const char *name;         /* in the legend; NULL: not there */
	enum plot_kind kind;
	enum role role;
	bool dashed;              /* a curve: what is not measured */
	uint32_t mark;            /* a glyph; 0: one by its place among the series */
	bool silent;              /* not in the legend, nor is its value at the cursor */
	uint32_t count;
	const double *x;          /* ascending; NULL: evenly over the axis, as its scale has it, or
	                           * numbered from 1 where that has no range */
	const double *y;
	const double *low, *high; /* the interval of each value: a band around a curve, a line through a point; NULL: none */
};

struct plot {
	const char *title;        /* NULL: none */
	struct plot_axis x, y;    /* y hidden: the x axis is one row, for small places */
	const struct plot_series *series;
	int series_count;
	double cursor;            /* x; a line there, and in the legend what is nearest to it; NAN: none */
	double mark;              /* x; pointed at from below, and by an arrow where it lies beyond the axis; NAN: none */
};

#define PLOT_INIT {.x = {.from = (double)NAN, .to = (double)NAN}, .y = {.from = (double)NAN, .to = (double)NAN}, \
		   .cursor = (double)NAN, .mark = (double)NAN}

void plot_draw(const struct plot *plot, struct pane p);

/* One point of a series: i of n, whose x and then y are in `points`; none, and not in the legend, where i is beyond. */
void plot_mark_point(struct plot_series *s, const double *points, uint32_t n, uint32_t i);

/* The axes as they are drawn: their ranges are definite. */
void plot_axes(const struct plot *plot, struct plot_axis *x, struct plot_axis *y);
/* The value of a series that is nearest to x, with the axis's scale; UINT32_MAX: there is none. */
uint32_t plot_nearest(const struct plot_series *s, const struct plot_axis *axis, double x);

#endif
