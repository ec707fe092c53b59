/* The timeline's row of phases: those of the cursor's process, by the time at which it was in them. On a skewed program
 * the others are in other phases at the same time. And the row of iterations of the main loop. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/search.h"
#include "core/base/mem.h"
#include "core/method/figures/clockwork.h"
#include "timeline_int.h"
#include "tui/model/describe.h"
#include "tui/model/iterations.h"
#include "tui/widgets/units.h"

#define SAMPLES 512   /* events looked at in a column, spread over it if there are more */
#define ROW_SAMPLES 8 /* the same in a row's own line, of which there may be many */

double timeline_tick_time(const struct model *m, uint32_t tick)
{
	const struct clockwork *c = m->analysis->clockwork;

	return c && m->trace->process_count ? c->at[tick] / m->trace->process_count : 0;
}

double timeline_process_time(const struct model *m, uint32_t process, uint32_t tick)
{
	const struct clockwork *c = m->analysis->clockwork;
	const struct trace *t = m->trace;

	if (!c || t->first[process] == t->first[process + 1])
		return timeline_tick_time(m, tick);
	return clockwork_time(c, process, logical_sends_before(c->l, process, tick)) - t->start;
}

uint32_t timeline_event_at(const struct model *m, uint32_t process, double t)
{
	const struct trace *trace = model_logical(m)->trace;
	uint32_t first = trace->first[process], lo;
	double at = t + trace->start;

	at += fabs(at) * 4 * DBL_EPSILON; /* times go there and back through differences */
	lo = SEARCH_PAST(i, first, trace->first[process + 1], trace->time[i] <= at);
	return lo > first ? lo - 1 : NO_EVENT;
}

static uint32_t occurrence_of_event(const struct model *m, uint32_t event)
{
	const struct phases *p = m->analysis->phases;

	return event == NO_EVENT || !p ? UINT32_MAX : phases_occurrence_at(p, model_logical(m)->tick[event]);
}

uint32_t timeline_occurrence_at(const struct model *m, uint32_t process, double t)
{
	return occurrence_of_event(m, timeline_event_at(m, process, t));
}

/* From each of the process's events to the next one the phase is the event's. */
static void column_shares(struct phase_shares *s, const struct model *m, uint32_t process, double t0, double t1, uint32_t samples)
{
	const struct trace *t = model_logical(m)->trace;
	uint32_t a = timeline_event_at(m, process, t0), b = timeline_event_at(m, process, t1), n;

	*s = (struct phase_shares){.most = NO_KIND};
	if (b == NO_EVENT)
		return;
	a = a == NO_EVENT ? t->first[process] : a;
	n = b - a + 1 < samples ? b - a + 1 : samples;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t e = phase_sample(a, b - a + 1, samples, i), o = occurrence_of_event(m, e);
		double start = t->time[e] - t->start, end = e + 1 < t->first[process + 1] ? t->time[e + 1] - t->start : t1;

		start = start > t0 ? start : t0;
		end = end < t1 ? end : t1;
		if (o != UINT32_MAX && end > start)
			phase_shares_add(s, phase_kind(m, m->analysis->phases->occurrences[o].phase), end - start);
	}
	phase_shares_end(s);
}

static bool timeline_phases_same(const struct timeline_view *s, const struct timeline_phases *p, uint32_t process)
{
	return p->cells == s->cells && p->serial == s->view.model->serial && p->process == process &&
	       !(p->from < s->from) && !(p->from > s->from) && !(p->cell < s->cell) && !(p->cell > s->cell);
}

static bool timeline_phases_room(struct timeline_phases *p, size_t cells)
{
	void *kind = mem_resize(p->kind, cells, sizeof *p->kind), *mark, *occurrence;

	if (kind)
		p->kind = kind;
	mark = mem_resize(p->mark, cells, sizeof *p->mark);
	if (mark)
		p->mark = mark;
	occurrence = mem_resize(p->occurrence, cells, sizeof *p->occurrence);
	if (occurrence)
		p->occurrence = occurrence;
	return kind && mark && occurrence;
}

/* From when the cursor's process enters a window to when it leaves it. */
static void mark_windows(struct timeline_view *s)
{
	const struct model *m = s->view.model;
	const struct windows *w = model_windows(m);

	memset(s->phases.mark, MARK_NONE, (size_t)s->cells);
	for (uint32_t i = 0; w && i < w->count; i++) {
		uint32_t from, to;
		double a, b;

		window_ticks(m, &w->list[i], &from, &to);
		a = (timeline_process_time(m, m->cursor.process, from) - s->from) / s->cell;
		b = to < model_ticks(m) ? (timeline_process_time(m, m->cursor.process, to) - s->from) / s->cell : s->cells;
		if (a < s->cells && b > 0)
			window_mark_columns(s->phases.mark, s->cells, a < 0 ? 0 : (int)a, b > s->cells ? s->cells : (int)ceil(b) - 1,
					    window_mark_of(&w->list[i]));
	}
}

/* False: they were known, or there are none. */
static bool find_of(struct timeline_view *s, struct timeline_phases *p, uint32_t process, uint32_t samples)
{
	const struct model *m = s->view.model;
	uint32_t found = 0, before, after;
	double owed[PHASE_KINDS] = {0}, end = s->from + s->cell * s->cells;

	if (timeline_phases_same(s, p, process))
		return false;
	p->cells = 0;
	if (!m->analysis->phases || !m->analysis->phases->occurrence_count || !timeline_phases_room(p, (size_t)s->cells))
		return false;
	before = timeline_occurrence_at(m, process, s->from);
	after = timeline_occurrence_at(m, process, end);
	if (after != UINT32_MAX)
		found = after - (before == UINT32_MAX || before > after ? 0 : before) + 1;
	p->letters = (uint64_t)found * 3 > (uint64_t)s->cells;
	for (int x = 0; x < s->cells; x++) {
		struct phase_shares shares;

		p->occurrence[x] = timeline_occurrence_at(m, process, s->from + (x + 0.5) * s->cell);
		if (p->letters) {
			column_shares(&shares, m, process, s->from + x * s->cell, s->from + (x + 1) * s->cell, samples);
			p->kind[x] = phase_shares_mark(&shares, owed);
		}
	}
	p->starts_before = before != UINT32_MAX && before == p->occurrence[0];
	p->ends_after = after != UINT32_MAX && after == p->occurrence[s->cells - 1];
	p->cells = s->cells;
	p->from = s->from;
	p->cell = s->cell;
	p->process = process;
	p->serial = m->serial;
	return true;
}

static void release_one(struct timeline_phases *p)
{
	mem_free(p->kind);
	mem_free(p->mark);
	mem_free(p->occurrence);
}

static void have_rows(struct timeline_view *s, int rows)
{
	struct timeline_phases *more;

	while (s->row_phases_count > rows)
		release_one(&s->row_phases[--s->row_phases_count]);
	if (s->row_phases_count == rows)
		return;
	more = mem_resize(s->row_phases, (size_t)rows, sizeof *more);
	if (!more)
		return;
	s->row_phases = more;
	while (s->row_phases_count < rows)
		more[s->row_phases_count++] = (struct timeline_phases){0};
}

void timeline_find_phases(struct timeline_view *s)
{
	if (find_of(s, &s->phases, s->view.model->cursor.process, SAMPLES))
		mark_windows(s);
	have_rows(s, s->phase_line ? s->rows : 0);
	for (int i = 0; i < s->row_phases_count; i++)
		find_of(s, &s->row_phases[i], s->first + (uint32_t)i, ROW_SAMPLES);
}

void timeline_release_phases(struct timeline_view *s)
{
	release_one(&s->phases);
	have_rows(s, 0);
	mem_free(s->row_phases);
}

/* The timeline's row of iterations of the main loop: those of the cursor's process, as its phases are. */

#define ROWS_LEAST 8 /* of a pane that has one to spare */

bool timeline_wants_iterations(const struct timeline_view *s, int h)
{
	if (iteration_pending(s->view.model)) /* a knob that is turned moves nothing about */
		return s->iterations.marked && h >= ROWS_LEAST;
	return h >= ROWS_LEAST && iteration_mean_seconds(s->view.model) / s->cell >= ITERATION_COLUMNS;
}

/* The one that the process is in at a time. */
static uint32_t iteration_of(const struct model *m, double t)
{
	uint32_t e = timeline_event_at(m, m->cursor.process, t);

	return e == NO_EVENT ? UINT32_MAX : iteration_at(m, model_logical(m)->tick[e]);
}

/* A column has the one that the process is in at the column's end. */
void timeline_find_iterations(struct timeline_view *s)
{
	const struct model *m = s->view.model;
	uint32_t *of;

	if (!s->iterations.marked)
		return;
	of = mem_resize(s->iterations.of, (size_t)s->cells, sizeof *of);
	if (!of)
		mem_free(s->iterations.of);
	s->iterations.of = of;
	if (!of)
		return;
	s->iterations.before = s->from > 0 ? iteration_of(m, s->from) : UINT32_MAX;
	for (int x = 0; x < s->cells; x++)
		of[x] = iteration_of(m, s->from + (x + 1) * s->cell);
}

static bool none_seen(const struct timeline_view *s)
{
	for (int x = 0; x < s->cells; x++)
		if (s->iterations.of[x] != UINT32_MAX)
			return false;
	return s->iterations.before == UINT32_MAX;
}

/* If no iteration is in sight: where the next one is. */
static void draw_elsewhere(const struct timeline_view *s, struct pane p)
{
	const struct model *m = s->view.model;
	uint32_t e = timeline_event_at(m, m->cursor.process, s->from + s->cell * s->cells), n = iteration_count(m), from, to;
	uint32_t next = e == NO_EVENT ? 0 : iteration_behind(m, model_logical(m)->tick[e]);
	char at[MOMENT_TEXT], name[ITERATION_NAME], text[128];
	struct moment ended;

	if (!n)
		return;
	iteration_ticks(m, next < n ? next : n - 1, &from, &to);
	ended = (struct moment){timeline_process_time(m, m->cursor.process, to), m->cursor.process};
	if (next < n)
		snprintf(text, sizeof text, "%s begins at %s", iteration_name(m, next, name),
			 moment_text(moment_of_tick(model_logical(m), from), at));
	else
		snprintf(text, sizeof text, "the main loop ends at %s", moment_text(ended, at));
	pane_text_in(p, s->gutter, s->top - 1, s->cells, ROLE_DIM, 0, text);
}

void timeline_draw_iterations(const struct timeline_view *s, struct pane p)
{
	if (!s->iterations.marked)
		return;
	pane_text(p, 1, s->top - 1, ROLE_HEADER, 0, "loop");
	if (!s->iterations.of)
		return;
	if (none_seen(s))
		draw_elsewhere(s, p);
	iteration_row_draw(p, s->gutter, s->top - 1, s->view.model, s->iterations.of, s->cells, 1, s->iterations.before);
}
