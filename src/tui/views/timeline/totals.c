/* Totals of the timeline's window: the time breakdown of the shown processes, what they sent, the longest call, the
 * rank that waits most. They are in a line below the bars, or beside the view with the event under the cursor and the
 * ruler. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/trace/calls.h"
#include "timeline_int.h"
#include "tui/model/iterations.h"
#include "tui/widgets/kinds.h"
#include "tui/widgets/bars.h"
#include "tui/widgets/units.h"

#define FIRST_SLICE_MS 3 /* of a frame */
#define AT_ONCE 16       /* processes */
#define NAMES 12         /* columns of what a line beside the view begins with */

static uint32_t last_shown(const struct timeline_view *s)
{
	uint64_t end = s->first + (uint64_t)s->rows * s->spread, n = model_processes(s->view.model);

	return (uint32_t)(end < n ? end : n) - 1;
}

static bool totals_are_same(const struct timeline_totals *a, const struct timeline_totals *b)
{
	return a->sums == b->sums && a->serial == b->serial && a->from == b->from && a->cell == b->cell && a->cells == b->cells && a->first == b->first &&
	       a->last == b->last;
}

static bool adding(const struct timeline_view *s)
{
	return s->adding.sums && s->adding.next <= s->adding.last;
}

bool timeline_add_totals(struct timeline_view *s, unsigned ms)
{
	struct timeline_totals *a = &s->adding;
	double until = clock_ms() + ms, t0, t1;

	if (!adding(s)) /* there may be no trace yet */
		return false;
	t0 = s->view.model->trace->start + a->from;
	t1 = t0 + a->cell * a->cells;
	/* At an end of the run it is all that lies there: bounds are rounded. */
	if (a->from <= 0)
		t0 = -INFINITY;
	if (a->from + a->cell * a->cells >= timeline_whole(s) * (1 - 1e-12))
		t1 = INFINITY;
	do {
		uint32_t last = a->last - a->next < AT_ONCE ? a->last : a->next + AT_ONCE - 1;

		call_sums_add(a->sums, a->next, last, t0, t1, &a->is);
		a->next = last + 1;
	} while (adding(s) && clock_ms() < until);
	if (!adding(s))
		s->totals = *a;
	return true;
}

void timeline_find_totals(struct timeline_view *s)
{
	const struct model *m = s->view.model;
	struct timeline_totals now = {.sums = spent_run(m) ? spent_run(m)->sums : NULL, .from = s->from, .cell = s->cell,
				      .cells = s->cells, .first = s->first, .last = last_shown(s), .next = s->first,
				      .is = CALL_TOTALS_NONE, .serial = spending_serial(m)};

	if (totals_are_same(&now, &s->adding))
		return;
	s->adding = now;
	if (s->totals.sums != now.sums || s->totals.serial != now.serial) /* of times that are not shown any more, or there were none */
		s->totals = (struct timeline_totals){.from = now.from, .cell = now.cell, .cells = now.cells, .first = now.first, .last = now.last};
	timeline_add_totals(s, FIRST_SLICE_MS);
}

static const struct call_log *log_of(const struct timeline_view *s)
{
	return spent_run(s->view.model)->log;
}

static uint32_t call_process_of(const struct call_log *log, uint32_t call)
{
	return log->lists[call_log_list_of(log, call)].process;
}

/* Of the time of the window's processes; what is outside of records is other, as in the overview. */
static double share(const struct timeline_totals *w, enum spent_kind k)
{
	const struct call_totals *t = &w->is;
	double whole = (w->last - w->first + 1.0) * w->cell * w->cells;

	return whole > 0 ? fmin(fmax(k == SPENT_OTHER ? t->by_kind[k] + whole - t->covered : t->by_kind[k], 0) / whole, 1) : (double)NAN;
}

/* Does the trace say where time went? */
static bool recorded(const struct timeline_view *s)
{
	return trace_has_calls(s->view.model->trace);
}

static bool some_not_analysed(const struct timeline_view *s)
{
	return share(&s->totals, SPENT_NOT_ANALYSED) >= 0.0005;
}

static const char *totals_gap_text(const struct timeline_view *s)
{
	const struct model *m = s->view.model;

	return spending_failure(m)[0] ? spending_failure(m) : "computing…";
}

/* --- in a line --- */

static void totals_add_fact(char *text, size_t size, const char *fact)
{
	size_t n = strlen(text);

	if (n + sizeof " · " < size)
		snprintf(text + n, size - n, " · %.*s", (int)(size - n - sizeof " · "), fact);
}

void timeline_draw_totals_line(const struct timeline_view *s, struct pane p, int y)
{
	const struct call_totals *t = &s->totals.is;
	char text[512], fact[128], a[UNIT_TEXT], b[UNIT_TEXT];

	snprintf(text, sizeof text, "window %s", unit_time(a, s->cell * s->cells));
	for (int k = 0; s->totals.sums && recorded(s) && k < SPENT_KINDS; k++) {
		if (!(share(&s->totals, (enum spent_kind)k) >= 0.0005))
			continue;
		snprintf(fact, sizeof fact, "%s%s %s", spent_kind_name((enum spent_kind)k), k == SPENT_WAITING && some_not_analysed(s) ? " at least" : "",
			 unit_percent(a, share(&s->totals, (enum spent_kind)k)));
		totals_add_fact(text, sizeof text, fact);
	}
	if (s->totals.sums && !recorded(s))
		totals_add_fact(text, sizeof text, "computation and waiting not recorded");
	if (!s->totals.sums) {
		totals_add_fact(text, sizeof text, totals_gap_text(s));
	} else {
		snprintf(fact, sizeof fact, "%s message%s, %s", unit_count(a, t->messages), t->messages == 1 ? "" : "s", unit_bytes(b, t->bytes));
		totals_add_fact(text, sizeof text, fact);
	}
	if (s->totals.sums && t->waits_most != NO_PROCESS) {
		snprintf(fact, sizeof fact, "%s waits most, %s", unit_rank((char[UNIT_TEXT]){""}, t->waits_most), unit_time(a, t->waited));
		totals_add_fact(text, sizeof text, fact);
	}
	if (s->totals.sums && t->longest != NO_LOGGED_CALL) {
		const struct logged_call *c = &log_of(s)->calls[t->longest];

		snprintf(fact, sizeof fact, "longest call: %s %s of %s", log_of(s)->nodes[c->node].name, unit_time(a, c->end - c->start),
			 unit_rank((char[UNIT_TEXT]){""}, call_process_of(log_of(s), t->longest)));
		totals_add_fact(text, sizeof text, fact);
	}
	text_drop_facts(text, p.w - 2);
	pane_text_in(p, 1, y, p.w - 2, !s->totals.sums || adding(s) ? ROLE_DIM : ROLE_DEFAULT, 0, text);
}

/* --- beside the view --- */

static void draw_fact(struct pane p, int y, const char *name, const char *text)
{
	char brief[256];

	pane_text(p, 1, y, ROLE_DIM, 0, name);
	snprintf(brief, sizeof brief, "%s", text);
	text_drop(brief, ", ", p.w - 1 - NAMES);
	pane_text_in(p, NAMES, y, p.w - 1 - NAMES, ROLE_DEFAULT, 0, brief);
}

static void draw_kind(const struct timeline_view *s, struct pane p, int y, enum spent_kind k)
{
	static const enum role roles[SPENT_KINDS] = {ROLE_COMPUTE, ROLE_WAIT, ROLE_SEND, ROLE_DIM, ROLE_MPI};
	char a[UNIT_TEXT];
	double part = share(&s->totals, k);

	pane_text(p, 1, y, ROLE_DIM, 0, k == SPENT_WAITING && some_not_analysed(s) ? "waiting >=" : spent_kind_name(k));
	pane_text_right(p, NAMES + 7, y, adding(s) ? ROLE_DIM : ROLE_VALUE, 0, unit_figure_percent(a, part));
	if (p.w - NAMES - 9 > 4)
		bar_draw(p, NAMES + 8, y, p.w - NAMES - 9, part, roles[k]);
}

/* Returns the lines that it took: ASIDE_LEAST at most. */
static int draw_window(const struct timeline_view *s, struct pane p)
{
	const struct call_totals *t = &s->totals.is;
	char a[UNIT_TEXT], b[UNIT_TEXT], text[128];
	int y = 0;

	if (s->adding.last - s->adding.first + 1 < model_processes(s->view.model))
		pane_text_right(p, p.w - 1, y, ROLE_DIM, 0, unit_ranks(a, s->adding.first, s->adding.last));
	snprintf(text, sizeof text, "%s, %s of the run", unit_time(a, s->cell * s->cells),
		 unit_percent(b, s->cell * s->cells / timeline_whole(s)));
	pane_text(p, NAMES, y, ROLE_VALUE, 0, a);
	if (s->adding.last - s->adding.first + 1 >= model_processes(s->view.model))
		pane_text(p, NAMES, y, ROLE_DEFAULT, 0, text);
	pane_text(p, 1, y++, ROLE_TITLE, 0, "Window");
	if (!s->totals.sums) {
		pane_text_in(p, 1, y++, p.w - 2, ROLE_DIM, 0, totals_gap_text(s));
		return y;
	}
	for (int k = 0; recorded(s) && k < SPENT_KINDS; k++)
		if (k != SPENT_NOT_ANALYSED || some_not_analysed(s))
			draw_kind(s, p, y++, (enum spent_kind)k);
	if (!recorded(s))
		pane_text_in(p, 1, y++, p.w - 2, ROLE_DIM, 0, "computation and waiting not recorded");
	snprintf(text, sizeof text, "%s, %s", unit_count(a, t->messages), unit_bytes(b, t->bytes));
	draw_fact(p, y++, "messages", text);
	if (t->longest != NO_LOGGED_CALL) {
		const struct logged_call *c = &log_of(s)->calls[t->longest];

		snprintf(text, sizeof text, "%s, %s %s", unit_time(a, c->end - c->start), unit_rank((char[UNIT_TEXT]){""}, call_process_of(log_of(s), t->longest)),
			 log_of(s)->nodes[c->node].name);
		draw_fact(p, y++, "longest", text);
	}
	if (t->waits_most != NO_PROCESS) {
		snprintf(text, sizeof text, "%s, %s", unit_rank((char[UNIT_TEXT]){""}, t->waits_most), unit_time(a, t->waited));
		draw_fact(p, y++, "waits most", text);
	}
	return y;
}

static int draw_distance(const struct timeline_view *s, struct pane p)
{
	struct timeline_distance d = timeline_distance(s);
	char text[128], a[UNIT_TEXT], b[UNIT_TEXT];
	int n = 0;

	snprintf(text, sizeof text, "%s, %s tick%s", unit_time(a, d.to - d.from), unit_count(b, d.ticks), d.ticks == 1 ? "" : "s");
	pane_text(p, 1, 0, ROLE_MATCH, 0, "Ruler");
	pane_text_in(p, NAMES, 0, p.w - 1 - NAMES, ROLE_VALUE, 0, text);
	if (iteration_count(s->view.model))
		n = snprintf(text, sizeof text, "%s iteration%s, ", unit_count(a, d.iterations), d.iterations == 1 ? "" : "s");
	snprintf(text + n, sizeof text - (size_t)n, "%s event%s", unit_count(b, d.events), d.events == 1 ? "" : "s");
	pane_text_in(p, NAMES, 1, p.w - 1 - NAMES, ROLE_DEFAULT, 0, text);
	return 2;
}

static int draw_event(const struct timeline_view *s, struct pane p)
{
	const struct trace *t = model_logical(s->view.model)->trace;
	char text[sizeof s->under.brief + 16] = "no event under the cursor";
	int y = 0;

	pane_text(p, 1, y, ROLE_TITLE, 0, "Event");
	if (s->under.event != NO_EVENT) {
		snprintf(text, sizeof text, "%s %s", unit_rank((char[UNIT_TEXT]){""}, trace_process_of(t, s->under.event)), s->under.brief);
		*strstr(text, " · ") = 0; /* what follows are facts of their own */
	}
	pane_text_in(p, NAMES, y++, p.w - 1 - NAMES, s->under.event == NO_EVENT ? ROLE_DIM : ROLE_VALUE, 0, text);
	for (int i = 0; i < s->under.count && y < p.h; i++)
		draw_fact(p, y++, s->under.facts[i].name, s->under.facts[i].text);
	return y;
}

int timeline_aside_rows(const struct view *v)
{
	(void)v;
	return ASIDE_LEAST + 1 + EVENT_FACTS;
}

void timeline_draw_aside(const struct view *v, struct pane p)
{
	const struct timeline_view *s = (const struct timeline_view *)v;
	int y;

	if (!s->timeline || !s->share || !v->model->analysis)
		return;
	y = draw_window(s, p) + (p.h > 2 * ASIDE_LEAST);
	if (s->ruler.on)
		y += draw_distance(s, pane_part(p, 0, y, p.w, p.h - y)) + (p.h > 2 * ASIDE_LEAST);
	draw_event(s, pane_part(p, 0, y, p.w, p.h - y));
}
