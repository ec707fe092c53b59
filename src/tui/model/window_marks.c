#include "phase_shares.h"

#include <stdio.h>

#include "tui/screen/glyphs.h"

const struct windows *model_windows(const struct model *m)
{
	return m->analysis && m->analysis->phases && m->analysis->windows && m->analysis->windows->count ? m->analysis->windows
		: NULL;
}

enum window_mark window_mark_of(const struct window *w)
{
	return w->extra ? MARK_EXTRA : MARK_REGULAR;
}

void window_ticks(const struct model *m, const struct window *w, uint32_t *from, uint32_t *to)
{
	const struct phases *p = m->analysis->phases;

	*from = p->occurrences[w->first].first;
	*to = occurrence_end(p, w->end - 1, model_ticks(m));
}

uint32_t window_behind(const struct model *m, uint32_t tick)
{
	const struct windows *w = model_windows(m);
	uint32_t lo = 0, hi = w ? w->count : 0;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (m->analysis->phases->occurrences[w->list[mid].first].first <= tick)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

uint32_t window_at(const struct model *m, uint32_t tick)
{
	uint32_t i = window_behind(m, tick), from, to;

	if (!i)
		return UINT32_MAX;
	window_ticks(m, &model_windows(m)->list[i - 1], &from, &to);
	return tick < to ? i - 1 : UINT32_MAX;
}

void window_mark_columns(uint8_t *marks, int columns, int from, int to, enum window_mark mark)
{
	for (int x = from < 0 ? 0 : from; x <= to && x < columns; x++)
		if (marks[x] != MARK_REGULAR)
			marks[x] = (uint8_t)mark;
}

void window_marks_draw(struct pane p, int x, int y, const uint8_t *marks, int columns)
{
	for (int i = 0; i < columns; i++)
		if (marks[i] == MARK_REGULAR)
			pane_put(p, x + i, y, GLYPH_BLOCK_4, ROLE_WINDOW, 0);
		else if (marks[i] == MARK_EXTRA)
			pane_put(p, x + i, y, GLYPH_BLOCK_2, ROLE_WINDOW_EXTRA, 0);
}

const char *window_name(const struct windows *w, uint32_t i, char text[WINDOW_NAME])
{
	snprintf(text, WINDOW_NAME, "%swindow %u of %u", w->list[i].extra ? "extra " : "", (unsigned)i + 1, (unsigned)w->count);
	return text;
}
