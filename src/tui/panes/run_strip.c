#include "run_strip.h"

#include "core/base/mem.h"
#include "tui/model/phase_shares.h"

#define LABEL 5 /* "run " and a blank before it */

void strip_release(struct strip *s)
{
	mem_free(s->kind);
	*s = (struct strip){0};
}

static void fill(struct strip *s, const struct model *m)
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

void strip_update(struct strip *s, const struct model *m, int w)
{
	uint64_t ticks = model_ticks(m);
	uint8_t *kind;

	w -= LABEL + 1;
	if (w < 1 || !ticks || !m->analysis->phases || (s->serial == m->serial && s->w == w))
		return;
	kind = mem_resize(s->kind, (size_t)w, sizeof *kind);
	if (!kind)
		return;
	s->kind = kind;
	s->w = w;
	s->serial = m->serial;
	fill(s, m);
}

void strip_draw(const struct strip *s, const struct model *m, struct pane p)
{
	uint64_t ticks = model_ticks(m);
	int from, to;

	pane_text(p, 1, 0, ROLE_HEADER, 0, "run");
	if (!s->w || s->serial != m->serial || !ticks)
		return;
	for (int x = 0; x < s->w; x++)
		phase_kind_draw(p, LABEL + x, 0, s->kind[x], 0);
	from = (int)((uint64_t)m->window_first.tick * (uint64_t)s->w / ticks);
	to = (int)((uint64_t)m->window_last.tick * (uint64_t)s->w / ticks);
	if (from > 0 || to + 1 < s->w)
		pane_stress(p, LABEL + from, 0, to - from + 1, ATTR_REVERSE);
}
