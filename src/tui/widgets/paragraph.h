/* Lines of text in a width: broken at blanks, what goes on indented. */
#ifndef PAS2P_TUI_PARAGRAPH_H
#define PAS2P_TUI_PARAGRAPH_H

#include "tui/screen/canvas.h"

/* The lines (ended by \n, the last one perhaps not) from number `top` on of what they become in the pane's width;
 * returns how many they become. A pane of no height draws nothing, and counts. */
int paragraph_draw(struct pane p, int top, int indent, enum role role, const char *text);

/* In place of what is not there: a sentence that says so, and below it what would fill it. The same form in every view
 * (docs/internals/look.md 6). */

/* Each ends with a full stop; `fills` may be several lines, and NULL where nothing would. Returns the rows that they
 * take. */
int nothing_draw(struct pane p, const char *what, const char *fills);

#endif
