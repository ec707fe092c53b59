/* The plan, inside: designs of windows as a table and as a plot of cost against spread. The
 * plan is the model's (tui/model/model.h), shown as long as it is current.
 */
#ifndef PAS2P_TUI_VIEWS_PLAN_PLAN_INT_H
#define PAS2P_TUI_VIEWS_PLAN_PLAN_INT_H

#include "core/lists/lists.h"
#include "tui/views/view.h"

struct plan_view {
	struct view view;
	struct run_plan *of;         /* a reference; NULL: being made, or failed */
	const struct plan *plan;     /* its own; NULL likewise */
	struct drawn_list drawn;
	struct shown_table written;
	double *points;              /* of the plot: cost and spread of each design, then those of the frontier by cost; owned */
	uint32_t frontier;           /* how many are in it */
	struct table_and_plot lay;   /* made by update */
};

bool plan_plot_make(struct plan_view *s); /* of a new plan; false: no memory */
void plan_plot_draw(const struct plan_view *s, struct pane p);

#endif
