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

#define KINDS (PHASE_MARKS + 1) /* those told apart by rank, and all others */

static uint32_t kind(const struct model *m, uint32_t id)
{
	uint32_t rank = phase_look(m, id).rank;

	return rank < PHASE_MARKS ? rank : PHASE_MARKS;
}

/* Where a column holds several phases, each gets a letter as often, over the columns, as its share of their ticks is:
 * what a column lacks to a phase is owed to it in the next ones. Only phases that a column holds are shown in it. */
static void fill(struct strip *s, const struct model *m)
{
	const struct phases *p = m->analysis->phases;
	uint64_t ticks = model_ticks(m);
	double owed[KINDS] = {0};
	uint64_t w = (uint64_t)s->w;

	for (uint64_t x = 0; x < w; x++) {
		uint32_t from = (uint32_t)(ticks * x / w), to = (uint32_t)(ticks * (x + 1) / w), first, last, step, best = 0;
		double sum = 0;
		bool holds[KINDS] = {false};

		to = to > from ? to : from + 1;
		first = phases_occurrence_at(p, from);
		last = phases_occurrence_at(p, to - 1);
		s->phase[x] = 0;
		if (last == UINT32_MAX)
			continue;
		first = first == UINT32_MAX ? 0 : first;
		step = (last - first) / 1024 + 1;
		for (int pass = 0; pass < 2; pass++) {
			for (uint32_t i = first; i <= last; i += step) {
				const struct occurrence *o = &p->occurrences[i];
				uint32_t a = o->first > from ? o->first : from, end = occurrence_end(p, i, (uint32_t)ticks);
				uint32_t k;
				double n = (end < to ? end : to) > a ? (end < to ? end : to) - a : 0;

				if (pass == 0) {
					sum += n;
					continue;
				}
				k = kind(m, o->phase);
				owed[k] += n / sum;
				holds[k] = true;
				if (!best || owed[k] > owed[kind(m, best)])
					best = o->phase;
			}
			if (sum <= 0)
				break;
		}
		for (uint32_t k = 0; best && k < KINDS; k++)
			if (!holds[k] && owed[k] > 1)
				owed[k] = 1; /* no long memory of what is not here any more */
		s->phase[x] = best;
		if (best)
			owed[kind(m, best)] -= 1;
	}
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
		pane_put(p, LABEL + x, 0, s->phase[x] ? phase_look(m, s->phase[x]).mark : GLYPH_DOT,
			 s->phase[x] ? phase_look(m, s->phase[x]).role : ROLE_NONE, 0);
	from = (int)((uint64_t)m->window_first.tick * (uint64_t)s->w / ticks);
	to = (int)((uint64_t)m->window_last.tick * (uint64_t)s->w / ticks);
	if (from > 0 || to + 1 < s->w)
		pane_stress(p, LABEL + from, 0, to - from + 1, ATTR_REVERSE);
}
