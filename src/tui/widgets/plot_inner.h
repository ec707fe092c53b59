/* Between the files of the plots: where values are drawn. */
#ifndef PAS2P_TUI_PLOT_INNER_H
#define PAS2P_TUI_PLOT_INNER_H

#include "plot.h"

struct plot_area {
	struct pane p;          /* of the values alone */
	struct plot_axis x, y;  /* with definite ranges */
	int marked;             /* the column that is marked; -1: none */
	unsigned marked_attr;   /* how, where there is no row for the mark itself */
};

/* The place of value i on the x axis, 0 to 1. */
double plot_place_of(const struct plot_series *s, const struct plot_axis *x, uint32_t i);

/* Values that a log axis has no place for. */
uint32_t plot_without_place(const struct plot *plot);
/* Which axes are not linear; false: both are. */
bool plot_scales_text(const struct plot *plot, char *text, size_t size);

void plot_draw_bars(const struct plot_area *a, const struct plot_series *s);
void plot_draw_area(const struct plot_area *a, const struct plot_series *s);
void plot_draw_band(const struct plot_area *a, const struct plot_series *s);
void plot_draw_curve(const struct plot_area *a, const struct plot_series *s, uint32_t mark);
void plot_draw_points(const struct plot_area *a, const struct plot_series *s, uint32_t mark);

#endif
