/* The workbench behind tui.h, for the files of this room. In this order:
 *
 *     state      kept_lists, history, shell, workspace, kept_traces; struct app holds them all
 *     machine    app: keys and news in, a canvas out
 *     actions    one part for each file that carries actions and commands out, by name
 *
 * Among the last are the ways to drive the machine without a terminal: plain, plain_input and script. */
#ifndef PAS2P_TUI_APP_APP_INT_H
#define PAS2P_TUI_APP_APP_INT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/io/out.h"
#include "core/settings/settings.h"
#include "tui/screen/screen.h"
#include "tui/model/models.h"
#include "tui/model/open_study.h"
#include "tui/model/model.h"
#include "tui/model/run_list.h"
#include "tui/panes/panes.h"
#include "tui/screen/keys.h"
#include "core/base/err.h"
#include "tui/screen/canvas.h"
#include "tui/screen/views.h"
#include "tui/widgets/widgets.h"
#include "tui/widgets/list.h"
#include "tui.h"
#include "tui/jobs/background.h"
#include "tui/jobs/session.h"
#include "tui/views/view.h"
#include "tui/model/undo.h"

/* ---- kept_lists ---- */

/* Which rows the lists of a trace's views showed, and in which order, from when the trace is left until each list has
 * rows again: those of phases come with the analysis, those of a view that was not looked at yet with its first look.
 *
 *     kept_lists_take(&k, views);        the trace is being left; what none of its views has taken up again stays
 *     kept_lists_give(&k, view);         after each update of the view in front: true: it shows other rows now
 *     kept_lists_release(&k);
 *
 * For a view of several lists it is the one of the view itself; of what is the same for all traces, none.
 */

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

/* ---- history ---- */

/* What was before, and can be again: undo, places jumped from, and two sets of settings to flip between. */

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


/* ---- shell ---- */

/* The shell around a view, which takes the input: the screen and the places of its parts, the keys, the prompt, the
 * panel and the strips, the message, and how the program ends. */

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
	bool panel_wanted, panel_asked; /* shown; the user has said so, otherwise the width decides */
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

/* ---- workspace ---- */

/* The workspace: the trace's session, the model with the results beside the trace, the views and which of them is in
 * front, and the work in the background. */

struct exporting;
struct leaving;

struct workspace {
	const struct tui_options *options;
	const char *const *paths;       /* of the open trace: of the run that it is; NULL: there is none, only models */
	uint32_t path_count;
	struct session *session;
	struct session_news news;       /* the latest, its analysis and table taken */
	unsigned wanted;                /* the analysis stage that was last asked for */
	struct model model;
	struct view *views[VIEWS];
	enum view_id here, tab;         /* what is shown; the tab under an overlay (help, table) */
	enum view_id home;              /* the tab that it begins with, and goes back to */
	char *table;                    /* the phase table's text; owned */
	uint32_t tables_written;        /* phase tables, so far */
	struct exporting *exporting;    /* the file that rows are being written to; owned; NULL: none */
	bool noted;                     /* the trace, among those opened recently */
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
/* The same, but what goes on in the background ends there, too: leaving_start(), NULL: it has ended. */
struct leaving *workspace_leave(struct workspace *w);

struct view *workspace_front(const struct workspace *w);
/* The rows of the view in front; NULL: it has none. */
const struct row_source *workspace_rows(const struct workspace *w);

/* Ask the session for what the view in front shows, with the settings of now. */
void workspace_want(struct workspace *w);
bool workspace_lacks(const struct workspace *w); /* it shows more than was last asked for */

/* ---- kept_traces ---- */

/* Traces that the user left for another one: the state in which each was left, and the loaded data of some of them, so
 * that going back costs nothing. The state stays for all of them. Loaded data is freed beyond KEPT_MOST traces and a
 * quarter of the machine's memory, beginning with the trace that was left the longest ago.
 */

#define KEPT_MOST 4

struct session_loaded;
struct trace;

struct kept_trace {
	uint32_t id;                   /* of its run */
	struct settings settings;
	struct history history;
	struct out state;              /* place, view and marks: app_state_write() */
	struct kept_lists lists;
	struct leaving *leaving;       /* owned: what went on of it is still being stopped, and `loaded` is not known; NULL: it is */
	struct session_loaded *loaded; /* owned; NULL: it is read again */
	uint64_t bytes;                /* of memory that it takes, about */
	uint64_t files;                /* files_fingerprint() when they were opened */
};

struct kept_traces {
	struct kept_trace *list;       /* owned; the one left last is the last */
	uint32_t count;
	size_t room;
	uint64_t most_bytes;           /* of what is loaded, all together */
};

void kept_traces_init(struct kept_traces *k);
void kept_traces_release(struct kept_traces *k);

/* Takes over what the trace holds, also without memory for it. */
void kept_traces_put(struct kept_traces *k, const struct kept_trace *trace);
struct kept_trace *kept_traces_find(const struct kept_traces *k, uint32_t id); /* NULL: it was not left yet */
void kept_traces_drop(struct kept_traces *k, uint32_t id);
/* What is loaded, for the caller, which waits for the end of what went on of it; NULL: nothing is, or the files are
 * others by now. */
struct session_loaded *kept_trace_take(struct kept_trace *trace, uint64_t files);

/* For a loaded trace, with what is made of it; twice: it is loaded with other times, too. */
uint64_t kept_trace_bytes(const struct trace *t, bool twice);

/* Tells files from what they become when somebody writes to them, by size, time and inode. */
uint64_t files_fingerprint(const char *const *paths, uint32_t count);

/* ---- app ---- */

/* The workbench as a machine: keys and news in, a canvas out. No terminal in here; tui.c and plain.c are the two ways
 * to drive it.
 *
 *     app_init(&a, options, &e);
 *     app_resize(&a, 80, 24);
 *     loop: app_news(&a) when session_fd() is readable, app_key(&a, key) for each key, then app_draw(&a)
 *     app_release(&a);
 *
 * Its state has parts: shell and workspace, history, the runs that the open trace is one of (tui/model/run_list.h),
 * models (tui/model/models.h), a study (tui/model/open_study.h), traces that could be opened (tui/model/model.h), those
 * that were left (kept_traces) and the tutorial (tui/panes/panes.h); the last six outlive the trace. Without a trace
 * there are models or a study alone. app.c hands actions on, and draw.c lays the screen out; the other parts carry
 * actions and commands out.
 */

#define APP_MIN_W 40
#define APP_MIN_H 10

struct app {
	struct shell shell;
	struct workspace work;
	struct history history;
	struct runs runs;
	struct models models;
	struct open_study study;
	struct tutorial tutorial;
	struct picker picker;
	struct kept_traces kept;
};

enum err_code app_init(struct app *a, const struct tui_options *o, struct err *e);
void app_release(struct app *a);
/* Another of the runs as the open trace: as it was left, or as if pas2p had been started on it. APP_NO_RUN: the open
 * one goes from among them, and the first of the others is opened, if there is one. After an error there is none, and
 * app_release() is next. */
#define APP_NO_RUN UINT32_MAX
enum err_code app_reopen(struct app *a, uint32_t run, struct err *e);
void app_resize(struct app *a, int w, int h);
void app_news(struct app *a);
void app_input(struct app *a, const struct input_event *ev); /* whatever comes from a terminal */
void app_key(struct app *a, uint32_t key);
void app_interrupt(struct app *a); /* Ctrl-C */
void app_act(struct app *a, enum action action);
void app_draw(struct app *a);

/* The place and title of a tab in the row of tabs. If there is no room for all titles, those of hidden views are
 * shortened or left out. */
struct tab_place {
	int x, w;
	const char *title; /* NULL: only its key */
};
void app_tab_places(const struct app *a, int w, struct tab_place place[VIEW_TABS]);
void app_mouse(struct app *a, int x, int y, int wheel); /* a click, or the wheel: 1 down, -1 up */

/* For commands: say something in the status line; change settings as one undoable step. */
void app_say(struct app *a, enum role role, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void app_settings(struct app *a, const struct settings *s, int gesture);
void app_jump(struct app *a, uint32_t process, uint32_t tick);
void app_show(struct app *a, enum view_id v);
/* How a view's reaction affects places: it leapt from there, or another view must be shown. */
void app_went(struct app *a, struct trace_place from, unsigned reaction);
enum err_code app_goto(struct app *a, const char *name, struct err *e); /* a place as people name it (goto.c) */
void app_show_place(struct app *a); /* the cursor: in the timeline if one is there, otherwise in the grid */

/* Save the screen as text, or as SVG if the path ends so. */
enum err_code app_save_screen(struct app *a, const char *path, struct err *e);

/* ---- spoken ---- */

/* The screen as words, for people who have it read out, or whose terminal can only add lines.
 *
 * Drawings are left out (blocks, lines and braille), an arrow becomes "to", and parts between dots become parts of a
 * sentence. With `ascii` the rest is folded as on an ASCII screen. The text comes from the canvas as app_draw() left
 * it.
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

/* The words of a command line, separated by blanks or in quotes ("my file.csv", 'it'). A word that begins with -- is an
 * option, at any place; after a lone -- no word is an option. */

#define WORDS 32

struct words {
	char text[PROMPT_TEXT + WORDS];
	const char *word[WORDS + 1]; /* NULL after the last */
	int count;
	unsigned options;            /* bits, in the order of those that there are */
};

/* Check the words of the command `name`: it takes `least` to `most` words, described as `arguments`, and options
 * between bars. ERR_USAGE: too few or too many words, no such option, or a quote that does not end. */
enum err_code words_split(struct words *w, const char *line, const char *name, const char *arguments, int least, int most,
			  const char *options, struct err *e);

/* A word as it has to be typed: in quotes if it needs them. False: there is no room. */
bool words_quote(const char *word, char *out, size_t size);

/* ---- changed ---- */

/* Settings that differ from the defaults, for the head of the screen and for the question whether to discard them.
 * Without this, a user who does not notice remembered or changed thresholds would take the values for those of the
 * plain command.
 */

/* How many there are, and as many of them as `room` columns hold, then how many more: "volume 7.0 %, events 65.0 %".
 * "": there is no room for the first. */
uint32_t changed_settings(const struct settings *s, const struct settings *usual, int room, char *text, size_t size);

/* Of the open trace, against those that pas2p was started with: "changed: events 65.0 %". Times that are corrected have
 * a mark of their own, and what has no effect needs none. "": there is none. */
void app_changed_title(const struct app *a, int room, char *text, size_t size);

/* The options of pas2p phases that make them: " --events 0.65". Returns false: they are too many to be typed. */
bool app_changed_options(const struct app *a, char *text, size_t size);

/* ---- corrected ---- */

/* Corrected times (docs/explain/clocks-bounds.md, "Correction"): saying so at the head of the screen, and writing the
 * trace with them to a file, in the background. */

/* "corrected: linear + clc, largest shift 8.2 us", or as much of it as has room; "" while times are as recorded. */
void app_corrected_title(const struct app *a, int room, char *text, size_t size);

/* They are wanted, and not shown yet. */
bool app_correcting(const struct app *a);

void app_ask_corrected(struct app *a); /* where to */
enum err_code app_can_correct(const struct app *a, struct err *e); /* ERR_USAGE: there is no trace */
/* Begins it; force: in place of a file that is there, but never of the trace's own. What came of it is said by
 * app_corrected_news(). */
enum err_code app_write_corrected(struct app *a, const char *path, bool force, struct err *e);
void app_corrected_news(struct app *a);
bool app_corrected_stop(struct app *a);             /* Esc: leave it; false: nothing is being written */
bool app_corrected_busy(const struct app *a);
double app_corrected_part(const struct app *a);     /* of it, 0 to 1 */

/* ---- inputs ---- */

/* What the workbench reads stays (core/formats/inputs.h). */

/* ERR_USAGE: what is at that path is open, or a part of what is: the trace, other runs, results, models with what
 * they include, a machine, measurements, a study and its runs, the script. */
enum err_code app_refuse_open(const struct app *a, const char *path, struct err *e);
/* Or a config file, which only settings are saved to. */
enum err_code app_refuse_inputs(const struct app *a, const char *path, struct err *e);

/* ---- iterations ---- */

/* Going to an iteration of the main loop: by its number, to the next that stands out, and one after another. */

void app_ask_iteration(struct app *a); /* in a prompt */
enum err_code app_can_iterate(const struct app *a, struct err *e); /* ERR_USAGE: there is none */
/* The text of the prompt: a number from 1, or nothing for the next outlier. */
enum err_code app_iteration(struct app *a, const char *text, struct err *e);
void app_next_iteration(struct app *a, int direction);

/* ---- models ---- */

/* Models beside or without a trace: opening their files, input, and writing. */

/* What the command line gives. ERR_IO, ERR_FORMAT, ERR_USAGE: one of it is wrong. */
enum err_code app_models_begin(struct app *a, const struct tui_options *o, struct err *e);
void app_models_news(struct app *a);
const char *app_models_title(const struct app *a); /* of the header, if there is no trace */

enum err_code app_models_open(struct app *a, const char *const *paths, int count, struct err *e);
enum err_code app_models_machine(struct app *a, const char *path, struct err *e);
enum err_code app_models_measured(struct app *a, const char *path, struct err *e);
enum err_code app_models_vary(struct app *a, const char *text, struct err *e);
void app_models_ask(struct app *a); /* a value of the selected slider */

/* The fits as functions that models include, where a fit is selected; otherwise what the program takes where the
 * sliders are. ERR_USAGE: there is neither, or the file is there already. */
enum err_code app_models_write(struct app *a, const char *path, bool force, struct err *e);

/* ---- open ---- */

/* Opening traces beside those that are open, and going from one to another. */

enum err_code app_open_begin(struct app *a, const struct tui_options *o, struct err *e);
void app_open_news(struct app *a);
bool app_open_alone(const struct app *a); /* the list of traces is shown, and there is nothing to go back to */

/* Files are added to the runs, and the first of them is opened; a folder is shown, to choose from. */
enum err_code app_open_files(struct app *a, const char *const *paths, uint32_t count, struct err *e);
void app_open_selected(struct app *a); /* the row under the cursor */
void app_open_next(struct app *a, int by); /* 1 or -1: another of the runs */

/* What was opened so cannot be read: back to the trace before, or to the list of traces. False: neither is there. */
bool app_open_failed(struct app *a, const struct err *why);

/* The open trace is left, and kept: its workspace ends. */
void app_open_leave(struct app *a);

/* Which of the open traces it is, from 1, and how many there are. False: there are no two. */
bool app_open_place(const struct app *a, uint32_t *place, uint32_t *of);

/* ---- palette ---- */

/* The palette, above the prompt of commands: it lists the commands that the typed text may become, with key and
 * meaning; after the name of a command, its arguments and their values. Every action can be reached by its name or by a
 * word of its meaning.
 *
 * Order: names that begin with the text, then names that contain it, then those whose meaning contains it; each in the
 * order of the tables. Tab goes through them in that order (prompt).
 */

struct palette_entry {
	const char *name, *arguments, *help;
	enum action action;    /* ACTION_NONE: a command that is more than an action */
};

/* The nth entry that `typed`, a name or part of one, may become. False: there is none. */
bool palette_entry(const char *typed, int nth, struct palette_entry *entry);

/* In the lowest rows of `above`, as many as are needed and at most half of them. */
void palette_draw(const struct app *a, struct pane above);

/* ---- plain ---- */

/* The workbench by lines, without a screen: what --plain is. For screen readers, terminals that can only add text, and
 * pipes.
 *
 * Each line of standard input is keys by name, a command or a word (see plain_help()). Changes are printed as lines of
 * plain text, which are never overwritten. Input is by lines instead of single keys, since the terminal then echoes and
 * edits the text itself, which screen readers follow, and since a pipe has only lines.
 */

/* Until Q or the end of the input; ascii: say nothing else. Returns the exit status. */
int plain_run(struct app *a, bool ascii);

/* ---- plain_input ---- */

/* Standard input line by line, and Ctrl-C, which interrupts the wait for a line as it does the wait for work.
 *
 *     plain_input_init(&in);
 *     plain_input_wait(fd, milliseconds);    until the descriptor is readable: true: Ctrl-C was typed
 *     plain_input_line(&in, &line);          the next line, without its end; valid until the next call
 *     plain_input_release(&in);              Ctrl-C ends the program again
 *
 * One at a time: signals are the process's.
 */

struct plain_input {
	struct sigaction before;
	char *text;          /* owned: what has been read */
	size_t room, len, at; /* of it, lines up to `at` were given */
	bool ended;
};

enum plain_line { PLAIN_LINE, PLAIN_INTERRUPTED, PLAIN_END };

void plain_input_init(struct plain_input *in);
void plain_input_release(struct plain_input *in);
bool plain_input_wait(int fd, int milliseconds);
enum plain_line plain_input_line(struct plain_input *in, char **line);

/* ---- prompt ---- */

/* What is typed at the foot of the screen, and the commands among it. */

/* The prompt: a key for it, and opening it for a knob's value or the phase table's path. */
void app_prompt_key(struct app *a, uint32_t key);
void app_ask_value(struct app *a);
enum err_code app_can_turn(const struct app *a, struct err *e); /* ERR_USAGE: the view in front has no knob for it */
void app_ask_path(struct app *a);

/* What stands after a colon. ERR_OK, or what is wrong with it. */
enum err_code command_run(struct app *a, const char *line, struct err *e);
bool command_complete(void *app, const char *typed, int nth, char *out, size_t size);

/* Write the phase table to a path, `~` understood; asks before overwriting unless told. */
enum err_code app_write_table(struct app *a, const char *path, bool overwrite, struct err *e);

void app_full_path(const char *path, char *full, size_t size); /* with `~/` understood */
void app_make_directories(const char *path);                   /* those above it */

/* Keys that ask for text. Each opens its prompt wherever it is pressed. If the prompt cannot be used there, it says so
 * and still takes the text: otherwise, if you type a key and a name in one go, the name would run as keys.
 */

/* Open the prompt of an action. False: it asks for nothing. */
bool app_ask(struct app *a, enum action action);
/* That of a key which has no meaning here, and elsewhere none but to ask. False: it has another. */
bool app_ask_by_key(struct app *a, uint32_t key);
/* Enter in a prompt that cannot be used: it closes and says why. False: it can be used. */
bool app_ask_refused(struct app *a);

/* ---- results ---- */

/* Background results about a trace: results of a run, and what a signature would measure. */

/* Results of a run: those of the command line, one that is asked for, the next one, its settings. */
enum err_code app_results_open(struct app *a, struct err *e);
enum err_code app_result(struct app *a, const char *path, struct err *e);
void app_result_next(struct app *a);
void app_result_settings(struct app *a);
void app_results_news(struct app *a);

/* What a signature would measure: of a new analysis, and once it is known. */
void app_measure_ask(struct app *a);
void app_measure_news(struct app *a);

/* ---- runs ---- */

/* Runs beside the open trace: those of the command line, more of them, fewer, and another one as the open trace. */

struct settings;
struct tui_options;

enum err_code app_runs_begin(struct app *a, const struct tui_options *o, struct err *e);
void app_runs_news(struct app *a);

/* Add the runs of these files, and show the view of runs. */
enum err_code app_runs_add(struct app *a, const char *const *paths, uint32_t count, struct err *e);
/* Compare the open run with that of these files, which is added if it is new; of none: with the selected one. Shows the
 * comparison. */
enum err_code app_runs_compare(struct app *a, const char *const *paths, uint32_t count, struct err *e);
/* Take one out: that of a file, NULL: the selected one. */
enum err_code app_runs_remove(struct app *a, const char *path, struct err *e);

void app_runs_open(struct app *a); /* the selected one as the open trace */
/* A run by its index in the list, as the open trace, with these settings (NULL: those that it would begin with); added:
 * it is there to be opened alone, and goes again if it cannot be. False: it is not open, which has been said. */
bool app_runs_open_at(struct app *a, uint32_t index, bool added, const struct settings *settings);
/* The open trace could not be read, as *why says: the one before it again. False: there was none. */
bool app_runs_back(struct app *a, const struct err *why);

/* ---- script ---- */

/* Scripts: the workbench driven by a file, on a screen in memory. After each key the script waits until the worker
 * is idle, so what follows never depends on speed.
 *
 * A line is one of
 *     # a comment
 *     j j Enter C-r PgDn     keys by name, separated by blanks
 *     "volume"               characters, typed one by one
 *     :set volume 5%         a command, as after a colon
 *     :resize 40x10          the screen's size, from here on
 *     :click 10,4 / :wheel 10,4 / :wheel-up 10,4    the mouse, at column and row from 0
 *     :screen FILE           the screen and its roles go to FILE
 *     :looks FILE            what its roles look like in each theme, on a dark and on a light ground, goes to FILE
 *     :expect TEXT           fails, with a sentence, unless the screen holds TEXT
 */

/* The keys of a line, and characters. ERR_USAGE: one of them is none; those before it were pressed. */
enum err_code script_press(struct app *a, const char *line, struct err *e);

/* Returns the exit status. */
int script_run(struct app *a, const char *path);

/* ---- settings ---- */

/* Settings, many at once or back as they were: presets, A and B, a config file; and marks, set by the same kind
 * of key. */

/* Undo (history.c): from how all is now on; taking a step back, or making it again. */
void app_undo_begin(struct app *a);
void app_undo(struct app *a, bool forward);

/* Ask whether the settings are to be those of a preset, or all the defaults, if any differs; and take them after a y. */
enum err_code app_ask_preset(struct app *a, const char *name, struct err *e);
void app_ask_defaults(struct app *a);
void app_take_offered(struct app *a);

/* A and B, marks, and saving what differs from the defaults ("": to be used from now on). */
void app_pin(struct app *a);
void app_flip(struct app *a);
void app_mark_key(struct app *a, uint32_t letter);
enum err_code app_save_config(struct app *a, const char *path, struct err *e);

/* ---- state ---- */

/* The state of each trace that is kept between visits: see state.c for its content and place. */

struct out;

/* Taken up before the first wish, and written at the end. */
void app_state_load(struct app *a);
void app_state_save(struct app *a);

/* The same in memory, for as long as the workbench is open: all but settings and typed commands, which are kept as they
 * are. False: there is nothing to remember yet, or no memory. */
bool app_state_write(const struct app *a, struct out *o);
void app_state_read(struct app *a, const char *text, size_t size);

/* The place of a file of that name; false: nothing is kept, or there is no such place. */
bool app_state_file(const struct tui_options *o, const char *name, char *path, size_t size);

/* ---- study ---- */

/* A study beside or without a trace: opening it, its keys that concern more than its view. */

/* What the command line gives. ERR_IO, ERR_FORMAT: it cannot be read, or is wrong. */
enum err_code app_study_begin(struct app *a, const struct tui_options *o, struct err *e);
void app_study_news(struct app *a);

enum err_code app_study_open(struct app *a, const char *path, struct err *e);
/* The place that is asked for: "n=14000,p=8". ERR_USAGE: no study is open, or it has no such place. */
enum err_code app_study_ask(struct app *a, const char *text, struct err *e);
/* The phases of the selected run, as the open trace. */
void app_study_open_run(struct app *a);
/* Which of the two views of several runs is meant: if there are no runs but a study's that, and from each the other. */
enum view_id app_study_or_runs(const struct app *a);
bool app_study_alone(const struct app *a); /* it is shown, and there is nothing to go back to */

/* ---- tutorial ---- */

/* The tutorial in the application: `--tutorial`, the command `:tutorial`, and what of its steps a key has done. */

/* Show it, or end it; where it was, it goes on when it is shown again. `step` is a number from 1, or NULL. */
enum err_code app_tutorial(struct app *a, const char *step, struct err *e);
void app_tutorial_end(struct app *a);

/* Continue after an event: an action in a view, or ACTION_NONE for anything else. */
void app_tutorial_see(struct app *a, enum action action, enum view_id from, struct trace_place was);

/* ---- windows ---- */

/* Windows of a planned signature: a plan for a budget, a design of it as settings, and going from window to window; and
 * thresholds that were looked for, as settings. */

/* Show the plan for a budget, "5%", where a checkpoint takes so many seconds to restore, "0.2"; NULL: as before. */
enum err_code app_plan(struct app *a, const char *budget, const char *restore, struct err *e);
void app_plan_taken(struct app *a); /* the model's planned settings become the settings */
void app_tune_taken(struct app *a); /* as above, of thresholds */
void app_next_window(struct app *a);

/* ---- work, export ---- */

/* Rows: searching, filtering, sorting and exporting those of the view in front, and what goes on of that between
 * keys. */

void app_search(struct app *a, bool from_here, bool backwards);
/* ERR_USAGE: the view in front has nothing to search, to filter, to export. */
enum err_code app_can_search(const struct app *a, struct err *e);
enum err_code app_can_filter(const struct app *a, struct err *e);
enum err_code app_can_export(const struct app *a, struct err *e);
void app_say_sorted(struct app *a); /* by which column rows are sorted, and what that is */
bool app_sort(struct app *a, enum action action); /* by the next column that is seen, or the other way round */

/* The work's name (NULL: there is none), and how much of it is done. */
double app_work_progress(struct app *a, const char **what);
bool app_work(struct app *a); /* a slice of what is done between keys, after app_draw(); false: there was none */
void app_settle(struct app *a); /* all of it, and what goes on in the background, to its end, and drawn: for scripts and tests */
bool app_blinks(const struct app *a); /* what is drawn is of before a change, or dimmed until it is there again */
bool app_stop_work(struct app *a); /* Esc: leave it; false: there was none */

/* The rows of the view as a file, its format by its ending; all: without the filter; force: in place of one that is
 * there. */
enum err_code app_export(struct app *a, const char *path, bool all, bool force, struct err *e);
bool app_export_work(struct app *a);           /* a slice of it; false: nothing is being written */
double app_export_part(const struct app *a);   /* of what is being written, 0 to 1 */
void app_export_end(struct app *a);            /* leave it: what is not done is not written */

#endif
