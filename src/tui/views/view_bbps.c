/* The parallel basic blocks by label, and the structure of the selected one as the thesis's table 3.2 has it. */
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/lists/lists.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/units.h"
#include "view.h"

struct bbps_view {
	struct view view;
	uint64_t serial;
	uint32_t *leaders; /* BBP numbers; owned */
	struct bbps_list rows;
	struct drawn_list drawn;
	struct shown_table written;
	uint32_t count;
	uint32_t detail;   /* first process of the structure */
};

static struct bbps_view *self(struct view *v)
{
	return (struct bbps_view *)v;
}

/* Drawn by this view alone. */
enum { B_TICKS = BBP_COLUMNS };

static const struct column_look drawn[] = {
	{.id = BBP_LABEL, .width = 9}, {.id = BBP_WEIGHT, .width = 9}, {.id = BBP_SHARE, .width = 7, .priority = 2},
	{.id = BBP_COMPUTE, .width = 8}, {"ticks", "ticks", LOOK_RIGHT, .width = 19, .priority = 3, .id = B_TICKS},
};

static const struct bbps *blocks(const struct bbps_view *s)
{
	return s->view.model->analysis ? s->view.model->analysis->bbps : NULL;
}

static double key(const void *ctx, uint32_t row, int column)
{
	const struct bbps_view *s = ctx;

	return drawn[column].id == B_TICKS ? s->leaders[row] : drawn_key(&s->drawn, &s->rows, row, column);
}

static void field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct bbps_view *s = ctx;
	uint32_t label = s->leaders[row];
	char a[UNIT_TEXT], b[UNIT_TEXT];

	if (drawn[column].id == B_TICKS) {
		snprintf(f->text, sizeof f->text, "%s – %s", unit_count(a, label - 1), unit_count(b, label));
		f->role = ROLE_DIM;
		return;
	}
	drawn_field(&s->drawn, &s->rows, row, column, f);
	if (drawn[column].id == BBP_COMPUTE && !f->text[0])
		strcpy(f->text, "-");
	if (drawn[column].id == BBP_LABEL)
		f->attr = ATTR_BOLD;
}

static void open_bbps(struct view *v)
{
	struct drawn_list *d = &self(v)->drawn;

	drawn_list_init(d, &bbps_columns, drawn, sizeof drawn / sizeof *drawn, field, key);
	v->list.sort_column = drawn_place(d, BBP_WEIGHT);
	v->list.descending = true;
}

static void close_bbps(struct view *v)
{
	mem_free(self(v)->leaders);
}

static bool bbps_collect_leaders(struct bbps_view *s)
{
	const struct bbps *b = blocks(s);
	uint32_t *leaders = mem_resize(s->leaders, b->label_count, sizeof *leaders);

	if (!leaders)
		return false;
	s->leaders = leaders;
	s->count = 0;
	for (uint32_t i = 1; i <= b->count && s->count < b->label_count; i++)
		if (b->weight[i])
			leaders[s->count++] = i;
	s->rows = (struct bbps_list){.analysis = s->view.model->analysis, .leaders = leaders};
	return true;
}

/* Side by side if there is room, otherwise the structure below the list. */
static struct pane list_pane(struct pane p)
{
	return p.w >= 78 ? pane_part(p, 0, 0, p.w >= 100 ? 64 : 31, p.h) : pane_part(p, 0, 0, p.w, (p.h + 1) / 2);
}

static struct pane detail_pane(struct pane p)
{
	struct pane l = list_pane(p);

	return p.w >= 78 ? pane_part(p, l.w, 0, p.w - l.w, p.h) : pane_part(p, 0, l.h, p.w, p.h - l.h);
}

static void update_bbps(struct view *v, int w, int h)
{
	struct bbps_view *s = self(v);
	struct pane all = {NULL, 0, 0, w, h};

	if (!blocks(s))
		return;
	if (s->serial != v->model->serial) {
		uint32_t keep = list_row(&v->list), label = keep < s->count ? s->leaders[keep] : 0;

		if (!bbps_collect_leaders(s))
			return;
		s->serial = v->model->serial;
		for (keep = 0; keep < s->count && s->leaders[keep] < label; keep++)
			;
		list_refresh(&v->list, &s->drawn.source, s, s->count, label ? keep : UINT32_MAX);
	}
	list_fit(&v->list, list_pane(all).h - 1);
	if (s->detail >= model_processes(v->model))
		s->detail = 0;
}

static int type_width(const struct bbps_view *s, event_type type)
{
	char name[64];

	if (type == EVENT_NONE)
		return 1;
	return text_width(trace_type_text(s->view.model->analysis->logical->trace, type, name, sizeof name));
}

static int size_width(event_type type, uint64_t size)
{
	char text[UNIT_TEXT];

	return type == EVENT_NONE ? 1 : text_width(unit_size(text, size));
}

static int largest_of_three(int a, int b, int c)
{
	a = b > a ? b : a;
	return c > a ? c : a;
}

/* One side of a block: type and size, which ends at `end`. */
static void draw_side(const struct model *m, struct pane p, int x, int y, int w, int end, event_type type, uint64_t size)
{
	enum role role = EVENT_KIND(type) == EVENT_SEND ? ROLE_SEND : EVENT_KIND(type) == EVENT_RECEIVE ? ROLE_RECEIVE
			 : ROLE_COLLECTIVE;
	char name[64], buf[UNIT_TEXT];

	if (type == EVENT_NONE) {
		pane_text(p, x, y, ROLE_NONE, 0, "–");
		return;
	}
	pane_text_in(p, x, y, w, role, 0, trace_type_text(m->analysis->logical->trace, type, name, sizeof name));
	pane_text_right(p, end, y, ROLE_DEFAULT, 0, unit_size(buf, size));
}

static void draw_detail(const struct bbps_view *s, struct pane p)
{
	const struct model *m = s->view.model;
	const struct logical *l = m->analysis->logical;
	uint32_t row = list_row(&s->view.list), label, last;
	char a[UNIT_TEXT], b[UNIT_TEXT];
	int w = 5, size = (int)strlen("size"), room, compute, exit;
	struct bbp_cell cell;

	if (row == UINT32_MAX)
		return;
	if (p.x > 0) {
		pane_vline(p, 0, 0, p.h, GLYPH_VLINE, ROLE_RULE);
		p = pane_part(p, 2, 0, p.w - 2, p.h);
	} else {
		pane_hline(p, 0, 0, p.w, GLYPH_HLINE, ROLE_RULE);
		p = pane_part(p, 1, 1, p.w - 1, p.h - 1);
	}
	label = s->leaders[row];
	last = s->detail + (p.h > 2 ? (uint32_t)p.h - 2 : 0);
	if (last > model_processes(m))
		last = model_processes(m);
	for (uint32_t process = s->detail; process < last; process++) {
		bbp_cell(l, label, process, &cell);
		w = largest_of_three(w, type_width(s, cell.entry_type), type_width(s, cell.exit_type));
		size = largest_of_three(size, size_width(cell.entry_type, cell.entry_size), size_width(cell.exit_type, cell.exit_size));
	}
	size += 2;
	room = p.w - 6 - 2 * size - 9 - 3;
	if (2 * w > room)
		w = room / 2;
	compute = 6 + w + size + 9;
	exit = compute + 3;
	pane_textf(p, 0, 0, ROLE_TITLE, 0, "block %s", unit_count(a, label));
	pane_textf(p, 7 + (int)strlen(a), 0, ROLE_DIM, 0, "× %s", unit_count(b, blocks(s)->weight[label]));
	if (last > s->detail && last - s->detail < model_processes(m)) {
		char part[2 * UNIT_TEXT];

		snprintf(part, sizeof part, "%s of %s", unit_ranks(a, s->detail, last - 1), unit_count(b, model_processes(m)));
		pane_text_right(p, p.w, 0, ROLE_DIM, 0, part);
	}
	pane_text(p, 6, 1, ROLE_HEADER, 0, "entry");
	pane_text_right(p, 6 + w + size, 1, ROLE_HEADER, 0, "size");
	pane_text_right(p, compute, 1, ROLE_HEADER, 0, "compute");
	pane_text(p, exit, 1, ROLE_HEADER, 0, "exit");
	pane_text_right(p, exit + w + size, 1, ROLE_HEADER, 0, "size");
	for (uint32_t process = s->detail; process < last; process++) {
		int y = 2 + (int)(process - s->detail);

		bbp_cell(l, label, process, &cell);
		pane_text(p, 0, y, ROLE_HEADER, 0, unit_rank_short((char[UNIT_TEXT]){""}, process));
		draw_side(m, p, 6, y, w, 6 + w + size, cell.entry_type, cell.entry_size);
		if (cell.entry_type != EVENT_NONE)
			pane_text_right(p, compute, y, ROLE_COMPUTE, 0, unit_figure_time(a, cell.compute));
		draw_side(m, p, exit, y, w, exit + w + size, cell.exit_type, cell.exit_size);
	}
}

static void draw_bbps(const struct view *v, struct pane p)
{
	const struct bbps_view *s = (const struct bbps_view *)v;

	if (!blocks(s) || s->serial != v->model->serial) {
		if (v->model->analysis)
			pane_text(p, 1, 1, ROLE_DIM, 0, "Comparing blocks…");
		return;
	}
	if (!s->count) {
		nothing_draw(p, "No blocks.", "A block lies between two ticks; the trace has fewer than two.");
		return;
	}
	list_draw(&v->list, &s->drawn.source, s, list_pane(p));
	draw_detail(s, detail_pane(p));
}

static unsigned act_bbps(struct view *v, enum action a)
{
	struct bbps_view *s = self(v);
	struct list *l = &v->list;
	uint32_t row;

	if (!blocks(s) || s->serial != v->model->serial)
		return REACT_IGNORED;
	if (list_act(l, a))
		return REACT_DONE;
	switch (a) {
	case ACTION_DETAIL_UP:
		s->detail -= s->detail > 0;
		return REACT_DONE;
	case ACTION_DETAIL_DOWN:
		s->detail += s->detail + 1 < model_processes(v->model);
		return REACT_DONE;
	case ACTION_WHY:
		row = list_row(l);
		if (row == UINT32_MAX)
			return REACT_DONE;
		v->model->compare.asked = true;
		v->model->compare.blocks = true;
		v->model->compare.id = s->leaders[row];
		return react_show(VIEW_COMPARE);
	case ACTION_ENTER:
	case ACTION_GOTO:
		row = list_row(l);
		if (row == UINT32_MAX)
			return REACT_DONE;
		model_goto(v->model, v->model->cursor.process, s->leaders[row] - 1);
		return REACT_JUMPED | react_show(VIEW_GRID);
	default:
		return REACT_IGNORED;
	}
}

static void status_bbps(const struct view *v, char *text, size_t size, int room)
{
	const struct bbps_view *s = (const struct bbps_view *)v;
	char a[UNIT_TEXT], b[UNIT_TEXT];
	(void)room;

	text[0] = 0;
	if (blocks(s) && s->serial == v->model->serial)
		snprintf(text, size, "%s labels for %s blocks · compute compared: %s", unit_count(a, s->count),
			 unit_count(b, blocks(s)->count),
			 (const char *const[]){"max", "sum", "each"}[v->model->analysis->settings.compute_of % 3]);
}

static struct pane list_pane_bbps(const struct view *v, struct pane p)
{
	(void)v;
	return list_pane(p);
}

static bool table_bbps(struct view *v, bool all, struct view_table *t)
{
	struct bbps_view *s = self(v);
	const struct list *l = &v->list;

	/* In files the ticks are two numbers, as in those of `pas2p bbps`. */
	s->written = (struct shown_table){.list = &s->rows};
	shown_pick(&s->written, &bbps_columns, BBPS_DRAWN, true);
	shown_pick(&s->written, &bbps_columns, BBPS_FILE, true);
	table_of_list(t, &s->written, NULL, l, all);
	return true;
}

static const struct row_source *rows_bbps(const struct view *v)
{
	const struct bbps_view *s = (const struct bbps_view *)v;

	return blocks(s) && s->serial == v->model->serial ? &s->drawn.source : NULL;
}

static unsigned want_bbps(const struct view *v)
{
	(void)v;
	return ANALYSIS_BBPS;
}

static const struct hint hints[] = {
	{ACTION_ENTER, ACTION_NONE, "logical view"},
	{ACTION_SORT, ACTION_SORT_REVERSE, "sort"},
	{ACTION_DETAIL_DOWN, ACTION_DETAIL_UP, "scroll ranks"},
	{ACTION_FILTER, ACTION_NONE, "filter"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

const struct view_ops view_bbps = {
	.want = want_bbps,
	.size = sizeof(struct bbps_view),
	.hints = hints,
	.open = open_bbps,
	.close = close_bbps,
	.update = update_bbps,
	.draw = draw_bbps,
	.act = act_bbps,
	.status = status_bbps,
	.rows = rows_bbps,
	.table = table_bbps,
	.list_pane = list_pane_bbps,
};
