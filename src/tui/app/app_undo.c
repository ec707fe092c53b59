/* What can be undone beside settings: zoom and layout of the grid, zoom of the timeline, filters of lists. */
#include <math.h>
#include <string.h>

#include "app.h"
#include "tui/views/grid/grid.h"
#include "tui/views/timeline/timeline_view.h"

/* Zoom and layout of the grid, after an action of its own. */
static void record_zoom(struct app *a, int gesture)
{
	const struct grid *g = (const struct grid *)a->views[VIEW_GRID];
	struct look look = a->undo.list[a->undo.at].look;

	if (look.zoom == g->zoom && look.spread == g->spread && look.transposed == g->transposed)
		return;
	look.zoom = g->zoom;
	look.spread = g->spread;
	look.transposed = g->transposed;
	undo_record_look(&a->undo, &look, gesture);
}

static void look_at_timeline(const struct app *a, struct look *look)
{
	const struct timeline_view *s = (const struct timeline_view *)a->views[VIEW_TIMELINE];

	look->timeline_from = s->from;
	look->timeline_span = s->cell * s->cells;
	look->timeline_spread = s->spread;
}

/* Zoom of the timeline, after an action that zooms. Its window moves in other ways too, with the grid's and with the
 * cursor: what is gone back to is the window just before. */
static void record_timeline(struct app *a, const struct look *before, int gesture)
{
	struct look look = a->undo.list[a->undo.at].look;

	look_at_timeline(a, &look);
	if (before->timeline_span <= 0 || (fabs(look.timeline_span - before->timeline_span) <= 1e-9 * before->timeline_span &&
					   look.timeline_spread == before->timeline_spread))
		return;
	if (gesture < 0 || a->undo.gesture != gesture)
		a->undo.list[a->undo.at].look = *before;
	undo_record_look(&a->undo, &look, gesture);
}

struct look app_look(const struct app *a)
{
	struct look look = a->undo.list[a->undo.at].look;

	look_at_timeline(a, &look);
	return look;
}

void app_record_look(struct app *a, const struct look *before, int gesture)
{
	record_zoom(a, gesture);
	if (a->here == VIEW_TIMELINE)
		record_timeline(a, before, gesture);
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
	struct grid *g = (struct grid *)a->views[VIEW_GRID];
	struct look was = a->undo.list[a->undo.at].look;
	const struct undo_step *step = forward ? undo_forward(&a->undo) : undo_back(&a->undo);

	if (!step) {
		app_say(a, ROLE_DIM, "Nothing to %s.", forward ? "redo" : "undo");
		return;
	}
	g->zoom = step->look.zoom;
	g->spread = step->look.spread;
	g->transposed = step->look.transposed;
	if (step->look.timeline_span > 0)
		timeline_set_window((struct timeline_view *)a->views[VIEW_TIMELINE], step->look.timeline_from,
				    step->look.timeline_span, step->look.timeline_spread);
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
