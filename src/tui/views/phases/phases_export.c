/* What the lists of phases and of occurrences write to files: numbers, not glyphs; phases by the table of columns that
 * `pas2p phases` has too. */
#include "phases_int.h"

enum { Y_OCCURRENCE, Y_FIRST, Y_LAST, Y_TIME, Y_SLOWEST, Y_AT, Y_COLUMNS };

static const struct column_look inner_columns[Y_COLUMNS] = {
	[Y_OCCURRENCE] = {"occurrence", "occurrence", .align = LOOK_RIGHT},
	[Y_FIRST] = {"tick_first", "first tick", .align = LOOK_RIGHT},
	[Y_LAST] = {"tick_last", "last tick", .align = LOOK_RIGHT},
	[Y_TIME] = {"time", "time [s]", .align = LOOK_RIGHT},
	[Y_SLOWEST] = {"slowest", "slowest [s]", .align = LOOK_RIGHT},
	[Y_AT] = {"at", "at [s]", .align = LOOK_RIGHT},
};
static const struct row_source inner_rows = {inner_columns, Y_COLUMNS, NULL, NULL, NULL};

static bool inner_value(const struct view *view, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct phases_view *s = (const struct phases_view *)view;
	const struct occurrence *o = &phases_found(s)->occurrences[occurrence_of(s, row)];

	(void)text;
	switch (column) {
	case Y_OCCURRENCE: *c = cell_whole(row + 1); break;
	case Y_FIRST: *c = cell_whole(o->first); break;
	case Y_LAST: *c = cell_whole(o->last); break;
	case Y_TIME: *c = cell_figure(occurrence_figure(s, row, OCCURRENCE_TIME)); break;
	case Y_SLOWEST: *c = cell_figure(occurrence_figure(s, row, OCCURRENCE_SLOWEST)); break;
	default: *c = cell_figure(occurrence_figure(s, row, OCCURRENCE_AT));
	}
	return true;
}

bool phases_table(struct view *v, bool all, struct view_table *t)
{
	struct phases_view *s = (struct phases_view *)v;
	const struct list *l = view_list(v);

	s->written = (struct shown_table){.list = &s->rows};
	shown_pick(&s->written, &phases_columns, PHASES_WORKBENCH | (s->set & PHASE_SET_RESULT ? PHASES_RESULT : 0) |
		   (s->set & PHASE_SET_WINDOWS ? PHASES_WINDOWS : 0) | (s->rows.waiting ? PHASES_WAITING : 0), true);
	table_of_list(t, &s->written, s->inside ? "occurrences" : "phases", l, all);
	if (s->inside) {
		t->shown = NULL;
		t->source = &inner_rows;
		t->value = inner_value;
	}
	return true;
}
