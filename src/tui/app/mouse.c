/* The mouse: a click selects what is under it, a second one on the same opens it, one on a column's title sorts by it,
 * one on a tab shows the view, one on the run strip goes there; the wheel scrolls. */
#include "app_int.h"

#include <string.h>

#define WHEEL 3

static void click_tabs(struct app *a, int x)
{
	struct tab_place place[VIEW_TABS];

	app_tab_places(a, a->shell.tabs_pane.w, place);
	for (int v = 0; v < VIEW_TABS; v++)
		if (x >= place[v].x && x < place[v].x + place[v].w) {
			app_show(a, (enum view_id)v);
			return;
		}
}

static void click_strip(struct app *a, int x)
{
	uint64_t ticks = model_ticks(&a->work.model);
	int64_t column = x - (a->shell.canvas.w - 1 - a->shell.strip.w);

	if (ticks && column >= 0 && column < a->shell.strip.w)
		app_jump(a, a->work.model.cursor.process, (uint32_t)((uint64_t)column * ticks / (uint64_t)a->shell.strip.w));
}

static void click_list(struct app *a, struct view *v, const struct row_source *rows, int x, int y)
{
	struct pane p = v->ops->list_pane ? v->ops->list_pane(v, a->shell.view_pane) : a->shell.view_pane;
	struct list *l = view_list(v);
	uint32_t place = l->top + (uint32_t)(y - p.y - 1);
	int column;

	if (x < p.x || x >= p.x + p.w || y < p.y || y >= p.y + p.h)
		return;
	if (y == p.y) {
		column = list_column_at(rows, p.w, x - p.x);
		if (column >= 0 && rows->key)
			list_sort(l, rows, v, column, l->sort_column == column ? !l->descending : rows->columns[column].align == LOOK_RIGHT);
	} else if (place == l->cur) {
		app_act(a, ACTION_ENTER);
	} else if (place < l->shown) {
		l->cur = place;
		list_fit(l, l->height);
	}
}

static void click_view(struct app *a, int x, int y)
{
	struct view *v = workspace_front(&a->work);
	const struct row_source *rows = workspace_rows(&a->work);

	if (!v->ops->click) {
		if (rows)
			click_list(a, v, rows, x, y);
	} else if (v->ops->click(v, x - a->shell.view_pane.x, y - a->shell.view_pane.y)) {
		app_act(a, ACTION_ENTER);
	}
}

static bool inside(struct pane p, int x, int y)
{
	return x >= p.x && x < p.x + p.w && y >= p.y && y < p.y + p.h;
}

void app_mouse(struct app *a, int x, int y, int wheel)
{
	if (a->shell.prompt.kind)
		return;
	a->work.model.message[0] = 0;
	a->shell.pending = ACTION_NONE;
	if (wheel) {
		a->shell.panel.focus = inside(a->shell.panel_pane, x, y);
		for (int i = 0; i < (a->shell.panel.focus ? 1 : WHEEL); i++)
			app_act(a, wheel > 0 ? ACTION_DOWN : ACTION_UP);
		return;
	}
	a->shell.panel.focus = inside(a->shell.panel_pane, x, y);
	if (inside(a->shell.tabs_pane, x, y))
		click_tabs(a, x);
	else if (inside(a->shell.strip_pane, x, y))
		click_strip(a, x);
	else if (inside(a->shell.view_pane, x, y))
		click_view(a, x, y);
}
