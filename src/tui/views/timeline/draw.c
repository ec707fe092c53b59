/* Drawing the timeline: an axis of time, the phases, the bars, and message lines between them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/screen/glyphs.h"
#include "tui/widgets/kinds.h"
#include "tui/widgets/paragraph.h"
#include "tui/panes/panes.h"
#include "timeline_int.h"
#include "tui/widgets/units.h"

int timeline_column(const struct timeline_view *s, double t)
{
	double x = floor((t - s->from) / s->cell);

	return x < -1 ? -1 : x > s->cells ? s->cells : (int)x;
}

/* Labels at round times, far enough apart to be read, in the unit that suits the end of the window. */
static void draw_axis(const struct timeline_view *s, struct pane p)
{
	double end = s->from + s->cell * s->cells, unit = end >= 1 ? 1 : end >= 1e-3 ? 1e-3 : 1e-6, step = 1e-9 / unit;
	double factors[] = {2, 2.5, 2};
	int decimals;

	pane_text(p, 1, 0, ROLE_HEADER, 0, unit == 1 ? "s" : unit == 1e-3 ? "ms" : "µs");
	for (int i = 0; step * unit / s->cell < 16; i++)
		step *= factors[i % 3];
	decimals = step >= 1 ? 0 : (int)ceil(-log10(step) - 1e-9);
	for (double k = ceil(s->from / unit / step); k * step * unit < end; k++) {
		char text[40];
		int x = timeline_column(s, k * step * unit + s->cell * 1e-6);

		snprintf(text, sizeof text, "%.*f", decimals, k * step);
		if (x >= 0 && x + (int)strlen(text) < s->cells) {
			pane_put(p, s->gutter + x, 0, GLYPH_VLINE, ROLE_RULE, 0);
			pane_text(p, s->gutter + x + 1, 0, ROLE_HEADER, 0, text);
		}
	}
}

/* Brackets with numbers, or, where those have no room, the letters of the strip. */
static void timeline_draw_phases(const struct timeline_view *s, struct pane p, int y, const struct timeline_phases *found)
{
	const struct model *m = s->view.model;

	for (int x = 0; x < s->cells && found->cells == s->cells;) {
		int end = x + 1;

		if (found->letters) {
			if (found->kind[x] != NO_KIND)
				phase_kind_draw(p, s->gutter + x, y, found->kind[x], 0);
		} else if (found->occurrence[x] != UINT32_MAX) {
			while (end < s->cells && found->occurrence[end] == found->occurrence[x])
				end++;
			phase_bracket_draw(p, s->gutter + x, y, end - x, m, m->analysis->phases->occurrences[found->occurrence[x]].phase,
					   x > 0 || !found->starts_before, end < s->cells || !found->ends_after);
		}
		x = end;
	}
}

/* The phases of the cursor's process; where they are letters, the cursor's own column has the cursor's phase. */
static void draw_phases(const struct timeline_view *s, struct pane p, int cursor)
{
	const struct model *m = s->view.model;
	const struct timeline_phases *found = &s->phases;
	uint32_t at;

	pane_textf(p, 1, 1, ROLE_HEADER, 0, "phase %s", unit_rank_short((char[UNIT_TEXT]){""}, m->cursor.process));
	if (found->cells != s->cells)
		return;
	timeline_draw_phases(s, p, 1, found);
	if (s->top - s->iterations.marked > 2) {
		pane_text(p, 1, 2, ROLE_HEADER, 0, "windows");
		window_marks_draw(p, s->gutter, 2, found->mark, s->cells);
	}
	at = found->letters ? timeline_occurrence_at(m, m->cursor.process, s->at) : UINT32_MAX;
	if (at != UINT32_MAX)
		phase_kind_draw(p, s->gutter + cursor, 1, phase_kind(m, m->analysis->phases->occurrences[at].phase), 0);
}

/* One column of a bar: its lines go to the kinds by largest remainder of their shares, computing at the foot. */
static void draw_column(const struct timeline_view *s, struct pane p, int x, int y, const double *share)
{
	int lines[TIME_KINDS + 1] = {0}, left = s->bar;
	double part[TIME_KINDS + 1], rest = 1;

	for (int k = 0; k < TIME_KINDS; k++) {
		part[k] = share[k];
		rest -= share[k];
	}
	part[TIME_KINDS] = rest > 1e-6 ? rest : 0; /* if there is no trace */
	for (; left > 0; left--) {
		int best = 0;

		for (int k = 1; k <= TIME_KINDS; k++)
			if (part[k] * s->bar - lines[k] > part[best] * s->bar - lines[best])
				best = k;
		lines[best]++;
	}
	for (int k = TIME_KINDS; k >= 0; k--)
		for (int i = 0; i < lines[k]; i++, y++) {
			if (k == TIME_KINDS)
				pane_put(p, x, y, part[k] > 0.999 ? ' ' : GLYPH_DOT, ROLE_NONE, 0);
			else
				kind_cell(p, x, y, (enum time_kind)k, part[k] * s->bar / lines[k]);
		}
}

/* For a trace without calls: from the first record of the row's processes to the last. */
static void draw_unknown(const struct timeline_view *s, struct pane p, uint32_t first, uint32_t last, int y)
{
	const struct trace *t = s->view.model->trace;

	for (int x = 0; x < s->cells; x++) {
		double from = t->start + s->from + x * s->cell;
		bool within = false;

		for (uint32_t q = first; q <= last && !within; q++)
			within = t->processes[q].records && t->processes[q].start < from + s->cell && t->processes[q].end > from;
		for (int i = 0; within && i < s->bar; i++)
			kind_unknown_cell(p, s->gutter + x, y + i);
	}
}

/* Names in the bars of calls that are wide enough for them. */
static void draw_names(const struct timeline_view *s, struct pane p, uint32_t process, int y)
{
	const struct trace *t = s->view.model->trace;
	double t0 = t->start + s->from, t1 = t0 + s->cell * s->cells;
	uint32_t first, n = timeline_calls(s->timeline, process, t0, t1, &first);

	if (n > (uint32_t)s->cells)
		return;
	for (uint32_t i = first; i < first + n; i++) {
		const struct logged_call *c = &s->timeline->processes[process].calls[i];
		const char *name = timeline_call_name(s->timeline, c);
		int a = timeline_column(s, c->start - t->start) + 1, b = timeline_column(s, c->end - t->start);

		if (!strncmp(name, "MPI_", 4) || !strncmp(name, "PMPI_", 5))
			name = strchr(name, '_') + 1;
		a = a < 0 ? 0 : a;
		b = b > s->cells ? s->cells : b;
		if (*name && b - a >= text_width(name) + 1)
			pane_text(p, s->gutter + a, y, kind_role_of(timeline_kind(s->timeline, c)), ATTR_REVERSE, name);
	}
}

static int row_y(const struct timeline_view *s, uint32_t process)
{
	if (process < s->first)
		return -1;
	process = (process - s->first) / s->spread;
	return process < (uint32_t)s->rows ? s->top + (int)process * s->pitch : -1;
}

/* A line from one process to another, over what is no bar of a call; times since the trace's start. */
static void timeline_draw_line(const struct timeline_view *s, struct pane p, uint32_t from, uint32_t to, double left, double came, enum role role)
{
	double x0 = (left - s->from) / s->cell, x1 = (came - s->from) / s->cell;
	int y0 = row_y(s, from), y1 = row_y(s, to), down = from < to ? 1 : -1, bottom = s->top + s->rows * s->pitch;

	if (from == to)
		return;
	/* A partner above or below the window: the line runs off it. */
	if (y0 < 0)
		y0 = from < s->first ? s->top - 1 : bottom;
	if (y1 < 0)
		y1 = to < s->first ? s->top - 1 : bottom;
	if (y0 == y1)
		return;
	for (int y = y0 + (down > 0 && y0 >= s->top ? s->bar : down); down > 0 ? y < y1 : y > y1 + (y1 >= s->top ? s->bar - 1 : 0);
	     y += down) {
		double at = x0 + (x1 - x0) * (y + 0.5 - y0) / (double)(y1 - y0), slope = fabs((x1 - x0) / (y1 - y0));
		int a = (int)floor(at - (slope > 1 ? slope / 2 : 0)), b = (int)floor(at + (slope > 1 ? slope / 2 : 0));
		bool gap = (y - s->top) % s->pitch >= s->bar, falls = (x1 >= x0) == (down > 0);

		if (y < s->top || y >= bottom)
			continue;
		if (b - a > s->cells)
			a = b;
		for (int x = a < 0 ? 0 : a; x <= b && x < s->cells; x++) {
			int row = (y - s->top) / s->pitch;

			if (!gap && s->timeline->known && timeline_cell(s, row, x)[TIME_COMPUTE] < 0.5)
				continue;
			pane_put(p, s->gutter + x, y, slope > 1.5 ? GLYPH_HDASH : slope < 0.25 ? GLYPH_VLINE : falls ? GLYPH_FALLS
				 : GLYPH_RISES, role, 0);
		}
	}
}

static void draw_message(const struct timeline_view *s, struct pane p, const struct timeline_message *msg)
{
	const struct trace *t = s->view.model->trace;

	timeline_draw_line(s, p, trace_process_of(t, msg->send), trace_process_of(t, msg->receive), t->time[msg->send] - t->start,
		  t->time[msg->receive] - t->start, ROLE_MATCH);
}

/* With its head on the bar of the process where it comes too early: there it is seen also where no row is between. */
static void draw_arrow(const struct timeline_view *s, struct pane p, const struct clock_arrow *a)
{
	const struct trace *t = s->view.model->trace;
	uint32_t from = trace_process_of(t, a->from), to = trace_process_of(t, a->to);
	int x = timeline_column(s, a->came - t->start), y = row_y(s, to);

	timeline_draw_line(s, p, from, to, a->left - t->start, a->came - t->start, ROLE_WARN);
	if (y >= 0 && x >= 0 && x < s->cells)
		pane_put(p, s->gutter + x, y + (from > to ? s->bar - 1 : 0), GLYPH_BACK, ROLE_WARN, ATTR_BOLD);
}

static void draw_row(const struct timeline_view *s, struct pane p, int row)
{
	const struct model *m = s->view.model;
	uint32_t first = s->first + (uint32_t)row * s->spread, last = first + s->spread - 1;
	bool here = m->cursor.process >= first && m->cursor.process <= last;
	int y = s->top + row * s->pitch;

	if (last >= model_processes(m))
		last = model_processes(m) - 1;
	pane_text(p, 1, y, here ? ROLE_TITLE : ROLE_HEADER, 0, unit_ranks_short((char[UNIT_TEXT]){""}, first, last));
	if (!s->timeline->known)
		draw_unknown(s, p, first, last, y);
	for (int x = 0; s->timeline->known && x < s->cells; x++)
		draw_column(s, p, s->gutter + x, y, timeline_cell(s, row, x));
	if (s->spread > 1)
		return;
	draw_names(s, p, first, y);
	if (s->ends) {
		pane_text_right(p, s->gutter - 1, y + s->ends, ROLE_DIM, 0, s->row_events ? "events" : "ends");
		timeline_draw_ends(s, p, row, y + s->ends);
	}
	if (s->phase_line && row < s->row_phases_count) {
		pane_text_right(p, s->gutter - 1, y + s->phase_line, ROLE_DIM, 0, "phase");
		timeline_draw_phases(s, p, y + s->phase_line, &s->row_phases[row]);
	}
}

static void draw_waiting(const struct timeline_view *s, struct pane p)
{
	static const struct waiting reading = {PROGRESS_SCAN, "Reading the calls of each rank…", "reads the timeline"};

	waiting_draw(&reading, s->view.model, &s->reading, s->reading.failure, p);
}

/* The kinds, and how many lines there are: "300 of 6 720 messages, 12 clock violations". */
static void draw_legend(const struct timeline_view *s, struct pane p)
{
	int end = 1 + (s->timeline->known ? kind_legend(p, 1, p.h - 1) : kind_unknown_legend(p, 1, p.h - 1)), x = p.w - 1;
	char n[UNIT_TEXT], of[UNIT_TEXT], text[96], back[64] = "";

	if (!s->lines)
		return;
	if (s->message_count.all > s->message_count.count)
		snprintf(text, sizeof text, "%s of %s%s messages", unit_count(n, s->message_count.count),
			 s->message_count.estimated ? "about " : "", unit_count(of, s->message_count.all));
	else
		snprintf(text, sizeof text, "%s messages", unit_count(n, s->message_count.count));
	if (s->arrows.all)
		snprintf(back, sizeof back, " %s%s clock violation%s", s->arrows.estimated ? "about " : "", unit_count(n, s->arrows.all),
			 s->arrows.all == 1 ? "" : "s");
	if (end + text_width(back) < x) {
		pane_text_right(p, x, p.h - 1, ROLE_WARN, 0, back);
		x -= text_width(back) + (back[0] != 0);
	}
	if (end + text_width(text) < x)
		pane_text_right(p, x, p.h - 1, ROLE_MATCH, 0, text);
}

void timeline_draw(const struct view *v, struct pane p)
{
	const struct timeline_view *s = (const struct timeline_view *)v;
	const struct model *m = v->model;
	int y, x;

	if (!m->analysis || !model_ticks(m)) {
		nothing_draw(p, "No events.", "This view shows calls with sends or collectives; the trace has none.");
		return;
	}
	if (!s->timeline || !s->share || s->shown.cells != s->cells || s->shown.rows != s->rows) {
		draw_waiting(s, p);
		return;
	}
	draw_axis(s, p);
	timeline_draw_ruler(s, p);
	x = timeline_column(s, s->at);
	x = x >= s->cells ? s->cells - 1 : x < 0 ? 0 : x;
	draw_phases(s, p, x);
	timeline_draw_iterations(s, p);
	for (int row = 0; row < s->rows; row++)
		draw_row(s, p, row);
	for (uint32_t i = 0; s->lines && i < s->message_count.count; i++)
		draw_message(s, p, &s->messages[i]);
	for (uint32_t i = 0; i < s->arrows.count; i++)
		draw_arrow(s, p, s->arrows.arrow[i]);
	y = row_y(s, m->cursor.process);
	pane_stress(p, s->gutter + x, 1, 1, ATTR_REVERSE);
	if (y >= 0)
		for (int i = 0; i < s->bar; i++)
			pane_stress(p, s->gutter + x, y + i, 1, ATTR_CURSOR);
	if (s->foot)
		timeline_draw_totals_line(s, p, p.h - 1 - s->legend);
	if (s->legend)
		draw_legend(s, p);
}
