/* The run strip: the whole run in one row, the phases of each column by letter (the legend is in the list of phases)
 * and colour, and the window of the grid within it. Where windows are to be measured, a row above it says where. Where
 * the iterations of the main loop have room enough, each begins with an underlined column; one that stands out is
 * underlined throughout. */
#ifndef PAS2P_TUI_RUN_STRIP_H
#define PAS2P_TUI_RUN_STRIP_H

#include "tui/screen/canvas.h"
#include "tui/model/model.h"

struct strip {
	uint64_t serial;  /* of the analysis that it was made from */
	int w;
	uint8_t *kind;    /* by column: a rank, as in phase_shares.h; owned */
	uint8_t *mark;    /* by column: enum window_mark; owned */
	bool *underlined; /* by column: an iteration begins, or stands out; owned */
};

int strip_rows(const struct model *m); /* that it wants */
void strip_update(struct strip *s, const struct model *m, int w);
void strip_draw(const struct strip *s, const struct model *m, struct pane p);
void strip_release(struct strip *s);

#endif
