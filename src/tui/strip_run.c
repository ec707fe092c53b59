#include "strip_run.h"

#include "../core/mem.h"
#include "glyphs.h"
#include "grid.h"

#define LABEL 5 /* "run " and a blank before it */

void strip_release(struct strip *s)
{
	mem_free(s->phase);
	*s = (struct strip){0};
}

void strip_update(struct strip *s, const struct model *m, int w)
{
	uint64_t ticks = model_ticks(m);
	uint32_t *phase;

	w -= LABEL + 1;
	if (w < 1 || !ticks || !m->analysis->phases || (s->serial == m->serial && s->w == w))
		return;
	phase = mem_resize(s->phase, (size_t)w, sizeof *phase);
	if (!phase)
		return;
	s->phase = phase;
	s->w = w;
	s->serial = m->serial;
	for (int x = 0; x < w; x++) {
		uint64_t from = ticks * (uint64_t)x / (uint64_t)w, to = ticks * (uint64_t)(x + 1) / (uint64_t)w;

		phase[x] = grid_span_of(m->analysis->phases, (uint32_t)from, (uint32_t)(to > from ? to : from + 1)).phase;
	}
}

void strip_draw(const struct strip *s, const struct model *m, struct pane p)
{
	uint64_t ticks = model_ticks(m);
	int from, to;

	pane_text(p, 1, 0, ROLE_HEADER, 0, "run");
	if (!s->w || s->serial != m->serial || !ticks)
		return;
	for (int x = 0; x < s->w; x++)
		pane_put(p, LABEL + x, 0, s->phase[x] ? (uint32_t)phase_letter(s->phase[x]) : GLYPH_DOT,
			 s->phase[x] ? phase_role(s->phase[x]) : ROLE_NONE, 0);
	from = (int)((uint64_t)m->window_first.tick * (uint64_t)s->w / ticks);
	to = (int)((uint64_t)m->window_last.tick * (uint64_t)s->w / ticks);
	if (from > 0 || to + 1 < s->w)
		pane_stress(p, LABEL + from, 0, to - from + 1, ATTR_REVERSE);
}
