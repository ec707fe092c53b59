/* Plots of one row: sparklines, and bars: plain, of progress, and stacked. The first two also as text, for a list's
 * field. */
#ifndef PAS2P_TUI_BARS_H
#define PAS2P_TUI_BARS_H

#include <stddef.h>

#include "core/base/spark.h"
#include "tui/screen/canvas.h"

/* spark_text(), which an ASCII screen draws in its own characters. */
void sparkline_text(const double *values, int n, char *text, size_t size);

/* So much (0 to 1) of a bar of `room` columns; a little is one column, nothing and NAN none. */
int bar_columns(double part, int room);
void bar_text(double part, int room, char *text, size_t size);
void bar_draw(struct pane p, int x, int y, int room, double part, enum role role);

/* The same to an eighth of a column; on an ASCII screen whole ones. */
void bar_draw_eighths(struct pane p, int x, int y, int room, double part, enum role role);

/* Progress: `part` (0 to 1; NAN: not known, drawn as 0) of `room` columns from x on, over a line of the whole. */
void progress_bar_draw(struct pane p, int x, int y, int room, double part);

/* A bar of parts, one after the other: solid, each in its colour, or, where letters tell what colours do elsewhere, in
 * its letter. Computing is a line, as it is wherever time is drawn (kinds.h). */

struct bar_part {
	enum role role;
	char letter;       /* ' ': a gap, nothing is drawn; 0: a line */
	double value;      /* NAN or less than 0: nothing */
};

/* So many columns for what adds up to `whole`; rounding never loses or adds a column over all parts. */
void stacked_bar_draw(struct pane p, int x, int y, int room, const struct bar_part *parts, int count, double whole);

/* "━ useful  █ send", as many as have room; returns the columns that they took. */
int stacked_bar_legend(struct pane p, int x, int y, const struct bar_part *parts, const char *const *names, int count);

#endif
