/* What is worked on: the trace's session, the model with the results beside the trace, the views of it and which of
 * them is in front, and what goes on behind the screen. */
#ifndef PAS2P_TUI_WORKSPACE_H
#define PAS2P_TUI_WORKSPACE_H

#include <stdbool.h>

#include "kept_lists.h"
#include "tui.h"
#include "tui/jobs/background.h"
#include "tui/jobs/session.h"
#include "tui/model/model.h"
#include "tui/views/view.h"

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
	uint64_t files_seen;            /* which bytes the trace's files had when they were opened (kept_traces.h) */
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
