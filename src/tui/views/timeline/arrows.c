/* Clock violations as arrows: messages and ends of collectives that, by these clocks, come before their cause. They are
 * shown wherever messages are, up to a number per window, in the warning role and with a head. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/trace/times.h"
#include "timeline_int.h"
#include "tui/model/describe.h"
#include "tui/widgets/units.h"

#define LOOKS 150000 /* at most, each time the window moves */

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

/* Those of a process that may be in the window are numbers *first to *end. */
static void range_of(const struct timeline_view *s, uint32_t process, uint32_t *first, uint32_t *end)
{
	const struct trace *t = s->view.model->trace;
	const struct clock_arrows *all = run_clocks_arrows(s->view.model);
	double from = t->start + s->from, to = from + s->cell * s->cells;

	*first = clock_arrows_from(all, t, process, from - all->longest);
	*end = clock_arrows_from(all, t, process, nextafter(to, INFINITY));
}

/* Of all that may be shown each `step`th is looked at, and of those that are each `every`th is kept. */
static uint32_t arrows_look_through(struct timeline_view *s, uint64_t step, uint32_t every, bool keep)
{
	const struct clock_arrows *all = run_clocks_arrows(s->view.model);
	uint32_t n = 0, first, end;
	uint64_t skip = 0;

	for (uint32_t p = 0; p < s->view.model->trace->process_count; p++) {
		uint64_t i;

		range_of(s, p, &first, &end);
		for (i = first + skip; i < end; i += step)
			if (is_shown(s, &all->list[i]) && n++ % every == 0 && keep)
				s->arrows.arrow[s->arrows.count++] = &all->list[i];
		skip = i - (end > first ? end : first);
	}
	return n;
}

void timeline_find_arrows(struct timeline_view *s)
{
	const struct clock_arrows *all = run_clocks_arrows(s->view.model);
	struct timeline_arrows *found = &s->arrows;
	uint64_t candidates = 0, step;
	uint32_t n, first, end;

	*found = (struct timeline_arrows){.of = all};
	if (!all || !all->count || s->lines == LINES_NONE || times_are_corrected(s->view.model))
		return;
	for (uint32_t p = 0; p < s->view.model->trace->process_count; p++) {
		range_of(s, p, &first, &end);
		candidates += end > first ? end - first : 0;
	}
	step = candidates / LOOKS + 1;
	n = arrows_look_through(s, step, 1, false);
	found->all = n * step;
	found->estimated = step > 1;
	if (n)
		arrows_look_through(s, step, (n + TIMELINE_LINES - 1) / TIMELINE_LINES, true);
}

void timeline_take_arrow(struct timeline_view *s)
{
	struct model *m = s->view.model;
	const struct clock_arrow *a = m->wanted.arrow;
	double back, came;

	if (!a)
		return;
	m->wanted.arrow = NULL;
	m->cursor.process = trace_process_of(m->trace, a->to);
	came = times_are_corrected(m) ? m->trace->time[a->to] : a->came;
	back = fmax(a->left - a->came, times_are_corrected(m) ? came - m->trace->time[a->from] : 0);
	s->at = came - m->trace->start;
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
	const struct model *m = s->view.model;
	uint64_t count = times_are_corrected(m) ? m->trace->times->figures.left : run_clocks_arrows(m) ? run_clocks_arrows(m)->count : 0;
	char n[UNIT_TEXT];

	if (count)
		snprintf(text, size, " · %s clock violation%s%s", unit_count(n, count), count == 1 ? "" : "s",
			 times_are_corrected(m) ? " left" : "");
}
