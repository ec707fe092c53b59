/* The phases: what each costs and covers, when it occurs, and, one step in, its occurrences one by one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/mem.h"
#include "../core/text.h"
#include "glyphs.h"
#include "units.h"
#include "view.h"

#define SPARK 16

struct phases_view {
	struct view view;
	uint64_t serial;       /* of the analysis that this was made from */
	double *cumulative;    /* by id - 1: share of this phase and of all with a larger one; owned */
	bool chosen;           /* the user has chosen how to sort */
	/* One step in: the occurrences of a phase. */
	uint32_t inside;       /* its id; 0: not in */
	struct list inner;
	double inner_max;      /* the longest of them */
	double *slowest;       /* of each, once it was asked for: it takes a look at every process; -1: not yet; owned */
};

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

static const struct phases *found(const struct phases_view *s)
{
	return s->view.model->analysis ? s->view.model->analysis->phases : NULL;
}

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
	const struct phases *p = found(s);
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
	const struct phases *p = found(s);
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

/* The occurrences of one phase. */
enum { O_NUMBER, O_TICKS, O_AT, O_TIME, O_SLOWEST, O_BAR, O_COLUMNS };

static const struct column inner_columns[O_COLUMNS] = {
	[O_NUMBER] = {"occurrence", "occurrence", 10, true, 0},
	[O_TICKS] = {"ticks", "ticks", 21, true, 0},
	[O_TIME] = {"time", "time", 8, true, 0},
	[O_SLOWEST] = {"slowest", "slowest", 8, true, 2},
	[O_AT] = {"at", "at", 12, true, 1},
	[O_BAR] = {"bar", "", 20, false, 3},
};

static uint32_t occurrence_of(const struct phases_view *s, uint32_t row)
{
	const struct phases *p = found(s);

	return p->by_phase[p->phase_first[s->inside - 1] + row];
}

/* When the first process to enter an occurrence does so: the earliest of its first tick's events. */
static double occurrence_start(const struct logical *l, const struct occurrence *o)
{
	double start = INFINITY;
	uint32_t from = l->tick_first[o->first], to = l->tick_first[o->first + 1];

	for (uint32_t i = from; i < to; i++)
		if (l->trace->time[l->order_of[i]] < start)
			start = l->trace->time[l->order_of[i]];
	return start - l->trace->start;
}

static double inner_key(const void *ctx, uint32_t row, int column)
{
	const struct phases_view *s = ctx;
	const struct analysis *a = s->view.model->analysis;
	uint32_t o = occurrence_of(s, row);

	switch (column) {
	case O_TIME:
	case O_BAR: return occurrence_time(a->clockwork, a->phases, o);
	case O_SLOWEST:
		if (!s->slowest)
			return occurrence_slowest(a->clockwork, a->phases, o);
		if (s->slowest[row] < 0)
			s->slowest[row] = occurrence_slowest(a->clockwork, a->phases, o);
		return s->slowest[row];
	case O_AT: return occurrence_start(a->logical, &a->phases->occurrences[o]);
	default: return row;
	}
}

static void inner_field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct phases_view *s = ctx;
	const struct occurrence *o = &found(s)->occurrences[occurrence_of(s, row)];
	char a[UNIT_TEXT], b[UNIT_TEXT];
	int eighths;
	size_t len = 0;

	switch (column) {
	case O_NUMBER:
		unit_count(f->text, row + 1);
		break;
	case O_TICKS:
		snprintf(f->text, sizeof f->text, "%s – %s", unit_count(a, o->first), unit_count(b, o->last));
		break;
	case O_AT:
		unit_moment(f->text, inner_key(ctx, row, O_AT));
		break;
	case O_BAR:
		eighths = s->inner_max > 0 ? (int)(inner_key(ctx, row, O_TIME) / s->inner_max * inner_columns[O_BAR].width) : 0;
		for (; eighths > 0 && len + 4 < sizeof f->text; eighths--)
			len += text_encode(GLYPH_BLOCK_5, f->text + len);
		f->text[len] = 0;
		f->role = phase_look(s->view.model, s->inside).role;
		break;
	case O_SLOWEST:
		if (s->slowest && s->slowest[row] < 0) {
			strcpy(f->text, "…");
			break;
		}
		/* fall through */
	default:
		unit_time(f->text, inner_key(ctx, row, column));
	}
}

static const struct row_source inner_rows = {inner_columns, O_COLUMNS, inner_field, inner_key};

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

static void enter(struct phases_view *s, uint32_t id)
{
	const struct phases *p = found(s);
	uint32_t n = p->phase_first[id] - p->phase_first[id - 1];

	s->inside = id;
	s->inner_max = s->view.model->analysis->figures->phase[id - 1].time_max;
	mem_free(s->slowest);
	s->slowest = mem_alloc(n, sizeof *s->slowest);
	for (uint32_t i = 0; s->slowest && i < n; i++)
		s->slowest[i] = -1;
	list_refresh(&s->inner, &inner_rows, s, n, UINT32_MAX);
}

static void update_phases(struct view *v, int w, int h)
{
	struct phases_view *s = self(v);
	struct model *m = v->model;
	(void)w;

	if (!found(s))
		return;
	if (s->serial != m->serial) {
		uint32_t keep = list_row(&v->list);

		if (!accumulate(s))
			return;
		s->serial = m->serial;
		list_refresh(&v->list, &phase_rows, s, found(s)->count, keep);
		if (s->inside && s->inside <= found(s)->count)
			enter(s, s->inside);
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
	char n[UNIT_TEXT];

	if (!found(s) || s->serial != v->model->serial)
		return;
	if (!found(s)->count) {
		pane_text(p, 1, 1, ROLE_DIM, 0, "No phases: the trace holds no sends and no collectives.");
		return;
	}
	if (s->inside) {
		enum role role = phase_look(v->model, s->inside).role;
		int x = 1 + pane_textf(p, 1, 0, role, ATTR_BOLD, "phase %u", (unsigned)s->inside);

		pane_textf(p, x, 0, ROLE_DIM, 0, " · %s occurrences", unit_count(n, s->inner.total));
		list_draw(&s->inner, &inner_rows, s, pane_part(p, 0, 1, p.w, p.h - 1));
	} else {
		list_draw(&v->list, &phase_rows, s, p);
	}
}

static unsigned go(struct phases_view *s, uint32_t occurrence)
{
	struct model *m = s->view.model;

	model_goto(m, m->cursor.process, found(s)->occurrences[occurrence].first);
	return REACT_DONE | REACT_JUMPED | REACT_TO_GRID;
}

static unsigned sort(struct list *l, const struct row_source *rows, void *ctx, enum action a)
{
	if (a == ACTION_SORT)
		list_sort(l, rows, ctx, (l->sort_column + 1) % rows->column_count, l->descending);
	else
		list_sort(l, rows, ctx, l->sort_column < 0 ? 0 : l->sort_column, !l->descending);
	return REACT_DONE;
}

static unsigned act_phases(struct view *v, enum action a)
{
	struct phases_view *s = self(v);
	struct list *l = s->inside ? &s->inner : &v->list;
	uint32_t row;

	if (!found(s) || s->serial != v->model->serial)
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
	case ACTION_SORT:
	case ACTION_SORT_REVERSE:
		return sort(l, s->inside ? &inner_rows : &phase_rows, s, a);
	case ACTION_ENTER:
		if (row == UINT32_MAX)
			return REACT_DONE;
		if (s->inside)
			return go(s, occurrence_of(s, row));
		enter(s, row + 1);
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
		return go(s, s->inside ? occurrence_of(s, row) : found(s)->by_phase[found(s)->phase_first[row]]);
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
	if (!found(s) || s->serial != v->model->serial || row == UINT32_MAX)
		return;
	if (s->inside) {
		const struct occurrence *o = &found(s)->occurrences[occurrence_of(s, row)];

		snprintf(text, size, "phase %u · occurrence %s of %s · ticks %u – %u · %s", (unsigned)s->inside,
			 unit_count(a, row + 1), unit_count(b, s->inner.total), (unsigned)o->first, (unsigned)o->last,
			 unit_time(c, inner_key(s, row, O_TIME)));
	} else {
		const struct phase_figures *g = &v->model->analysis->figures->phase[row];
		const struct phase *p = &found(s)->list[row];

		snprintf(text, size, "phase %u · %s × %s = %s · %s – %s · %s", (unsigned)p->id, unit_count(a, p->weight),
			 unit_time(b, g->time), unit_percent(c, g->share), unit_time(d, g->time_min),
			 unit_time((char[UNIT_TEXT]){""}, g->time_max), g->relevant ? "relevant" : "not relevant");
	}
}

static const struct row_source *rows_phases(const struct view *v)
{
	const struct phases_view *s = (const struct phases_view *)v;

	return !found(s) || s->serial != v->model->serial ? NULL : s->inside ? &inner_rows : &phase_rows;
}

static struct pane list_pane_phases(const struct view *v, struct pane p)
{
	int title = ((const struct phases_view *)v)->inside ? 1 : 0;

	return pane_part(p, 0, title, p.w, p.h - title);
}

static bool value_phases(const struct view *v, uint32_t row, int column, struct value *value)
{
	const struct phases_view *s = (const struct phases_view *)v;

	if (s->inside) {
		if (column == O_TICKS || column == O_BAR)
			return false;
		value->kind = column == O_NUMBER ? VALUE_WHOLE : VALUE_REAL;
		value->number = column == O_NUMBER ? row + 1 : inner_key(s, row, column);
		return true;
	}
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

/* The slowest process of the occurrences on the screen. */
static bool work_phases(struct view *v, unsigned ms)
{
	struct phases_view *s = self(v);
	uint32_t last = s->inner.top + (uint32_t)s->inner.height, budget = ms * 1000 / (model_processes(v->model) + 1) + 1;

	bool did = false;

	if (!s->inside || !s->slowest || !found(s) || s->serial != v->model->serial)
		return false;
	for (uint32_t i = s->inner.top; i < last && i < s->inner.shown; i++) {
		uint32_t row = s->inner.order ? s->inner.order[i] : i;

		if (s->slowest[row] >= 0)
			continue;
		did = true;
		if (budget-- == 0)
			break;
		inner_key(s, row, O_SLOWEST);
	}
	return did;
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
