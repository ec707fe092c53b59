/* The summary's page: its rows as a list, so that you can search and filter them, and the position of each line. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/metrics/rows/tracing_cost.h"
#include "core/trace/calls.h"
#include "summary_int.h"
#include "tui/widgets/units.h"

/* --- rows --- */

static void summary_add_row(struct summary_view *s, enum summary_line kind, uint32_t index)
{
	void *grown = mem_grow(s->rows, s->row_count, &s->row_cap, sizeof *s->rows);

	if (!grown)
		return;
	s->rows = grown;
	s->rows[s->row_count++] = (struct summary_row){(uint8_t)kind, index};
}

static void add_all(struct summary_view *s, enum summary_line kind, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		summary_add_row(s, kind, i);
}

/* Notes by kind, each kind with its meaning once. */
static void add_notes(struct summary_view *s)
{
	const struct model *m = s->view.model;
	const struct note *n;

	for (uint32_t k = 0; k < NOTE_KIND_COUNT; k++) {
		if (summary_note_count(m, (enum note_kind)k))
			summary_add_row(s, LINE_NOTE_KIND, k);
		for (uint32_t i = 0; (n = summary_note(m, i)) != NULL; i++)
			if (n->kind == k)
				summary_add_row(s, LINE_NOTE, i);
	}
}

void summary_make_rows(struct summary_view *s)
{
	const struct counts *counts = s->counts;
	struct summary_row here = summary_here(s);
	uint32_t keep = UINT32_MAX;

	s->row_count = 0;
	add_all(s, LINE_FACT, summary_facts(s->view.model));
	add_notes(s);
	add_all(s, LINE_TIME, summary_rows(s->view.model));
	if (counts && (counts->matrix.all.messages || summary_shows_waited(s)))
		add_all(s, LINE_MATRIX, counts->matrix.rows);
	if (counts && counts->matrix.all.messages) {
		for (uint32_t k = counts->sizes.first; k < SIZE_BINS && k <= counts->sizes.last; k++)
			summary_add_row(s, LINE_SIZE, k);
		if (counts->sizes.unknown)
			summary_add_row(s, LINE_SIZE_UNKNOWN, 0);
	}
	if (counts) {
		add_all(s, LINE_COLLECTIVE, counts->coll_count);
		add_all(s, LINE_STATE, counts->states.count);
	}
	for (uint32_t i = 0; i < s->row_count; i++)
		if (s->rows[i].kind == here.kind && s->rows[i].index == here.index)
			keep = i;
	list_refresh(&s->view.list, &summary_source, s, s->row_count, keep);
}

struct summary_row summary_here(const struct summary_view *s)
{
	uint32_t row = list_row(&s->view.list);

	return row < s->row_count ? s->rows[row] : (struct summary_row){LINE_BLANK, 0};
}

/* --- as text, for search and filter --- */

static size_t append(char *line, size_t size, const char *text)
{
	size_t n = strlen(line);

	snprintf(line + n, size - n, "%s%s", n ? "  " : "", text);
	return strlen(line);
}

bool summary_place(const struct model *m, const struct note *n, char *text, size_t size)
{
	char rank[UNIT_TEXT], number[UNIT_TEXT];
	uint32_t event;

	if (n->process < 0)
		return false;
	event = trace_note_event(summary_note_trace(m, n), n);
	if (event == NO_EVENT && note_names_rank(n))
		return false;
	unit_rank_short(rank, (uint32_t)n->process);
	if (event != NO_EVENT)
		snprintf(text, size, "%s #%s", rank, unit_count(number, (uint64_t)n->event + 1));
	else
		snprintf(text, size, "%s", rank);
	return true;
}

static void note_line(const struct model *m, const struct note *n, enum note_kind kind, char *line, size_t size)
{
	char a[UNIT_TEXT], place[2 * UNIT_TEXT];

	snprintf(line, size, "%s %s × %s", note_counted_as(kind), unit_count(a, summary_note_count(m, kind)),
		 note_name(kind));
	if (n && summary_place(m, n, place, sizeof place))
		append(line, size, place);
	append(line, size, !n ? note_meaning(kind) : n->text ? n->text : "");
}

static bool has_records(const struct model *m, uint32_t row)
{
	uint32_t n = summary_rows(m), to = matrix_first(row + 1, n, model_processes(m));

	for (uint32_t p = matrix_first(row, n, model_processes(m)); p < to; p++)
		if (m->trace->processes[p].records)
			return true;
	return false;
}

static void time_line(const struct model *m, uint32_t row, char *line, size_t size)
{
	double by_kind[TIME_KINDS], span = summary_times(m, row, by_kind), rest = span;
	char group[48], a[UNIT_TEXT], text[64];

	snprintf(line, size, "%s  %s", summary_group(m, row, summary_rows(m), group),
		 unit_figure_time(a, span > 0 || has_records(m, row) ? span : (double)NAN));
	if (span > 0 && !trace_has_calls(m->trace))
		append(line, size, "not recorded");
	for (int k = 0; k < TIME_KINDS && span > 0 && trace_has_calls(m->trace); k++) {
		if (by_kind[k] <= 0)
			continue;
		snprintf(text, sizeof text, "%s %s", time_kind_name((enum time_kind)k), unit_percent(a, by_kind[k] / span));
		append(line, size, text);
		rest -= by_kind[k];
	}
	if (rest >= 0.0005 * span && span > 0) {
		snprintf(text, sizeof text, "not recorded %s", unit_percent(a, rest / span));
		append(line, size, text);
	}
}

static void matrix_line(const struct summary_view *s, uint32_t row, char *line, size_t size)
{
	const struct comm_matrix *x = &s->counts->matrix;
	char group[48], a[UNIT_TEXT];

	snprintf(line, size, "%s", summary_group(s->view.model, row, x->rows, group));
	for (uint32_t c = 0; c < x->columns; c++) {
		const struct comm_cell *cell = &x->cell[(size_t)row * x->columns + c];

		if (summary_shows_waited(s) && s->waited->cell[(size_t)row * x->columns + c] > 0)
			append(line, size, unit_time(a, s->waited->cell[(size_t)row * x->columns + c]));
		else if (!summary_shows_waited(s) && cell->messages)
			append(line, size, s->matrix == MATRIX_BYTES ? unit_bytes(a, cell->bytes) : unit_count(a, cell->messages));
	}
}

static void state_line(const struct summary_view *s, uint32_t i, char *line, size_t size)
{
	const struct trace *t = s->view.model->trace;
	const struct state_total *x = &t->states[s->counts->states.state[i]];
	char a[UNIT_TEXT];

	snprintf(line, size, "%s  %s", x->name, unit_count(a, x->count));
	if (x->solo)
		return;
	append(line, size, unit_time(a, x->exclusive));
	append(line, size, unit_percent(a, trace_total_time(t) > 0 ? x->exclusive / trace_total_time(t) : 0));
}

void summary_line_of(const void *ctx, uint32_t row, char *line, size_t size)
{
	const struct summary_view *s = ctx;
	const struct model *m = s->view.model;
	uint32_t i = s->rows[row].index;
	char a[UNIT_TEXT], b[UNIT_TEXT], text[ERR_TEXT];

	switch (s->rows[row].kind) {
	case LINE_FACT:
		snprintf(line, size, "%s", summary_fact(m, i, text, sizeof text));
		append(line, size, text);
		break;
	case LINE_NOTE_KIND: note_line(m, NULL, (enum note_kind)i, line, size); break;
	case LINE_NOTE: note_line(m, summary_note(m, i), summary_note(m, i)->kind, line, size); break;
	case LINE_TIME: time_line(m, i, line, size); break;
	case LINE_MATRIX: matrix_line(s, i, line, size); break;
	case LINE_SIZE:
		snprintf(line, size, "%s  %s", summary_sizes(i, text, sizeof text), unit_count(a, s->counts->sizes.bin[i].messages));
		break;
	case LINE_SIZE_UNKNOWN: snprintf(line, size, "unknown  %s", unit_count(a, s->counts->sizes.unknown)); break;
	case LINE_COLLECTIVE: {
		const struct coll_stats *c = &s->counts->colls[i];
		const struct coll_type *x = &m->trace->colls[c->coll];

		snprintf(line, size, "%s  comm %d  %s × %s", x->op, (int)m->trace->comms[x->comm].number, unit_count(a, c->instances),
			 unit_bytes(b, c->bytes));
		break;
	}
	default: state_line(s, i, line, size);
	}
}

/* There are no columns: a row is the line. */
const struct row_source summary_source = {NULL, 0, NULL, NULL, NULL};

/* --- lines --- */

enum summary_section summary_section_of(enum summary_line kind)
{
	static const uint8_t sections[LINE_KINDS] = {
		[LINE_NOTE_KIND] = SECTION_NOTES, [LINE_NOTE] = SECTION_NOTES, [LINE_TIME] = SECTION_TIME,
		[LINE_MATRIX] = SECTION_MATRIX, [LINE_SIZE] = SECTION_SIZES, [LINE_SIZE_UNKNOWN] = SECTION_SIZES,
		[LINE_COLLECTIVE] = SECTION_COLLECTIVES, [LINE_STATE] = SECTION_STATES,
	};

	return (enum summary_section)sections[kind];
}

static void summary_place_line(struct summary_view *s, enum summary_line kind, uint32_t index, uint32_t row, uint32_t *y)
{
	void *grown = mem_grow(s->lines, s->line_count, &s->line_cap, sizeof *s->lines);

	if (!grown)
		return;
	s->lines = grown;
	s->lines[s->line_count++] = (struct summary_place){{(uint8_t)kind, index}, row, 0, (*y)++};
}

/* One section after another in one column; where each begins goes to first[]. */
static uint32_t stack(struct summary_view *s, uint32_t first[SECTIONS + 1])
{
	const struct list *l = &s->view.list;
	uint32_t y = 0, n = 0, here = list_row(l);
	int section = -1;

	s->line_count = 0;
	for (uint32_t i = 0; i < l->shown; i++) {
		uint32_t row = list_row_at(l, i);
		enum summary_line kind = (enum summary_line)s->rows[row].kind;

		if ((int)summary_section_of(kind) != section) {
			section = (int)summary_section_of(kind);
			if (y)
				summary_place_line(s, LINE_BLANK, 0, UINT32_MAX, &y);
			first[n++] = s->line_count;
			summary_place_line(s, LINE_TITLE, (uint32_t)section, UINT32_MAX, &y);
			if (kind == LINE_TIME || kind == LINE_MATRIX)
				summary_place_line(s, kind == LINE_TIME ? LINE_LEGEND : LINE_MATRIX_HEAD, 0, UINT32_MAX, &y);
		}
		if (row == here)
			s->at = s->line_count;
		summary_place_line(s, kind, s->rows[row].index, row, &y);
	}
	first[n] = s->line_count;
	return n;
}

static uint32_t larger_count(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

void summary_lay_out(struct summary_view *s)
{
	uint32_t first[SECTIONS + 1], n, all, left, h = s->h > 0 ? (uint32_t)s->h : 1, y;

	s->at = 0;
	n = stack(s, first);
	all = left = s->height = s->line_count;
	/* In two columns, as even as whole sections let them be. */
	s->columns = s->w >= SUMMARY_TWO_W ? 2 : 1;
	for (uint32_t k = 1; s->columns == 2 && k < n; k++)
		if (larger_count(first[k] - 1, all - first[k]) < s->height)
			s->height = larger_count((left = first[k]) - 1, all - first[k]);
	for (uint32_t i = left; i < all; i++) {
		s->lines[i].column = 1;
		s->lines[i].y -= left;
	}
	/* The window follows the cursor; a section's first row is seen with the title. */
	if (s->at < s->line_count) {
		uint32_t from = s->at;

		while (from && s->lines[from - 1].row == UINT32_MAX && s->lines[from - 1].what.kind != LINE_BLANK)
			from--;
		y = s->lines[s->at].y;
		if (s->lines[from].y < s->top)
			s->top = s->lines[from].y;
		if (y >= s->top + h)
			s->top = y - h + 1;
	}
	if (s->top + h > s->height)
		s->top = s->height > h ? s->height - h : 0;
}

struct pane summary_column(const struct summary_view *s, struct pane p, int column)
{
	int left = (p.w - 1) / 2;

	if (s->columns < 2)
		return p;
	return column ? pane_part(p, left + 1, 0, p.w - left - 1, p.h) : pane_part(p, 0, 0, left, p.h);
}

/* --- texts and figures of rows --- */

const struct note *summary_note(const struct model *m, uint32_t i)
{
	const struct notes *n = &m->trace->notes, *l = model_logical(m) ? &model_logical(m)->notes : NULL;

	if (i < n->n)
		return &n->list[i];
	i -= (uint32_t)n->n;
	return l && i < l->n ? &l->list[i] : NULL;
}

const struct trace *summary_note_trace(const struct model *m, const struct note *n)
{
	const struct logical *l = model_logical(m);

	for (size_t i = 0; l && i < l->notes.n; i++)
		if (n == &l->notes.list[i])
			return l->trace;
	return m->trace;
}

uint64_t summary_note_count(const struct model *m, enum note_kind kind)
{
	return m->trace->notes.count[kind] + (model_logical(m) ? model_logical(m)->notes.count[kind] : 0);
}

const char *summary_group(const struct model *m, uint32_t r, uint32_t n, char buf[UNIT_TEXT])
{
	uint32_t from = matrix_first(r, n, model_processes(m)), to = matrix_first(r + 1, n, model_processes(m));

	return unit_ranks_short(buf, from, to > from ? to - 1 : from);
}

double summary_times(const struct model *m, uint32_t row, double by_kind[TIME_KINDS])
{
	uint32_t n = summary_rows(m), to = matrix_first(row + 1, n, model_processes(m));
	double span = 0;

	memset(by_kind, 0, TIME_KINDS * sizeof *by_kind);
	for (uint32_t p = matrix_first(row, n, model_processes(m)); p < to; p++) {
		const struct process *x = &m->trace->processes[p];

		span += trace_has_time(m->trace) ? trace_aet(m->trace) : 0;
		for (int k = 0; k < TIME_KINDS; k++)
			by_kind[k] += x->by_kind[k];
	}
	return span;
}

uint32_t summary_facts(const struct model *m)
{
	return SUMMARY_FACTS - (tracing_cost_run(m->trace).known ? 0 : 1);
}

const char *summary_fact(const struct model *m, uint32_t i, char *text, size_t size)
{
	static const char *const names[SUMMARY_FACTS] = {"trace", "events", "run time", "computation", "tracing"};
	const struct trace *t = m->trace;
	char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT], d[UNIT_TEXT], format[64], compute[160], cost[TRACING_TEXT];
	struct tracing_cost tracing;

	switch (i) {
	case 0:
		snprintf(text, size, "%s · %s process%s · %s records", trace_format_name(t, format, sizeof format),
			 unit_count(a, t->process_count), t->process_count == 1 ? "" : "es", unit_count(b, t->record_count));
		break;
	case 1:
		snprintf(text, size, "%s: %s sends, %s receives, %s collectives", unit_count(a, t->event_count),
			 unit_count(b, t->send_count), unit_count(c, t->receive_count), unit_count(d, t->collective_count));
		if (t->lost_sends + t->lost_receives)
			snprintf(text + strlen(text), size - strlen(text), "; unmatched %s and %s", unit_count(a, t->lost_sends),
				 unit_count(b, t->lost_receives));
		break;
	case 2:
		if (!trace_has_time(t))
			snprintf(text, size, "unknown, no rank has records");
		else
			snprintf(text, size, "%s, from %s to %s", unit_moment(a, trace_aet(t)), unit_moment(b, t->start),
				 unit_moment(c, t->end));
		break;
	case 4:
		tracing = tracing_cost_run(t);
		snprintf(text, size, "%s", tracing_cost_text(t, &tracing, cost));
		break;
	default:
		snprintf(text, size, "from %s", trace_compute_name(t, compute, sizeof compute));
	}
	return names[i];
}

const char *summary_sizes(uint32_t bin, char *text, size_t size)
{
	char a[UNIT_TEXT], b[UNIT_TEXT];

	if (bin < 2)
		snprintf(text, size, "%u B", (unsigned)bin);
	else
		snprintf(text, size, "%s – < %s", unit_bytes(a, 1ull << (bin - 1)), unit_bytes(b, 1ull << bin));
	return text;
}
