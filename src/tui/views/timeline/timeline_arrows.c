/* Arrows that go back: messages and ends of collectives that by these clocks come before what they need. Shown wherever messages are, all of the
 * window up to a number, in the warning role and with a head. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "timeline_view.h"
#include "tui/widgets/units.h"

#define LOOKS 1000000 /* at most, each time the window moves */

static bool in_rows(const struct timeline_view *s, uint32_t process)
{
	return process >= s->first && process - s->first < (uint64_t)s->rows * s->spread;
}

static bool is_shown(const struct timeline_view *s, const struct clock_arrow *a)
{
	const struct trace *t = s->view.model->trace;
	double from = t->start + s->from, to = from + s->cell * s->cells;
	uint32_t left, came, cursor = s->view.model->cursor.process;

	if (a->left < from || a->came > to) /* it comes before it leaves */
		return false;
	left = trace_process_of(t, a->from);
	came = trace_process_of(t, a->to);
	return s->lines == LINES_PROCESS ? left == cursor || came == cursor : in_rows(s, left) || in_rows(s, came);
}

void timeline_find_arrows(struct timeline_view *s)
{
	const struct clock_arrows *all = s->view.model->clocks.arrows;
	struct timeline_arrows *found = &s->arrows;
	uint32_t step, every, n = 0;

	*found = (struct timeline_arrows){.of = all};
	if (!all || s->lines == LINES_NONE)
		return;
	step = all->count / LOOKS + 1;
	for (uint32_t i = 0; i < all->count; i += step)
		n += is_shown(s, &all->list[i]);
	found->all = (uint64_t)n * step;
	found->estimated = step > 1;
	every = (n + TIMELINE_LINES - 1) / TIMELINE_LINES;
	for (uint32_t i = 0, k = 0; n && i < all->count; i += step)
		if (is_shown(s, &all->list[i]) && k++ % every == 0)
			found->arrow[found->count++] = &all->list[i];
}

void timeline_take_arrow(struct timeline_view *s)
{
	struct model *m = s->view.model;
	const struct clock_arrow *a = m->wanted.arrow;
	double back;

	if (!a)
		return;
	m->wanted.arrow = NULL;
	m->cursor.process = trace_process_of(m->trace, a->to);
	back = a->left > a->came ? a->left - a->came : 0;
	s->at = a->came - m->trace->start;
	s->cell = fmax(8 * back / s->cells, TIMELINE_LEAST);
	s->from = s->at - s->cell * s->cells / 2;
	s->spread = 1;
	if (s->lines == LINES_NONE)
		s->lines = LINES_PROCESS;
	timeline_clamp(s);
	timeline_place_cursor(s);
}

void timeline_arrows_fact(const struct timeline_view *s, char *text, size_t size)
{
	const struct clock_arrows *all = s->view.model->clocks.arrows;
	char n[UNIT_TEXT];

	if (all && all->count)
		snprintf(text, size, " · %s arrow%s back", unit_count(n, all->count), all->count == 1 ? " goes" : "s go");
}
