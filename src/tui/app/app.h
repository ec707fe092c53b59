/* The workbench as a machine: keys and news in, a canvas out. No terminal in here; term.h and script.h are the two
 * ways to drive it.
 *
 *     app_init(&a, options, &e);
 *     app_resize(&a, 80, 24);
 *     loop: app_news(&a) when session_fd() is readable, app_key(&a, key) for each key, then app_draw(&a)
 *     app_release(&a);
 *
 * Its state has parts, each with a header of its own: shell.h, workspace.h, history.h, the runs that the open trace is
 * one of (tui/model/run_list.h), models (tui/model/models.h), a study (tui/model/open_study.h), traces that could be
 * opened (tui/model/picker.h), those that were left (kept_traces.h) and the tutorial (tui/panes/tutorial.h); the latter
 * six outlive it. Without a trace there are models or a study alone. app.c hands actions on, and
 * app_draw.c lays the screen out; what an action or a command comes to is in the other app_*.h.
 */
#ifndef PAS2P_TUI_APP_H
#define PAS2P_TUI_APP_H

#include "tui/screen/input.h"
#include "history.h"
#include "kept_traces.h"
#include "shell.h"
#include "tui/model/models.h"
#include "tui/model/open_study.h"
#include "tui/model/picker.h"
#include "tui/model/run_list.h"
#include "tui/panes/tutorial.h"
#include "workspace.h"

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

/* Where a tab stands in the row of tabs, and what it is called there. Where there is no room for all titles, those of
 * the views that are not shown are brief, or left out. */
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
/* What a view's reaction says of places: it leapt from there, another view is to be shown. */
void app_went(struct app *a, struct trace_place from, unsigned reaction);
enum err_code app_goto(struct app *a, const char *name, struct err *e); /* a place as people name it (goto.c) */
void app_show_place(struct app *a); /* the cursor: in the timeline if one is there, else in the grid */

/* Save the screen as text, or as SVG if the path ends so. */
enum err_code app_save_screen(struct app *a, const char *path, struct err *e);

#endif
