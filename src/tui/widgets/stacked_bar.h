/* A bar of parts, one after the other: solid, each in its colour, or, where letters tell what colours do elsewhere, in
 * its letter. Computing is a line, as it is wherever time is drawn (kinds.h). */
#ifndef PAS2P_TUI_STACKED_BAR_H
#define PAS2P_TUI_STACKED_BAR_H

#include "tui/screen/canvas.h"

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
