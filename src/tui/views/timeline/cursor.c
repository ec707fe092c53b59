/* The timeline's cursor: the event under it, in the status line and beside the view, and its place after a click. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "timeline_int.h"
#include "tui/model/iterations.h"
#include "tui/widgets/units.h"

/* --- the event --- */

/* The call that the cursor is in; NULL: none, the process computes. */
static const struct logged_call *call_here(const struct timeline_view *s)
{
	const struct model *m = s->view.model;
	uint32_t call = timeline_call_at(s->timeline, m->cursor.process, m->trace->start + s->at);
	const struct logged_call *c = call == NO_CALL ? NULL : &s->timeline->processes[m->cursor.process].calls[call];
	double start = c ? c->start - m->trace->start : 0;

	return c && s->at >= start && s->at <= c->end - m->trace->start ? c : NULL;
}

/* Of a process's events between two times, the one nearest to the cursor; the cursor's own goes before others as
 * near. */
static uint32_t nearest(const struct timeline_view *s, double from, double to)
{
	const struct model *m = s->view.model;
	const struct trace *t = model_logical(m)->trace;
	uint32_t p = m->cursor.process, own = model_event(m), best = NO_EVENT, e = timeline_event_at(m, p, s->at);
	double least = INFINITY;

	/* Those on both sides, as times step back but rarely. */
	for (uint32_t i = e == NO_EVENT ? t->first[p] : e; i < t->first[p + 1] && i <= (e == NO_EVENT ? t->first[p] : e + 1); i++) {
		double at = t->time[i] - t->start, away = fabs(at - s->at);

		if (at >= from && at <= to && away < least) {
			best = i;
			least = away;
		}
	}
	if (own != NO_EVENT && best != NO_EVENT && trace_process_of(t, own) == p && fabs(t->time[own] - t->start - s->at) <= least)
		best = own;
	return best;
}

uint32_t timeline_event_under(const struct timeline_view *s)
{
	const struct logged_call *c = call_here(s);
	double start, rounding = fabs(s->view.model->trace->start) * 1e-15 + 1e-12;
	uint32_t e = NO_EVENT;

	if (c) {
		start = c->start - s->view.model->trace->start;
		e = nearest(s, start - rounding, start + (c->end - c->start) + rounding);
	}
	return e == NO_EVENT && !c ? nearest(s, s->at - s->cell, s->at + s->cell) : e;
}

void timeline_find_under(struct timeline_view *s)
{
	const struct model *m = s->view.model;
	uint32_t event = timeline_event_under(s);

	if (event == s->under.event && s->under.serial == m->serial && s->under.spending == spending_serial(m) &&
	    s->under.iterations == iteration_count(m))
		return; /* what it waited for may take long to find */
	s->under.event = event;
	s->under.serial = m->serial;
	s->under.spending = spending_serial(m);
	s->under.iterations = iteration_count(m);
	s->under.brief[0] = s->under.late[0] = 0;
	s->under.count = 0;
	if (s->under.event == NO_EVENT)
		return;
	event_brief(m, event, s->under.brief, sizeof s->under.brief);
	event_late_text(m, event, s->under.late, sizeof s->under.late);
	s->under.count = event_facts(m, event, s->under.facts);
}

/* --- the status line --- */

static void add_call(const struct timeline_view *s, char *text, size_t size)
{
	const struct model *m = s->view.model;
	uint32_t p = m->cursor.process, call = timeline_call_at(s->timeline, p, m->trace->start + s->at);
	const struct logged_call *c;
	double start, end;
	char a[UNIT_TEXT];
	bool in;

	if (call == NO_CALL)
		return;
	c = &s->timeline->processes[p].calls[call];
	start = c->start - m->trace->start;
	end = c->end - m->trace->start;
	in = s->at >= start && s->at <= end;
	if (in || fabs(s->at - (s->at < start ? start : end)) <= s->cell)
		snprintf(text, size, " · %s%s %s", in ? "" : "near ",
			 timeline_call_name(s->timeline, c), unit_time(a, c->end - c->start));
	else
		snprintf(text, size, " · compute");
}

/* The cell's shares, as many as have room. */
static void add_cell(const struct timeline_view *s, char *text, size_t size, int room)
{
	uint32_t p = s->view.model->cursor.process;
	int row = (int)((p - s->first) / s->spread), x = (int)((s->at - s->from) / s->cell);
	char a[UNIT_TEXT], cell[2 * UNIT_TEXT];
	const double *share;

	x = x < 0 ? 0 : x >= s->cells ? s->cells - 1 : x;
	if (p < s->first || row >= s->rows)
		return;
	share = timeline_cell(s, row, x);
	snprintf(cell, sizeof cell, " · cell %s:", unit_time(a, s->cell));
	for (int k = 0; k < TIME_KINDS; k++) {
		char part[64 + sizeof cell];
		size_t len = strlen(text);

		if (share[k] < 0.0005)
			continue;
		snprintf(part, sizeof part, "%s %s %.*f %%", cell, time_kind_name((enum time_kind)k), share[k] < 0.0995 ? 1 : 0,
			 share[k] * 100);
		if (text_width(text) + text_width(part) > room)
			break;
		snprintf(text + len, size - len, "%s", part);
		cell[0] = 0;
	}
}

/* After the phase's number, if all that is there keeps its room. */
static void add_name(const struct phase_name *called, char *text, size_t size, size_t at, int room)
{
	char rest[512];

	if (!called || text_width(text) + text_width(called->name) + 2 > room)
		return;
	snprintf(rest, sizeof rest, "%s", text + at);
	snprintf(text + at, size - at, ", %s%s", called->name, rest);
}

void timeline_status(const struct view *v, char *text, size_t size, int room)
{
	const struct timeline_view *s = (const struct timeline_view *)v;
	const struct model *m = v->model;
	uint32_t p = m->cursor.process, at;
	char a[UNIT_TEXT], ruler[256], iteration[64];
	size_t behind = 0;

	text[0] = 0;
	if (!s->timeline || !s->share || s->shown.cells != s->cells || s->shown.rows != s->rows)
		return;
	at = timeline_occurrence_at(m, p, s->at);
	timeline_ruler_text(s, ruler, sizeof ruler);
	snprintf(text, size, "%s%s%s · %s", ruler, ruler[0] ? " · " : "", unit_rank((char[UNIT_TEXT]){""}, p), unit_moment(a, s->at));
	if (at != UINT32_MAX) {
		snprintf(text + strlen(text), size - strlen(text), " · phase %u", (unsigned)m->analysis->phases->occurrences[at].phase);
		behind = strlen(text);
	}
	add_call(s, text + strlen(text), size - strlen(text));
	if (s->under.event != NO_EVENT)
		snprintf(text + strlen(text), size - strlen(text), " · %s", s->under.brief);
	iteration[0] = 0;
	iterations_fact(m, m->cursor.tick, m->cursor.tick + 1, iteration, sizeof iteration);
	if (behind)
		add_name(phase_name_of(m->analysis, m->analysis->phases->occurrences[at].phase), text, size, behind,
			 room - text_width(s->wait.text) - text_width(iteration));
	/* A wait says the same of a message that came late. */
	if (s->under.late[0] && !s->wait.text[0])
		snprintf(text + strlen(text), size - strlen(text), " · %s", s->under.late);
	snprintf(text + strlen(text), size - strlen(text), "%s%s", s->wait.text, iteration);
	timeline_arrows_fact(s, text + strlen(text), size - strlen(text));
	add_cell(s, text, size, room);
}

/* --- a click --- */

/* The event of the process whose mark is at, or next to, a column. */
static double event_time_at(const struct timeline_view *s, double t)
{
	uint32_t e = nearest(s, t - 1.5 * s->cell, t + 1.5 * s->cell);
	const struct trace *trace = model_logical(s->view.model)->trace;

	return e == NO_EVENT ? t : trace->time[e] - trace->start;
}

bool timeline_click(struct view *v, int x, int y)
{
	struct timeline_view *s = (struct timeline_view *)v;
	struct model *m = v->model;
	uint32_t process = m->cursor.process, row = y >= s->top ? (uint32_t)(y - s->top) / (uint32_t)s->pitch : 0;
	int column = x - s->gutter;
	bool there;

	if (!s->timeline || s->cell <= 0 || column >= s->cells || row >= (uint32_t)s->rows || !model_ticks(m))
		return false;
	if (y >= s->top && (process < s->first + row * s->spread || process >= s->first + (row + 1) * s->spread))
		process = s->first + row * s->spread;
	if (process >= model_processes(m))
		return false;
	there = process == m->cursor.process && (column < 0 || column == timeline_column(s, s->at));
	m->cursor.process = process;
	if (there)
		return column >= 0;
	if (column >= 0) {
		s->at = s->from + (column + 0.5) * s->cell;
		if (s->ends && y >= s->top && (y - s->top) % s->pitch == s->ends)
			s->at = event_time_at(s, s->at);
	}
	timeline_place_cursor(s);
	return false;
}
