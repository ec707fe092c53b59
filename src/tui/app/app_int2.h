/* For the files of src/tui/app alone. Each part says what it is about. */
#ifndef PAS2P_TUI_APP_APP_INT2_H
#define PAS2P_TUI_APP_APP_INT2_H

#include <stdbool.h>
#include <stdint.h>

#include "core/settings/settings.h"
#include "tui/panes/panes.h"
#include "tui/screen/canvas.h"
#include "tui/screen/keys.h"
#include "tui/widgets/widgets.h"
#include "core/io/out.h"
#include "tui/widgets/list.h"
#include "core/base/err.h"
#include "kept_lists.h"
#include "tui.h"
#include "tui/jobs/background.h"
#include "tui/jobs/session.h"
#include "tui/model/model.h"
#include "tui/views/view.h"

/* ---- shell ---- */

/* What stands around a view and takes what is typed: the screen and where its parts are, the keys, the prompt, the
 * panel and the strips, the message, and how it all ends. */

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

/* ---- spoken ---- */

/* What the screen says, as words: for those who have it read out, or whose terminal can only add lines.
 *
 * Nothing here is drawn: blocks, lines and braille are left out, an arrow is "to", what stands between dots are parts
 * of a sentence. With `ascii` the rest is folded as on an ASCII screen. What is shown of a canvas is what app_draw()
 * left there.
 */

/* A text of the screen, blanks at its ends and twice in a row left out. */
void spoken_text(struct out *o, const char *text, bool ascii);
/* The fields that are filled, each behind its column's title: "phase 2, weight 832". */
void spoken_row(struct out *o, const struct row_source *s, const void *ctx, uint32_t row, bool ascii);
/* Line y of a pane; columns that stand apart are parts of a sentence, of a bar of one letter that is said once.
 * Nothing, if it holds no letter and no number. */
void spoken_line(struct out *o, struct pane p, int y, bool ascii);
/* The line of a pane that is selected as a whole; -1: none. */
int spoken_selected(struct pane p);

/* ---- words ---- */

/* The words of a command line: between blanks, or in quotes ("my file.csv", 'it'). What begins with -- is an option and
 * stands anywhere; behind a word -- alone nothing is. */

#define WORDS 32

struct words {
	char text[PROMPT_TEXT + WORDS];
	const char *word[WORDS + 1]; /* NULL behind the last */
	int count;
	unsigned options;            /* bits, in the order of those that there are */
};

/* What a command called `name` takes: from `least` to `most` words, said as `arguments`, and options between bars.
 * ERR_USAGE: too few or too many words, no such option, or a quote that does not end. */
enum err_code words_split(struct words *w, const char *line, const char *name, const char *arguments, int least, int most,
			  const char *options, struct err *e);

/* A word as it has to be typed: in quotes if it needs them. False: there is no room. */
bool words_quote(const char *word, char *out, size_t size);

/* ---- workspace ---- */

/* What is worked on: the trace's session, the model with the results beside the trace, the views of it and which of
 * them is in front, and what goes on behind the screen. */

struct exporting;
struct leaving;

struct workspace {
	const struct tui_options *options;
	const char *const *paths;       /* of the open trace: of the run that it is; NULL: there is none, only models */
	uint32_t path_count;
	struct session *session;
	struct session_news news;       /* the latest, its analysis and table taken */
	unsigned wanted;                /* what of the analysis was last asked for */
	struct model model;
	struct view *views[VIEWS];
	enum view_id here, tab;         /* what is shown; the tab under an overlay (help, table) */
	enum view_id home;              /* the tab that it begins with, and goes back to */
	char *table;                    /* the phase table's text; owned */
	uint32_t tables_written;        /* phase tables, so far */
	struct exporting *exporting;    /* the file that rows are being written to; owned; NULL: none */
	bool noted;                     /* the trace, among those opened lately */
	uint64_t files_seen;            /* which bytes the trace's files had when they were opened (app_int.h) */
	bool hashing;                   /* the trace, to know which results are of it */
	struct trace_place state_cursor;      /* remembered, to go to once there is an analysis */
	bool state_cursor_wanted;
	struct kept_lists lists;              /* to filter and sort as they were, once they are there */
};

/* The views of what is to come, and then, once the model has its settings, the trace behind them. After a failure of
 * either, and at the end: workspace_release(). */
enum err_code workspace_init(struct workspace *w, const struct tui_options *o, struct runs *runs, struct models *models,
			     struct open_study *study, struct picker *picker, const struct keymap *keymap, struct err *e);
/* loaded: of the same files by an earlier session; NULL: they are read. */
enum err_code workspace_open(struct workspace *w, struct session_loaded *loaded, struct err *e);
void workspace_release(struct workspace *w);
/* The same, but what goes on behind the screen ends there, too: leaving_start(), NULL: it has ended. */
struct leaving *workspace_leave(struct workspace *w);

struct view *workspace_front(const struct workspace *w);
/* The rows of the view in front; NULL: it has none. */
const struct row_source *workspace_rows(const struct workspace *w);

/* Ask the session for what the view in front shows, with the settings of now. */
void workspace_want(struct workspace *w);
bool workspace_lacks(const struct workspace *w); /* it shows more than was last asked for */

#endif
