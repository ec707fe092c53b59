#include "phase_shares.h"

#include <stdio.h>
#include <string.h>

#include "tui/screen/glyphs.h"
#include "tui/widgets/units.h"

#define SAMPLES 1024 /* occurrences looked at in a column */

uint8_t phase_kind(const struct model *m, uint32_t id)
{
	uint32_t rank = phase_look(m, id).rank;

	return (uint8_t)(rank < PHASE_MARKS ? rank : PHASE_MARKS);
}

void phase_shares_add(struct phase_shares *s, uint8_t kind, double weight)
{
	s->share[kind] += weight;
}

void phase_shares_end(struct phase_shares *s)
{
	double sum = 0;

	s->kinds = 0;
	s->most = NO_KIND;
	for (int k = 0; k < PHASE_KINDS; k++)
		sum += s->share[k];
	for (int k = 0; sum > 0 && k < PHASE_KINDS; k++) {
		s->share[k] /= sum;
		s->kinds += s->share[k] > 0;
		if (s->share[k] > 0 && (s->most == NO_KIND || s->share[k] > s->share[s->most]))
			s->most = (uint8_t)k;
	}
}

uint32_t phase_sample(uint32_t first, uint32_t count, uint32_t most, uint32_t i)
{
	uint64_t from, to;

	if (count <= most)
		return first + i;
	from = (uint64_t)i * count / most;
	to = (uint64_t)(i + 1) * count / most;
	return first + (uint32_t)(from + (i * 2654435761u >> 8) % (to - from));
}

void phase_shares_of_ticks(struct phase_shares *s, const struct model *m, uint32_t from, uint32_t to)
{
	const struct phases *p = m->analysis->phases;
	uint32_t a, b, n;

	*s = (struct phase_shares){.most = NO_KIND};
	if (!p || !p->occurrence_count || from >= to)
		return;
	a = phases_occurrence_at(p, from);
	b = phases_occurrence_at(p, to - 1);
	if (b == UINT32_MAX)
		return;
	a = a == UINT32_MAX ? 0 : a;
	n = b - a + 1 < SAMPLES ? b - a + 1 : SAMPLES;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t o = phase_sample(a, b - a + 1, SAMPLES, i);
		uint32_t start = p->occurrences[o].first, end = occurrence_end(p, o, model_ticks(m));

		start = start > from ? start : from;
		end = end < to ? end : to;
		phase_shares_add(s, phase_kind(m, p->occurrences[o].phase), end > start ? end - start : 0);
	}
	phase_shares_end(s);
}

void phase_shares_stack(const struct phase_shares *s, int rows, uint8_t *kinds)
{
	int got[PHASE_KINDS] = {0}, at = rows;

	memset(kinds, NO_KIND, (size_t)rows);
	if (s->most == NO_KIND)
		return;
	for (int left = rows; left > 0; left--) {
		int best = s->most;

		for (int k = 0; k < PHASE_KINDS; k++)
			if (s->share[k] * rows - got[k] > s->share[best] * rows - got[best])
				best = k;
		got[best]++;
	}
	for (int k = 0; k < PHASE_KINDS; k++)
		for (int i = 0; i < got[k]; i++)
			kinds[--at] = (uint8_t)k;
}

uint8_t phase_shares_mark(const struct phase_shares *s, double owed[PHASE_KINDS])
{
	uint8_t best = s->most;

	if (best == NO_KIND)
		return best;
	for (int k = 0; k < PHASE_KINDS; k++)
		owed[k] += s->share[k];
	for (int k = 0; k < PHASE_KINDS; k++) {
		if (s->share[k] > 0 && owed[k] > owed[best])
			best = (uint8_t)k;
		else if (!(s->share[k] > 0) && owed[k] > 1)
			owed[k] = 1; /* no long memory of what is not here any more */
	}
	owed[best] -= 1;
	return best;
}

void phase_kind_draw(struct pane p, int x, int y, uint8_t kind, unsigned attr)
{
	struct phase_look look;

	if (kind == NO_KIND) {
		pane_put(p, x, y, GLYPH_DOT, ROLE_NONE, 0);
		return;
	}
	look = phase_look_of_rank(kind);
	pane_put(p, x, y, look.mark, look.role, attr);
}

void phase_bracket_draw(struct pane p, int x, int y, int w, const struct model *m, uint32_t phase, bool begins, bool ends)
{
	enum role role = phase_look(m, phase).role;
	const struct phase_name *called = phase_name_of(m->analysis, phase);
	char name[16];
	int n = snprintf(name, sizeof name, "%u", (unsigned)phase);

	pane_hline(p, x, y, w, GLYPH_HLINE, role);
	if (begins)
		pane_put(p, x, y, GLYPH_SPAN_LEFT, role, 0);
	if (ends && w > 1)
		pane_put(p, x + w - 1, y, GLYPH_SPAN_RIGHT, role, 0);
	if (n < w || (n == w && n > 2)) /* "11" beside "11" would be 1111 */
		pane_text(p, x + (n < w), y, role, ATTR_BOLD, name);
	if (called && n + text_width(called->name) + 4 <= w)
		pane_textf(p, x + n + 1, y, role, 0, " %s ", called->name);
}

/* "11 (A) 45 %" */
static void one_share(const struct phase_shares *s, const struct model *m, int kind, char *text, size_t size)
{
	struct phase_look look = phase_look_of_rank((uint32_t)kind);
	double share = s->share[kind] * 100;

	if (kind == PHASE_MARKS)
		snprintf(text, size, "rest %.*f %%", share < 9.95 ? 1 : 0, share);
	else
		snprintf(text, size, "%u (%c) %.*f %%", (unsigned)m->ranked[kind], (int)look.mark, share < 9.95 ? 1 : 0, share);
}

void phase_shares_text(const struct phase_shares *s, const struct model *m, char *text, size_t size, int room)
{
	bool told[PHASE_KINDS] = {false};
	uint32_t left = s->kinds;

	text[0] = 0;
	if (s->most == NO_KIND)
		return;
	snprintf(text, size, left == 1 ? "phase" : "phases");
	while (left) {
		int best = -1;
		char one[64], more[32] = "";
		size_t len = strlen(text);

		for (int k = 0; k < PHASE_KINDS; k++) /* the rest, the last kind, is told last */
			if (!told[k] && s->share[k] > 0 && (best < 0 || (k < PHASE_MARKS && s->share[k] > s->share[best])))
				best = k;
		if (best < 0)
			return;
		one_share(s, m, best, one, sizeof one);
		if (left > 1)
			snprintf(more, sizeof more, ", %u more", (unsigned)left - 1);
		if (left < s->kinds && text_width(text) + text_width(one) + text_width(more) + 2 > room) {
			snprintf(text + len, size - len, ", %u more", (unsigned)left);
			return;
		}
		snprintf(text + len, size - len, "%s %s", left < s->kinds ? "," : "", one);
		told[best] = true;
		left--;
	}
}
