/* Tune, inside: the rows of settings as a table (view_tune.c) and as a plot of what the phases cover by how many
 * there are (tune_plot.c). What was found is the model's (tui/model/run_tune.h).
 */
#ifndef PAS2P_TUI_TUNE_VIEW_H
#define PAS2P_TUI_TUNE_VIEW_H

#include "core/lists/list_tune.h"
#include "tui/views/listed.h"
#include "tui/views/view.h"

struct tune_view {
	struct view view;
	uint64_t serial;             /* of the model's frontier, when the rows were made */
	bool moved;                  /* the cursor was, by a person: it stays on its point while others come */
	struct settings at;          /* of the row under the cursor */
	struct drawn_list drawn;
	struct written_list written;
	double *points;              /* of the plot: relevant phases and coverage of each row; owned */
	/* Layout, made by update; a width or height of 0: there is no room for it. */
	int title, list_w, list_h, plot_w, plot_h;
};

void tune_plot_draw(const struct tune_view *s, struct pane p);

#endif
