/* What the lists of phases and of occurrences export: numbers, under the names that `pas2p phases` has for them. */
#include "phases_view.h"

enum {
	X_ID, X_RELEVANT, X_WEIGHT, X_TICKS, X_TIME, X_TIME_MIN, X_TIME_MAX, X_SHARE, X_CUMULATIVE, X_COVERED,
	X_FIRST, X_LAST, X_MEASURED, X_DEVIATION, X_RATIO, X_COLUMNS
};

/* `cumulative` counts the relevant phases up to this one, by number, as the command does; `covered`, as the list shows it,
 * this phase and all with a larger share. */
static const struct column columns[X_COLUMNS] = {
	[X_ID] = {"id", "phase", 0, true, 0},
	[X_RELEVANT] = {"relevant", "relevant", 0, false, 0},
	[X_WEIGHT] = {"weight", "weight", 0, true, 0},
	[X_TICKS] = {"ticks", "ticks", 0, true, 0},
	[X_TIME] = {"time", "time [s]", 0, true, 0},
	[X_TIME_MIN] = {"time_min", "min [s]", 0, true, 0},
	[X_TIME_MAX] = {"time_max", "max [s]", 0, true, 0},
	[X_SHARE] = {"share", "share", 0, true, 0},
	[X_CUMULATIVE] = {"cumulative", "cumulative", 0, true, 0},
	[X_COVERED] = {"covered", "covered", 0, true, 0},
	[X_FIRST] = {"first_occurrence_tick", "first occurrence at tick", 0, true, 0},
	[X_LAST] = {"last_occurrence_tick", "last occurrence at tick", 0, true, 0},
	[X_MEASURED] = {"measured", "measured [s]", 0, true, 0},
	[X_DEVIATION] = {"deviation", "deviation [s]", 0, true, 0},
	[X_RATIO] = {"ratio", "ratio", 0, true, 0},
};
static const struct row_source phase_rows = {columns, X_COLUMNS, NULL, NULL};
static const struct row_source unmeasured_rows = {columns, X_MEASURED, NULL, NULL};

/* An empty cell where nothing was measured. */
static void measured_value(const struct phases_view *s, uint32_t row, int column, struct value *v)
{
	const struct results *r = &s->view.model->results;
	const struct result_phase *m = results_phase(r, row + 1);
	bool there = m && (column == X_MEASURED || (column == X_DEVIATION ? results_shown(r)->runs > 1 : m->traced > 0));

	if (!there)
		return;
	v->kind = VALUE_REAL;
	v->number = column == X_MEASURED ? m->time : column == X_DEVIATION ? m->deviation : m->time / m->traced;
}

static bool phase_value(const struct view *view, uint32_t row, int column, struct value *v)
{
	const struct phases_view *s = (const struct phases_view *)view;
	const struct phases *p = phases_found(s);
	const struct phase_figures *g = &view->model->analysis->figures->phase[row];

	v->kind = VALUE_REAL;
	switch (column) {
	case X_TIME: v->number = g->time; return true;
	case X_TIME_MIN: v->number = g->time_min; return true;
	case X_TIME_MAX: v->number = g->time_max; return true;
	case X_SHARE: v->number = g->share; return true;
	case X_CUMULATIVE: v->number = s->cumulative[row]; return true;
	case X_COVERED: v->number = s->covered[row]; return true;
	case X_MEASURED:
	case X_DEVIATION:
	case X_RATIO:
		v->kind = VALUE_TEXT;
		measured_value(s, row, column, v);
		return true;
	}
	v->kind = column == X_RELEVANT ? VALUE_BOOL : VALUE_WHOLE;
	switch (column) {
	case X_ID: v->number = p->list[row].id; break;
	case X_RELEVANT: v->number = g->relevant; break;
	case X_WEIGHT: v->number = p->list[row].weight; break;
	case X_TICKS: v->number = p->list[row].ticks; break;
	case X_FIRST: v->number = p->occurrences[p->by_phase[p->phase_first[row]]].first; break;
	default: v->number = p->occurrences[p->by_phase[p->phase_first[row + 1] - 1]].first;
	}
	return true;
}

enum { Y_OCCURRENCE, Y_FIRST, Y_LAST, Y_TIME, Y_SLOWEST, Y_AT, Y_COLUMNS };

static const struct column inner_columns[Y_COLUMNS] = {
	[Y_OCCURRENCE] = {"occurrence", "occurrence", 0, true, 0},
	[Y_FIRST] = {"tick_first", "first tick", 0, true, 0},
	[Y_LAST] = {"tick_last", "last tick", 0, true, 0},
	[Y_TIME] = {"time", "time [s]", 0, true, 0},
	[Y_SLOWEST] = {"slowest", "slowest [s]", 0, true, 0},
	[Y_AT] = {"at", "at [s]", 0, true, 0},
};
static const struct row_source inner_rows = {inner_columns, Y_COLUMNS, NULL, NULL};

static bool inner_value(const struct view *view, uint32_t row, int column, struct value *v)
{
	const struct phases_view *s = (const struct phases_view *)view;
	const struct occurrence *o = &phases_found(s)->occurrences[occurrence_of(s, row)];

	v->kind = column < Y_TIME ? VALUE_WHOLE : VALUE_REAL;
	switch (column) {
	case Y_OCCURRENCE: v->number = row + 1; break;
	case Y_FIRST: v->number = o->first; break;
	case Y_LAST: v->number = o->last; break;
	case Y_TIME: v->number = occurrence_figure(s, row, OCCURRENCE_TIME); break;
	case Y_SLOWEST: v->number = occurrence_figure(s, row, OCCURRENCE_SLOWEST); break;
	default: v->number = occurrence_figure(s, row, OCCURRENCE_AT);
	}
	return true;
}

bool phases_table(struct view *v, bool all, struct view_table *t)
{
	const struct phases_view *s = (const struct phases_view *)v;
	const struct list *l = view_list(v);

	*t = (struct view_table){
		s->inside ? "occurrences" : "phases",
		s->inside ? &inner_rows : s->measured ? &phase_rows : &unmeasured_rows,
		s->inside ? inner_value : phase_value,
		all ? l->total : l->shown,
		all ? NULL : l->order,
	};
	return true;
}
