/* Models: programs as models, their functions, and fits of measurements. */
#include "models_int.h"

#include <stdio.h>
#include <string.h>

#include "tui/screen/glyphs.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/widgets.h"

#define PAGE_LEAST_W 40
#define LEFT_W 34        /* list and panel on the left */
#define PANEL_W 44       /* at the right edge, on a wide screen */
#define WIDE (LEFT_W + PANEL_W + 70)
#define STRIP_H 8

static struct models_view *self(struct view *v)
{
	return (struct models_view *)v;
}

static void open_models(struct view *v)
{
	list_init(&self(v)->view.list);
	self(v)->rows_serial = UINT64_MAX;
}

static void close_models(struct view *v)
{
	models_fit_release(self(v));
}

static const struct hint hints[] = {
	{ACTION_MODELS_PAGE, ACTION_NONE, "page"},
	{ACTION_DETAIL_DOWN, ACTION_DETAIL_UP, "scroll"},
	{ACTION_KNOB_DOWN, ACTION_KNOB_UP, "change"},
	{ACTION_KNOB_DOWN_COARSE, ACTION_KNOB_UP_COARSE, "coarse"},
	{ACTION_KNOB_PREVIOUS, ACTION_KNOB_NEXT, "parameter"},
	{ACTION_KNOB_TYPE, ACTION_NONE, "type"},
	{ACTION_MEASURE, ACTION_NONE, "plot T"},
	{ACTION_MODELS_LOG, ACTION_NONE, "log"},
	{ACTION_NEXT_PANE, ACTION_NONE, "pane"},
	{ACTION_UNDO, ACTION_NONE, "undo"},
	{ACTION_EXPORT, ACTION_NONE, "export"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

/* --- what stands where --- */

static void models_lay_out(struct models_view *s, int w, int h)
{
	bool wide = w >= WIDE;
	int left = w >= LEFT_W + PAGE_LEAST_W ? LEFT_W + (w - LEFT_W - PAGE_LEAST_W) / 8 : w / 2,
		rows = (int)s->view.list.shown + 1;
	int wanted = models_panel_rows(s), panel, page, strip;

	left = left > 44 ? 44 : left;
	/* The list gets what it has rows for, up to a third; the panel what it wants of the rest. */
	panel = wide || s->no_panel ? 0 : h - 1 - (rows < h / 3 ? rows : h / 3);
	if (panel > wanted)
		panel = wanted;
	s->list = (struct pane){.x = 0, .y = 0, .w = left, .h = h - (panel ? panel + 1 : 0)};
	s->panel = wide && !s->no_panel ? (struct pane){.x = w - PANEL_W, .y = 0, .w = PANEL_W, .h = h}
		   : (struct pane){.x = 0, .y = h - panel, .w = left, .h = panel};
	page = w - left - 1 - (wide && !s->no_panel ? PANEL_W + 1 : 0);
	strip = models_of(s)->strip ? h >= 2 * STRIP_H + 6 ? STRIP_H + (h - 2 * STRIP_H) / 4 : h >= 14 ? 6 : 0 : 0;
	s->page_pane = (struct pane){.x = left + 1, .y = 1, .w = page, .h = h - 1 - strip};
	s->strip = (struct pane){.x = left + 1, .y = h - strip, .w = page, .h = strip};
}

static void update_models(struct view *v, int w, int h)
{
	struct models_view *s = self(v);
	struct models *m = v->model->models;
	const struct models_row *row = models_selected(m);

	m->graph_wanted = s->page == PAGE_GRAPH || (s->page == PAGE_EXPRESSION && row && row->kind == MODELS_PROGRAM);
	models_work(v->model, true);
	models_list_update(s);
	models_fit_update(s);
	models_lay_out(s, w, h);
	list_fit(&v->list, s->list.h - 1);
}

/* --- drawing --- */

static const char *const page_names[MODELS_PAGES] = {"curve", "residuals", "segments", "graph", "expression"};

static void draw_pages(const struct models_view *s, struct pane p)
{
	int x = 1, gap = p.w < 50 ? 1 : 3;

	for (int i = 0; i < MODELS_PAGES; i++)
		x += pane_text(p, x, 0, (int)s->page == i ? ROLE_TAB_HERE : ROLE_TAB, 0, page_names[i]) + gap;
}

static struct pane models_pane_part(struct pane p, const struct pane *of)
{
	return pane_part(p, of->x, of->y, of->w, of->h);
}

/* What would fill an empty view; or what could not be read. */
static void draw_nothing(const struct models *m, struct pane p)
{
	static const char fills[] = ":model FILE opens a model, functions written by pas2p fit, or measurements (CSV).\n"
				    ":machine FILE sets the target machine.";
	int y = nothing_draw(p, m->readings ? "Nothing to show yet." : "No model is open.", fills);

	for (uint32_t i = 0; i < m->readings; i++)
		pane_text_in(p, 1, y++, p.w - 2, m->reading[i].say[0] ? ROLE_WARN : ROLE_DIM, 0, m->reading[i].say[0] ?
			     m->reading[i].say : "reading…");
	if (m->say[0])
		pane_text_in(p, 1, y, p.w - 2, ROLE_WARN, 0, m->say);
}

static void draw_page(const struct models_view *s, struct pane p)
{
	struct models_view *mutable = (struct models_view *)(uintptr_t)s;

	switch (s->page) {
	case PAGE_CURVE: models_curve_draw(s, p); break;
	case PAGE_RESIDUALS: models_residuals_draw(s, p); break;
	case PAGE_SEGMENTS: mutable->lines = models_segments_draw(s, p); break;
	case PAGE_GRAPH: mutable->lines = models_graph_draw(s, p); break;
	case PAGE_EXPRESSION: mutable->lines = models_expression_draw(s, p); break;
	case MODELS_PAGES: break;
	}
}

static void draw_models(const struct view *v, struct pane p)
{
	const struct models_view *s = (const struct models_view *)v;
	const struct models *m = v->model->models;

	if (!m->rows) {
		draw_nothing(m, p);
		return;
	}
	models_list_draw(s, models_pane_part(p, &s->list));
	pane_vline(p, s->list.w, 0, p.h, GLYPH_VLINE, ROLE_RULE);
	if (s->panel.h && s->panel.y)
		pane_hline(p, 0, s->panel.y - 1, s->list.w, GLYPH_HLINE, ROLE_RULE);
	else if (s->panel.h)
		pane_vline(p, s->panel.x - 1, 0, p.h, GLYPH_VLINE, ROLE_RULE);
	if (s->panel.h)
		models_panel_draw(s, models_pane_part(p, &s->panel));
	draw_pages(s, pane_part(p, s->page_pane.x, 0, s->page_pane.w, 1));
	draw_page(s, models_pane_part(p, &s->page_pane));
	if (s->strip.h)
		models_strip_draw(s, models_pane_part(p, &s->strip));
}

/* --- keys --- */

static void scroll(struct models_view *s, int by)
{
	int last = s->lines - s->page_pane.h;

	s->top += by;
	if (s->top > last)
		s->top = last;
	if (s->top < 0)
		s->top = 0;
}

static bool act_page(struct models_view *s, enum action a)
{
	int page = s->page_pane.h > 1 ? s->page_pane.h - 1 : 1;

	switch (a) {
	case ACTION_UP: scroll(s, -1); break;
	case ACTION_DOWN: scroll(s, 1); break;
	case ACTION_PAGE_UP: scroll(s, -page); break;
	case ACTION_PAGE_DOWN: scroll(s, page); break;
	case ACTION_HALF_UP: scroll(s, -page / 2); break;
	case ACTION_HALF_DOWN: scroll(s, page / 2); break;
	case ACTION_FIRST: s->top = 0; break;
	case ACTION_LAST: scroll(s, s->lines); break;
	case ACTION_LEFT: s->left -= s->left > 0; break;
	case ACTION_RIGHT: s->left += s->page == PAGE_GRAPH && models_of(s)->graphed &&
		s->left + 1 < (int)models_of(s)->graphed->graph.column_count; break;
	default: return false;
	}
	return true;
}

static bool act_panel(struct models_view *s, enum action a)
{
	struct models *m = s->view.model->models;

	switch (a) {
	case ACTION_UP: models_select_knob(m, -1); return true;
	case ACTION_DOWN: models_select_knob(m, 1); return true;
	case ACTION_FIRST: models_turn(m, -10000, true); return true;
	case ACTION_LAST: models_turn(m, 10000, true); return true;
	default: return false;
	}
}

/* Turning works wherever the keys are. */
static bool act_knobs(struct models_view *s, enum action a)
{
	struct models *m = s->view.model->models;

	switch (a) {
	case ACTION_KNOB_DOWN:
	case ACTION_LEFT: models_turn(m, -1, false); return true;
	case ACTION_KNOB_UP:
	case ACTION_RIGHT: models_turn(m, 1, false); return true;
	case ACTION_KNOB_DOWN_COARSE:
	case ACTION_PAGE_LEFT: models_turn(m, -1, true); return true;
	case ACTION_KNOB_UP_COARSE:
	case ACTION_PAGE_RIGHT: models_turn(m, 1, true); return true;
	case ACTION_KNOB_NEXT: models_select_knob(m, 1); return true;
	case ACTION_KNOB_PREVIOUS: models_select_knob(m, -1); return true;
	default: return false;
	}
}

static unsigned models_undo_change(struct models_view *s, bool again)
{
	struct model *m = s->view.model;

	if (!models_undo(m->models, again)) {
		snprintf(m->message, sizeof m->message, again ? "Nothing to redo." : "Nothing to undo.");
		return REACT_DONE;
	}
	list_select(&s->view.list, m->models->selected_row);
	return REACT_DONE;
}

static void next_page(struct models_view *s, int by)
{
	s->page = (enum models_page)(((int)s->page + MODELS_PAGES + by) % MODELS_PAGES);
	s->top = s->left = 0;
}

static unsigned act_models(struct view *v, enum action a)
{
	struct models_view *s = self(v);
	struct models *m = v->model->models;

	if (!m->rows)
		return REACT_IGNORED;
	if ((s->focus == FOCUS_PAGE && act_page(s, a)) || (s->focus == FOCUS_PANEL && act_panel(s, a)) || act_knobs(s, a))
		return REACT_DONE;
	if (list_act(&v->list, a)) {
		s->top = s->left = 0;
		m->gesture = false;
		return REACT_DONE;
	}
	switch (a) {
	case ACTION_DETAIL_UP: scroll(s, -1); return REACT_DONE;
	case ACTION_DETAIL_DOWN: scroll(s, 1); return REACT_DONE;
	case ACTION_MODELS_PAGE: next_page(s, 1); return REACT_DONE;
	case ACTION_MODELS_PAGE_BACK: next_page(s, -1); return REACT_DONE;
	case ACTION_MODELS_LOG: s->log = !s->log; return REACT_DONE;
	case ACTION_PANEL: s->no_panel = !s->no_panel; return REACT_DONE;
	case ACTION_MEASURE: m->strip = !m->strip; return REACT_DONE;
	case ACTION_NEXT_PANE:
		s->focus = (enum models_focus)((s->focus + 1) % MODELS_FOCUSES);
		snprintf(v->model->message, sizeof v->model->message, "Up and down keys: %s.", s->focus == FOCUS_LIST ? "the list" :
			 s->focus == FOCUS_PANEL ? "the parameters" : "the page");
		return REACT_DONE;
	case ACTION_UNDO: return models_undo_change(s, false);
	case ACTION_REDO: return models_undo_change(s, true);
	case ACTION_ENTER:
	case ACTION_KNOB_TYPE: return m->knobs ? REACT_DONE | REACT_ACCEPT : REACT_IGNORED;
	case ACTION_BACK:
		if (s->focus == FOCUS_LIST)
			return REACT_IGNORED;
		s->focus = FOCUS_LIST;
		return REACT_DONE;
	default: return REACT_IGNORED;
	}
}

static void status_models(const struct view *v, char *text, size_t size, int room)
{
	const struct models *m = v->model->models;
	const struct models_row *row = models_selected(m);
	(void)room;

	text[0] = 0;
	if (!row)
		return;
	if (row->kind == MODELS_FIT && m->fit[row->index].say[0])
		snprintf(text, size, "%s", m->fit[row->index].say);
	else if (m->say[0])
		snprintf(text, size, "%s", m->say);
	else if (row->kind == MODELS_PROGRAM)
		snprintf(text, size, "%s%s%s · T: lower bound of the run time", m->program->path, m->program->machine_path ?
			 " on " : "",
			 m->program->machine_path ? m->program->machine_path : "");
	else if (row->kind == MODELS_FIT)
		snprintf(text, size, "%s", m->fit[row->index].file->path);
	else
		snprintf(text, size, "%s", row->kind == MODELS_MESSAGES ? m->program->machine_path : m->program->path);
}

static const struct row_source *rows_models(const struct view *v)
{
	return v->model->models->rows ? models_list_source() : NULL;
}

static struct pane list_pane(const struct view *v, struct pane p)
{
	return models_pane_part(p, &((const struct models_view *)v)->list);
}

const struct view_ops view_models = {
	.size = sizeof(struct models_view),
	.hints = hints,
	.early = 1,
	.knobs = true,
	.open = open_models,
	.close = close_models,
	.update = update_models,
	.draw = draw_models,
	.act = act_models,
	.status = status_models,
	.rows = rows_models,
	.value = models_list_value,
	.list_pane = list_pane,
};

/* The page of the program's graph: a column for each class of processes, time downwards, the critical path marked. */

int models_graph_draw(const struct models_view *s, struct pane p)
{
	const struct models *m = models_of(s);
	const struct graph *g = m->graphed ? &m->graphed->graph : NULL;
	int seen, w, left = s->left;
	char text[80];

	if (!m->program || !m->program->model.program) {
		models_say(p, ROLE_DIM, "A graph needs a program; :model FILE opens one.");
		return 0;
	}
	if (!g || !g->column_count) {
		models_say(p, m->say[0] ? ROLE_WARN : ROLE_DIM, m->say[0] ? m->say : m->now.known && models_current(m) ?
			   "Too many processes for a graph; lower p." : "…");
		return 0;
	}
	seen = (int)graph_cells_columns(g, p.w, &w);
	if (left > (int)g->column_count - seen)
		left = (int)g->column_count - seen;
	graph_cells_draw(g, p, (uint32_t)left, (uint32_t)s->top);
	if (seen < (int)g->column_count) {
		snprintf(text, sizeof text, "classes %d - %d of %u", left + 1, left + seen, (unsigned)g->column_count);
		pane_text_right(p, p.w - 1, p.h - 1, ROLE_WARN, 0, text);
	}
	return (int)g->rows + 1;
}
