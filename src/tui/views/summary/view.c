/* The summary of the trace: times by kind, messages between ranks, sizes, collectives, calls, and issues. */
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/search.h"
#include "core/trace/calls.h"
#include "summary_int.h"
#include "tui/widgets/units.h"

static struct summary_view *self(struct view *v)
{
	return (struct summary_view *)v;
}

static void open_summary(struct view *v)
{
	v->list.line = summary_line_of;
}

static void close_summary(struct view *v)
{
	derived_release(&self(v)->counting);
	derived_release(&self(v)->waiting);
	mem_free(self(v)->rows);
	mem_free(self(v)->lines);
	mem_free(self(v)->order);
}

/* As many groups in the matrix as have a column each. */
static uint32_t groups_for(const struct model *m, int w)
{
	uint32_t n = summary_rows(m), room;

	w = w >= SUMMARY_TWO_W ? (w - 1) / 2 : w;
	room = w > 24 ? (uint32_t)w - 16 : 8;
	return n < room ? n : room;
}

/* To the first row of what another view wants to be seen here, once it is there. */
static void take_wanted(struct summary_view *s)
{
	struct model *m = s->view.model;
	bool notes = m->wanted.summary == WANTED_NOTES;

	for (uint32_t i = 0; m->wanted.summary && i < s->row_count; i++)
		if (notes ? s->rows[i].kind == LINE_NOTE_KIND || s->rows[i].kind == LINE_NOTE : s->rows[i].kind == LINE_MATRIX) {
			list_select(&s->view.list, i);
			m->wanted.summary = WANTED_NO_SUMMARY;
		}
	if (s->counts || s->counting.failure[0])
		m->wanted.summary = WANTED_NO_SUMMARY;
}

static void update_summary(struct view *v, int w, int h)
{
	struct summary_view *s = self(v);
	const struct model *m = v->model;

	s->w = w;
	s->h = h;
	if (!m->trace || !m->background || !model_processes(m))
		return;
	s->groups = groups_for(m, w);
	if (summary_count(s) || s->made_for != m->serial + 1) {
		summary_make_rows(s);
		s->made_for = m->serial + 1;
	}
	take_wanted(s);
	list_fit(&v->list, h);
	summary_lay_out(s);
	if (s->counts && s->column >= s->counts->matrix.columns)
		s->column = s->counts->matrix.columns ? s->counts->matrix.columns - 1 : 0;
}

/* --- keys --- */

/* To the row on this line, if there is one. */
static bool go_to_line(struct summary_view *s, uint32_t line)
{
	if (line >= s->line_count || s->lines[line].row == UINT32_MAX)
		return false;
	list_select(&s->view.list, s->lines[line].row);
	return true;
}

static uint32_t first_row(const struct summary_view *s, uint32_t line)
{
	while (line < s->line_count && s->lines[line].row == UINT32_MAX)
		line++;
	return line;
}

/* Back goes to the start of this section, and from there to the one before. */
static unsigned to_section(struct summary_view *s, int direction)
{
	uint32_t from = s->at;

	if (from >= s->line_count)
		return REACT_DONE;
	while (direction < 0 && from && s->lines[from - 1].what.kind != LINE_TITLE)
		from--;
	if (direction < 0 && first_row(s, from) == s->at && from > 1)
		for (from--; from && s->lines[from - 1].what.kind != LINE_TITLE;)
			from--;
	while (direction > 0 && from < s->line_count && s->lines[from].what.kind != LINE_TITLE)
		from++;
	if (direction > 0 && from < s->line_count)
		s->top = s->lines[from].y; /* the section from its start */
	go_to_line(s, first_row(s, from));
	return REACT_DONE;
}

/* To the row beside the cursor's in the other column. */
static unsigned to_column(struct summary_view *s, int column)
{
	uint32_t best = UINT32_MAX, away = UINT32_MAX;

	for (uint32_t i = 0; s->at < s->line_count && i < s->line_count; i++) {
		uint32_t y = s->lines[i].y, here = s->lines[s->at].y, d = y > here ? y - here : here - y;

		if (s->lines[i].column == column && s->lines[i].row != UINT32_MAX && d < away) {
			best = i;
			away = d;
		}
	}
	go_to_line(s, best);
	return REACT_DONE;
}

/* In the matrix to its next cell; from its edge, and elsewhere, to the other column of sections. */
static unsigned sideways(struct summary_view *s, int by)
{
	bool matrix = summary_here(s).kind == LINE_MATRIX;

	if (matrix && by < 0 && s->column > 0)
		s->column--;
	else if (matrix && by > 0 && s->column + 1 < s->counts->matrix.columns)
		s->column++;
	else if (s->columns == 2)
		return to_column(s, by > 0);
	return REACT_DONE;
}

/* The tick of what a note speaks of. The analysis may be of the trace without its collectives, and that has other
 * numbers: there the process's event nearest in time. */
static uint32_t tick_of(const struct model *m, const struct note *n)
{
	const struct logical *l = model_logical(m);
	const struct trace *t = l->trace, *of = summary_note_trace(m, n);
	uint32_t event = trace_note_event(of, n), p, lo;

	if (event == NO_EVENT)
		return m->cursor.tick;
	if (t == of)
		return l->tick[event];
	p = (uint32_t)n->process;
	lo = SEARCH_PAST(i, t->first[p], t->first[p + 1], t->time[i] < of->time[event]);
	return lo < t->first[p + 1] ? l->tick[lo] : lo > t->first[p] ? l->tick[lo - 1] : m->cursor.tick;
}

static unsigned to_process(struct model *m, uint32_t process, uint32_t tick)
{
	model_goto(m, process, tick);
	return REACT_JUMPED | react_show(VIEW_GRID);
}

static unsigned summary_enter_row(struct summary_view *s)
{
	struct model *m = s->view.model;
	struct summary_row here = summary_here(s);
	const struct note *n = here.kind == LINE_NOTE ? summary_note(m, here.index) : NULL;

	if (!model_ticks(m))
		return REACT_DONE;
	if (here.kind == LINE_TIME)
		return to_process(m, matrix_first(here.index, summary_rows(m), model_processes(m)), m->cursor.tick);
	if (here.kind == LINE_MATRIX)
		return to_process(m, matrix_first(here.index, s->counts->matrix.rows, model_processes(m)), m->cursor.tick);
	if (!n)
		return REACT_DONE;
	if (n->process < 0) {
		snprintf(m->message, sizeof m->message, "This row has no place in the run.");
		return REACT_DONE;
	}
	return to_process(m, (uint32_t)n->process, tick_of(m, n));
}

static unsigned act_summary(struct view *v, enum action a)
{
	struct summary_view *s = self(v);
	struct model *m = v->model;

	if (!m->trace)
		return REACT_IGNORED;
	if (list_act(&v->list, a))
		return REACT_DONE;
	switch (a) {
	case ACTION_LEFT: return sideways(s, -1);
	case ACTION_RIGHT: return sideways(s, 1);
	case ACTION_SECTION_NEXT: return to_section(s, 1);
	case ACTION_SECTION_PREVIOUS: return to_section(s, -1);
	case ACTION_MATRIX_OF:
		s->matrix = (s->matrix + 1) % MATRIX_COUNT;
		s->made_for = 0;
		snprintf(m->message, sizeof m->message, "The matrix shows %s.", s->matrix == MATRIX_BYTES ? "bytes" :
			 s->matrix == MATRIX_MESSAGES ? "messages" : "waiting time of ranks (rows) for ranks (columns)");
		return REACT_DONE;
	case ACTION_ENTER:
		if (s->counting.failure[0]) {
			derived_again(&s->counting);
			return REACT_DONE;
		}
		return summary_enter_row(s);
	case ACTION_BACK:
		if (s->matrix == MATRIX_WAITED && (spending_busy(m) || derived_busy(&s->waiting))) {
			spending_cancel(m);
			derived_cancel(&s->waiting);
			return REACT_DONE;
		}
		if (!derived_busy(&s->counting))
			return REACT_IGNORED;
		derived_cancel(&s->counting);
		return REACT_DONE;
	default: return REACT_IGNORED;
	}
}

/* A second click on the same row opens it; in the matrix the cell is taken too. */
static bool click_summary(struct view *v, int x, int y)
{
	struct summary_view *s = self(v);
	struct pane all = {NULL, 0, 0, s->w, s->h};
	uint32_t was = list_row(&v->list);

	for (uint32_t i = 0; i < s->line_count; i++) {
		struct pane p = summary_column(s, all, s->lines[i].column);

		if (s->lines[i].y != s->top + (uint32_t)y || x < p.x || x >= p.x + p.w || !go_to_line(s, i))
			continue;
		if (s->lines[i].what.kind == LINE_MATRIX)
			s->column = summary_matrix_column(s, p, x - p.x);
		return s->lines[i].row == was;
	}
	return false;
}

/* --- status --- */

/* A row of several processes is a mean: who computes the largest and the smallest share of its time. */
static void name_ends(const struct model *m, uint32_t row, char *text, size_t size)
{
	uint32_t n = summary_rows(m), from = matrix_first(row, n, model_processes(m)), to = matrix_first(row + 1, n, model_processes(m));
	uint32_t most = NO_PROCESS, least = NO_PROCESS;
	char a[UNIT_TEXT], b[UNIT_TEXT];
	double high = 0, low = 0;

	for (uint32_t p = from; to > from + 1 && p < to; p++) {
		const struct process *process = &m->trace->processes[p];
		double run = trace_aet(m->trace), share = process->by_kind[TIME_COMPUTE] / run;

		if (!process->records || !(run > 0))
			continue;
		if (most == NO_PROCESS || share > high) {
			most = p;
			high = share;
		}
		if (least == NO_PROCESS || share < low) {
			least = p;
			low = share;
		}
	}
	text[0] = 0;
	if (most != least)
		snprintf(text, size, " (most %s %s, least %s %s)", unit_rank_short((char[UNIT_TEXT]){""}, most), unit_percent(a, high), unit_rank_short((char[UNIT_TEXT]){""}, least),
			 unit_percent(b, low));
}

/* Row r of n, in words. */
static const char *group_words(const struct model *m, uint32_t r, uint32_t n, char buf[UNIT_TEXT])
{
	uint32_t from = matrix_first(r, n, model_processes(m)), to = matrix_first(r + 1, n, model_processes(m));

	return unit_ranks(buf, from, to > from ? to - 1 : from);
}

static void status_summary(const struct view *v, char *text, size_t size, int room)
{
	const struct summary_view *s = (const struct summary_view *)v;
	const struct model *m = v->model;
	struct summary_row here = summary_here(s);
	uint32_t index = here.index;
	char a[UNIT_TEXT], b[UNIT_TEXT], from[UNIT_TEXT], to[UNIT_TEXT], ends[128];
	double by_kind[TIME_KINDS], span, outside;

	text[0] = 0;
	switch (here.kind) {
	case LINE_TIME:
		outside = span = summary_times(m, index, by_kind);
		name_ends(m, index, ends, sizeof ends);
		snprintf(text, size, "%s · %s:", group_words(m, index, summary_rows(m), from), unit_time(a, span));
		if (!trace_has_calls(m->trace))
			snprintf(text + strlen(text), size - strlen(text), " not recorded");
		for (int k = 0; k < TIME_KINDS && trace_has_calls(m->trace); k++)
			if (by_kind[k] > 0 && span > 0 && text_width(text) + 18 < room)
				snprintf(text + strlen(text), size - strlen(text), " %s %.2f %%%s", time_kind_name((enum time_kind)k),
					 100 * by_kind[k] / span, k == TIME_COMPUTE ? ends : "");
		for (int k = 0; k < TIME_KINDS; k++)
			outside -= by_kind[k];
		if (outside >= 0.00005 * span && text_width(text) + 18 < room)
			snprintf(text + strlen(text), size - strlen(text), " not recorded %.2f %%", 100 * outside / span);
		break;
	case LINE_MATRIX: {
		const struct comm_matrix *x = &s->counts->matrix;
		const struct comm_cell *c = &x->cell[(size_t)index * x->columns + s->column];

		if (summary_shows_waited(s)) {
			snprintf(text, size, "%s waited %s for %s", group_words(m, index, x->rows, from),
				 unit_time(a, s->waited->cell[(size_t)index * x->columns + s->column]), group_words(m, s->column, x->columns, to));
			break;
		}
		snprintf(text, size, "%s → %s: %s message%s, %s", group_words(m, index, x->rows, from),
			 group_words(m, s->column, x->columns, to), unit_count(a, c->messages), c->messages == 1 ? "" : "s",
			 unit_bytes(b, c->bytes));
		break;
	}
	case LINE_NOTE:
	case LINE_NOTE_KIND: {
		enum note_kind kind = here.kind == LINE_NOTE ? summary_note(m, index)->kind : (enum note_kind)index;

		snprintf(text, size, "%s", note_meaning(kind));
		break;
	}
	default:
		if (s->counts && s->counts->matrix.nowhere)
			snprintf(text, size, "%s sends go to an unknown rank.", unit_count(a, s->counts->matrix.nowhere));
	}
}

static const struct row_source *rows_summary(const struct view *v)
{
	const struct summary_view *s = (const struct summary_view *)v;

	return s->made_for && s->made_for == v->model->serial + 1 ? &summary_source : NULL;
}

static const struct hint hints[] = {
	{ACTION_SECTION_NEXT, ACTION_SECTION_PREVIOUS, "section"},
	{ACTION_ENTER, ACTION_NONE, "logical view"},
	{ACTION_EXPORT_ROWS, ACTION_NONE, "rows to a file"},
	{ACTION_FILTER, ACTION_NONE, "filter"},
	{ACTION_MATRIX_OF, ACTION_NONE, "bytes, waiting"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

const struct view_ops view_summary = {
	.size = sizeof(struct summary_view),
	.hints = hints,
	.open = open_summary,
	.close = close_summary,
	.update = update_summary,
	.draw = summary_draw,
	.act = act_summary,
	.status = status_summary,
	.rows = rows_summary,
	.table = summary_table,
	.click = click_summary,
};
