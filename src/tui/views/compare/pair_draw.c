/* Drawing two runs side by side: names, verdict, the strip over the whole run, and the cells of both. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/compare/diff/diff.h"
#include "compare_int.h"
#include "tui/model/describe.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/units.h"

static const struct {
	uint32_t mark;
	enum role role;
} looks[] = {
	[CHANGE_NONE] = {' ', ROLE_DIM}, [CHANGE_REMOVED] = {'-', ROLE_ERROR}, [CHANGE_ADDED] = {'+', ROLE_BETTER},
	[CHANGE_RESIZED] = {'~', ROLE_WARN},
};

static struct pane side_pane(struct pane p, int side)
{
	int w = (p.w - PAIR_GUTTER - 1) / 2;

	return pane_part(p, PAIR_GUTTER + side * (w + 1), 0, w, p.h);
}

/* The open run's times may be corrected; the other run's are as recorded, so that both must be told. */
static const char *whose_times(const struct model *m, int side)
{
	if (!times_are_corrected(m))
		return "";
	return (side == 0) != m->pair.swapped ? " · corrected times" : " · recorded times";
}

static void draw_name(const struct compare_view *s, struct pane p, int side)
{
	const struct analysis *a = run_pair_side(&s->view.model->pair, side);
	char safe[200], text[400], n[UNIT_TEXT], t[UNIT_TEXT];
	int x = pane_textf(p, 0, 0, ROLE_KEY, 0, "%c ", side ? 'B' : 'A');

	x += pane_text_in(p, x, 0, p.w - x, ROLE_TITLE, 0, pair_name(s->view.model, side, safe, sizeof safe));
	if (!a)
		return;
	snprintf(text, sizeof text, "%s · run time %s · %s ticks", whose_times(s->view.model, side), unit_time(t, a->figures->aet),
		 unit_count(n, a->logical->tick_count));
	text_drop_facts(text, p.w - x);
	pane_text_in(p, x, 0, p.w - x, ROLE_DIM, 0, text);
}

static void event_text(const struct pair_ticks *t, int side, uint32_t event, char *text, size_t size)
{
	const struct trace *trace = t->side[side]->logical->trace;
	char name[64], bytes[UNIT_TEXT];

	if (event == NO_EVENT)
		snprintf(text, size, "nothing");
	else
		snprintf(text, size, "%s %s", trace_type_text(trace, trace->type[event], name, sizeof name), unit_size(bytes, trace_size(trace, event)));
}

static void draw_verdict(const struct compare_view *s, struct pane p)
{
	const struct pair_ticks *t = s->view.model->pair.first;
	char text[400], a[128], b[128], n[UNIT_TEXT];
	double part;
	const char *doing = run_pair_doing(&s->view.model->pair, &part);
	int x = 1, right = p.w - 1;

	if (doing) {
		if (isnan(part))
			snprintf(text, sizeof text, "%s…", doing);
		else
			snprintf(text, sizeof text, "%s %d %%", doing, (int)(part * 100));
		right -= pane_text_right(p, right, 1, ROLE_WARN, 0, text) + 1;
	}
	if (!t)
		return;
	x += pane_text(p, x, 1, t->verdict == DIFF_IDENTICAL ? ROLE_BETTER : ROLE_VALUE, 0, diff_verdict_name(t->verdict));
	if (t->verdict == DIFF_IDENTICAL) {
		snprintf(text, sizeof text, " · same events with the same sizes at every tick");
	} else if (t->verdict == DIFF_PROCESSES) {
		snprintf(text, sizeof text, " · %u and %u processes · phases matched by content",
			 t->side[0]->logical->trace->process_count, t->side[1]->logical->trace->process_count);
	} else {
		event_text(t, 0, t->first.event[0], a, sizeof a);
		event_text(t, 1, t->first.event[1], b, sizeof b);
		snprintf(text, sizeof text, " · first at tick %s, %s · A %s, B %s", unit_count(n, t->first.tick), unit_rank((char[UNIT_TEXT]){""}, t->first.process),
			 a, b);
	}
	text_drop_facts(text, right - x);
	pane_text_in(p, x, 1, right - x, ROLE_DEFAULT, 0, text);
}

static int draw_count(struct pane p, int x, enum diff_change c, uint64_t count, const char *what)
{
	char n[UNIT_TEXT];

	pane_put(p, x, 2, looks[c].mark, looks[c].role, ATTR_BOLD);
	return 2 + pane_textf(p, x + 2, 2, looks[c].role, 0, "%s %s", unit_count(n, count), what) + 3;
}

static void draw_counts(const struct compare_view *s, struct pane p)
{
	const struct pair_ticks *t = s->view.model->pair.first;
	char text[128], a[UNIT_TEXT], b[UNIT_TEXT];
	int x = 1;

	if (!t || !t->align)
		return;
	if (t->beyond < t->diff->process_count) {
		x += draw_count(p, x, CHANGE_REMOVED, t->changes[CHANGE_REMOVED], "removed");
		x += draw_count(p, x, CHANGE_ADDED, t->changes[CHANGE_ADDED], "added");
		x += draw_count(p, x, CHANGE_RESIZED, t->changes[CHANGE_RESIZED], "resized");
	}
	if (t->beyond)
		x += pane_textf(p, x, 2, ROLE_WARN, 0, "more than %u edits on %s of %u ranks", DIFF_EFFORT,
				unit_count(a, t->beyond), (unsigned)t->diff->process_count) + 3;
	if (!t->hunk_count)
		return;
	snprintf(text, sizeof text, "hunk %s of %s", unit_count(a, pair_hunk_at(t, s->beside.at)), unit_count(b, t->hunk_count));
	if (x + text_width(text) < p.w)
		pane_text_right(p, p.w - 1, 2, ROLE_DIM, 0, text);
}

static void draw_strip(const struct compare_view *s, struct pane p)
{
	const struct pair_half *h = &s->beside;
	const struct pair_ticks *t = s->view.model->pair.first;
	uint32_t n = pair_columns(&s->view.model->pair);

	pane_text(p, 1, 3, ROLE_HEADER, 0, "run");
	if (!t || !t->align || !n) {
		pane_hline(p, PAIR_GUTTER, 3, h->strip, GLYPH_HDASH, ROLE_RULE);
		return;
	}
	for (int i = 0; i < h->strip; i++) {
		int eighths = h->density[i] ? 1 + (int)(7.0 * (double)h->density[i] / (double)h->densest) : 0;

		pane_put(p, PAIR_GUTTER + i, 3, eighths ? (uint32_t)GLYPH_EIGHTHS(eighths) : GLYPH_HDASH, eighths ? ROLE_WARN : ROLE_RULE, 0);
	}
	pane_stress(p, PAIR_GUTTER + (int)((uint64_t)h->at * (uint64_t)h->strip / n), 3, 1, ATTR_CURSOR);
}

static void draw_gap(struct pane p, int x, int y, int w)
{
	pane_hline(p, x, y, w - 1, GLYPH_HDASH, ROLE_RULE);
}

static void draw_cell(const struct compare_view *s, struct pane p, int side, int x, int y, const uint32_t tick[2], uint32_t process)
{
	const struct run_pair *pair = &s->view.model->pair;
	const struct trace *trace = pair_logical(pair, side)->trace;
	uint32_t event = pair_event(pair, side, tick[side], process);
	enum diff_change c = pair_change(pair, side, event, tick, process);
	char name[64], size[UNIT_TEXT];
	bool wide = s->beside.cell > 10;

	if (process >= trace->process_count)
		return;
	if (tick[side] == NO_TICK) {
		draw_gap(p, x, y, s->beside.cell);
		return;
	}
	if (event == NO_EVENT) {
		pane_put(p, x + 2, y, GLYPH_DOT, ROLE_NONE, 0);
		return;
	}
	pane_put(p, x, y, looks[c].mark, looks[c].role, ATTR_BOLD);
	pane_text_in(p, x + 2, y, wide ? 6 : s->beside.cell - 3, looks[c].role, 0,
		     trace_type_text(trace, trace->type[event], name, sizeof name));
	if (wide)
		pane_text_right(p, x + s->beside.cell - 1, y, looks[c].role, 0, unit_size_short(size, trace_size(trace, event)));
}

static void draw_side(const struct compare_view *s, struct pane p, int side)
{
	const struct pair_half *h = &s->beside;
	const struct run_pair *pair = &s->view.model->pair;
	uint32_t n = pair_columns(pair);

	if (!pair_logical(pair, side))
		return;
	for (int i = 0; i < h->cells && h->first[side] + (uint32_t)i < n; i++) {
		uint32_t at = h->first[side] + (uint32_t)i, tick[2];
		bool here = at == (side ? h->at_right : h->at);

		pair_ticks_at(pair, at, tick);
		if (tick[side] != NO_TICK)
			pane_textf(p, i * h->cell + 2, 4, here ? ROLE_VALUE : ROLE_HEADER, 0, "%u", (unsigned)tick[side]);
		else
			draw_gap(p, i * h->cell, 4, h->cell);
		for (int row = 0; row < h->rows; row++)
			draw_cell(s, p, side, i * h->cell, PAIR_HEAD + row, tick, h->first_process + (uint32_t)row);
		if (here)
			pane_stress(p, i * h->cell, PAIR_HEAD + (int)(h->process - h->first_process), h->cell - 1, ATTR_CURSOR);
	}
}

static void draw_cells(const struct compare_view *s, struct pane p)
{
	const struct pair_half *h = &s->beside;
	const struct run_pair *pair = &s->view.model->pair;

	for (int row = 0; row < h->rows; row++) {
		uint32_t process = h->first_process + (uint32_t)row;
		const struct logical *a = pair_logical(pair, 0), *b = pair_logical(pair, 1);

		if ((a && process < a->trace->process_count) || (b && process < b->trace->process_count))
			pane_text(p, 1, PAIR_HEAD + row, ROLE_HEADER, 0, unit_rank_short((char[UNIT_TEXT]){""}, process));
	}
	for (int side = 0; side < 2; side++)
		draw_side(s, side_pane(p, side), side);
	pane_vline(p, PAIR_GUTTER + (p.w - PAIR_GUTTER - 1) / 2, 4, h->rows + 1, GLYPH_VLINE, ROLE_RULE);
	if (h->at != h->at_right)
		pane_text_right(p, PAIR_GUTTER - 1, 4, ROLE_WARN, 0, "</>");
}

static enum diff_change change_of_mark(char mark)
{
	return mark == '-' ? CHANGE_REMOVED : mark == '+' ? CHANGE_ADDED : mark == '~' ? CHANGE_RESIZED : CHANGE_NONE;
}

static void pair_draw_line(const struct pair_ticks *t, struct pane p, int y, const struct hunk_line *line)
{
	enum diff_change c = change_of_mark(line->mark);
	int side = line->event[0] == NO_EVENT;
	char text[128], size[UNIT_TEXT];
	int x;

	event_text(t, side, line->event[side], text, sizeof text);
	pane_put(p, 1, y, looks[c].mark, looks[c].role, ATTR_BOLD);
	pane_textf(p, 3, y, looks[c].role, 0, "tick %u", (unsigned)t->side[side]->logical->tick[line->event[side]]);
	pane_text(p, 16, y, looks[c].role, 0, unit_rank_short((char[UNIT_TEXT]){""}, line->process));
	x = 22 + pane_text(p, 22, y, looks[c].role, 0, text);
	if (c == CHANGE_RESIZED)
		pane_textf(p, x, y, looks[c].role, 0, " → %s", unit_size(size, trace_size(t->side[1]->logical->trace, line->event[1])));
}

/* What stands in the grids from the cursor on, one event a line. */
static void draw_lines(const struct compare_view *s, struct pane p)
{
	const struct pair_ticks *t = s->view.model->pair.first;
	struct pane lines = pane_part(p, 0, p.h - s->beside.line_rows, p.w, s->beside.line_rows);
	struct hunk_line line = {0};
	struct hunk h = {.first = s->beside.at};

	if (!s->beside.line_rows || !t || !t->align)
		return;
	h.end = t->align->row_count - h.first < (uint32_t)lines.h ? t->align->row_count : h.first + (uint32_t)lines.h;
	pane_text_in(lines, 1, 0, lines.w - 2, ROLE_HEADER, 0, "Events from the cursor on: ticks of A, for added ones of B");
	for (int y = 1; y < lines.h && hunk_line_next(&line, &h, t->align); y++)
		pair_draw_line(t, lines, y, &line);
}

void pair_draw(const struct compare_view *s, struct pane p)
{
	const struct model *m = s->view.model;

	if (!m->analysis)
		return;
	if (!m->pair.with) {
		nothing_draw(p, "No other run is open.", ":diff FILE opens a second run.\npas2p A : B opens both.");
		return;
	}
	draw_name(s, side_pane(p, 0), 0);
	draw_name(s, side_pane(p, 1), 1);
	pane_vline(p, PAIR_GUTTER + (p.w - PAIR_GUTTER - 1) / 2, 0, 1, GLYPH_VLINE, ROLE_RULE);
	if (run_pair_failure(&m->pair)[0]) {
		pane_text_in(p, 1, 1, p.w - 2, ROLE_WARN, 0, run_pair_failure(&m->pair));
		pane_text_in(p, 1, 2, p.w - 2, ROLE_DIM, 0, "Enter tries again; :diff FILE opens another run.");
		return;
	}
	draw_verdict(s, p);
	draw_counts(s, p);
	draw_strip(s, p);
	draw_cells(s, p);
	pair_groups_draw(s, p);
	draw_lines(s, p);
}
