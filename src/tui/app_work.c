/* What is done between keys, a slice at a time, so that no key waits: sorting, filtering and searching long lists,
 * searching the grid, figures of rows that take long, and writing rows to a file. */
#include "app.h"

#define SLICE_MS 8

bool app_work(struct app *a)
{
	struct view *v = a->views[a->here];
	struct list *l = view_list(v);
	bool searching = l->found == LIST_SEARCHING;
	/* Without rows the list's are not those that the work was begun with. */
	bool did = l->job && v->ops->rows && v->ops->rows(v);

	if (did)
		list_work(l, SLICE_MS);
	else if (v->ops->work)
		did = v->ops->work(v, SLICE_MS);
	if (searching && l->found == LIST_NOT_FOUND)
		app_say(a, ROLE_WARN, "Nothing matches.");
	return did || app_export_work(a);
}

bool app_stop_work(struct app *a)
{
	struct view *v = a->views[a->here];
	struct list *l = view_list(v);

	if (!l->job && l->found != LIST_SEARCHING) {
		if (!a->exporting)
			return false;
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
	struct view *v = a->views[a->here];
	struct list *l = view_list(v);

	*what = l->found == LIST_SEARCHING ? "searching" : l->job ? "sorting" : a->exporting ? "writing" : NULL;
	if (*what && !l->job && l->found != LIST_SEARCHING)
		return app_export_part(a);
	return l->job || !v->ops->progress ? list_progress(l) : v->ops->progress(v);
}

void app_search(struct app *a, bool from_here, bool backwards)
{
	struct view *v = a->views[a->here];
	const struct row_source *rows = v->ops->rows ? v->ops->rows(v) : NULL;
	struct list *l = view_list(v);

	if (!rows && !v->ops->find) {
		app_say(a, ROLE_WARN, "There is nothing to search here; the grid and the lists have something.");
		return;
	}
	if (!l->search) {
		app_say(a, ROLE_DIM, "Nothing is being searched for; / starts.");
		return;
	}
	if (rows)
		list_find(l, rows, v, backwards, from_here);
	else
		v->ops->find(v, backwards, from_here);
	if (l->found == LIST_NOT_FOUND)
		app_say(a, ROLE_WARN, "Nothing matches.");
}
