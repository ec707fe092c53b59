/* Drawing the summary, a line at a time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "background.h"
#include "glyphs.h"
#include "kinds.h"
#include "summary_view.h"
#include "units.h"

#define GUTTER 14 /* "P1234–1240" */
#define AMOUNT 26 /* columns of numbers before a bar */

static void draw_title(const struct summary_view *s, struct pane p, int y, enum summary_section section)
{
	const struct model *m = s->view.model;
	char a[UNIT_TEXT], b[UNIT_TEXT], d[UNIT_TEXT], note[160] = "";
	const struct counts *c = s->counts;
	static const char *const titles[] = {"Run", "Warnings", "Time by kind", "Who sends to whom", "Message sizes",
					     "Collectives", "Calls and states"};
	uint64_t warnings, remarks;
	int x;

	switch (section) {
	case SECTION_NOTES:
		warnings = notes_total(&m->trace->notes, NOTE_WARNING);
		remarks = notes_total(&m->trace->notes, NOTE_REMARK);
		snprintf(note, sizeof note, "%s warning%s, %s damaged place%s, %s remark%s", unit_count(a, warnings),
			 warnings == 1 ? "" : "s", unit_count(b, notes_total(&m->trace->notes, NOTE_DAMAGE)),
			 notes_total(&m->trace->notes, NOTE_DAMAGE) == 1 ? "" : "s", unit_count(d, remarks),
			 remarks == 1 ? "" : "s");
		break;
	case SECTION_MATRIX:
		if (s->bytes)
			snprintf(note, sizeof note, "%s · from row to column · full: %s", unit_bytes(a, c->matrix.all.bytes),
				 unit_bytes(b, c->matrix.most.bytes));
		else
			snprintf(note, sizeof note, "%s messages · from row to column · full: %s",
				 unit_count(a, c->matrix.all.messages), unit_count(b, c->matrix.most.messages));
		break;
	case SECTION_SIZES:
		snprintf(note, sizeof note, "from %s to %s", unit_bytes(a, c->sizes.smallest), unit_bytes(b, c->sizes.largest));
		break;
	case SECTION_TIME:
		snprintf(note, sizeof note, "of each process's own span");
		break;
	default:
		break;
	}
	x = 1 + pane_text(p, 1, y, ROLE_TITLE, 0, titles[section]);
	if (note[0])
		pane_text_in(p, x + 2, y, p.w - x - 3, ROLE_DIM, 0, note);
}

static void draw_fact(const struct summary_view *s, struct pane p, int y, uint32_t i)
{
	const struct trace *t = s->view.model->trace;
	char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT], d[UNIT_TEXT], format[64], text[256];
	static const char *const names[] = {"trace", "events", "run time", "compute"};

	switch (i) {
	case 0:
		snprintf(text, sizeof text, "%s · %s process%s · %s records", trace_format_name(t, format, sizeof format),
			 unit_count(a, t->process_count), t->process_count == 1 ? "" : "es", unit_count(b, t->record_count));
		break;
	case 1:
		snprintf(text, sizeof text, "%s: %s sends, %s receives, %s collectives", unit_count(a, t->event_count),
			 unit_count(b, t->send_count), unit_count(c, t->receive_count), unit_count(d, t->collective_count));
		if (t->lost_sends + t->lost_receives)
			snprintf(text + strlen(text), sizeof text - strlen(text), "; lost %s and %s", unit_count(a, t->lost_sends),
				 unit_count(b, t->lost_receives));
		break;
	case 2:
		snprintf(text, sizeof text, "%s, from %s to %s", unit_moment(a, trace_aet(t)), unit_moment(b, t->start),
			 unit_moment(c, t->end));
		break;
	default:
		snprintf(text, sizeof text, "times from %s", compute_source_name(t->compute_source));
	}
	pane_text(p, 2, y, ROLE_HEADER, 0, names[i]);
	pane_text_in(p, GUTTER, y, p.w - GUTTER - 1, ROLE_DEFAULT, 0, text);
}

static enum role level_role(enum note_level level)
{
	return level == NOTE_DAMAGE ? ROLE_ERROR : level == NOTE_WARNING ? ROLE_WARN : ROLE_DIM;
}

static void draw_note_kind(const struct summary_view *s, struct pane p, int y, enum note_kind kind)
{
	const struct model *m = s->view.model;
	uint64_t n = m->trace->notes.count[kind] + (model_logical(m) ? model_logical(m)->notes.count[kind] : 0);
	char a[UNIT_TEXT];
	int x = 2 + pane_text(p, 2, y, level_role(note_level(kind)), 0, note_level_name(note_level(kind)));

	x += pane_textf(p, x, y, ROLE_DEFAULT, 0, " %s × %s", unit_count(a, n), note_name(kind));
	pane_text_in(p, x + 2, y, p.w - x - 3, ROLE_DIM, 0, note_meaning(kind));
}

static void draw_note(const struct summary_view *s, struct pane p, int y, uint32_t i)
{
	const struct note *n = summary_note(s->view.model, i);
	int x = 4;

	if (n->process >= 0)
		x += pane_textf(p, x, y, ROLE_HEADER, 0, "P%d ", (int)n->process + 1);
	pane_text_in(p, x, y, p.w - x - 1, ROLE_DEFAULT, 0, n->text ? n->text : "");
}

/* How many of the kinds have a column of their own beside the bar. */
static int time_columns(struct pane p)
{
	int n = (p.w - GUTTER - 40) / 12;

	return n < 3 ? 1 : n > TIME_KINDS ? TIME_KINDS : n;
}

static void draw_legend(const struct summary_view *s, struct pane p, int y)
{
	int n = time_columns(p);
	(void)s;

	kind_legend(pane_part(p, 0, 0, n > 1 ? p.w - n * 12 - 1 : p.w, p.h), GUTTER, y);
	for (int k = 0; n > 1 && k < n; k++)
		pane_text_right(p, p.w - 1 - (n - 1 - k) * 12, y, ROLE_HEADER, 0, time_kind_name((enum time_kind)k));
}

static void draw_time(const struct summary_view *s, struct pane p, int y, uint32_t row)
{
	const struct model *m = s->view.model;
	double by_kind[TIME_KINDS], span = summary_times(m, row, by_kind), sum = 0;
	int n = time_columns(p), room = p.w - GUTTER - 1 - (n > 1 ? n * 12 : 9), x = 0;
	char group[48], a[UNIT_TEXT];

	pane_text_in(p, 2, y, GUTTER - 3, ROLE_HEADER, 0, summary_group(m, row, summary_rows(m), group));
	if (span <= 0)
		return;
	for (int k = 0; k < TIME_KINDS; k++) {
		int end;

		sum += by_kind[k];
		end = (int)(sum / span * room + 0.5);
		for (; x < end && x < room; x++)
			kind_cell(p, GUTTER + x, y, (enum time_kind)k, 1);
	}
	for (int k = 0; k < n; k++)
		pane_text_right(p, p.w - 1 - (n - 1 - k) * 12, y, by_kind[k] > 0 ? kind_role_of((enum time_kind)k) : ROLE_DIM, 0,
				unit_percent(a, by_kind[k] / span));
}

/* Columns of one cell of the matrix: with a number where there is room. */
static int matrix_cell(const struct summary_view *s, struct pane p)
{
	int room = (p.w - GUTTER - 1) / (int)(s->counts->matrix.columns ? s->counts->matrix.columns : 1);

	return room >= 7 ? (room > 9 ? 9 : room) : room >= 2 ? 2 : 1;
}

static const char *short_count(char buf[UNIT_TEXT], uint64_t n, double base)
{
	static const char units[] = "\0kMGT";
	double v = (double)n;
	unsigned u = 0;

	for (; v >= 999.5 && u < 4; u++)
		v /= base;
	snprintf(buf, UNIT_TEXT, u && v < 9.95 ? "%.1f%c" : "%.0f%c", v, units[u]);
	return buf;
}

static void draw_matrix_head(const struct summary_view *s, struct pane p, int y)
{
	const struct comm_matrix *x = &s->counts->matrix;
	int w = matrix_cell(s, p), next = 0;
	char group[48];

	pane_text(p, 2, y, ROLE_HEADER, 0, "from \\ to");
	for (uint32_t c = 0; c < x->columns; c++) {
		int at = GUTTER + (int)c * w;

		summary_group(s->view.model, c, x->columns, group);
		if (at < next || at + text_width(group) >= p.w)
			continue;
		next = at + 1 + pane_text(p, at, y, ROLE_HEADER, 0, group);
	}
}

static void draw_matrix(const struct summary_view *s, struct pane p, int y, uint32_t row, bool here)
{
	const struct comm_matrix *x = &s->counts->matrix;
	int w = matrix_cell(s, p);
	char group[48], a[UNIT_TEXT];

	pane_text_in(p, 2, y, GUTTER - 3, ROLE_HEADER, 0, summary_group(s->view.model, row, x->rows, group));
	for (uint32_t c = 0; c < x->columns; c++) {
		const struct comm_cell *cell = &x->cell[(size_t)row * x->columns + c];
		uint64_t v = s->bytes ? cell->bytes : cell->messages, most = s->bytes ? x->most.bytes : x->most.messages;
		int at = GUTTER + (int)c * w, eighths = v && most ? 1 + (int)((double)v / (double)most * 7) : 0;

		for (int i = 0; i < (w == 2 ? 2 : 1); i++)
			pane_put(p, at + i, y, eighths ? (uint32_t)GLYPH_EIGHTHS(eighths) : i ? ' ' : GLYPH_DOT,
				 eighths ? ROLE_SEND : ROLE_NONE, 0);
		if (w >= 7 && v)
			pane_text(p, at + 2, y, ROLE_DEFAULT, 0, short_count(a, v, s->bytes ? 1024 : 1000));
		if (here && c == s->column)
			pane_stress(p, at, y, w >= 7 ? w - 1 : 1, ATTR_CURSOR);
	}
}

static void draw_bar(struct pane p, int x, int y, double part, enum role role)
{
	int room = p.w - x - 1, n = (int)(part * room + 0.5);

	for (int i = 0; i < (n > 0 || part <= 0 ? n : 1); i++)
		pane_put(p, x + i, y, GLYPH_BLOCK_5, role, 0);
}

static void draw_size(const struct summary_view *s, struct pane p, int y, uint32_t k, bool unknown)
{
	const struct size_histogram *h = &s->counts->sizes;
	uint64_t n = unknown ? h->unknown : h->bin[k].messages, most = h->unknown, all = h->unknown;
	char a[UNIT_TEXT], b[UNIT_TEXT];

	for (uint32_t i = 0; i < SIZE_BINS; i++) {
		all += h->bin[i].messages;
		most = h->bin[i].messages > most ? h->bin[i].messages : most;
	}
	if (unknown)
		pane_text(p, 2, y, ROLE_HEADER, 0, "unknown");
	else if (k < 2)
		pane_textf(p, 2, y, ROLE_HEADER, 0, "%u B", (unsigned)k);
	else
		pane_textf(p, 2, y, ROLE_HEADER, 0, "%s – < %s", unit_bytes(a, 1ull << (k - 1)), unit_bytes(b, 1ull << k));
	pane_text_right(p, GUTTER + 20, y, ROLE_DEFAULT, 0, unit_count(a, n));
	pane_text_right(p, GUTTER + 29, y, ROLE_DIM, 0, unit_percent(a, all ? (double)n / (double)all : 0));
	draw_bar(p, GUTTER + 31, y, most ? (double)n / (double)most : 0, ROLE_SEND);
}

static void draw_collective(const struct summary_view *s, struct pane p, int y, uint32_t i)
{
	const struct trace *t = s->view.model->trace;
	const struct coll_stats *c = &s->counts->colls[i], *first = s->counts->colls;
	char a[UNIT_TEXT], b[UNIT_TEXT], text[160];

	pane_text_in(p, 2, y, 18, ROLE_COLLECTIVE, 0, t->colls[c->coll].op);
	snprintf(text, sizeof text, "comm %d", (int)t->comms[t->colls[c->coll].comm].icomm);
	pane_text_in(p, 20, y, 12, ROLE_DIM, 0, text);
	pane_text_right(p, GUTTER + 29, y, ROLE_DEFAULT, 0, unit_count(a, c->instances));
	snprintf(text, sizeof text, "× %s", unit_bytes(b, c->bytes));
	pane_text(p, GUTTER + 30, y, ROLE_DIM, 0, text);
	draw_bar(p, GUTTER + 43, y, first->instances ? (double)c->instances / (double)first->instances : 0, ROLE_COLLECTIVE);
}

static void draw_state(const struct summary_view *s, struct pane p, int y, uint32_t i)
{
	const struct trace *t = s->view.model->trace;
	const struct state_total *x = &t->states[s->counts->states[i]];
	char a[UNIT_TEXT];
	double all = 0;

	pane_text_in(p, 2, y, 22, x->mpi ? ROLE_DEFAULT : ROLE_DIM, 0, x->name);
	pane_text_right(p, GUTTER + 21, y, ROLE_DEFAULT, 0, unit_count(a, x->count));
	if (x->solo)
		return;
	for (uint32_t q = 0; q < t->process_count; q++)
		for (int k = 0; k < TIME_KINDS; k++)
			all += t->processes[q].by_kind[k];
	pane_text_right(p, GUTTER + 31, y, ROLE_DEFAULT, 0, unit_time(a, x->exclusive));
	pane_text_right(p, GUTTER + 40, y, ROLE_DIM, 0, unit_percent(a, all > 0 ? x->exclusive / all : 0));
	draw_bar(p, GUTTER + 43, y, all > 0 ? x->exclusive / all : 0, x->mpi ? ROLE_MPI : ROLE_COMPUTE);
}

static void draw_line(const struct summary_view *s, struct pane p, int y, uint32_t at)
{
	uint32_t i = s->lines[at].index;

	switch (s->lines[at].kind) {
	case LINE_TITLE: draw_title(s, p, y, (enum summary_section)i); break;
	case LINE_FACT: draw_fact(s, p, y, i); break;
	case LINE_NOTE_KIND: draw_note_kind(s, p, y, (enum note_kind)i); break;
	case LINE_NOTE: draw_note(s, p, y, i); break;
	case LINE_LEGEND: draw_legend(s, p, y); break;
	case LINE_TIME: draw_time(s, p, y, i); break;
	case LINE_MATRIX_HEAD: draw_matrix_head(s, p, y); break;
	case LINE_MATRIX: draw_matrix(s, p, y, i, at == s->cur); break;
	case LINE_SIZE: draw_size(s, p, y, i, false); break;
	case LINE_SIZE_UNKNOWN: draw_size(s, p, y, 0, true); break;
	case LINE_COLLECTIVE: draw_collective(s, p, y, i); break;
	case LINE_STATE: draw_state(s, p, y, i); break;
	default: break;
	}
	if (at == s->cur)
		pane_put(p, 0, y, GLYPH_POINTER, ROLE_KEY, 0);
}

void summary_draw(const struct view *v, struct pane p)
{
	const struct summary_view *s = (const struct summary_view *)v;
	int y = 0;

	for (uint32_t i = s->top; i < s->line_count && y < p.h; i++, y++)
		draw_line(s, p, y, i);
	if (s->counts || y >= p.h)
		return;
	if (s->failure[0])
		pane_text_in(p, 1, y, p.w - 2, ROLE_WARN, 0, s->failure);
	else
		pane_text(p, 1, y, ROLE_DIM, 0, "Counting messages…");
}
