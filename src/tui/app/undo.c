/* What can be undone beside settings: how views look, filters of lists. */
#include <string.h>

#include "app_int.h"

void app_undo_begin(struct app *a)
{
	struct look look = {0};

	for (int id = 0; id < VIEWS; id++)
		look.views[id] = view_look(a->work.views[id]);
	undo_init(&a->history.undo, &a->work.model.settings, &look);
}

static void set_filter(struct app *a, int which, const char *pattern)
{
	struct view *v = a->work.views[which];
	const struct row_source *rows = v->ops->rows ? v->ops->rows(v) : NULL;
	struct err e;

	if (rows && list_filter(view_list(v), rows, v, pattern, &e))
		app_say(a, ROLE_ERROR, "%s", e.text);
}

void app_undo(struct app *a, bool forward)
{
	struct look was = a->history.undo.list[a->history.undo.at].look;
	const struct undo_step *step = forward ? undo_forward(&a->history.undo) : undo_back(&a->history.undo);

	if (!step) {
		app_say(a, ROLE_DIM, "Nothing to %s.", forward ? "redo" : "undo");
		return;
	}
	for (int id = 0; id < VIEWS; id++)
		if (a->work.views[id]->ops->set_look && step->look.views[id].known &&
		    (!was.views[id].known || look_differs(&was.views[id], &step->look.views[id])))
			a->work.views[id]->ops->set_look(a->work.views[id], &step->look.views[id]);
	if (was.filter_view != step->look.filter_view || strcmp(was.filter, step->look.filter)) {
		if (was.filter_view != step->look.filter_view)
			set_filter(a, was.filter_view, "");
		set_filter(a, step->look.filter_view, step->look.filter);
	}
	if (settings_equal(&step->settings, &a->work.model.settings))
		return;
	a->history.before = a->shell.panel.now;
	a->shell.panel.other = NULL;
	a->work.model.settings = step->settings;
	workspace_want(&a->work);
}
