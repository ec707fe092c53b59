/* Heat maps: a matrix of values as blocks of eighths, a row at a time, for pages whose rows are searched and scrolled.
 *
 * Nothing (0) is a small dot, what is not known (NAN) a question mark, all else one to eight eighths of `most`. Where
 * cells are wide enough their numbers stand beside the block. The legend gives blocks with round values that have them.
 */
#ifndef PAS2P_TUI_PLOT_HEAT_H
#define PAS2P_TUI_PLOT_HEAT_H

#include <stdint.h>

#include "widgets.h"
#include "tui/screen/canvas.h"

struct heat {
	uint32_t columns;
	double most;              /* a full block */
	enum plot_unit unit;
	enum role role;
	double (*value)(const void *ctx, uint32_t row, uint32_t column);
	const void *ctx;
};

/* A block by itself, of spark_eighths() of what is above 0; 0: nothing. */
void heat_block(struct pane p, int x, int y, int eighths, enum role role);

/* Columns of one cell if there is so much room for all. */
int heat_cell_width(const struct heat *h, int room);

/* A row at (x, y), the cell `cursor` as where keys act (UINT32_MAX: none). */
void heat_row(const struct heat *h, struct pane p, int x, int y, int cell, uint32_t row, uint32_t cursor);

/* As much of it as has room; returns the columns that it took. */
int heat_legend(const struct heat *h, struct pane p, int x, int y);

#endif
