/* The marks: the place of each letter; Enter goes there. */
#include <stdio.h>
#include <string.h>

#include "tui/model/describe.h"
#include "tui/widgets/paragraph.h"
#include "view.h"

struct marks_view {
	struct view view;
	int set[MARKS]; /* indices of those that are set */
	uint32_t count;
};

enum { M_LETTER, M_TICK, M_WHAT, M_COLUMNS };

static const struct column_look columns[M_COLUMNS] = {
	[M_LETTER] = {"mark", "mark", .width = 4},
	[M_TICK] = {"tick", "tick", LOOK_RIGHT, .width = 10},
	[M_WHAT] = {"what", "place", .width = 100},
};

static struct trace_place marks_row_place(const struct marks_view *s, uint32_t row)
{
	return mark_place(s->view.model, &s->view.model->marks[s->set[row]]);
}

static void field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct marks_view *s = ctx;
	struct trace_place p = marks_row_place(s, row);
	char what[400];

	if (column == M_LETTER) {
		snprintf(f->text, sizeof f->text, "%c", (int)mark_letter(s->set[row]));
		f->role = ROLE_KEY;
	} else if (column == M_TICK) {
		snprintf(f->text, sizeof f->text, "%u", (unsigned)p.tick);
	} else if (p.tick < model_ticks(s->view.model) && p.process < model_processes(s->view.model)) {
		place_describe(s->view.model, p, true, what, sizeof what);
		snprintf(f->text, sizeof f->text, "%.127s", what);
	}
}

static double key(const void *ctx, uint32_t row, int column)
{
	return column == M_TICK ? marks_row_place(ctx, row).tick : row;
}

static const struct row_source rows = {columns, M_COLUMNS, field, key, NULL};

static void update_marks(struct view *v, int w, int h)
{
	struct marks_view *s = (struct marks_view *)v;
	uint32_t count = 0;
	(void)w;

	for (int i = 0; i < MARKS; i++)
		if (v->model->marks[i].set)
			s->set[count++] = i;
	if (count != s->count || v->list.total != count) {
		s->count = count;
		list_refresh(&v->list, &rows, s, count, list_row(&v->list));
	}
	list_fit(&v->list, h - 1);
}

static void draw_marks(const struct view *v, struct pane p)
{
	char set[16], go[16], fills[160];

	if (v->list.total) {
		list_draw(&v->list, &rows, v, p);
		return;
	}
	snprintf(fills, sizeof fills, "%s and a letter mark the place of the cursor; %s and the letter go there.",
		 keymap_first(v->model->keymap, ACTION_MARK, set), keymap_first(v->model->keymap, ACTION_JUMP_MARK, go));
	nothing_draw(p, "No marks.", fills);
}

static unsigned act_marks(struct view *v, enum action a)
{
	const struct marks_view *s = (const struct marks_view *)v;
	uint32_t row = list_row(&v->list);

	if (list_act(&v->list, a))
		return REACT_DONE;
	if (a == ACTION_BACK || a == ACTION_MARKS)
		return REACT_CLOSE;
	if (a != ACTION_ENTER || row >= s->count)
		return REACT_IGNORED;
	model_goto(v->model, marks_row_place(s, row).process, marks_row_place(s, row).tick);
	return REACT_JUMPED | react_show(VIEW_GRID);
}

static const struct row_source *rows_marks(const struct view *v)
{
	(void)v;
	return &rows;
}

/* In files: the place as `pas2p events` names it, in place of a sentence. */
enum { X_MARK, X_RANK, X_NUMBER, X_TICK, X_COLUMNS };

static const struct column_look export_columns[X_COLUMNS] = {
	[X_MARK] = {"mark", "mark", .align = LOOK_LEFT},
	[X_RANK] = {"rank", "rank", .align = LOOK_RIGHT},
	[X_NUMBER] = {"number", "number", .align = LOOK_RIGHT},
	[X_TICK] = {"tick", "tick", .align = LOOK_RIGHT},
};
static const struct row_source export_source = {export_columns, X_COLUMNS, NULL, NULL, NULL};

static bool value_marks(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct marks_view *s = (const struct marks_view *)v;
	const struct logical *l = model_logical(v->model);
	struct trace_place p = marks_row_place(s, row);
	uint32_t e = l && p.tick < l->tick_count ? logical_event_at(l, p.tick, p.process) : NO_EVENT;

	if (column == X_MARK) {
		snprintf(text, VALUE_TEXT, "%c", (int)mark_letter(s->set[row]));
		*c = cell_text(text);
		return true;
	}
	if (column == X_NUMBER && e == NO_EVENT)
		return true; /* an empty cell */
	*c = cell_whole(column == X_RANK ? p.process : column == X_TICK ? p.tick : trace_number_of(l->trace, p.process, e));
	return true;
}

static bool table_marks(struct view *v, bool all, struct view_table *t)
{
	const struct list *l = &v->list;

	*t = (struct view_table){NULL, &export_source, value_marks, all ? l->total : l->shown, all ? NULL : l->order, .shown = NULL};
	return true;
}

static const struct hint hints[] = {
	{ACTION_ENTER, ACTION_NONE, "go there"},
	{ACTION_BACK, ACTION_NONE, "back"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

const struct view_ops view_marks = {
	.size = sizeof(struct marks_view),
	.hints = hints,
	.update = update_marks,
	.draw = draw_marks,
	.act = act_marks,
	.rows = rows_marks,
	.table = table_marks,
};
