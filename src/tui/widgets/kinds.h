/* What time went into, as it looks: a role and a letter for each kind, the same in every view. */
#ifndef PAS2P_TUI_KINDS_H
#define PAS2P_TUI_KINDS_H

#include "core/trace/trace.h"
#include "tui/screen/canvas.h"

enum role kind_role_of(enum time_kind k);

/* One cell of time that is mostly of a kind, which has `part` of it: from two thirds on it is solid, or, where letters
 * tell what colours do elsewhere, has a capital letter; below, a low block or a small letter. Compute is a line, thick
 * or thin. */
void kind_cell(struct pane p, int x, int y, enum time_kind k, double part);

/* A cell of time of which nothing is known, and what stands for it in a row: returns the columns that that took. */
void kind_unknown_cell(struct pane p, int x, int y);
int kind_unknown_legend(struct pane p, int x, int y);

/* The kinds with their letters, in one row; returns the columns that it took. */
int kind_legend(struct pane p, int x, int y);

#endif
