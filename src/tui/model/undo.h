/* Undo and redo of settings, of how views look (their zoom, say), and of filters. Turning one knob, or zooming, several
 * times in a row is one change. */
#ifndef PAS2P_TUI_UNDO_H
#define PAS2P_TUI_UNDO_H

#include <stdbool.h>

#include "core/settings/settings.h"
#include "tui/screen/views.h"

#define UNDO_DEPTH 200
#define UNDO_FILTER 128

#define LOOK_NUMBERS 3

/* How a view looks, in numbers that the view alone understands. Another `shape` is a change. Where the view is scrolled
 * to changes by itself, with the cursor: `from` goes back only along with a shape. */
struct view_look {
	bool known;                 /* else there is nothing to go back to yet */
	double shape[LOOK_NUMBERS];
	double from;
};

bool look_differs(const struct view_look *a, const struct view_look *b);

/* What else than settings a person changes and may want back. */
struct look {
	struct view_look views[VIEWS];
	int filter_view;            /* whose filter it is */
	char filter[UNDO_FILTER];
};

struct undo_step {
	struct settings settings;
	struct look look;
};

struct undo {
	struct undo_step list[UNDO_DEPTH];
	int n, at;   /* list[at] is what stands now */
	int gesture; /* the setting being turned, -1: none */
};

#define UNDO_ZOOM SETTING_COUNT /* the gesture of zooming */

void undo_init(struct undo *u, const struct settings *s, const struct look *look);
/* Returns true if this begins a new change, false if it goes on with the one before. gesture: the setting that is
 * turned, or -1 for a change by itself. */
bool undo_record(struct undo *u, const struct settings *s, int gesture);
bool undo_record_look(struct undo *u, const struct look *look, int gesture);
/* How one view has come to look, and did just before, which is what undo goes back to. False: that is no change, or
 * goes on with one. */
bool undo_record_view(struct undo *u, enum view_id id, const struct view_look *before, const struct view_look *now, int gesture);
void undo_end_gesture(struct undo *u);
const struct undo_step *undo_back(struct undo *u);    /* NULL: nothing to undo */
const struct undo_step *undo_forward(struct undo *u);

#endif
