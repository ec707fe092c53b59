/* Undo and redo of settings, of the zoom of grid and timeline, and of filters. Turning one knob, or zooming, several times in a row is
 * one change. */
#ifndef PAS2P_TUI_UNDO_H
#define PAS2P_TUI_UNDO_H

#include <stdbool.h>

#include "core/settings/settings.h"

#define UNDO_DEPTH 200
#define UNDO_FILTER 128

/* What else than settings a person changes and may want back. */
struct look {
	uint32_t zoom, spread;
	bool transposed;
	double timeline_from, timeline_span; /* seconds; no span: the timeline was not zoomed yet */
	uint32_t timeline_spread;
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
void undo_end_gesture(struct undo *u);
const struct undo_step *undo_back(struct undo *u);    /* NULL: nothing to undo */
const struct undo_step *undo_forward(struct undo *u);

#endif
