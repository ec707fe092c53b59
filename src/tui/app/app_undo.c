/* What can be undone beside settings: how views look, filters of lists. */
#include <string.h>

#include "app.h"

void app_undo_begin(struct app *a)
{
	struct look look = {0};

	for (int id = 0; id < VIEWS; id++)
		look.views[id] = view_look(a->views[id]);
	undo_init(&a->undo, &a->model.settings, &look);
}

void app_record_filter(struct app *a, const char *pattern)
{
	struct look look = a->undo.list[a->undo.at].look;

	if (strlen(pattern) >= sizeof look.filter || (look.filter_view == (int)a->here && !strcmp(look.filter, pattern)))
		return;
	look.filter_view = (int)a->here;
	memcpy(look.filter, pattern, strlen(pattern) + 1);
	undo_record_look(&a->undo, &look, -1);
}

static void set_filter(struct app *a, int which, const char *pattern)
{
	struct view *v = a->views[which];
	const struct row_source *rows = v->ops->rows ? v->ops->rows(v) : NULL;
	struct err e;

	if (rows && list_filter(view_list(v), rows, v, pattern, &e))
		app_say(a, ROLE_ERROR, "%s", e.text);
}

void app_undo(struct app *a, bool forward)
{
	struct look was = a->undo.list[a->undo.at].look;
	const struct undo_step *step = forward ? undo_forward(&a->undo) : undo_back(&a->undo);

	if (!step) {
		app_say(a, ROLE_DIM, "Nothing to %s.", forward ? "redo" : "undo");
		return;
	}
	for (int id = 0; id < VIEWS; id++)
		if (a->views[id]->ops->set_look && step->look.views[id].known)
			a->views[id]->ops->set_look(a->views[id], &step->look.views[id]);
	if (was.filter_view != step->look.filter_view || strcmp(was.filter, step->look.filter)) {
		if (was.filter_view != step->look.filter_view)
			set_filter(a, was.filter_view, "");
		set_filter(a, step->look.filter_view, step->look.filter);
	}
	if (settings_equal(&step->settings, &a->model.settings))
		return;
	a->before = a->panel.now;
	a->panel.other = NULL;
	a->model.settings = step->settings;
	app_want(a);
}
