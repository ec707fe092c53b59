/* The summary of the trace: times by kind, who sends to whom, sizes, collectives, calls, and what is odd. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/mem.h"
#include "background.h"
#include "kinds.h"
#include "summary_view.h"
#include "units.h"

static struct summary_view *self(struct view *v)
{
	return (struct summary_view *)v;
}

/* --- counting, in the background --- */

struct counting {
	struct task task;
	const struct trace *trace;
	uint32_t groups;
	struct counts *counts;
};

static void free_counts(struct counts *c)
{
	if (!c)
		return;
	comm_matrix_release(&c->matrix);
	mem_free(c->colls);
	mem_free(c->states);
	mem_free(c);
}

static int most_time(const void *a, const void *b, void *trace)
{
	const struct trace *t = trace;
	const uint32_t *x = a, *y = b;
	double s = t->states[*x].exclusive, r = t->states[*y].exclusive;

	return s != r ? (s < r ? 1 : -1) : *x < *y ? -1 : *x > *y;
}

static enum err_code rank_states(struct counts *c, const struct trace *t, struct err *e)
{
	c->states = mem_alloc(t->state_count, sizeof *c->states);
	if (!c->states)
		return err_memory(e, "the summary");
	for (uint32_t i = 0; i < t->state_count; i++)
		if (t->states[i].count)
			c->states[c->state_count++] = i;
	qsort_r(c->states, c->state_count, sizeof *c->states, most_time, (void *)(uintptr_t)t);
	return ERR_OK;
}

static enum err_code count(struct task *task, const struct job *job, struct err *e)
{
	struct counting *c = (struct counting *)task;
	struct counts *n = mem_zero(1, sizeof *n);
	enum err_code code;

	if (!n)
		return err_memory(e, "the summary");
	code = comm_matrix_init(&n->matrix, c->trace, c->groups, c->groups, job, e);
	if (!code)
		code = size_histogram(&n->sizes, c->trace, job, e);
	if (!code)
		code = coll_stats(&n->colls, &n->coll_count, c->trace, job, e);
	if (!code)
		code = rank_states(n, c->trace, e);
	if (code)
		free_counts(n);
	else
		c->counts = n;
	return code;
}

static void free_counting(struct task *t)
{
	free_counts(((struct counting *)t)->counts);
	mem_free(t);
}

static void ask(struct summary_view *s, uint32_t groups)
{
	struct counting *c = mem_zero(1, sizeof *c);

	s->asked = groups;
	s->failure[0] = 0;
	if (!c)
		return;
	c->task = (struct task){count, free_counting};
	c->trace = s->view.model->trace;
	c->groups = groups;
	background_ask(s->view.model->background, BACKGROUND_SUMMARY, &c->task);
}

static void take(struct summary_view *s)
{
	struct err e;
	struct counting *c = (struct counting *)background_take(s->view.model->background, BACKGROUND_SUMMARY, &e);

	if (c) {
		free_counts(s->counts);
		s->counts = c->counts;
		c->counts = NULL;
		free_counting(&c->task);
		s->made_for = 0;
	} else if (e.code) {
		snprintf(s->failure, sizeof s->failure, "%s", e.code == ERR_CANCELLED ? "Stopped." : e.text);
	}
}

/* --- lines --- */

const struct note *summary_note(const struct model *m, uint32_t i)
{
	const struct notes *n = &m->trace->notes, *l = model_logical(m) ? &model_logical(m)->notes : NULL;

	if (i < n->n)
		return &n->list[i];
	i -= (uint32_t)n->n;
	return l && i < l->n ? &l->list[i] : NULL;
}

const char *summary_group(const struct model *m, uint32_t r, uint32_t n, char buf[48])
{
	uint32_t from = matrix_first(r, n, model_processes(m)), to = matrix_first(r + 1, n, model_processes(m));

	if (to <= from + 1)
		snprintf(buf, 48, "P%u", (unsigned)from + 1);
	else
		snprintf(buf, 48, "P%u–%u", (unsigned)from + 1, (unsigned)to);
	return buf;
}

double summary_times(const struct model *m, uint32_t row, double by_kind[TIME_KINDS])
{
	uint32_t n = summary_rows(m), to = matrix_first(row + 1, n, model_processes(m));
	double span = 0;

	memset(by_kind, 0, TIME_KINDS * sizeof *by_kind);
	for (uint32_t p = matrix_first(row, n, model_processes(m)); p < to; p++) {
		const struct process *x = &m->trace->processes[p];

		span += x->end - x->start;
		for (int k = 0; k < TIME_KINDS; k++)
			by_kind[k] += x->by_kind[k];
	}
	return span;
}

static void add(struct summary_view *s, enum summary_line kind, uint32_t index)
{
	void *grown = mem_grow(s->lines, s->line_count, &s->line_cap, sizeof *s->lines);

	if (!grown)
		return;
	s->lines = grown;
	s->lines[s->line_count].kind = (uint8_t)kind;
	s->lines[s->line_count++].index = index;
}

static void add_all(struct summary_view *s, enum summary_line kind, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		add(s, kind, i);
}

static void add_title(struct summary_view *s, enum summary_section section)
{
	if (s->line_count)
		add(s, LINE_BLANK, 0);
	add(s, LINE_TITLE, section);
}

/* Notes by kind, each kind with its meaning once. */
static void add_notes(struct summary_view *s)
{
	const struct model *m = s->view.model;
	const struct note *n;

	if (!summary_note(m, 0))
		return;
	add_title(s, SECTION_NOTES);
	for (uint32_t k = 0; k < NOTE_KIND_COUNT; k++) {
		bool first = true;

		for (uint32_t i = 0; (n = summary_note(m, i)) != NULL; i++) {
			if (n->kind != k)
				continue;
			if (first)
				add(s, LINE_NOTE_KIND, k);
			first = false;
			add(s, LINE_NOTE, i);
		}
	}
}

static void make_lines(struct summary_view *s)
{
	const struct counts *c = s->counts;

	s->line_count = 0;
	add_title(s, SECTION_RUN);
	add_all(s, LINE_FACT, 4);
	add_notes(s);
	add_title(s, SECTION_TIME);
	add(s, LINE_LEGEND, 0);
	add_all(s, LINE_TIME, summary_rows(s->view.model));
	if (!c)
		return;
	if (c->matrix.all.messages) {
		add_title(s, SECTION_MATRIX);
		add(s, LINE_MATRIX_HEAD, 0);
		add_all(s, LINE_MATRIX, c->matrix.rows);
		add_title(s, SECTION_SIZES);
		for (uint32_t k = c->sizes.first; k < SIZE_BINS && k <= c->sizes.last; k++)
			add(s, LINE_SIZE, k);
		if (c->sizes.unknown)
			add(s, LINE_SIZE_UNKNOWN, 0);
	}
	if (c->coll_count) {
		add_title(s, SECTION_COLLECTIVES);
		add_all(s, LINE_COLLECTIVE, c->coll_count);
	}
	if (c->state_count) {
		add_title(s, SECTION_STATES);
		add_all(s, LINE_STATE, c->state_count);
	}
}

static void close_summary(struct view *v)
{
	free_counts(self(v)->counts);
	mem_free(self(v)->lines);
}

/* As many groups in the matrix as have a column each. */
static uint32_t groups_for(const struct model *m, int w)
{
	uint32_t n = summary_rows(m), room = w > 24 ? (uint32_t)w - 16 : 8;

	return n < room ? n : room;
}

static void update_summary(struct view *v, int w, int h)
{
	struct summary_view *s = self(v);
	const struct model *m = v->model;
	uint32_t groups;

	s->w = w;
	s->h = h;
	if (!m->trace || !m->background || !model_processes(m))
		return;
	groups = groups_for(m, w);
	if (s->asked != groups)
		ask(s, groups);
	take(s);
	if (s->made_for != m->serial + 1) {
		make_lines(s);
		s->made_for = m->serial + 1;
	}
	if (s->cur >= s->line_count)
		s->cur = s->line_count ? s->line_count - 1 : 0;
	if (s->cur < s->top)
		s->top = s->cur && s->lines[s->cur - 1].kind == LINE_TITLE ? s->cur - 1 : s->cur;
	if (h > 0 && s->cur >= s->top + (uint32_t)h)
		s->top = s->cur - (uint32_t)h + 1;
	if (h > 0 && s->line_count > (uint32_t)h && s->top > s->line_count - (uint32_t)h)
		s->top = s->line_count - (uint32_t)h;
	if (s->line_count <= (uint32_t)(h > 0 ? h : 0))
		s->top = 0;
	if (s->counts && s->column >= s->counts->matrix.columns)
		s->column = s->counts->matrix.columns ? s->counts->matrix.columns - 1 : 0;
}

/* --- keys --- */

static unsigned move(struct summary_view *s, int64_t by)
{
	int64_t at = (int64_t)s->cur + by;

	s->cur = at < 0 ? 0 : at >= (int64_t)s->line_count ? (s->line_count ? s->line_count - 1 : 0) : (uint32_t)at;
	return REACT_DONE;
}

static unsigned to_section(struct summary_view *s, int direction)
{
	for (int64_t i = (int64_t)s->cur + direction; i >= 0 && i < (int64_t)s->line_count; i += direction)
		if (s->lines[i].kind == LINE_TITLE) {
			s->cur = (uint32_t)i;
			if (direction > 0)
				s->top = s->cur; /* the section from its start */
			return REACT_DONE;
		}
	return REACT_DONE;
}

/* The tick of what a note speaks of. The analysis may be of the trace without its collectives, and that has other
 * numbers: there the process's event nearest in time. */
static uint32_t tick_of(const struct model *m, const struct note *n)
{
	const struct logical *l = model_logical(m);
	const struct trace *t = l->trace;
	uint32_t p, lo, hi;

	if (n->event < 0 || (uint64_t)n->event >= m->trace->event_count)
		return m->cursor.tick;
	if (t == m->trace)
		return l->tick[n->event];
	p = trace_process_of(m->trace, (uint32_t)n->event);
	lo = t->first[p];
	hi = t->first[p + 1];
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (t->time[mid] < m->trace->time[n->event])
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < t->first[p + 1] ? l->tick[lo] : lo > t->first[p] ? l->tick[lo - 1] : m->cursor.tick;
}

static unsigned enter(struct summary_view *s)
{
	struct model *m = s->view.model;
	const struct note *n;
	uint32_t process;

	if (s->cur >= s->line_count || !model_ticks(m))
		return REACT_DONE;
	if (s->lines[s->cur].kind == LINE_TIME) {
		model_goto(m, matrix_first(s->lines[s->cur].index, summary_rows(m), model_processes(m)), m->cursor.tick);
		return REACT_DONE | REACT_JUMPED | REACT_TO_GRID;
	}
	if (s->lines[s->cur].kind == LINE_MATRIX) {
		model_goto(m, matrix_first(s->lines[s->cur].index, s->counts->matrix.rows, model_processes(m)), m->cursor.tick);
		return REACT_DONE | REACT_JUMPED | REACT_TO_GRID;
	}
	n = s->lines[s->cur].kind == LINE_NOTE ? summary_note(m, s->lines[s->cur].index) : NULL;
	if (!n)
		return REACT_DONE;
	if (n->process < 0 && n->event < 0) {
		snprintf(m->message, sizeof m->message, "This is about no place in the grid.");
		return REACT_DONE;
	}
	process = n->process >= 0 ? (uint32_t)n->process
		  : (uint64_t)n->event < m->trace->event_count ? trace_process_of(m->trace, (uint32_t)n->event) : 0;
	model_goto(m, process, tick_of(m, n));
	return REACT_DONE | REACT_JUMPED | REACT_TO_GRID;
}

static unsigned act_summary(struct view *v, enum action a)
{
	struct summary_view *s = self(v);
	struct model *m = v->model;

	if (!m->trace)
		return REACT_IGNORED;
	switch (a) {
	case ACTION_UP: return move(s, -1);
	case ACTION_DOWN: return move(s, 1);
	case ACTION_PAGE_UP: return move(s, -s->h);
	case ACTION_PAGE_DOWN: return move(s, s->h);
	case ACTION_HALF_UP: return move(s, -(s->h + 1) / 2);
	case ACTION_HALF_DOWN: return move(s, (s->h + 1) / 2);
	case ACTION_FIRST: return move(s, INT32_MIN);
	case ACTION_LAST: return move(s, INT32_MAX);
	case ACTION_LEFT:
		s->column -= s->column > 0;
		return REACT_DONE;
	case ACTION_RIGHT:
		s->column++;
		return REACT_DONE;
	case ACTION_SECTION_NEXT: return to_section(s, 1);
	case ACTION_SECTION_PREVIOUS: return to_section(s, -1);
	case ACTION_MATRIX_OF:
		s->bytes = !s->bytes;
		snprintf(m->message, sizeof m->message, "The matrix shows %s.", s->bytes ? "bytes" : "messages");
		return REACT_DONE;
	case ACTION_ENTER:
		if (s->failure[0]) {
			s->asked = 0;
			return REACT_DONE;
		}
		return enter(s);
	case ACTION_BACK:
		if (!m->background || !background_state(m->background, BACKGROUND_SUMMARY).busy)
			return REACT_IGNORED;
		background_cancel(m->background, BACKGROUND_SUMMARY);
		return REACT_DONE;
	default: return REACT_IGNORED;
	}
}

/* --- status --- */

static void status_summary(const struct view *v, char *text, size_t size, int room)
{
	const struct summary_view *s = (const struct summary_view *)v;
	const struct model *m = v->model;
	uint32_t index = s->cur < s->line_count ? s->lines[s->cur].index : 0;
	char a[UNIT_TEXT], b[UNIT_TEXT], from[48], to[48];
	double by_kind[TIME_KINDS], span;

	text[0] = 0;
	if (s->cur >= s->line_count)
		return;
	switch (s->lines[s->cur].kind) {
	case LINE_TIME:
		span = summary_times(m, index, by_kind);
		snprintf(text, size, "%s · %s:", summary_group(m, index, summary_rows(m), from), unit_time(a, span));
		for (int k = 0; k < TIME_KINDS; k++)
			if (by_kind[k] > 0 && span > 0 && text_width(text) + 18 < room)
				snprintf(text + strlen(text), size - strlen(text), " %s %.2f %%", time_kind_name((enum time_kind)k),
					 100 * by_kind[k] / span);
		break;
	case LINE_MATRIX: {
		const struct comm_matrix *x = &s->counts->matrix;
		const struct comm_cell *c = &x->cell[(size_t)index * x->columns + s->column];

		snprintf(text, size, "%s → %s: %s message%s, %s", summary_group(m, index, x->rows, from),
			 summary_group(m, s->column, x->columns, to), unit_count(a, c->messages), c->messages == 1 ? "" : "s",
			 unit_bytes(b, c->bytes));
		break;
	}
	case LINE_NOTE:
	case LINE_NOTE_KIND: {
		enum note_kind kind = s->lines[s->cur].kind == LINE_NOTE ? summary_note(m, index)->kind : (enum note_kind)index;

		snprintf(text, size, "%s", note_meaning(kind));
		break;
	}
	default:
		if (s->counts && s->counts->matrix.nowhere)
			snprintf(text, size, "%s sends go to an unknown process.", unit_count(a, s->counts->matrix.nowhere));
	}
}

static const struct hint hints[] = {
	{ACTION_SECTION_NEXT, ACTION_SECTION_PREVIOUS, "section"},
	{ACTION_MATRIX_OF, ACTION_NONE, "bytes, messages"},
	{ACTION_ENTER, ACTION_NONE, "in the grid"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

const struct view_ops view_summary = {
	.name = "summary",
	.title = "Summary",
	.scope = IN_SUMMARY,
	.size = sizeof(struct summary_view),
	.hints = hints,
	.close = close_summary,
	.update = update_summary,
	.draw = summary_draw,
	.act = act_summary,
	.status = status_summary,
};
