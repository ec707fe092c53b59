/* Plots as vectors, for a page: the same struct plot (plot.h), heat maps (plot_heat.h) and stacked bars as in cells,
 * with the same ranges, ticks, roles and marks, drawn with paths in place of characters.
 *
 *     svg_style(&out);                                        once, between <style> and </style>
 *     plot_svg(&plot, "time of each iteration", 640, 240, &out);
 *
 * A picture is an <svg> element to stand in HTML or XML, w x h pixels at its own size. It has no colour of its own: a
 * role is a class that sets --c, and the page says what --ink, --dim and --rule are, so that the same picture does on
 * light and dark grounds. There are no ids in it, so that a page can have many. However many values there are, a pixel
 * column has a few.
 */
#ifndef PAS2P_TUI_SVG_H
#define PAS2P_TUI_SVG_H

#include "plot.h"
#include "plot_heat.h"
#include "bars.h"

/* The rules of the classes that pictures use: that of a role is r-NAME, svg_role_class(). */
void svg_style(struct out *o);
const char *svg_role_class(enum role role);

/* label: what a screen reader says. */
void plot_svg(const struct plot *plot, const char *label, int w, int h, struct out *o);

/* A whole heat map: its rows under each other, the first at the top. */
struct heat_picture {
	struct heat heat;
	uint32_t rows;
	struct plot_axis x;        /* what columns reach over */
	/* What stands left of a row; text has UNIT_TEXT bytes. */
	const char *(*name)(const void *ctx, uint32_t row, char *text);
	/* A cell's kind, where values are no amounts: ROLE_NONE is nothing. NULL: they are, and are shaded by eighths of
	 * `most`. */
	enum role (*kind)(const void *ctx, uint32_t row, uint32_t column);
};
/* As high as its rows need. */
void heat_svg(const struct heat_picture *p, const char *label, int w, struct out *o);

/* As wide as the page has room. */
void stacked_bar_svg(const struct bar_part *parts, int count, double whole, const char *label, int h, struct out *o);

#endif
