/* A bar of parts, one after the other: each in its colour and with its letter, so that it is also read without colours. */
#ifndef PAS2P_TUI_STACKED_BAR_H
#define PAS2P_TUI_STACKED_BAR_H

#include "tui/screen/canvas.h"

struct bar_part {
	enum role role;
	char letter;       /* ' ': a gap, nothing is drawn */
	bool solid;        /* its ground is the colour, not the letter */
	double value;      /* NAN or less than 0: nothing */
};

/* So many columns for what adds up to `whole`; rounding never loses or adds a column over all parts. */
void stacked_bar_draw(struct pane p, int x, int y, int room, const struct bar_part *parts, int count, double whole);

/* "u useful  s send", as many as have room; returns the columns that they took. */
int stacked_bar_legend(struct pane p, int x, int y, const struct bar_part *parts, const char *const *names, int count);

#endif
