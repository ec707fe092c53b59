/* Work on lists, and what is done between keys, a slice at a time, so that no key waits: sorting, filtering and
 * searching long lists, searching the grid, figures of rows that take long, and writing rows to a file. */
#include "app_int.h"


#define SLICE_MS 8

/* The grid has events alone; whoever looks for another call is told where those are. */
static void say_nothing_found(struct app *a)
{
	char key[16];

	if (a->work.here == VIEW_GRID)
		app_say(a, ROLE_WARN, "No event matches; search all calls in the timeline (%s).",
			keymap_first(&a->shell.keymap, ACTION_TIMELINE, key));
	else
		app_say(a, ROLE_WARN, "No match.");
}

static bool say_failure(struct app *a, struct list *l)
{
	if (!l->failure.code)
		return false;
	app_say(a, ROLE_ERROR, "%s", l->failure.text);
	l->failure.code = ERR_OK;
	return true;
}

/* Where that leads elsewhere, as a key would. */
static bool work_view(struct app *a, struct view *v)
{
	struct trace_place from = a->work.model.cursor;
	unsigned reaction = v->ops->work(v, SLICE_MS);

	app_went(a, from, reaction);
	return reaction != REACT_IGNORED;
}

bool app_work(struct app *a)
{
	struct view *v = workspace_front(&a->work);
	struct list *l = view_list(v);
	bool searching = l->found == LIST_SEARCHING;
	/* Without rows the list's are not those that the work was begun with. */
	bool did = l->task && v->ops->rows && v->ops->rows(v);

	if (did)
		list_work(l, SLICE_MS);
	else if (v->ops->work)
		did = work_view(a, v);
	if (searching && l->found == LIST_NOT_FOUND)
		say_nothing_found(a);
	did = say_failure(a, l) || did;
	return app_export_work(a) || did;
}

void app_settle(struct app *a)
{
	struct settings wanted;
	uint32_t open;
	unsigned asked;

	/* A trace that could not be opened gives way to the one before it, and times that could not be corrected to those
	 * recorded. */
	do {
		open = a->runs.open;
		wanted = a->work.model.settings;
		if (!a->work.session)
			return;
		session_wait_idle(a->work.session);
		app_news(a);
	} while (a->runs.open != open || !settings_equal(&wanted, &a->work.model.settings));
	app_draw(a);
	/* What was drawn, or the key, may have asked for work in the background, and that for more. What counts is that
	 * it was asked for: it may be done by now, and is still to be taken. */
	do {
		asked = background_asked(a->work.model.background);
		background_wait_idle(a->work.model.background);
		app_news(a);
		app_draw(a);
	} while (background_asked(a->work.model.background) != asked);
	while (app_work(a))
		;
	app_draw(a);
}

bool app_blinks(const struct app *a)
{
	const struct model *m = &a->work.model;

	return m->busy || a->shell.panel.now.measuring || (m->analysis && !m->structure.failure[0] && !program_structure(m));
}

bool app_stop_work(struct app *a)
{
	struct view *v = workspace_front(&a->work);
	struct list *l = view_list(v);

	if (!l->task && l->found != LIST_SEARCHING) {
		if (!a->work.exporting && a->work.hashing) {
			background_cancel(a->work.model.background, a->work.model.slots.hash);
			return true;
		}
		if (!a->work.exporting)
			return app_corrected_stop(a);
		app_export_end(a);
		app_say(a, ROLE_WARN, "Stopped: nothing was written.");
		return true;
	}
	list_stop(l);
	l->found = LIST_FOUND;
	app_say(a, ROLE_WARN, "Stopped.");
	return true;
}

double app_work_progress(struct app *a, const char **what)
{
	struct view *v = workspace_front(&a->work);
	struct list *l = view_list(v);

	*what = l->found == LIST_SEARCHING ? "searching" : l->task ? "sorting" : a->work.exporting || app_corrected_busy(a) ? "writing" : NULL;
	if (*what && !l->task && l->found != LIST_SEARCHING)
		return a->work.exporting ? app_export_part(a) : app_corrected_part(a);
	return l->task || !v->ops->progress ? list_progress(l) : v->ops->progress(v);
}

bool app_sort(struct app *a, enum action action)
{
	struct view *v = workspace_front(&a->work);
	const struct row_source *rows = workspace_rows(&a->work);
	struct pane p = v->ops->list_pane ? v->ops->list_pane(v, a->shell.view_pane) : a->shell.view_pane;
	struct list *l = view_list(v);
	bool reverse = action == ACTION_SORT_REVERSE;

	if ((!reverse && action != ACTION_SORT) || !rows || !rows->key)
		return false;
	list_sort(l, rows, v, reverse && l->sort_column >= 0 ? l->sort_column : list_column_after(rows, p.w, l->sort_column),
		  l->descending != reverse);
	app_say_sorted(a);
	return true;
}

void app_say_sorted(struct app *a)
{
	const struct row_source *rows = workspace_rows(&a->work);
	const struct list *l = view_list(workspace_front(&a->work));
	const struct column_look *c = rows && l->sort_column >= 0 ? &rows->columns[l->sort_column] : NULL;
	const char *help = c && rows->help ? rows->help(rows, l->sort_column) : "";

	if (c && *c->title)
		app_say(a, ROLE_DEFAULT, "by %s, %s%s%s", c->title, c->align == LOOK_RIGHT ? l->descending ? "largest first" : "smallest first" :
			l->descending ? "Z to A" : "A to Z", *help ? ": " : "", help);
}

enum err_code app_can_filter(const struct app *a, struct err *e)
{
	bool filters = action_info(ACTION_FILTER)->scope & view_info(a->work.here)->scope;

	return filters && workspace_rows(&a->work) ? ERR_OK : err_set(e, ERR_USAGE, "this view has no rows to filter");
}

enum err_code app_can_search(const struct app *a, struct err *e)
{
	bool searches = workspace_front(&a->work)->ops->find || workspace_rows(&a->work);

	return searches ? ERR_OK : err_set(e, ERR_USAGE, "this view cannot be searched");
}

void app_search(struct app *a, bool from_here, bool backwards)
{
	struct view *v = workspace_front(&a->work);
	const struct row_source *rows = workspace_rows(&a->work);
	struct list *l = view_list(v);
	struct err e;

	if (app_can_search(a, &e)) {
		app_say(a, ROLE_WARN, "%s", e.text);
		return;
	}
	if (!l->search) {
		app_say(a, ROLE_DIM, "No search yet; / starts one.");
		return;
	}
	if (rows)
		list_find(l, rows, v, backwards, from_here);
	else
		v->ops->find(v, backwards, from_here);
	if (l->found == LIST_NOT_FOUND)
		say_nothing_found(a);
	say_failure(a, l);
}
