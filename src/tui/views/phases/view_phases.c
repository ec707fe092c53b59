/* The phases: what each costs and covers, and when it occurs; one step in, its occurrences one by one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "tui/jobs/background.h"
#include "phases_view.h"
#include "tui/widgets/sparkline.h"
#include "tui/widgets/units.h"

#define SPARK 16

static struct phases_view *self(struct view *v)
{
	return (struct phases_view *)v;
}

/* What was measured of a phase stands between its time and its share, where there is a result. */
enum {
	P_ID, P_STRIP, P_RELEVANT, P_WEIGHT, P_TICKS, P_TIME, P_MEASURED, P_DEVIATION, P_RATIO, P_SHARE, P_COVERED, P_SPREAD,
	P_FIRST, P_LAST, P_OVER_RUN, P_COLUMNS
};
#define P_OF_RESULT (P_SHARE - P_MEASURED)

#define COLUMNS_TO_TIME \
	{"id", "phase", 5, true, 0}, {"strip", "strip", 5, false, 2}, {"relevant", "rel", 3, false, 3}, \
	{"weight", "weight", 7, true, 1}, {"ticks", "ticks", 6, true, 5}, {"time", "time", 8, true, 1}
#define COLUMNS_FROM_SHARE \
	{"share", "share", 7, true, 0}, {"covered", "covered", 7, true, 3}, {"spread", "min – max", 19, true, 6}, \
	{"first", "first tick", 10, true, 7}, {"last", "last tick", 10, true, 8}, \
	{"over-run", "time over the run", SPARK + 1, false, 4}

static const struct column columns[] = {COLUMNS_TO_TIME, COLUMNS_FROM_SHARE};
static const struct column measured_columns[] = {
	COLUMNS_TO_TIME,
	{"measured", "measured", 8, true, 0}, {"deviation", "+-", 7, true, 3}, {"ratio", "ratio", 6, true, 0},
	COLUMNS_FROM_SHARE,
};
_Static_assert(sizeof measured_columns / sizeof *measured_columns == P_COLUMNS, "one description for each column");

/* Mean time of the phase's occurrences in each sixteenth of the run, as blocks from 0 to the largest. At most a
 * few hundred occurrences are looked at. */
static void times_over_run(const struct phases_view *s, uint32_t id, char *text, size_t size)
{
	const struct analysis *a = s->view.model->analysis;
	const struct phases *p = a->phases;
	uint32_t lo = p->phase_first[id - 1], hi = p->phase_first[id], step = (hi - lo) / 512 + 1;
	double sum[SPARK] = {0};
	uint32_t n[SPARK] = {0};

	for (uint32_t i = lo; i < hi; i += step) {
		uint32_t o = p->by_phase[i];
		uint64_t bin = (uint64_t)p->occurrences[o].first * SPARK / a->logical->tick_count;

		sum[bin] += occurrence_time(a->clockwork, p, o);
		n[bin]++;
	}
	for (int b = 0; b < SPARK; b++)
		sum[b] = n[b] ? sum[b] / n[b] : (double)NAN;
	sparkline_text(sum, SPARK, text, size);
}

static const struct result_phase *measured(const struct phases_view *s, uint32_t row)
{
	return results_phase(&s->view.model->results, row + 1);
}

/* One run has no deviation. */
static bool deviates(const struct phases_view *s)
{
	const struct result *r = results_shown(&s->view.model->results);

	return r && r->runs > 1;
}

static void phase_field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct phases_view *s = ctx;
	const struct phases *p = phases_found(s);
	const struct phase_figures *g = &s->view.model->analysis->figures->phase[row];
	const struct phase *phase = &p->list[row];
	const struct result_phase *m = measured(s, row);
	char a[UNIT_TEXT], b[UNIT_TEXT];

	f->role = g->relevant ? ROLE_DEFAULT : ROLE_DIM;
	switch (column) {
	case P_ID:
		snprintf(f->text, sizeof f->text, "%u", (unsigned)phase->id);
		f->role = phase_look(s->view.model, phase->id).role;
		f->attr = ATTR_BOLD;
		break;
	case P_STRIP: /* the legend of the strip at the foot */
		strcpy(f->text, "  ");
		f->text[2 + text_encode(phase_look(s->view.model, phase->id).mark, f->text + 2)] = 0;
		f->role = phase_look(s->view.model, phase->id).role;
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
	case P_MEASURED:
		if (m)
			unit_time(f->text, m->time);
		break;
	case P_DEVIATION:
		if (m && m->time > 0 && deviates(s))
			unit_percent(f->text, m->deviation / m->time);
		break;
	case P_RATIO:
		if (m && m->traced > 0)
			snprintf(f->text, sizeof f->text, "%.*f", m->time < 9.995 * m->traced ? 2 : m->time < 99.95 * m->traced ? 1 : 0,
				 m->time / m->traced);
		break;
	case P_SHARE:
		unit_figure_percent(f->text, g->share);
		break;
	case P_COVERED:
		unit_figure_percent(f->text, s->covered[row]);
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
		times_over_run(s, phase->id, f->text, sizeof f->text);
		f->picture = true;
		f->role = g->relevant ? phase_look(s->view.model, phase->id).role : ROLE_DIM;
	}
}

static double phase_key(const void *ctx, uint32_t row, int column)
{
	const struct phases_view *s = ctx;
	const struct phases *p = phases_found(s);
	const struct phase_figures *g = &s->view.model->analysis->figures->phase[row];
	const struct result_phase *m = measured(s, row);

	switch (column) {
	case P_MEASURED: return m ? m->time : -1;
	case P_DEVIATION: return m && m->time > 0 ? m->deviation / m->time : -1;
	case P_RATIO: return m && m->traced > 0 ? m->time / m->traced : -1;
	case P_STRIP: return phase_look(s->view.model, row + 1).rank;
	case P_RELEVANT: return g->relevant;
	case P_WEIGHT: return p->list[row].weight;
	case P_TICKS: return p->list[row].ticks;
	case P_TIME: return g->time;
	case P_SHARE:
	case P_COVERED: return isnan(g->share) ? 0 : g->share;
	case P_SPREAD: return g->time_min > 0 ? g->time_max / g->time_min : 0;
	case P_LAST: return p->occurrences[p->by_phase[p->phase_first[row + 1] - 1]].last;
	case P_FIRST: return p->occurrences[p->by_phase[p->phase_first[row]]].first;
	default: return p->list[row].id;
	}
}

static const struct row_source measured_rows = {measured_columns, P_COLUMNS, phase_field, phase_key};

/* Without a result: the same but for its columns. */
static int column_of(int column)
{
	return column < P_MEASURED ? column : column + P_OF_RESULT;
}

static void plain_field(const void *ctx, uint32_t row, int column, struct field *f)
{
	phase_field(ctx, row, column_of(column), f);
}

static double plain_key(const void *ctx, uint32_t row, int column)
{
	return phase_key(ctx, row, column_of(column));
}

static const struct row_source plain_rows = {columns, P_COLUMNS - P_OF_RESULT, plain_field, plain_key};

static const struct row_source *phase_rows(const struct phases_view *s)
{
	return s->measured ? &measured_rows : &plain_rows;
}

/* The columns of a result come and go; what the list is sorted by stays, if it is there. */
static void show_measured(struct phases_view *s, bool show)
{
	struct list *l = &s->view.list;

	if (show && !s->measured && l->sort_column >= P_MEASURED)
		l->sort_column += P_OF_RESULT;
	else if (!show && s->measured && l->sort_column >= P_MEASURED)
		l->sort_column = l->sort_column < P_SHARE ? P_SHARE - P_OF_RESULT : l->sort_column - P_OF_RESULT;
	s->measured = show;
}

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
	v->list.sort_column = P_SHARE - P_OF_RESULT;
	v->list.descending = true;
}

static void close_phases(struct view *v)
{
	mem_free(self(v)->covered);
	mem_free(self(v)->cumulative);
	mem_free(self(v)->slowest);
	list_release(&self(v)->inner);
}

static bool accumulate(struct phases_view *s)
{
	const struct analysis *a = s->view.model->analysis;
	struct list by_share;
	uint32_t n = a->phases->count;
	double *covered = mem_resize(s->covered, n, sizeof *covered), *cumulative, sum = 0;

	if (!covered)
		return false;
	s->covered = covered;
	cumulative = mem_resize(s->cumulative, n, sizeof *cumulative);
	if (!cumulative)
		return false;
	s->cumulative = cumulative;
	for (uint32_t i = 0; i < n; i++) {
		if (a->figures->phase[i].relevant)
			sum += a->figures->phase[i].share;
		cumulative[i] = sum;
	}
	list_init(&by_share);
	by_share.total = n;
	list_sort(&by_share, &measured_rows, s, P_SHARE, true);
	list_work(&by_share, 0);
	sum = 0;
	for (uint32_t i = 0; i < by_share.shown; i++) {
		uint32_t row = by_share.order ? by_share.order[i] : i;

		sum += a->figures->phase[row].share;
		covered[row] = sum;
	}
	list_release(&by_share);
	return true;
}

/* Above the rows: the phase whose occurrences they are, or whose times were measured. */
static int title_rows(const struct phases_view *s)
{
	return s->inside || s->view.model->results.shown;
}

static void draw_title(const struct phases_view *s, struct pane p)
{
	const struct model *m = s->view.model;
	const struct results *r = &m->results;
	const struct result *shown = results_shown(r);
	char label[RESULT_LABEL], text[256], key[16], t[UNIT_TEXT];
	int x = 1, right = p.w - 1;

	results_label(&r->list[r->shown - 1], label);
	if (r->count > 1) {
		snprintf(text, sizeof text, "%u of %u %s", (unsigned)r->shown, (unsigned)r->count,
			 keymap_first(m->keymap, ACTION_RESULT, key));
		right -= pane_text_right(p, right, 0, ROLE_DIM, 0, text) + 2;
	}
	x += pane_text_in(p, x, 0, right - x, ROLE_TITLE, 0, label);
	if (!shown) {
		struct background_state state = background_state(m->background, BACKGROUND_HASH);

		snprintf(text, sizeof text, " · checking that it is from this trace: SHA-256 %d %%",
			 state.total ? (int)(state.done * 100 / state.total) : 0);
		pane_text_in(p, x, 0, right - x, ROLE_WARN, 0, text);
		return;
	}
	results_missing(r, &m->settings, text, sizeof text);
	if (text[0]) {
		x += pane_text_in(p, x, 0, right - x, ROLE_DIM, 0, " · ");
		x += pane_text_in(p, x, 0, right - x, ROLE_WARN, 0, text);
		snprintf(text, sizeof text, " · %s takes these settings", keymap_first(m->keymap, ACTION_RESULT_SETTINGS, key));
		if (shown->has_settings && key[0] && x + text_width(text) <= right)
			pane_text(p, x, 0, ROLE_DIM, 0, text);
		return;
	}
	snprintf(text, sizeof text, " · PET %s", unit_time(t, shown->pet));
	if (shown->aet > 0)
		snprintf(text + strlen(text), sizeof text - strlen(text), " · PETE %s", unit_percent(t, shown->pete));
	text_drop_facts(text, right - x);
	pane_text(p, x, 0, ROLE_DIM, 0, text);
}

static void update_phases(struct view *v, int w, int h)
{
	struct phases_view *s = self(v);
	struct model *m = v->model;
	(void)w;

	if (!phases_found(s))
		return;
	if (s->serial != m->serial || s->results != m->results.serial) {
		bool other = s->serial != m->serial;
		uint32_t keep = list_row(&v->list);

		if (other && !accumulate(s))
			return;
		s->serial = m->serial;
		s->results = m->results.serial;
		show_measured(s, results_shown(&m->results) != NULL);
		list_refresh(&v->list, phase_rows(s), s, phases_found(s)->count, keep);
		if (s->inside && s->inside <= phases_found(s)->count && other)
			occurrences_enter(s, s->inside);
		else if (other)
			s->inside = 0;
	}
	v->hints = s->inside ? inner_hints : hints;
	list_fit(&v->list, h - 1 - title_rows(s));
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
		if (title_rows(s))
			draw_title(s, p);
		list_draw(&v->list, phase_rows(s), s, pane_part(p, 0, title_rows(s), p.w, p.h - title_rows(s)));
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
			 unit_time(b, g->time), unit_figure_percent(c, g->share), unit_time(d, g->time_min),
			 unit_time((char[UNIT_TEXT]){""}, g->time_max), g->relevant ? "relevant" : "not relevant");
	}
}

static const struct row_source *rows_phases(const struct view *v)
{
	const struct phases_view *s = (const struct phases_view *)v;

	return !phases_found(s) || s->serial != v->model->serial ? NULL : s->inside ? &occurrence_rows : phase_rows(s);
}

static struct pane list_pane_phases(const struct view *v, struct pane p)
{
	int title = title_rows((const struct phases_view *)v);

	return pane_part(p, 0, title, p.w, p.h - title);
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
	.table = phases_table,
	.list_pane = list_pane_phases,
	.work = work_phases,
};
