/* Undo and redo of settings. Turning one knob several times in a row is one change. */
#ifndef PAS2P_TUI_UNDO_H
#define PAS2P_TUI_UNDO_H

#include <stdbool.h>

#include "../core/settings.h"

#define UNDO_DEPTH 200

struct undo {
	struct settings list[UNDO_DEPTH];
	int n, at;   /* list[at] is what stands now */
	int gesture; /* the setting being turned, -1: none */
};

void undo_init(struct undo *u, const struct settings *s);
/* Returns true if this begins a new change, false if it goes on with the one before. gesture: the setting that is
 * turned, or -1 for a change by itself. */
bool undo_record(struct undo *u, const struct settings *s, int gesture);
void undo_end_gesture(struct undo *u);
bool undo_back(struct undo *u, struct settings *s);    /* false: nothing to undo */
bool undo_forward(struct undo *u, struct settings *s);

#endif
