/* The workbench as a machine: keys and news in, a canvas out. No terminal in here; term.h and script.h are the two
 * ways to drive it.
 *
 *     app_init(&a, options, &e);
 *     app_resize(&a, 80, 24);
 *     loop: app_news(&a) when session_fd() is readable, app_key(&a, key) for each key, then app_draw(&a)
 *     app_release(&a);
 *
 * app.c keeps the state and hands actions to the views; app_draw.c lays the screen out; app_prompt.c takes what is
 * typed, commands.c understands what is typed after a colon, and app_undo.c takes back what was done.
 */
#ifndef PAS2P_TUI_APP_H
#define PAS2P_TUI_APP_H

#include "tui/jobs/background.h"
#include "tui/screen/canvas.h"
#include "tui/screen/input.h"
#include "tui/screen/keys.h"
#include "tui/model/model.h"
#include "tui/panes/panel.h"
#include "tui/widgets/prompt.h"
#include "tui/jobs/session.h"
#include "tui/panes/run_strip.h"
#include "tui/panes/sensitivity_strip.h"
#include "tui.h"
#include "tui/model/undo.h"
#include "tui/views/view.h"

#define APP_PLACES 100
#define APP_BESIDE_W 76 /* from here on the panel stands beside the view */
#define APP_MIN_W 40
#define APP_MIN_H 10

struct exporting;

struct app {
	const struct tui_options *options;
	struct session *session;
	struct session_news news;       /* the latest, its analysis and table taken */
	struct model model;
	struct keymap keymap;
	struct view *views[VIEWS];
	enum view_id here, tab;        /* what is shown; the tab under an overlay (help, table) */
	struct panel panel;
	bool panel_wanted, panel_asked; /* shown; the user has said so, else the width decides */
	struct undo undo;
	struct summary before;          /* figures to compare with once the next result is there */
	struct prompt prompt;
	struct strip strip;
	struct sensitivity_strip sensitivity;
	struct canvas canvas;
	struct place places[APP_PLACES]; /* jumped from; places[at..n) were gone back over */
	int place_at, place_n;
	char *table;                    /* owned */
	unsigned wanted;                /* what of the analysis was last asked for */
	bool hashing;                   /* the trace, to know which results are of it */
	struct exporting *exporting;    /* the file that rows are being written to; owned; NULL: none */
	char path[PROMPT_TEXT];         /* where the phase table is to go */
	enum role message_role;
	bool interrupted;               /* Ctrl-C has stopped some work: the next one leaves */
	bool redraw_all;                /* the terminal should be painted from nothing */
	bool quit;
	int status;                     /* exit status, with a sentence in `last_words` if it is not 0 */
	char last_words[600];
	enum action pending;            /* a key that waits for a letter; ACTION_NONE: none */
	bool pinned;                    /* pin[0] is A, pin[1] B */
	int pin_side;                   /* which one is shown */
	struct settings pin[2];
	struct summary pin_summary[2];
	struct place state_cursor;      /* remembered, to go to once there is an analysis */
	bool state_cursor_wanted;
	bool paste_blank;               /* a line of pasted text has ended */
	bool mouse;                     /* the terminal tells clicks */
	struct pane tabs_pane, view_pane, panel_pane, strip_pane; /* as last drawn, for them */
};

enum err_code app_init(struct app *a, const struct tui_options *o, struct err *e);
void app_release(struct app *a);
void app_resize(struct app *a, int w, int h);
void app_news(struct app *a);
void app_input(struct app *a, const struct input_event *ev); /* whatever comes from a terminal */
void app_key(struct app *a, uint32_t key);
void app_interrupt(struct app *a); /* Ctrl-C */
void app_act(struct app *a, enum action action);
void app_draw(struct app *a);
void app_mouse(struct app *a, int x, int y, int wheel); /* a click, or the wheel: 1 down, -1 up */
bool app_stop_work(struct app *a); /* Esc: leave it; false: there was none */
/* Of the work: what it is (NULL: none), and how much of it is done. */
double app_work_progress(struct app *a, const char **what);
bool app_work(struct app *a); /* a slice of what is done between keys, after app_draw(); false: there was none */

/* For commands: say something in the status line; change settings as one undoable step. */
void app_say(struct app *a, enum role role, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void app_settings(struct app *a, const struct settings *s, int gesture);
void app_want(struct app *a); /* ask the session for what the view shows, with the settings of now */
void app_jump(struct app *a, uint32_t process, uint32_t tick);
void app_show(struct app *a, enum view_id v);
enum err_code app_goto(struct app *a, const char *name, struct err *e); /* a place as people name it (goto.c) */
void app_show_place(struct app *a); /* the cursor: in the timeline if one is there, else in the grid */

/* Undo (app_undo.c): from how all is now on; a step that is no setting, the view's filter; taking any step back, or making it again. */
void app_undo_begin(struct app *a);
void app_record_filter(struct app *a, const char *pattern);
void app_undo(struct app *a, bool forward);

/* What stands after a colon. ERR_OK, or what is wrong with it. */
enum err_code command_run(struct app *a, const char *line, struct err *e);
bool command_complete(void *app, const char *typed, int nth, char *out, size_t size);

/* The prompt (app_prompt.c): a key for it, and opening it for a knob's value or the phase table's path. */
void app_prompt_key(struct app *a, uint32_t key);
void app_ask_value(struct app *a);
void app_ask_path(struct app *a);
void app_search(struct app *a, bool from_here, bool backwards);
bool app_can_search(struct app *a); /* false: the view has nothing to search, or to filter, which is said */
bool app_can_filter(struct app *a);
bool app_sort(struct app *a, enum action action); /* by the next column that is seen, or the other way round */

/* Presets, A and B, marks, and saving what differs from the defaults ("": to be used from now on). */
enum err_code app_preset(struct app *a, const char *name, struct err *e);
void app_pin(struct app *a);
void app_flip(struct app *a);
void app_mark_key(struct app *a, uint32_t letter);
enum err_code app_save_config(struct app *a, const char *path, struct err *e);
struct tree_out;
/* The settings, all of them or, with `unless`, those that differ from one of the two. */
void app_save_settings(struct tree_out *t, const struct settings *s, const struct settings *unless,
		       const struct settings *and_unless);

/* What is remembered of the trace: taken up before the first wish, and written at the end. */
void app_state_load(struct app *a);
void app_state_save(struct app *a);

void app_full_path(const char *path, char *full, size_t size); /* with `~/` understood */
void app_make_directories(const char *path);                   /* those above it */

/* The rows of the view as a file, its format by its ending; all: without the filter; force: in place of one that is there. */
enum err_code app_export(struct app *a, const char *path, bool all, bool force, struct err *e);
bool app_export_work(struct app *a);           /* a slice of it; false: nothing is being written */
double app_export_part(const struct app *a);   /* of what is being written, 0 to 1 */
void app_export_end(struct app *a);            /* leave it: what is not done is not written */

/* Results of a run (app_results.c): those of the command line, one that is asked for, the next one, its settings. */
enum err_code app_results_open(struct app *a, struct err *e);
enum err_code app_result(struct app *a, const char *path, struct err *e);
void app_result_next(struct app *a);
void app_result_settings(struct app *a);
void app_results_news(struct app *a);

/* What a signature would measure (app_measure.c): of a new analysis, and once it is known. */
void app_measure_ask(struct app *a);
void app_measure_news(struct app *a);

/* Write the phase table to a path, `~` understood; asks before overwriting unless told. */
enum err_code app_write_table(struct app *a, const char *path, bool overwrite, struct err *e);

/* Save the screen as text, or as SVG if the path ends so. */
enum err_code app_save_screen(struct app *a, const char *path, struct err *e);

#endif
