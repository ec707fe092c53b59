/* In place of what is not there: a sentence that says so, and below it what would fill it. The same form in every view
 * (docs/look.md 6). */
#ifndef PAS2P_TUI_NOTHING_H
#define PAS2P_TUI_NOTHING_H

#include "tui/screen/canvas.h"

/* Each ends with a full stop; `fills` may be several lines, and NULL where nothing would. Returns the rows that they
 * take. */
int nothing_draw(struct pane p, const char *what, const char *fills);

#endif
