/* The phases: the cost, coverage and times of each; one step in, its occurrences one by one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/io/tree_out.h"
#include "tui/jobs/background.h"
#include "tui/views/view.h"
#include "phases_int.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/bars.h"
#include "tui/widgets/units.h"

#define SPARK 16
#define NAME_LEAST 20    /* columns of a name, which has all of the rest */
#define STRUCTURE_FROM 8 /* rows of a pane that has some for the structure */
#define DEPTH_MOST 1000  /* that is remembered */
#define DETAILS_FROM 36  /* and for details, however long the list is */
#define DETAILS_ROWS 14
#define MEANING_FROM 12  /* rows of a list that leaves some for what the selected phase does */
#define MEANING_ROWS 3   /* that are left to it at most */

static struct phases_view *self(struct view *v)
{
	return (struct phases_view *)v;
}

/* Drawn by this view alone. */
enum { P_STRIP = PHASE_COLUMNS, P_IN_WINDOWS, P_DEVIATION, P_SPREAD, P_LAST, P_OVER_RUN };

#define COLUMNS_TO_TIME \
	{.id = PHASE_ID, .width = 5}, {"strip", "mark", .width = 4, .priority = 2, .id = P_STRIP}, {.id = PHASE_RELEVANT, .title = "relevant", .width = 8, .priority = 4}, \
	{.id = PHASE_WEIGHT, .width = 7, .priority = 1}, {.id = PHASE_TICKS, .width = 6, .priority = 6}, {.id = PHASE_TIME, .width = 8, .priority = 1}, \
	{.id = PHASE_WAITING, .width = 8, .priority = 5}
#define COLUMNS_FROM_SHARE \
	{.id = PHASE_SHARE, .width = 7}, {.id = PHASE_COVERED, .width = 7, .priority = 3}, \
	{"spread", "min – max", LOOK_RIGHT, .width = 19, .priority = 6, .id = P_SPREAD}, {"first", "first tick", .width = 10, .priority = 7, .id = PHASE_FIRST}, \
	{"last", "last tick", LOOK_RIGHT, .width = 10, .priority = 8, .id = P_LAST}, \
	{"over-run", "time over the run", .width = SPARK + 1, .priority = 5, .id = P_OVER_RUN}, \
	{.id = PHASE_COMPUTE, .width = 7, .priority = 4}, {.id = PHASE_NAME, .width = NAME_LEAST, .priority = 1}
#define OF_NAMES 2 /* the last columns, of a trace whose patterns can be found */

#define COLUMNS_OF_WINDOWS(called) {"in-windows", called, LOOK_RIGHT, .width = 10, .priority = 1, .id = P_IN_WINDOWS}, {.id = PHASE_SE, .width = 8, .priority = 1}
#define COLUMNS_OF_RESULT \
	{.id = PHASE_MEASURED, .width = 8}, {"relative-deviation", "± rel", LOOK_RIGHT, .width = 7, .priority = 3, .id = P_DEVIATION}, \
	{.id = PHASE_RATIO, .width = 6}

/* What is to be measured of a phase, and what was, stands between its time and its share, if there are windows and a
 * result. */
static const struct column_look plain[] = {COLUMNS_TO_TIME, COLUMNS_FROM_SHARE};
static const struct column_look with_result[] = {COLUMNS_TO_TIME, COLUMNS_OF_RESULT, COLUMNS_FROM_SHARE};
static const struct column_look with_windows[] = {COLUMNS_TO_TIME, COLUMNS_OF_WINDOWS("measured"), COLUMNS_FROM_SHARE};
static const struct column_look with_both[] = {
	COLUMNS_TO_TIME, COLUMNS_OF_WINDOWS("in windows"), COLUMNS_OF_RESULT, COLUMNS_FROM_SHARE,
};
static const struct {
	const struct column_look *column;
	int count;
} sets[PHASE_SETS] = {
	[0] = {plain, sizeof plain / sizeof *plain},
	[PHASE_SET_RESULT] = {with_result, sizeof with_result / sizeof *with_result},
	[PHASE_SET_WINDOWS] = {with_windows, sizeof with_windows / sizeof *with_windows},
	[PHASE_SET_RESULT | PHASE_SET_WINDOWS] = {with_both, sizeof with_both / sizeof *with_both},
};

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

static const struct drawn_list *drawn(const struct phases_view *s)
{
	return &s->drawn[s->set];
}

/* Of the measured time; NAN: there is none, as in one run. */
static double relative_deviation(const struct phases_view *s, uint32_t row)
{
	const struct phase_measured *m = &s->of_result[row];

	return m->time > 0 ? m->deviation / m->time : (double)NAN;
}

/* Where the last occurrence ends. */
static uint32_t last_tick(const struct phases_view *s, uint32_t row)
{
	const struct phases *p = phases_found(s);

	return p->occurrences[p->by_phase[p->phase_first[row + 1] - 1]].last;
}

/* What windows say of it; NULL: there are none. */
static const struct phase_estimate *estimate_of(const struct phases_view *s, uint32_t row)
{
	const struct windows *w = s->view.model->analysis->windows;

	return w ? &w->estimate.phase[row] : NULL;
}

/* Relevant, and not measured all the same. */
static bool is_left(const struct phases_view *s, uint32_t row)
{
	const struct phase_estimate *x = estimate_of(s, row);

	return x && !x->measured && s->view.model->analysis->figures->phase[row].relevant;
}

/* "53/8", occurrences in so many windows; "1 extra", "left". */
static void in_windows_text(const struct phases_view *s, uint32_t row, struct field *f)
{
	const struct phase_estimate *x = estimate_of(s, row);
	char n[UNIT_TEXT], windows[UNIT_TEXT];

	if (x->measured && x->extra)
		snprintf(f->text, sizeof f->text, "%s extra", unit_count(n, x->occurrences));
	else if (x->measured)
		snprintf(f->text, sizeof f->text, "%s/%s", unit_count(n, x->occurrences), unit_count(windows, x->in_windows));
	else if (is_left(s, row))
		strcpy(f->text, "none");
}

static void phase_field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct phases_view *s = ctx;
	const struct phase_figures *figures = &s->view.model->analysis->figures->phase[row];
	struct phase_look look = phase_look(s->view.model, row + 1);
	const struct phase_name *called = phase_name_of(s->view.model->analysis, row + 1);
	char a[UNIT_TEXT], b[UNIT_TEXT];
	int id = drawn(s)->look[column].id;
	double ratio;

	f->role = figures->relevant && !is_left(s, row) ? ROLE_DEFAULT : ROLE_DIM;
	switch (id) {
	case P_STRIP: /* the legend of the strip at the foot */
		strcpy(f->text, "  ");
		f->text[2 + text_encode(look.mark, f->text + 2)] = 0;
		f->role = look.role;
		break;
	case P_IN_WINDOWS:
		in_windows_text(s, row, f);
		break;
	case P_DEVIATION:
		if (!isnan(relative_deviation(s, row)))
			unit_percent(f->text, relative_deviation(s, row));
		break;
	case PHASE_RATIO:
		ratio = s->of_result[row].ratio;
		if (!isnan(ratio))
			snprintf(f->text, sizeof f->text, "%.*f", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio);
		break;
	case P_SPREAD:
		snprintf(f->text, sizeof f->text, "%s – %s", unit_time(a, figures->time_min), unit_time(b, figures->time_max));
		break;
	case P_LAST:
		unit_count(f->text, last_tick(s, row));
		break;
	case P_OVER_RUN:
		times_over_run(s, row + 1, f->text, sizeof f->text);
		f->picture = true;
		f->role = f->role == ROLE_DIM ? ROLE_DIM : look.role;
		break;
	default:
		drawn_field(drawn(s), &s->rows, row, column, f);
	}
	if (id == PHASE_NAME && called && !called->named)
		f->role = ROLE_DIM; /* a description */
	if (id == PHASE_ID) {
		f->role = look.role;
		f->attr = ATTR_BOLD;
	}
}

/* Names in the order of the alphabet by their first letters: as many as a number holds. */
static double name_key(const struct phase_name *called)
{
	double key = 0;

	for (size_t i = 0, n = called ? strlen(called->name) : 0; i < 6; i++)
		key = key * 256 + (i < n ? (unsigned char)called->name[i] : 0);
	return key;
}

static double phase_key(const void *ctx, uint32_t row, int column)
{
	const struct phases_view *s = ctx;
	const struct phase_figures *figures = &s->view.model->analysis->figures->phase[row];

	switch (drawn(s)->look[column].id) {
	case P_STRIP: return phase_look(s->view.model, row + 1).rank;
	case P_IN_WINDOWS: return is_left(s, row) ? -1.0 : (double)estimate_of(s, row)->occurrences;
	case P_DEVIATION: return isnan(relative_deviation(s, row)) ? -1 : relative_deviation(s, row);
	case P_SPREAD: return figures->time_min > 0 ? figures->time_max / figures->time_min : 0;
	case PHASE_COVERED: return isnan(figures->share) ? 0 : figures->share; /* what it adds to those with larger ones */
	case P_LAST: return last_tick(s, row);
	case P_OVER_RUN: return row;
	case PHASE_NAME: return name_key(phase_name_of(s->view.model->analysis, row + 1));
	default: return drawn_key(drawn(s), &s->rows, row, column);
	}
}

static const struct row_source *phase_rows(const struct phases_view *s)
{
	return &drawn(s)->source;
}

static const struct trace *phases_trace(const struct phases_view *s)
{
	return s->view.model->analysis->logical->trace;
}

/* The columns of a result and of windows come and go; what the list is sorted by stays, if it is there. */
static void show_set(struct phases_view *s, unsigned set)
{
	struct list *l = &s->view.list;
	int sorted = l->sort_column < 0 ? -1 : drawn(s)->look[l->sort_column].id;

	s->set = set;
	s->drawn[set].source.column_count = sets[set].count - (patterns_possible(phases_trace(s)) ? 0 : OF_NAMES);
	if (sorted < 0)
		return;
	l->sort_column = drawn_place(drawn(s), sorted);
	if (l->sort_column < 0)
		l->sort_column = drawn_place(drawn(s), PHASE_SHARE);
}

static const struct hint hints[] = {
	{ACTION_ENTER, ACTION_NONE, "occurrences"},
	{ACTION_GOTO, ACTION_NONE, "logical view"},
	{ACTION_SORT, ACTION_SORT_REVERSE, "sort"},
	{ACTION_FILTER, ACTION_NONE, "filter"},
	{ACTION_FOLD, ACTION_NONE, "unfold"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

static const struct hint inner_hints[] = {
	{ACTION_ENTER, ACTION_NONE, "logical view"},
	{ACTION_SORT, ACTION_SORT_REVERSE, "sort"},
	{ACTION_FILTER, ACTION_NONE, "filter"},
	{ACTION_BACK, ACTION_NONE, "phases"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

static void open_phases(struct view *v)
{
	struct phases_view *s = self(v);

	list_init(&s->inner);
	s->line.depth = STRUCTURE_AS_FITS;
	for (int i = 0; i < PHASE_SETS; i++)
		drawn_list_init(&s->drawn[i], &phases_columns, sets[i].column, sets[i].count, phase_field, phase_key);
	v->list.sort_column = drawn_place(drawn(s), PHASE_SHARE);
	v->list.descending = true;
}

static void close_phases(struct view *v)
{
	phases_list_release(&self(v)->rows);
	mem_free(self(v)->of_result);
	mem_free(self(v)->waiting);
	mem_free(self(v)->slowest);
	mem_free(self(v)->details.time);
	list_release(&self(v)->inner);
}

static bool take_analysis(struct phases_view *s)
{
	const struct analysis *a = s->view.model->analysis;
	struct phase_measured *of_result = mem_resize(s->of_result, a->phases->count, sizeof *of_result);
	double *waiting = mem_resize(s->waiting, a->phases->count, sizeof *waiting);
	struct phases_list rows;
	struct err e;

	if (of_result)
		s->of_result = of_result;
	if (waiting)
		s->waiting = waiting;
	if (!of_result || !waiting)
		return false;
	if (phases_list_init(&rows, a, &e))
		return false;
	phases_list_release(&s->rows);
	s->rows = rows;
	s->rows.measured = of_result;
	return true;
}

/* One run has no deviation; windows have a standard error. */
static void take_result(struct phases_view *s)
{
	const struct results *r = &s->view.model->results;
	const struct result *shown = results_shown(r);

	for (uint32_t i = 0; i < phases_found(s)->count; i++) {
		const struct result_phase *m = results_phase(r, i + 1);

		s->of_result[i] = (struct phase_measured){NAN, NAN, NAN};
		if (!m)
			continue;
		s->of_result[i].time = m->time;
		if (shown && shown->by_windows)
			s->of_result[i].deviation = m->se;
		else if (shown && shown->runs > 1)
			s->of_result[i].deviation = m->deviation;
		if (m->traced > 0)
			s->of_result[i].ratio = m->time / m->traced;
	}
}

/* What was waited in each; as long as that is of other phases, nothing is known. */
static void take_waiting(struct phases_view *s)
{
	bool known = false;

	for (uint32_t i = 0; i < phases_found(s)->count; i++) {
		s->waiting[i] = spending_waited(s->view.model, i + 1);
		known = known || !isnan(s->waiting[i]);
	}
	s->rows.waiting = known ? s->waiting : NULL;
}

/* Above the rows: the phase whose occurrences they are, or whose times were measured. */
static int title_rows(const struct phases_view *s)
{
	return s->inside || s->view.model->results.shown;
}

static void phases_draw_title(const struct phases_view *s, struct pane p)
{
	const struct model *m = s->view.model;
	const struct results *results = &m->results;
	const struct result *shown = results_shown(results);
	char label[RESULT_LABEL], text[256], key[16], t[UNIT_TEXT];
	int x = 1, right = p.w - 1;

	results_label(&results->list[results->shown - 1], label);
	if (results->count > 1) {
		snprintf(text, sizeof text, "%u of %u %s", (unsigned)results->shown, (unsigned)results->count,
			 keymap_first(m->keymap, ACTION_RESULT, key));
		right -= pane_text_right(p, right, 0, ROLE_DIM, 0, text) + 2;
	}
	x += pane_text_in(p, x, 0, right - x, ROLE_TITLE, 0, label);
	if (!shown) {
		struct background_state state = background_state(m->background, m->slots.hash);

		snprintf(text, sizeof text, " · checking the trace (SHA-256): %d %%",
			 state.total ? (int)(state.done * 100 / state.total) : 0);
		pane_text_in(p, x, 0, right - x, ROLE_WARN, 0, text);
		return;
	}
	results_missing(results, &m->settings, text, sizeof text);
	if (text[0]) {
		x += pane_text_in(p, x, 0, right - x, ROLE_DIM, 0, " · ");
		x += pane_text_in(p, x, 0, right - x, ROLE_WARN, 0, text);
		snprintf(text, sizeof text, " · %s uses its settings", keymap_first(m->keymap, ACTION_RESULT_SETTINGS, key));
		if (shown->has_settings && key[0] && x + text_width(text) <= right)
			pane_text(p, x, 0, ROLE_DIM, 0, text);
		return;
	}
	snprintf(text, sizeof text, " · predicted time %s", unit_time(t, shown->pet));
	if (shown->aet > 0)
		snprintf(text + strlen(text), sizeof text - strlen(text), " · prediction error %s", unit_percent(t, shown->pete));
	text_drop_facts(text, right - x);
	pane_text(p, x, 0, ROLE_DIM, 0, text);
}

/* What stands above the list, and below it, of h rows. */
static void phases_lay_out(struct phases_view *s, int w, int h)
{
	struct list *l = &s->view.list;
	uint32_t row;

	structure_line_update(&s->line, s->view.model);
	s->above = structure_line_rows(&s->line, s->view.model, w, h < STRUCTURE_FROM ? 0 : h / 3);
	h -= s->above;
	s->below = details_rows(s, h);
	if (h >= DETAILS_FROM && s->below < DETAILS_ROWS)
		s->below = DETAILS_ROWS; /* a long list leaves it some */
	s->meaning = s->below || h < MEANING_FROM ? 0 : meaning_draw(s, (struct pane){.w = w - 2}, true);
	if (s->meaning > MEANING_ROWS)
		s->meaning = MEANING_ROWS;
	s->below += s->meaning;
	list_fit(l, h - s->below - 1);
	row = list_row(l);
	s->line.phase = row == UINT32_MAX ? 0 : row + 1;
	if (s->below > s->meaning)
		details_update(s, w);
}

/* Where the selected phase is in the run: its number says nothing among other phases. */
static uint32_t phase_middle_tick(const struct phases_view *s)
{
	const struct phases *p = phases_found(s);
	uint32_t row = list_row(&s->view.list);

	if (row >= p->count)
		return UINT32_MAX;
	return p->occurrences[p->by_phase[p->phase_first[row] + (p->phase_first[row + 1] - p->phase_first[row]) / 2]].first;
}

static uint32_t row_at(const struct phases_view *s, uint32_t place)
{
	uint32_t at = place == UINT32_MAX ? place : phases_occurrence_at(phases_found(s), place);

	return at == UINT32_MAX ? 0 : phases_found(s)->occurrences[at].phase - 1;
}

static void update_phases(struct view *v, int w, int h)
{
	struct phases_view *s = self(v);
	struct model *m = v->model;

	if (!phases_found(s))
		return;
	spending_update(m);
	if (s->serial != m->serial || s->results != m->results.serial || s->spending != spending_serial(m)) {
		bool other = s->serial != m->serial;
		uint32_t keep = list_row(&v->list);

		if (other && !take_analysis(s))
			return;
		if (other && s->made)
			keep = row_at(s, s->place);
		s->made = true;
		take_result(s);
		take_waiting(s);
		s->spending = spending_serial(m);
		s->serial = m->serial;
		s->results = m->results.serial;
		show_set(s, (results_shown(&m->results) ? PHASE_SET_RESULT : 0) | (m->analysis->windows ? PHASE_SET_WINDOWS : 0));
		list_refresh(&v->list, phase_rows(s), s, phases_found(s)->count, keep);
		if (s->inside && other)
			occurrences_enter(s, keep + 1);
	}
	if (m->wanted.phase && m->wanted.phase <= phases_found(s)->count) {
		s->inside = 0;
		list_select(&v->list, m->wanted.phase - 1);
	}
	m->wanted.phase = 0;
	s->place = phase_middle_tick(s);
	v->hints = s->inside ? inner_hints : hints;
	s->width = w;
	phases_lay_out(s, w, h - title_rows(s));
	list_fit(&s->inner, h - 2);
}

static struct pane list_pane_phases(const struct view *v, struct pane p)
{
	const struct phases_view *s = (const struct phases_view *)v;
	int top = title_rows(s) + (s->inside ? 0 : s->above);

	return pane_part(p, 0, top, p.w, p.h - top - (s->inside ? 0 : s->below));
}

static void draw_phases(const struct view *v, struct pane p)
{
	const struct phases_view *s = (const struct phases_view *)v;

	if (!phases_found(s) || s->serial != v->model->serial)
		return;
	if (!phases_found(s)->count) {
		nothing_draw(p, "No phases.", "Phases consist of sends and collectives; the trace has none.");
		return;
	}
	if (s->inside) {
		occurrences_draw(s, p);
	} else {
		if (title_rows(s))
			phases_draw_title(s, p);
		structure_line_draw(&s->line, v->model, pane_part(p, 0, title_rows(s), p.w, s->above));
		list_draw(&v->list, phase_rows(s), s, list_pane_phases(v, p));
		if (s->meaning)
			meaning_draw(s, pane_part(p, 1, p.h - s->meaning, p.w - 2, s->meaning), true);
		else
			details_draw(s, pane_part(p, 0, p.h - s->below, p.w, s->below));
	}
}

static unsigned phases_go_occurrence(struct phases_view *s, uint32_t occurrence)
{
	struct model *m = s->view.model;

	model_goto(m, m->cursor.process, phases_found(s)->occurrences[occurrence].first);
	return REACT_JUMPED | react_show(VIEW_GRID);
}

static unsigned act_phases(struct view *v, enum action a)
{
	struct phases_view *s = self(v);
	struct list *l = s->inside ? &s->inner : &v->list;
	uint32_t row;

	if (!phases_found(s) || s->serial != v->model->serial)
		return REACT_IGNORED;
	if (list_act(l, a)) {
		s->place = phase_middle_tick(s); /* other phases may come before it is drawn */
		return REACT_DONE;
	}
	row = list_row(l);
	switch (a) {
	case ACTION_FOLD:
		s->line.depth = structure_line_deeper(&s->line, v->model, s->width);
		structure_line_describe(&s->line, v->model, s->width, v->model->message, sizeof v->model->message);
		return REACT_DONE;
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
			return phases_go_occurrence(s, occurrence_of(s, row));
		occurrences_enter(s, row + 1);
		return REACT_DONE;
	case ACTION_WHY:
		if (row == UINT32_MAX && !s->inside)
			return REACT_DONE;
		v->model->compare.asked = true;
		v->model->compare.blocks = false;
		v->model->compare.id = s->inside ? s->inside : row + 1;
		return react_show(VIEW_COMPARE);
	case ACTION_GOTO:
		if (row == UINT32_MAX)
			return REACT_DONE;
		return phases_go_occurrence(s, s->inside ? occurrence_of(s, row) : phases_found(s)->by_phase[phases_found(s)->phase_first[row]]);
	default:
		return REACT_IGNORED;
	}
}

/* The process that computes most in a phase: its time is a mean over all. */
static uint32_t heaviest_in(const struct model *m, uint32_t phase)
{
	const struct spent_phases *spent = spent_phases_current(m);
	const struct phase_rows *rows = spent ? &spent->rows : NULL;

	return rows && phase < rows->count && rows->row[phase].phase == phase ? rows->row[phase].part.heaviest : NO_PROCESS;
}

static void status_phases(const struct view *v, char *text, size_t size, int room)
{
	const struct phases_view *s = (const struct phases_view *)v;
	const struct list *l = s->inside ? &s->inner : &v->list;
	uint32_t row = list_row(l);
	char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT], d[UNIT_TEXT];

	text[0] = 0;
	if (!phases_found(s) || s->serial != v->model->serial || row == UINT32_MAX)
		return;
	if (s->inside) {
		occurrences_status(s, row, text, size);
	} else {
		const struct phase_figures *g = &v->model->analysis->figures->phase[row];
		const struct phase *p = &phases_found(s)->list[row];
		const char *of = settings_share_of(&v->model->analysis->settings, "");

		snprintf(text, size, "phase %u · %s × %s = %s%s%s · %s – %s · %s", (unsigned)p->id, unit_count(a, p->weight),
			 unit_time(b, g->time), unit_figure_percent(c, g->share), *of ? " " : "", of, unit_time(d, g->time_min),
			 unit_time((char[UNIT_TEXT]){""}, g->time_max), !g->relevant ? "not relevant" : is_left(s, row) ? "relevant, not measured" : "relevant");
		if (s->rows.waiting && !isnan(s->waiting[row]))
			snprintf(text + strlen(text), size - strlen(text), " · waiting %s", unit_time(a, s->waiting[row]));
		if (s->rows.waiting && model_processes(v->model) > 1 && heaviest_in(v->model, p->id) != NO_PROCESS)
			snprintf(text + strlen(text), size - strlen(text), " · most computation: %s", unit_rank((char[UNIT_TEXT]){""}, heaviest_in(v->model, p->id)));
		text_drop_facts(text, room);
	}
}

static const struct row_source *rows_phases(const struct view *v)
{
	const struct phases_view *s = (const struct phases_view *)v;

	return !phases_found(s) || s->serial != v->model->serial ? NULL : s->inside ? &occurrence_rows : phase_rows(s);
}

static struct list *list_phases(struct view *v)
{
	return self(v)->inside ? &self(v)->inner : &v->list;
}

static unsigned work_phases(struct view *v, unsigned ms)
{
	struct phases_view *s = self(v);

	return s->inside && phases_found(s) && s->serial == v->model->serial && occurrences_work(s, ms) ? REACT_DONE : REACT_IGNORED;
}

/* How deep loops are unfolded, where someone chose that. */
static void save_phases(const struct view *v, bool front, struct tree_out *t)
{
	const struct phases_view *s = (const struct phases_view *)v;
	(void)front;

	if (s->line.depth == STRUCTURE_AS_FITS)
		return;
	view_remember(v, t);
	tree_put_whole(t, "depth", s->line.depth);
	tree_end(t);
}

static void restore_phases(struct view *v, struct fields *f, const struct fields_map *map)
{
	uint32_t depth = fields_count(f, map, "depth", 0, DEPTH_MOST);

	if (!f->code)
		self(v)->line.depth = depth;
}

const struct view_ops view_phases = {
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
	.save = save_phases,
	.restore = restore_phases,
};
