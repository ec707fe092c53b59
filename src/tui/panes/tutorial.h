/* The tutorial's rows below a view: which step, what to do and why, by which keys, and what of it was done. Its steps
 * are in tui/screen/tutorial.def; that an act was done is seen by the application (tui/app/app_tutorial.h), which moves
 * `step` and `act` on.
 */
#ifndef PAS2P_TUI_TUTORIAL_H
#define PAS2P_TUI_TUTORIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/settings/settings.h"
#include "tui/screen/canvas.h"
#include "tui/screen/keys.h"
#include "tui/screen/views.h"

#define TUTORIAL_ACTS 3 /* of a step, at most */

enum tutorial_step {
#define STEP(id, title, text) TUTORIAL_##id,
#include "tui/screen/tutorial.def"
	TUTORIAL_STEPS
};

struct tutorial {
	bool shown;
	int step;                 /* TUTORIAL_STEPS: all are done */
	int act;                  /* of the step's acts so many are done */
	bool begun;               /* what follows was taken as the act began */
	struct settings settings;
	uint32_t written;         /* phase tables */
};

int tutorial_acts(int step);        /* how many it has */
/* Which act it is among those of all steps, in the table's order. */
int tutorial_act_number(int step, int act);
/* On to the next act, or the next step. */
void tutorial_next(struct tutorial *t);

/* Rows that it takes on a screen of that size; 0 while it is not shown. */
int tutorial_rows(const struct tutorial *t, int w, int h);
void tutorial_draw(const struct tutorial *t, const struct keymap *keys, enum view_id here, struct pane p);

#endif
