/* Drawing the summary, a line at a time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/trace/calls.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/kinds.h"
#include "tui/widgets/plot_heat.h"
#include "tui/widgets/bars.h"
#include "summary_int.h"
#include "tui/widgets/units.h"

#define GUTTER 14 /* "r1234–1240" */

/* --- the matrix --- */

static double matrix_bytes_sent(const void *ctx, uint32_t row, uint32_t column)
{
	const struct summary_view *s = ctx;
	const struct comm_cell *cell = &s->counts->matrix.cell[(size_t)row * s->counts->matrix.columns + column];

	if (s->matrix == MATRIX_WAITED)
		return summary_shows_waited(s) ? s->waited->cell[(size_t)row * s->counts->matrix.columns + column] : (double)NAN;
	return (double)(s->matrix == MATRIX_BYTES ? cell->bytes : cell->messages);
}

static struct heat matrix_of(const struct summary_view *s)
{
	const struct comm_matrix *x = &s->counts->matrix;

	return (struct heat){
		.columns = x->columns,
		.most = summary_shows_waited(s) ? s->waited->most : (double)(s->matrix == MATRIX_BYTES ? x->most.bytes : x->most.messages),
		.unit = s->matrix == MATRIX_WAITED ? PLOT_SECONDS : s->matrix == MATRIX_BYTES ? PLOT_BYTES : PLOT_COUNT,
		.role = s->matrix == MATRIX_WAITED ? ROLE_WAIT : ROLE_SEND,
		.value = matrix_bytes_sent,
		.ctx = s,
	};
}

/* --- lines --- */

static void summary_draw_title(const struct summary_view *s, struct pane p, int y, enum summary_section section)
{
	const struct model *m = s->view.model;
	struct note_counts notes = {0};
	char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT], d[UNIT_TEXT], note[200] = "";
	const struct counts *counts = s->counts;
	static const char *const titles[] = {"Run", "Issues", "Time breakdown", "Messages between ranks", "Message sizes",
					     "Collectives", "MPI calls and functions"};
	int x;

	switch (section) {
	case SECTION_NOTES:
		notes_count(&notes, &m->trace->notes);
		snprintf(note, sizeof note, "%s clock violation%s, %s error%s, %s warning%s, %s note%s", unit_count(c, notes.violations),
			 notes.violations == 1 ? "" : "s", unit_count(b, notes.damage), notes.damage == 1 ? "" : "s",
			 unit_count(a, notes.warnings), notes.warnings == 1 ? "" : "s", unit_count(d, notes.remarks),
			 notes.remarks == 1 ? "" : "s");
		break;
	case SECTION_MATRIX:
		if (s->matrix == MATRIX_WAITED)
			snprintf(note, sizeof note, "%s%s", summary_shows_waited(s) ? unit_time(a, s->waited->pairs->seconds) : "unknown",
				 summary_shows_waited(s) ? " · rows wait for columns" : "");
		else if (s->matrix == MATRIX_BYTES)
			snprintf(note, sizeof note, "%s · rows send to columns", unit_bytes(a, counts->matrix.all.bytes));
		else
			snprintf(note, sizeof note, "%s message%s · rows send to columns", unit_count(a, counts->matrix.all.messages),
				 counts->matrix.all.messages == 1 ? "" : "s");
		break;
	case SECTION_SIZES:
		snprintf(note, sizeof note, "from %s to %s", unit_bytes(a, counts->sizes.smallest), unit_bytes(b, counts->sizes.largest));
		break;
	case SECTION_TIME:
		snprintf(note, sizeof note, "shares of the run time");
		break;
	default:
		break;
	}
	x = 1 + pane_text(p, 1, y, ROLE_TITLE, 0, section == SECTION_MATRIX && s->matrix == MATRIX_WAITED ? "Waiting between ranks" :
			  titles[section]);
	if (note[0])
		x += 2 + pane_text_in(p, x + 2, y, p.w - x - 3, ROLE_DIM, 0, note);
	if (section == SECTION_MATRIX) {
		struct heat heat = matrix_of(s);

		heat_legend(&heat, p, x + 2, y);
	}
}

static void draw_fact(const struct summary_view *s, struct pane p, int y, uint32_t i)
{
	char text[256];

	pane_text(p, 2, y, ROLE_HEADER, 0, summary_fact(s->view.model, i, text, sizeof text));
	pane_text_in(p, GUTTER, y, p.w - GUTTER - 1, ROLE_DEFAULT, 0, text);
}

static enum role level_role(enum note_level level)
{
	return level == NOTE_DAMAGE ? ROLE_ERROR : level == NOTE_WARNING ? ROLE_WARN : ROLE_DIM;
}

static void draw_note_kind(const struct summary_view *s, struct pane p, int y, enum note_kind kind)
{
	uint64_t n = summary_note_count(s->view.model, kind);
	char a[UNIT_TEXT];
	int x = 2 + pane_text(p, 2, y, level_role(note_level(kind)), 0, note_counted_as(kind));

	x += pane_textf(p, x, y, ROLE_DEFAULT, 0, " %s × %s", unit_count(a, n), note_name(kind));
	pane_text_in(p, x + 2, y, p.w - x - 3, ROLE_DIM, 0, note_meaning(kind));
}

static void draw_note(const struct summary_view *s, struct pane p, int y, uint32_t i)
{
	const struct note *n = summary_note(s->view.model, i);
	char place[2 * UNIT_TEXT];
	int x = 4;

	if (summary_place(s->view.model, n, place, sizeof place))
		x += pane_textf(p, x, y, ROLE_HEADER, 0, "%s ", place);
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

	if (!trace_has_calls(s->view.model->trace))
		kind_unknown_legend(p, GUTTER, y);
	else
		kind_legend(pane_part(p, 0, 0, n > 1 ? p.w - n * 12 - 1 : p.w, p.h), GUTTER, y);
	for (int k = 0; n > 1 && k < n; k++)
		pane_text_right(p, p.w - 1 - (n - 1 - k) * 12, y, ROLE_HEADER, 0, time_kind_name((enum time_kind)k));
}

static void draw_time(const struct summary_view *s, struct pane p, int y, uint32_t row)
{
	const struct model *m = s->view.model;
	double by_kind[TIME_KINDS], span = summary_times(m, row, by_kind), sum = 0, recorded = 0;
	int n = time_columns(p), room = p.w - GUTTER - 1 - (n > 1 ? n * 12 : 9), x = 0;
	char group[48], a[UNIT_TEXT];
	bool known;

	pane_text_in(p, 2, y, GUTTER - 3, ROLE_HEADER, 0, summary_group(m, row, summary_rows(m), group));
	/* A process without records is outside of them all the time: it did not compute for 0 %. */
	for (int k = 0; k < TIME_KINDS; k++)
		recorded += by_kind[k];
	known = span > 0 && recorded > 0 && trace_has_calls(m->trace);
	for (int k = 0; !known && k < n; k++)
		pane_text_right(p, p.w - 1 - (n - 1 - k) * 12, y, ROLE_DIM, 0, "-");
	for (; !known && span > 0 && x < room; x++)
		kind_unknown_cell(p, GUTTER + x, y);
	if (!known)
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

uint32_t summary_matrix_column(const struct summary_view *s, struct pane p, int x)
{
	struct heat heat = matrix_of(s);
	int column = (x - GUTTER) / heat_cell_width(&heat, p.w - GUTTER - 1), last = (int)s->counts->matrix.columns - 1;

	return column < 0 || last < 0 ? 0 : (uint32_t)(column > last ? last : column);
}

static void draw_matrix_head(const struct summary_view *s, struct pane p, int y)
{
	const struct comm_matrix *x = &s->counts->matrix;
	struct heat heat = matrix_of(s);
	int w = heat_cell_width(&heat, p.w - GUTTER - 1), next = 0;
	char group[48];

	pane_text(p, 2, y, ROLE_HEADER, 0, s->matrix == MATRIX_WAITED ? "rank \\ for" : "from \\ to");
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
	struct heat heat = matrix_of(s);
	char group[48];

	pane_text_in(p, 2, y, GUTTER - 3, ROLE_HEADER, 0, summary_group(s->view.model, row, s->counts->matrix.rows, group));
	heat_row(&heat, p, GUTTER, y, heat_cell_width(&heat, p.w - GUTTER - 1), row, here ? s->column : UINT32_MAX);
}

static void draw_size(const struct summary_view *s, struct pane p, int y, uint32_t k, bool unknown)
{
	const struct size_histogram *h = &s->counts->sizes;
	uint64_t n = unknown ? h->unknown : h->bin[k].messages, most = h->unknown, all = most;
	char a[UNIT_TEXT], text[2 * UNIT_TEXT];

	for (uint32_t i = 0; i < SIZE_BINS; i++) {
		all += h->bin[i].messages;
		most = h->bin[i].messages > most ? h->bin[i].messages : most;
	}
	pane_text(p, 2, y, ROLE_HEADER, 0, unknown ? "unknown" : summary_sizes(k, text, sizeof text));
	pane_text_right(p, GUTTER + 20, y, ROLE_DEFAULT, 0, unit_count(a, n));
	pane_text_right(p, GUTTER + 29, y, ROLE_DIM, 0, unit_percent(a, all ? (double)n / (double)all : 0));
	bar_draw(p, GUTTER + 31, y, p.w - GUTTER - 32, (double)n / (double)most, ROLE_SEND);
}

static void draw_collective(const struct summary_view *s, struct pane p, int y, uint32_t i)
{
	const struct trace *t = s->view.model->trace;
	const struct coll_stats *c = &s->counts->colls[i], *first = s->counts->colls;
	char a[UNIT_TEXT], b[UNIT_TEXT], text[160];

	pane_text_in(p, 2, y, 18, ROLE_COLLECTIVE, 0, t->colls[c->coll].op);
	snprintf(text, sizeof text, "comm %d", (int)t->comms[t->colls[c->coll].comm].number);
	pane_text_in(p, 20, y, 12, ROLE_DIM, 0, text);
	pane_text_right(p, GUTTER + 29, y, ROLE_DEFAULT, 0, unit_count(a, c->instances));
	snprintf(text, sizeof text, "× %s", unit_bytes(b, c->bytes));
	pane_text(p, GUTTER + 30, y, ROLE_DIM, 0, text);
	bar_draw(p, GUTTER + 43, y, p.w - GUTTER - 44, (double)c->instances / (double)first->instances, ROLE_COLLECTIVE);
}

static void draw_state(const struct summary_view *s, struct pane p, int y, uint32_t i)
{
	const struct trace *t = s->view.model->trace;
	const struct state_total *x = &t->states[s->counts->states.state[i]];
	char a[UNIT_TEXT];
	double all = trace_total_time(t);

	pane_text_in(p, 2, y, 22, x->mpi ? ROLE_DEFAULT : ROLE_DIM, 0, x->name);
	pane_text_right(p, GUTTER + 21, y, ROLE_DEFAULT, 0, unit_count(a, x->count));
	if (x->solo)
		return;
	pane_text_right(p, GUTTER + 31, y, ROLE_DEFAULT, 0, unit_time(a, x->exclusive));
	pane_text_right(p, GUTTER + 40, y, ROLE_DIM, 0, unit_percent(a, all > 0 ? x->exclusive / all : 0));
	bar_draw(p, GUTTER + 43, y, p.w - GUTTER - 44, x->exclusive / all, x->mpi ? ROLE_MPI : ROLE_COMPUTE);
}

static void summary_draw_line(const struct summary_view *s, struct pane p, int y, const struct summary_place *line, bool here)
{
	uint32_t i = line->what.index;

	switch (line->what.kind) {
	case LINE_TITLE: summary_draw_title(s, p, y, (enum summary_section)i); break;
	case LINE_FACT: draw_fact(s, p, y, i); break;
	case LINE_NOTE_KIND: draw_note_kind(s, p, y, (enum note_kind)i); break;
	case LINE_NOTE: draw_note(s, p, y, i); break;
	case LINE_LEGEND: draw_legend(s, p, y); break;
	case LINE_TIME: draw_time(s, p, y, i); break;
	case LINE_MATRIX_HEAD: draw_matrix_head(s, p, y); break;
	case LINE_MATRIX: draw_matrix(s, p, y, i, here); break;
	case LINE_SIZE: draw_size(s, p, y, i, false); break;
	case LINE_SIZE_UNKNOWN: draw_size(s, p, y, 0, true); break;
	case LINE_COLLECTIVE: draw_collective(s, p, y, i); break;
	case LINE_STATE: draw_state(s, p, y, i); break;
	default: break;
	}
}

/* The cursor's mark, and that of what was searched for; reversed where both are. */
static void draw_marks(const struct summary_view *s, struct pane p, int y, uint32_t row, bool here, bool *tired)
{
	bool found = row != UINT32_MAX && list_is_match(&s->view.list, &summary_source, s, row, tired);

	if (here || found)
		pane_put(p, 0, y, GLYPH_POINTER, found ? ROLE_MATCH : ROLE_KEY, here && found ? ATTR_REVERSE : 0);
}

void summary_draw(const struct view *v, struct pane p)
{
	const struct summary_view *s = (const struct summary_view *)v;
	bool tired = false;
	int below = 0;

	for (uint32_t i = 0; i < s->line_count; i++) {
		const struct summary_place *line = &s->lines[i];
		struct pane column = summary_column(s, p, line->column);
		int y = (int)line->y - (int)s->top;

		if (y < 0 || y >= p.h)
			continue;
		summary_draw_line(s, column, y, line, i == s->at);
		draw_marks(s, column, y, line->row, i == s->at, &tired);
		below = y + 1 > below ? y + 1 : below;
	}
	if (s->columns == 2)
		pane_vline(p, (p.w - 1) / 2, 0, p.h, GLYPH_VLINE, ROLE_RULE);
	if (s->counts || below >= p.h)
		return;
	if (s->counting.failure[0])
		pane_text_in(p, 1, below, p.w - 2, ROLE_WARN, 0, s->counting.failure);
	else
		pane_text(p, 1, below, ROLE_DIM, 0, "Counting messages…");
}
