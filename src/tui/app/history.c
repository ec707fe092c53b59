#include <string.h>

#include "app_int.h"

void history_jump(struct history *h, struct trace_place from)
{
	if (h->place_at == HISTORY_PLACES) {
		memmove(h->places, h->places + 1, (HISTORY_PLACES - 1) * sizeof *h->places);
		h->place_at--;
	}
	h->places[h->place_at++] = from;
	h->place_n = h->place_at;
}

static void places_swap(struct trace_place *a, struct trace_place *b)
{
	struct trace_place was = *a;

	*a = *b;
	*b = was;
}

bool history_back(struct history *h, struct trace_place *cursor)
{
	if (!h->place_at)
		return false;
	places_swap(&h->places[--h->place_at], cursor);
	return true;
}

bool history_forward(struct history *h, struct trace_place *cursor)
{
	if (h->place_at == h->place_n)
		return false;
	places_swap(&h->places[h->place_at++], cursor);
	return true;
}

void history_record_filter(struct history *h, enum view_id id, const char *pattern)
{
	struct look look = h->undo.list[h->undo.at].look;

	if (strlen(pattern) >= sizeof look.filter || (look.filter_view == (int)id && !strcmp(look.filter, pattern)))
		return;
	look.filter_view = (int)id;
	memcpy(look.filter, pattern, strlen(pattern) + 1);
	undo_record_look(&h->undo, &look, -1);
}

void history_pin(struct history *h, const struct settings *s, const struct summary *figures)
{
	h->pinned = true;
	h->pin_side = 0;
	h->pin[0] = h->pin[1] = *s;
	h->pin_summary[0] = h->pin_summary[1] = *figures;
}

bool history_flip(struct history *h, const struct settings *s, const struct summary *figures)
{
	int here = h->pin_side || !settings_equal(s, &h->pin[0]);

	h->pin[here] = *s;
	h->pin_summary[here] = *figures;
	if (settings_equal(&h->pin[0], &h->pin[1]))
		return false;
	h->pin_side = !here;
	return true;
}

/* Undo of changes other than settings: the look of views, filters of lists. */

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
