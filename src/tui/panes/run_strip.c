#include "panes.h"

#include <string.h>

#include "core/base/mem.h"
#include "tui/model/iterations.h"
#include "tui/model/phase_shares.h"

#define LABEL 5 /* "run " and a blank before it */

void strip_release(struct strip *s)
{
	mem_free(s->kind);
	mem_free(s->mark);
	mem_free(s->underlined);
	*s = (struct strip){0};
}

static void strip_fill_cells(struct strip *s, const struct model *m)
{
	uint64_t ticks = model_ticks(m), w = (uint64_t)s->w;
	double owed[PHASE_KINDS] = {0};

	for (uint64_t x = 0; x < w; x++) {
		uint32_t from = (uint32_t)(ticks * x / w), to = (uint32_t)(ticks * (x + 1) / w);
		struct phase_shares shares;

		phase_shares_of_ticks(&shares, m, from, to > from ? to : from + 1);
		s->kind[x] = phase_shares_mark(&shares, owed);
	}
}

static void mark_windows(struct strip *s, const struct model *m)
{
	const struct windows *w = model_windows(m);
	uint64_t ticks = model_ticks(m);

	memset(s->mark, MARK_NONE, (size_t)s->w);
	for (uint32_t i = 0; w && i < w->count; i++) {
		uint32_t from, to;

		window_ticks(m, &w->list[i], &from, &to);
		window_mark_columns(s->mark, s->w, (int)(from * (uint64_t)s->w / ticks), (int)((to - 1) * (uint64_t)s->w / ticks),
				    window_mark_of(&w->list[i]));
	}
}

/* Iterations are known later than the phases, so they are looked up at each update: a few look-ups a column. */
static void underline_iterations(struct strip *s, const struct model *m)
{
	uint64_t ticks = model_ticks(m);
	bool room = iteration_mean_ticks(m) * s->w >= (double)ticks * ITERATION_COLUMNS;
	uint32_t before = UINT32_MAX;

	for (int x = 0; x < s->w; x++) {
		uint32_t here = room ? iteration_at(m, (uint32_t)((ticks * ((uint64_t)x + 1) - 1) / (uint64_t)s->w)) : UINT32_MAX;

		s->underlined[x] = here != UINT32_MAX && (here != before || iteration_stands_out(m, here));
		before = here;
	}
}

int strip_rows(const struct model *m)
{
	return model_windows(m) ? 2 : 1;
}

void strip_update(struct strip *s, const struct model *m, int w)
{
	uint64_t ticks = model_ticks(m);
	uint8_t *kind, *mark;
	bool *underlined;

	w -= LABEL + 1;
	if (w < 1 || !ticks || !m->analysis->phases)
		return;
	if (s->serial == m->serial && s->w == w) {
		underline_iterations(s, m);
		return;
	}
	kind = mem_resize(s->kind, (size_t)w, sizeof *kind);
	if (kind)
		s->kind = kind;
	mark = mem_resize(s->mark, (size_t)w, sizeof *mark);
	if (mark)
		s->mark = mark;
	underlined = mem_resize(s->underlined, (size_t)w, sizeof *underlined);
	if (underlined)
		s->underlined = underlined;
	s->w = 0;
	if (!kind || !mark || !underlined)
		return;
	s->w = w;
	s->serial = m->serial;
	strip_fill_cells(s, m);
	mark_windows(s, m);
	underline_iterations(s, m);
}

void strip_draw(const struct strip *s, const struct model *m, struct pane p)
{
	uint64_t ticks = model_ticks(m);
	int from, to, y = p.h > 1;

	pane_text(p, 1, y, ROLE_HEADER, 0, "run");
	if (y)
		pane_text(p, 1, 0, ROLE_HEADER, 0, "win");
	if (!s->w || s->serial != m->serial || !ticks)
		return;
	for (int x = 0; x < s->w; x++)
		phase_kind_draw(p, LABEL + x, y, s->kind[x], s->underlined[x] ? ATTR_UNDERLINE : 0);
	if (y)
		window_marks_draw(p, LABEL, 0, s->mark, s->w);
	from = (int)((uint64_t)m->window_first.tick * (uint64_t)s->w / ticks);
	to = (int)((uint64_t)m->window_last.tick * (uint64_t)s->w / ticks);
	if (from > 0 || to + 1 < s->w)
		pane_stress(p, LABEL + from, y, to - from + 1, ATTR_REVERSE);
}
