/* What stands around a view and takes what is typed: the screen and where its parts are, the keys, the prompt, the
 * panel and the strips, the message, and how it all ends. */
#ifndef PAS2P_TUI_SHELL_H
#define PAS2P_TUI_SHELL_H

#include <stdbool.h>

#include "core/settings/settings.h"
#include "tui/panes/panel.h"
#include "tui/panes/run_strip.h"
#include "tui/panes/sensitivity_strip.h"
#include "tui/screen/canvas.h"
#include "tui/screen/keys.h"
#include "tui/widgets/prompt.h"

#define SHELL_BESIDE_W 76 /* from here on the panel stands beside the view */

struct shell {
	struct canvas canvas;
	struct pane tabs_pane, view_pane, panel_pane, strip_pane; /* as last drawn, for clicks */
	struct keymap keymap;
	enum action pending;            /* a key that waits for a letter; ACTION_NONE: none */
	struct prompt prompt;
	char path[PROMPT_TEXT];         /* where the phase table is to go */
	struct settings offered;        /* to take, if the answer is y */
	char offered_as[48];            /* what the question calls them */
	bool paste_blank;               /* a line of pasted text has ended */
	bool mouse;                     /* the terminal tells clicks */
	struct panel panel;
	bool panel_wanted, panel_asked; /* shown; the user has said so, else the width decides */
	struct strip strip;
	struct sensitivity_strip sensitivity;
	enum role message_role;         /* of the model's message */
	bool interrupted;               /* Ctrl-C has stopped some work: the next one leaves */
	bool redraw_all;                /* the terminal should be painted from nothing */
	bool quit;
	int status;                     /* exit status, with a sentence in `last_words` if it is not 0 */
	char last_words[600];
};

void shell_init(struct shell *s, bool ascii, bool mouse);
void shell_release(struct shell *s);
void shell_forget(struct shell *s); /* what was kept of a trace */
void shell_resize(struct shell *s, int w, int h);
/* Show the panel or hide it, and give it the keys or take them; it stays as the user has it from then on. */
void shell_toggle_panel(struct shell *s);
void shell_leave(struct shell *s, int status, const char *words);

#endif
