/* The palette: above the prompt of commands, those that what was typed may become, with key and meaning; behind a
 * command's name, what it takes and which values there are. Every action can be reached so by its name, or by a word of
 * what it does.
 *
 * Order: names that begin as typed, then those that hold it, then those whose meaning holds it; each in the order of
 * the tables. Tab goes through them in that order (app_prompt.h).
 */
#ifndef PAS2P_TUI_PALETTE_H
#define PAS2P_TUI_PALETTE_H

#include <stdbool.h>

#include "tui/screen/canvas.h"
#include "tui/screen/keys.h"

struct app;

struct palette_entry {
	const char *name, *arguments, *help;
	enum action action;    /* ACTION_NONE: a command that is more than an action */
};

/* The nth entry that `typed`, a name or part of one, may become. False: there is none. */
bool palette_entry(const char *typed, int nth, struct palette_entry *entry);

/* In the lowest rows of `above`, as many as are needed and at most half of them. */
void palette_draw(const struct app *a, struct pane above);

#endif
