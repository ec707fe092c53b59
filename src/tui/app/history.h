/* What was before, and can be again: undo, places jumped from, and two sets of settings to flip between. */
#ifndef PAS2P_TUI_HISTORY_H
#define PAS2P_TUI_HISTORY_H

#include <stdbool.h>

#include "tui/model/model.h"
#include "tui/model/undo.h"
#include "tui/panes/panes.h"

#define HISTORY_PLACES 100

struct history {
	struct undo undo;
	struct summary before;              /* figures to compare with once the next result is there */
	struct trace_place places[HISTORY_PLACES]; /* jumped from; places[at..n) were gone back over */
	int place_at, place_n;
	bool pinned;                        /* pin[0] is A, pin[1] B */
	int pin_side;                       /* which one is shown */
	struct settings pin[2];
	struct summary pin_summary[2];
};

/* A jump begins at a place. Going back swaps it for that of the cursor, and forward again. False: there is none. */
void history_jump(struct history *h, struct trace_place from);
bool history_back(struct history *h, struct trace_place *cursor);
bool history_forward(struct history *h, struct trace_place *cursor);

/* The filter of a view's list, as an undoable step. */
void history_record_filter(struct history *h, enum view_id id, const char *pattern);

void history_pin(struct history *h, const struct settings *s, const struct summary *figures);
/* The settings and figures of now are those of the side that is shown, or of B once they differ from A; then the other
 * side is shown, whose settings are pin[pin_side]. False: A and B are the same. */
bool history_flip(struct history *h, const struct settings *s, const struct summary *figures);

#endif
