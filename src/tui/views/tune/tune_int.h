/* Tune, inside: the rows of settings that the search (search.c) has found so far, as a table and as a plot of coverage
 * over the number of relevant phases (view.c). */
#ifndef PAS2P_TUI_VIEWS_TUNE_TUNE_INT_H
#define PAS2P_TUI_VIEWS_TUNE_TUNE_INT_H

#include "core/method/analysis/tune.h"
#include "core/lists/lists.h"
#include "tui/views/view.h"

struct tune_search;

struct tune_view {
	struct view view;
	struct derived looking;
	struct tune_search *search;  /* the latest that was asked for; a reference */
	struct tune found;           /* the frontier so far; a copy */
	struct settings from;        /* that the search began with */
	uint64_t found_serial;       /* grows whenever `found` changes */
	uint64_t serial;             /* of it, when the rows were made */
	bool moved;                  /* the cursor was, by a person: it stays on its point while others come */
	struct settings at;          /* of the row under the cursor */
	struct drawn_list drawn;
	struct shown_table written;
	double *points;              /* of the plot: relevant phases and coverage of each row; owned */
	struct table_and_plot lay;   /* made by update */
};

void tune_search_update(struct tune_view *s); /* begins it, and takes what was found since */
void tune_search_release(struct tune_view *s);
void tune_plot_draw(const struct tune_view *s, struct pane p);

#endif
