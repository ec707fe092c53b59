/* Which rows the lists of a trace's views showed, and in which order, from when the trace is left until each list has
 * rows again: those of phases come with the analysis, those of a view that was not looked at yet with its first look.
 *
 *     kept_lists_take(&k, views);        the trace is being left; what none of its views has taken up again stays
 *     kept_lists_give(&k, view);         after each update of the view in front: true: it shows other rows now
 *     kept_lists_release(&k);
 *
 * Of a view of several lists it is the one of the view itself; of what is the same for all traces, none.
 */
#ifndef PAS2P_TUI_KEPT_LISTS_H
#define PAS2P_TUI_KEPT_LISTS_H

#include <stdbool.h>

#include "tui/screen/views.h"

struct view;

struct kept_list {
	char *filter;     /* owned; as it was typed; NULL: all rows */
	char *sort;       /* owned; the column's name; NULL: as they come */
	bool descending;
};

struct kept_lists {
	struct kept_list views[VIEWS];
};

void kept_lists_take(struct kept_lists *k, struct view *const *views); /* without memory a list is forgotten */
bool kept_lists_give(struct kept_lists *k, struct view *v);
void kept_lists_release(struct kept_lists *k);

#endif
