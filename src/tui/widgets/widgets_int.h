/* Declarations that only the files of src/tui/widgets use. Each part begins with its own description. */
#ifndef PAS2P_TUI_WIDGETS_WIDGETS_INT_H
#define PAS2P_TUI_WIDGETS_WIDGETS_INT_H

#include "plot.h"
#include "svg.h"

/* ---- plot_inner ---- */

/* Between the files of the plots: where values are drawn. */

struct plot_area {
	struct pane p;          /* of the values alone */
	struct plot_axis x, y;  /* with definite ranges */
	int marked;             /* the column that is marked; -1: none */
	unsigned marked_attr;   /* how, if there is no row for the mark itself */
};

/* The place of value i on the x axis, 0 to 1. */
double plot_place_of(const struct plot_series *s, const struct plot_axis *x, uint32_t i);

/* Values that a log axis has no place for. */
uint32_t plot_without_place(const struct plot *plot);
/* Which axes are not linear; false: both are. */
bool plot_scales_text(const struct plot *plot, char *text, size_t size);

/* The highest of several values, which is shown for all; NAN: none is known. */
double plot_highest(const struct plot_series *s, uint32_t from, uint32_t to);

void plot_draw_bars(const struct plot_area *a, const struct plot_series *s);
void plot_draw_area(const struct plot_area *a, const struct plot_series *s);
void plot_draw_band(const struct plot_area *a, const struct plot_series *s);
void plot_draw_curve(const struct plot_area *a, const struct plot_series *s, uint32_t mark);
void plot_draw_points(const struct plot_area *a, const struct plot_series *s, uint32_t mark);

/* ---- svg_inner ---- */

/* Between the files that draw pictures: elements, and how wide text is. Sizes are pixels. */

#define SVG_LINE 17     /* of text */
#define SVG_COLUMN 7.0  /* of a character, at most: pages choose their fonts */

double svg_text_width(const char *text);
void svg_open(struct out *o, double w, double h, const char *label);
void svg_close(struct out *o);
/* anchor: "start", "middle", "end"; y is the base line; class NULL: dim. */
void svg_text(struct out *o, double x, double y, const char *anchor, const char *class, const char *text);
void svg_line(struct out *o, const char *class, double x1, double y1, double x2, double y2);

#endif
