/* A program's graph in cells: a column for each class of processes, time downwards, the critical path marked (core/models/graph.h).
 *
 * One node a row: rectangles of code, triangles up and down for messages, a knob for collectives, a corner for what holds others; right of it
 * its time. Above each column whose it is and when it ends. View, text and picture are the same cells.
 */
#ifndef PAS2P_TUI_GRAPH_CELLS_H
#define PAS2P_TUI_GRAPH_CELLS_H

#include "core/models/graph.h"
#include "tui/screen/canvas.h"

#define GRAPH_COLUMN_LEAST 22 /* cells that a column has at least, */
#define GRAPH_COLUMN_MOST 44  /* and at most */

/* How many columns stand beside each other in so many cells, and how wide one is. */
uint32_t graph_cells_columns(const struct graph *g, int w, int *column);

/* Columns from `left` on, the graph's rows from `top` on; the pane's first row is the heads'. */
void graph_cells_draw(const struct graph *g, struct pane p, uint32_t left, uint32_t top);

#endif
