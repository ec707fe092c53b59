/* The phases: what each costs and covers, and when it occurs; one step in, its occurrences one by one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/mem.h"
#include "../core/text.h"
#include "glyphs.h"
#include "phases_view.h"
#include "units.h"

#define SPARK 16

static struct phases_view *self(struct view *v)
{
	return (struct phases_view *)v;
}

enum {
	P_MARK, P_ID, P_RELEVANT, P_WEIGHT, P_TICKS, P_TIME, P_SHARE, P_COVERED, P_SPREAD, P_FIRST, P_LAST, P_OVER_RUN,
	P_COLUMNS
};

static const struct column columns[P_COLUMNS] = {
	[P_MARK] = {"mark", "", 1, false, 0},
	[P_ID] = {"id", "phase", 5, true, 0},
	[P_RELEVANT] = {"relevant", "rel", 3, false, 1},
	[P_WEIGHT] = {"weight", "weight", 9, true, 0},
	[P_TICKS] = {"ticks", "ticks", 6, true, 4},
	[P_TIME] = {"time", "time", 8, true, 0},
	[P_SHARE] = {"share", "share", 7, true, 0},
	[P_COVERED] = {"cumulative", "covered", 7, true, 2},
	[P_SPREAD] = {"spread", "min – max", 19, true, 6},
	[P_FIRST] = {"first", "first tick", 10, true, 7},
	[P_LAST] = {"last", "last tick", 10, true, 8},
	[P_OVER_RUN] = {"over-run", "time over the run", SPARK + 1, false, 3},
};

/* Mean time of the phase's occurrences in each sixteenth of the run, as blocks from 0 to the largest. At most a
 * few hundred occurrences are looked at. */
static void sparkline(const struct phases_view *s, uint32_t id, char *text, size_t size)
{
	const struct analysis *a = s->view.model->analysis;
	const struct phases *p = a->phases;
	uint32_t lo = p->phase_first[id - 1], hi = p->phase_first[id], step = (hi - lo) / 512 + 1;
	double sum[SPARK] = {0}, top = 0;
	uint32_t n[SPARK] = {0};
	size_t len = 0;

	for (uint32_t i = lo; i < hi; i += step) {
		uint32_t o = p->by_phase[i];
		uint64_t bin = (uint64_t)p->occurrences[o].first * SPARK / a->logical->tick_count;

		sum[bin] += occurrence_time(a->clockwork, p, o);
		n[bin]++;
	}
	for (int b = 0; b < SPARK; b++)
		if (n[b] && sum[b] / n[b] > top)
			top = sum[b] / n[b];
	for (int b = 0; b < SPARK && len + 4 < size; b++) {
		int eighths = !n[b] ? 0 : top > 0 ? 1 + (int)(sum[b] / n[b] / top * 7) : 1;

		len += text_encode((uint32_t)GLYPH_EIGHTHS(eighths), text + len);
	}
	text[len] = 0;
}

static void phase_field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct phases_view *s = ctx;
	const struct phases *p = phases_found(s);
	const struct phase_figures *g = &s->view.model->analysis->figures->phase[row];
	const struct phase *phase = &p->list[row];
	char a[UNIT_TEXT], b[UNIT_TEXT];

	f->role = g->relevant ? ROLE_DEFAULT : ROLE_DIM;
	switch (column) {
	case P_MARK:
		f->text[text_encode(phase_look(s->view.model, phase->id).mark, f->text)] = 0;
		f->role = phase_look(s->view.model, phase->id).role;
		f->attr = ATTR_BOLD;
		break;
	case P_ID:
		snprintf(f->text, sizeof f->text, "%u", (unsigned)phase->id);
		break;
	case P_RELEVANT:
		strcpy(f->text, g->relevant ? "✓" : "");
		break;
	case P_WEIGHT:
		unit_count(f->text, phase->weight);
		break;
	case P_TICKS:
		unit_count(f->text, phase->ticks);
		break;
	case P_TIME:
		unit_time(f->text, g->time);
		break;
	case P_SHARE:
		unit_percent(f->text, g->share);
		break;
	case P_COVERED:
		unit_percent(f->text, s->cumulative[row]);
		break;
	case P_SPREAD:
		snprintf(f->text, sizeof f->text, "%s – %s", unit_time(a, g->time_min), unit_time(b, g->time_max));
		break;
	case P_FIRST:
		unit_count(f->text, p->occurrences[p->by_phase[p->phase_first[row]]].first);
		break;
	case P_LAST:
		unit_count(f->text, p->occurrences[p->by_phase[p->phase_first[row + 1] - 1]].last);
		break;
	default:
		sparkline(s, phase->id, f->text, sizeof f->text);
		f->role = g->relevant ? phase_look(s->view.model, phase->id).role : ROLE_DIM;
	}
}

static double phase_key(const void *ctx, uint32_t row, int column)
{
	const struct phases_view *s = ctx;
	const struct phases *p = phases_found(s);
	const struct phase_figures *g = &s->view.model->analysis->figures->phase[row];

	switch (column) {
	case P_RELEVANT: return g->relevant;
	case P_WEIGHT: return p->list[row].weight;
	case P_TICKS: return p->list[row].ticks;
	case P_TIME: return g->time;
	case P_SHARE:
	case P_COVERED: return g->share;
	case P_SPREAD: return g->time_min > 0 ? g->time_max / g->time_min : 0;
	case P_LAST: return p->occurrences[p->by_phase[p->phase_first[row + 1] - 1]].last;
	case P_FIRST: return p->occurrences[p->by_phase[p->phase_first[row]]].first;
	default: return p->list[row].id;
	}
}

static const struct row_source phase_rows = {columns, P_COLUMNS, phase_field, phase_key};

static const struct hint hints[] = {
	{ACTION_ENTER, ACTION_NONE, "occurrences"},
	{ACTION_GOTO, ACTION_NONE, "in the grid"},
	{ACTION_SORT, ACTION_SORT_REVERSE, "sort"},
	{ACTION_FILTER, ACTION_NONE, "filter"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

static const struct hint inner_hints[] = {
	{ACTION_ENTER, ACTION_NONE, "in the grid"},
	{ACTION_SORT, ACTION_SORT_REVERSE, "sort"},
	{ACTION_FILTER, ACTION_NONE, "filter"},
	{ACTION_BACK, ACTION_NONE, "phases"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

static void open_phases(struct view *v)
{
	list_init(&self(v)->inner);
	v->list.sort_column = P_SHARE;
	v->list.descending = true;
}

static void close_phases(struct view *v)
{
	mem_free(self(v)->cumulative);
	mem_free(self(v)->slowest);
	list_release(&self(v)->inner);
}

static bool accumulate(struct phases_view *s)
{
	const struct analysis *a = s->view.model->analysis;
	struct list by_share;
	double *c = mem_resize(s->cumulative, a->phases->count, sizeof *c);
	double sum = 0;

	if (!c)
		return false;
	s->cumulative = c;
	memset(c, 0, a->phases->count * sizeof *c);
	list_init(&by_share);
	by_share.total = a->phases->count;
	list_sort(&by_share, &phase_rows, s, P_SHARE, true);
	list_work(&by_share, 0);
	for (uint32_t i = 0; i < by_share.shown; i++) {
		uint32_t row = by_share.order ? by_share.order[i] : i;

		sum += a->figures->phase[row].share;
		c[row] = sum;
	}
	list_release(&by_share);
	return true;
}

static void update_phases(struct view *v, int w, int h)
{
	struct phases_view *s = self(v);
	struct model *m = v->model;
	(void)w;

	if (!phases_found(s))
		return;
	if (s->serial != m->serial) {
		uint32_t keep = list_row(&v->list);

		if (!accumulate(s))
			return;
		s->serial = m->serial;
		list_refresh(&v->list, &phase_rows, s, phases_found(s)->count, keep);
		if (s->inside && s->inside <= phases_found(s)->count)
			occurrences_enter(s, s->inside);
		else
			s->inside = 0;
	}
	v->hints = s->inside ? inner_hints : hints;
	list_fit(&v->list, h - 1);
	list_fit(&s->inner, h - 2);
}

static void draw_phases(const struct view *v, struct pane p)
{
	const struct phases_view *s = (const struct phases_view *)v;

	if (!phases_found(s) || s->serial != v->model->serial)
		return;
	if (!phases_found(s)->count) {
		pane_text(p, 1, 1, ROLE_DIM, 0, "No phases: the trace holds no sends and no collectives.");
		return;
	}
	if (s->inside) {
		occurrences_draw(s, p);
	} else {
		list_draw(&v->list, &phase_rows, s, p);
	}
}

static unsigned go(struct phases_view *s, uint32_t occurrence)
{
	struct model *m = s->view.model;

	model_goto(m, m->cursor.process, phases_found(s)->occurrences[occurrence].first);
	return REACT_DONE | REACT_JUMPED | REACT_TO_GRID;
}

static unsigned act_phases(struct view *v, enum action a)
{
	struct phases_view *s = self(v);
	struct list *l = s->inside ? &s->inner : &v->list;
	uint32_t row;

	if (!phases_found(s) || s->serial != v->model->serial)
		return REACT_IGNORED;
	if (list_act(l, a))
		return REACT_DONE;
	row = list_row(l);
	switch (a) {
	case ACTION_BACK:
		if (!s->inside)
			return REACT_IGNORED;
		list_stop(&s->inner);
		s->inside = 0;
		return REACT_DONE;
	case ACTION_ENTER:
		if (row == UINT32_MAX)
			return REACT_DONE;
		if (s->inside)
			return go(s, occurrence_of(s, row));
		occurrences_enter(s, row + 1);
		return REACT_DONE;
	case ACTION_WHY:
		if (row == UINT32_MAX && !s->inside)
			return REACT_DONE;
		v->model->compare.asked = true;
		v->model->compare.blocks = false;
		v->model->compare.id = s->inside ? s->inside : row + 1;
		return REACT_DONE | REACT_TO_COMPARE;
	case ACTION_GOTO:
		if (row == UINT32_MAX)
			return REACT_DONE;
		return go(s, s->inside ? occurrence_of(s, row) : phases_found(s)->by_phase[phases_found(s)->phase_first[row]]);
	default:
		return REACT_IGNORED;
	}
}

static void status_phases(const struct view *v, char *text, size_t size, int room)
{
	const struct phases_view *s = (const struct phases_view *)v;
	const struct list *l = s->inside ? &s->inner : &v->list;
	uint32_t row = list_row(l);
	char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT], d[UNIT_TEXT];
	(void)room;

	text[0] = 0;
	if (!phases_found(s) || s->serial != v->model->serial || row == UINT32_MAX)
		return;
	if (s->inside) {
		occurrences_status(s, row, text, size);
	} else {
		const struct phase_figures *g = &v->model->analysis->figures->phase[row];
		const struct phase *p = &phases_found(s)->list[row];

		snprintf(text, size, "phase %u · %s × %s = %s · %s – %s · %s", (unsigned)p->id, unit_count(a, p->weight),
			 unit_time(b, g->time), unit_percent(c, g->share), unit_time(d, g->time_min),
			 unit_time((char[UNIT_TEXT]){""}, g->time_max), g->relevant ? "relevant" : "not relevant");
	}
}

static const struct row_source *rows_phases(const struct view *v)
{
	const struct phases_view *s = (const struct phases_view *)v;

	return !phases_found(s) || s->serial != v->model->serial ? NULL : s->inside ? &occurrence_rows : &phase_rows;
}

static struct pane list_pane_phases(const struct view *v, struct pane p)
{
	int title = ((const struct phases_view *)v)->inside ? 1 : 0;

	return pane_part(p, 0, title, p.w, p.h - title);
}

static bool value_phases(const struct view *v, uint32_t row, int column, struct value *value)
{
	const struct phases_view *s = (const struct phases_view *)v;

	if (s->inside)
		return occurrences_value(s, row, column, value);
	switch (column) {
	case P_MARK:
	case P_SPREAD:
	case P_OVER_RUN: return false;
	case P_RELEVANT: value->kind = VALUE_BOOL; break;
	case P_TIME:
	case P_SHARE:
	case P_COVERED: value->kind = VALUE_REAL; break;
	default: value->kind = VALUE_WHOLE;
	}
	value->number = column == P_COVERED ? s->cumulative[row] : phase_key(s, row, column);
	return true;
}

static struct list *list_phases(struct view *v)
{
	return self(v)->inside ? &self(v)->inner : &v->list;
}

static bool work_phases(struct view *v, unsigned ms)
{
	struct phases_view *s = self(v);

	return s->inside && phases_found(s) && s->serial == v->model->serial && occurrences_work(s, ms);
}

const struct view_ops view_phases = {
	.name = "phases",
	.title = "Phases",
	.scope = IN_PHASES,
	.size = sizeof(struct phases_view),
	.hints = hints,
	.open = open_phases,
	.close = close_phases,
	.update = update_phases,
	.draw = draw_phases,
	.act = act_phases,
	.status = status_phases,
	.rows = rows_phases,
	.list = list_phases,
	.value = value_phases,
	.list_pane = list_pane_phases,
	.work = work_phases,
};
