/* The clocks, inside: a row for each process with its offset and what that is certainly within, then for one process a
 * row for each sender and receiver; below, when messages arrived before they were sent.
 *
 *     view.c             what has come, layout, keys
 *     rows.c             both lists: columns, bars on a common axis
 */
#ifndef PAS2P_TUI_VIEWS_CLOCKS_CLOCKS_INT_H
#define PAS2P_TUI_VIEWS_CLOCKS_CLOCKS_INT_H

#include "core/io/out.h"
#include "core/lists/clocks.h"
#include "tui/views/view.h"
#include "tui/widgets/units.h"

struct clocks_view {
	struct view view;                  /* its list: the processes */
	const struct clock_report *report; /* the model's; NULL: not there yet */
	struct clocks_list rows;
	struct out shifts;
	struct drawn_list processes, pairs;
	struct shown_table written;
	bool in_pairs;                     /* the list of pairs has the keys */
	uint32_t of;                       /* the process that they are of */
	struct list pair_list;
	uint32_t *pair;                    /* per row of it: the pair's number; owned */
	double axis_from, axis_to;         /* s, of the bars */
	char axis[2 * UNIT_TEXT];          /* their title */
	double bins[64];                   /* violations in each part of the run */
	uint32_t bin_count;
	/* Layout, made by update; a height of 0: there is no room for it. */
	int title, list_h, plot_h;
};

void clocks_rows_init(struct clocks_view *s);
void clocks_rows_take(struct clocks_view *s);       /* a report has come */
void clocks_rows_fit(struct clocks_view *s, int w); /* the bars take what there is */
const struct drawn_list *clocks_drawn(const struct clocks_view *s); /* of the list that has the keys */

#endif
