/* A program's graph as text for a terminal, or as a picture: the cells of tui/widgets/graph_cells.h. */
#ifndef PAS2P_REPORT_GRAPH_PAGE_H
#define PAS2P_REPORT_GRAPH_PAGE_H

#include "core/models/graph.h"
#include "core/io/out.h"

#define GRAPH_PICTURE_ROWS 4000 /* most of a picture */

/* As many columns beside each other as there is room for; the others below them. Errors stick in `out`. */
enum err_code graph_text(const struct graph *g, int width, bool ascii, struct out *out, struct err *e);

/* All columns beside each other. ERR_LIMIT: it were larger than GRAPH_PICTURE_ROWS rows and 100 columns. */
enum err_code graph_svg(const struct graph *g, const char *title, struct out *out, struct err *e);

#endif
