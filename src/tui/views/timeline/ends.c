/* The line below a bar: the ends of the process's messages, and their peers. If there are too many to draw them one by
 * one, it shows the number of events per column. */
#include <stdio.h>

#include "core/base/mem.h"
#include "timeline_int.h"
#include "tui/screen/glyphs.h"

#define COLUMNS_LEAST 3 /* on average, of an event that is shown as one */

/* The process's events in the window: *first and the one after the last. */
static uint32_t events_in(const struct timeline_view *s, uint32_t process, uint32_t *first)
{
	const struct model *m = s->view.model;
	const struct trace *t = model_logical(m)->trace;
	uint32_t a = s->from > 0 ? timeline_event_at(m, process, s->from) : NO_EVENT, b = timeline_event_at(m, process, s->from + s->cell * s->cells);

	*first = a == NO_EVENT ? t->first[process] : a;
	return b == NO_EVENT ? *first : b + 1;
}

static bool too_many(const struct timeline_view *s)
{
	for (int row = 0; row < s->rows; row++) {
		uint32_t first, end = events_in(s, s->first + (uint32_t)row, &first);

		if ((uint64_t)(end - first) * COLUMNS_LEAST > (uint64_t)s->cells)
			return true;
	}
	return false;
}

void timeline_count_ends(struct timeline_view *s)
{
	const struct model *m = s->view.model;
	uint32_t *counts = NULL;

	if (s->ends && too_many(s))
		counts = mem_resize(s->row_events, (size_t)s->rows * (size_t)s->cells, sizeof *counts);
	if (!counts)
		mem_free(s->row_events);
	s->row_events = counts;
	s->row_events_most = 1;
	for (int row = 0; counts && row < s->rows; row++) {
		uint32_t process = s->first + (uint32_t)row, before = timeline_event_at(m, process, s->from);

		for (int x = 0; x < s->cells; x++) {
			uint32_t e = timeline_event_at(m, process, s->from + (x + 1) * s->cell), *count = &counts[row * s->cells + x];

			*count = e == NO_EVENT ? 0 : e - (before == NO_EVENT ? model_logical(m)->trace->first[process] - 1 : before);
			before = e;
			s->row_events_most = *count > s->row_events_most ? *count : s->row_events_most;
		}
	}
}

static void draw_counts(const struct timeline_view *s, struct pane p, int row, int y)
{
	static const uint32_t blocks[] = {GLYPH_BLOCK_1, GLYPH_BLOCK_2, GLYPH_BLOCK_3, GLYPH_BLOCK_4,
					  GLYPH_BLOCK_5, GLYPH_BLOCK_6, GLYPH_BLOCK_7, GLYPH_BLOCK_8};

	for (int x = 0; x < s->cells; x++) {
		uint32_t n = s->row_events[row * s->cells + x];

		if (n)
			pane_put(p, s->gutter + x, y, blocks[((uint64_t)n * 8 - 1) / s->row_events_most], ROLE_DIM, 0);
	}
}

/* ">2": to rank 2; the number only where it ends before the next one begins. */
void timeline_draw_ends(const struct timeline_view *s, struct pane p, int row, int y)
{
	const struct trace *t = model_logical(s->view.model)->trace;
	uint32_t first, end;

	if (s->row_events) {
		draw_counts(s, p, row, y);
		return;
	}
	end = events_in(s, s->first + (uint32_t)row, &first);
	for (uint32_t e = first; e < end; e++) {
		int x = timeline_column(s, t->time[e] - t->start), next = e + 1 < end ? timeline_column(s, t->time[e + 1] - t->start) : s->cells;
		bool send = EVENT_KIND(t->type[e]) == EVENT_SEND;
		char text[16];

		if (x < 0 || x >= s->cells || EVENT_KIND(t->type[e]) == EVENT_COLLECTIVE)
			continue;
		pane_put(p, s->gutter + x, y, send ? '>' : '<', send ? ROLE_SEND : ROLE_RECEIVE, 0);
		if (!EVENT_INDEX(t->type[e]))
			continue;
		snprintf(text, sizeof text, "%u", (unsigned)EVENT_INDEX(t->type[e]) - 1);
		if (x + 1 + text_width(text) <= next)
			pane_text(p, s->gutter + x + 1, y, send ? ROLE_SEND : ROLE_RECEIVE, 0, text);
	}
}
