/* Plots of one row: values as blocks of eighths, and a bar. As text they stand in a list's field. */
#ifndef PAS2P_TUI_SPARKLINE_H
#define PAS2P_TUI_SPARKLINE_H

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

#endif
