/* How far something is: a bar (sparkline.h) over the line of all there is to do. */
#ifndef PAS2P_TUI_PROGRESS_BAR_H
#define PAS2P_TUI_PROGRESS_BAR_H

#include "tui/screen/canvas.h"

/* `part` (0 to 1; NAN: not known, which is nothing) of `room` columns, from x on. */
void progress_bar_draw(struct pane p, int x, int y, int room, double part);

#endif
