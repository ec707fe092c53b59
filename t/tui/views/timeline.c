/* What the timeline tells of what it shows must be what the trace says: the totals of the window are those of a sum
 * over all calls of the processes that are shown, at any zoom and place; the event under the cursor is the one that was
 * gone to, with its partner's lateness; the ruler counts what lies between its ends; a click goes to the place that was
 * clicked. Processes have as many lines as there is room for, and letters only if there are no colours.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_case.h"
#include "tap.h"
#include "tui/app/app_int.h"
#include "tui/model/iterations.h"
#include "tui/views/timeline/timeline_int.h"

static const char *const lu[] = {"sample-traces/lu.S.4.clog2"};
static const char *const comms[] = {"sample-traces/comms.6.clog2"};
static const char *const latesender[] = {"sample-traces/latesender.4.clog2"};

static struct timeline_view *start_as(struct app *a, struct tui_options *o, const char *const *files, int w, int h)
{
	struct err e;

	o->paths = files;
	o->count = 1;
	o->view = "timeline";
	settings_init(&o->settings);
	if (app_init(a, o, &e))
		bail_out("%s", e.text);
	app_resize(a, w, h);
	app_settle(a);
	return (struct timeline_view *)a->work.views[VIEW_TIMELINE];
}

static struct timeline_view *start(struct app *a, const char *const *files, int w, int h)
{
	static struct tui_options o;

	o = (struct tui_options){0};
	return start_as(a, &o, files, w, h);
}

/* --- the window's totals --- */

static double part(double a, double b, double t0, double t1)
{
	double from = a > t0 ? a : t0, to = b < t1 ? b : t1;

	return to > from ? to - from : 0;
}

/* Of the processes first to last, every call and event looked at. */
static struct call_totals naive(const struct spent *spent, uint32_t first, uint32_t last, double t0, double t1)
{
	struct call_totals n = {.waits_most = NO_PROCESS};
	const struct call_log *log = spent->log;
	const struct trace *t = log->trace;

	for (uint32_t l = 0; l < log->list_count; l++) {
		const struct call_list *list = &log->lists[l];
		double calls = 0, waited = 0;

		if (list->process < first || list->process > last)
			continue;
		for (uint32_t c = list->first; c < list->end; c++) {
			const struct logged_call *call = &log->calls[c];
			enum account_kind kind = log->nodes[call->node].time;
			double all = part(call->start, call->end, t0, t1);
			double wait = part(call->start, call->start + spent->metrics->waits->sync[c], t0, t1);

			calls += all;
			if (call_is_not_analysed(log, c))
				n.by_kind[SPENT_NOT_ANALYSED] += all - wait;
			else if (kind == ACCOUNT_OTHER_MPI || kind == ACCOUNT_UNTRACED || kind == ACCOUNT_TRACER)
				n.by_kind[SPENT_OTHER] += all;
			else
				n.by_kind[SPENT_MOVING] += all - wait;
			waited += wait;
		}
		n.by_kind[SPENT_WAITING] += waited;
		n.by_kind[SPENT_COMPUTE] += part(list->start, list->stop, t0, t1) - calls;
		if (waited > n.waited) {
			n.waited = waited;
			n.waits_most = list->process;
		}
	}
	for (uint32_t e = t->first[first]; e < t->first[last + 1]; e++)
		if (EVENT_KIND(t->type[e]) == EVENT_SEND && t->time[e] >= t0 && t->time[e] < t1) {
			n.messages++;
			n.bytes += trace_size(t, e);
		}
	return n;
}

static bool totals_hold(const struct app *a, const struct timeline_view *s)
{
	const struct model *m = &a->work.model;
	uint32_t n = m->trace->process_count, end = s->first + (uint32_t)s->rows * s->spread;
	double t0 = m->trace->start + s->from, t1 = t0 + s->cell * s->cells;
	const struct call_totals *is = &s->totals.is;
	struct call_totals should;
	bool good = s->totals.sums && s->totals.first == s->first && s->totals.last == (end < n ? end : n) - 1;

	if (!good)
		return false;
	should = naive(spent_run(m), s->first, s->totals.last, s->from > 0 ? t0 : -INFINITY,
		       s->from + s->cell * s->cells < trace_aet(m->trace) * (1 - 1e-12) ? t1 : INFINITY);
	for (int k = 0; k < SPENT_KINDS; k++)
		good = good && fabs(is->by_kind[k] - should.by_kind[k]) < 1e-12;
	return good && is->messages == should.messages && is->bytes == should.bytes && is->waits_most == should.waits_most &&
	       fabs(is->waited - should.waited) < 1e-12;
}

static void test_totals(void)
{
	static struct app a;
	static const char keys[] = "ZlL+L+Hj+-++LLLhk++LLjjjjj--LLLLZZGHH+++HHg++++++++lLL_-*Z";
	int good = 0, all = 0, few = 0;

	for (int run = 0; run < 2; run++) {
		struct timeline_view *s = run ? start(&a, comms, 80, 10) : start(&a, lu, 120, 40);

		for (const char *k = keys; *k; k++) {
			char key[2] = {*k, 0};

			type(&a, key);
			all++;
			good += totals_hold(&a, s);
			few += s->totals.last - s->totals.first < 5 && run;
		}
		app_release(&a);
	}
	ok(good == all, "%d of %d windows hold what a sum over all calls says", good, all);
	ok(few > 30, "... %d of them of some processes", few);
}

/* In the panel if there is room for it, otherwise in a line; while the calls are being read neither makes figures up.
 */
static void test_places(void)
{
	static struct app a;
	struct timeline_view *s = start(&a, lu, 120, 40);
	struct model *m = &a.work.model;

	type_and_settle(&a, "Z");
	ok(strstr(screen(&a), "Window     15.6 ms, 100.0 % of the run") && strstr(screen(&a), "messages   4 520, 3.15 MiB"), "in the panel");
	ok(strstr(screen(&a), "computation ") && strstr(screen(&a), "waits most rank ") && strstr(screen(&a), "Event      "), "... with the event");
	ok(!s->foot && !strstr(screen(&a), "window 15.6 ms"), "and not in a line, too");
	app_key(&a, '\t');
	ok(strstr(screen(&a), "Settings") && !strstr(screen(&a), "waits most rank "), "thresholds that have the keys have the panel");
	app_key(&a, '\t');
	type(&a, "t");
	ok(s->foot && strstr(screen(&a), "window 15.6 ms · computation ") && strstr(screen(&a), "4 520 messages, 3.15 MiB"), "without a panel in a line");
	app_release(&a);
	start(&a, lu, 80, 24);
	type_and_settle(&a, "Z");
	ok(strstr(screen(&a), "window 15.6 ms · computation ") && strstr(screen(&a), " · waiting "), "... as at 80x24");
	spending_forget(&m->spending);
	spending_update(m);
	background_park(m->background, m->spending.run.slot);
	ok(strstr(screen(&a), "window 15.6 ms · computing…"), "while the calls are read it says so");
	spending_forget(&m->spending);
	app_settle(&a);
	ok(strstr(screen(&a), "window 15.6 ms · computation "), "... and no longer");
	app_release(&a);
}

/* --- the event under the cursor --- */

/* Of the collective that is number n of its process, the one of another process that came last: all have the same in
 * lu. */
static double last_start(const struct call_log *log, uint32_t n)
{
	const struct trace *t = log->trace;
	double latest = -INFINITY;

	for (uint32_t p = 0; p < t->process_count; p++) {
		uint32_t seen = 0;

		for (uint32_t e = t->first[p]; e < t->first[p + 1]; e++)
			if (EVENT_KIND(t->type[e]) == EVENT_COLLECTIVE && seen++ == n)
				latest = fmax(latest, log->calls[log->call_of[e]].start);
	}
	return latest;
}

static void test_events(void)
{
	static struct app a;
	struct timeline_view *s = start(&a, lu, 200, 60);
	struct model *m = &a.work.model;
	const struct trace *t = m->trace;
	const struct call_log *log = spent_run(m)->log;
	int all = 0, under = 0, brief = 0, on_time = 0, facts = 0;

	type_and_settle(&a, "Z++++");
	for (uint32_t p = 0; p < t->process_count; p++) {
		uint32_t collectives = 0;

		for (uint32_t e = t->first[p]; e < t->first[p + 1]; e++) {
			bool collective = EVENT_KIND(t->type[e]) == EVENT_COLLECTIVE;
			char want[128], text[96];
			double late, should;

			collectives += collective;
			if (e % 29 && !collective)
				continue;
			s->at = t->time[e] - t->start;
			m->cursor = s->placed = (struct trace_place){p, model_logical(m)->tick[e]};
			app_draw(&a);
			all++;
			under += s->under.event == e;
			if (collective)
				snprintf(want, sizeof want, " %s · ", t->colls[EVENT_INDEX(t->type[e])].op);
			else
				snprintf(want, sizeof want, "%s rank %u · ", EVENT_KIND(t->type[e]) == EVENT_SEND ? "send to" : "receive from",
					 (unsigned)trace_process_of(t, t->match[e]));
			snprintf(text, sizeof text, " · tag %d", (int)trace_tag(t, e));
			brief += strstr(s->under.brief, want) && (collective || strstr(s->under.brief, text)) && strstr(screen(&a), s->under.brief);
			late = event_lateness(m, e, NULL);
			if (collective)
				should = last_start(log, collectives - 1) - log->calls[log->call_of[e]].start;
			else if (EVENT_KIND(t->type[e]) == EVENT_SEND)
				should = log->calls[log->call_of[e]].start - log->calls[log->call_of[t->match[e]]].start;
			else
				should = log->calls[log->call_of[t->match[e]]].start - log->calls[log->call_of[e]].start;
			on_time += fabs(late - should) < 1e-12;
			facts += s->under.count >= 6 && strstr(screen(&a), s->under.facts[0].text);
		}
	}
	ok(all > 300 && under == all, "%d of %d events are under the cursor that goes to them", under, all);
	is_int(brief, all, "with partner and tag, in the status line");
	is_int(on_time, all, "as late as their calls say");
	is_int(facts, all, "and in full beside the view");
	app_release(&a);
}

static void test_lateness(void)
{
	static struct app a;
	struct timeline_view *s = start(&a, latesender, 160, 40);
	struct model *m = &a.work.model;
	uint32_t e;

	type_and_settle(&a, ":goto event 12\r");
	e = s->under.event;
	ok(event_lateness(m, e, NULL) > 0.0195 && !strncmp(s->under.late, "sent 20.1 ms late", 16), "a late sender's message was sent late: %s", s->under.late);
	ok(strstr(screen(&a), "waited     20.1 ms for r1, late sender") && strstr(screen(&a), "cause      rank 1 computing"), "the panel says why");
	app_key(&a, KEYCODE_ENTER);
	app_settle(&a);
	ok(s->under.event == m->trace->match[e] && m->cursor.process == 1, "Enter goes to its other end");
	ok(strstr(screen(&a), "sent 20.1 ms late"), "which was sent late");
	spending_forget(&m->spending);
	ok(isnan(event_lateness(m, e, NULL)), "without calls nobody knows");
	app_release(&a);
}

/* --- the ruler --- */

static void test_ruler(void)
{
	static struct app a;
	struct timeline_view *s = start(&a, lu, 120, 40);
	struct model *m = &a.work.model;
	const struct trace *t = m->trace;
	const struct logical *l = model_logical(m);
	struct timeline_distance d;
	uint32_t from, to, events = 0, iterations = 0;
	double at;

	type_and_settle(&a, ":goto event 300\r");
	from = model_event(m);
	type(&a, "D");
	ok(s->ruler.on && strstr(m->message, "D again ends it"), "the key sets one end");
	for (int i = 0; i < 150; i++)
		type(&a, "w");
	to = model_event(m);
	d = timeline_distance(s);
	is_u64(to - from, 150, "150 events further");
	is_u64(d.events, 150, "the ruler says so");
	is_u64(d.ticks, l->tick[to] - l->tick[from], "as many ticks as the grid");
	is_double(d.to - d.from, t->time[to] - t->time[from], 1e-12, "and the time");
	for (uint32_t i = 0; i < iteration_count(m); i++) {
		uint32_t a_tick, b_tick;

		iteration_ticks(m, i, &a_tick, &b_tick);
		iterations += a_tick > l->tick[from] && a_tick <= l->tick[to];
	}
	ok(iterations > 2 && d.iterations == iterations, "%u iterations begin in it", (unsigned)iterations);
	ok(strstr(screen(&a), " ruler ") && strstr(screen(&a), "150 events of rank 0") && strstr(screen(&a), "iterations, 150 events"),
	   "in the status line, and beside the view");
	type(&a, "jj");
	at = s->at;
	for (uint32_t e = t->first[2]; e < t->first[3]; e++)
		events += t->time[e] > t->start + s->ruler.at + 1e-12 && t->time[e] <= t->start + at + 1e-12;
	is_u64(timeline_distance(s).events, events, "on another process it counts that one's");
	type(&a, "kk");
	while (s->at > s->ruler.at)
		type(&a, "b");
	type(&a, "b");
	ok(timeline_distance(s).from < s->ruler.at && timeline_distance(s).events >= 1, "before its end, too");
	type(&a, "D");
	ok(!s->ruler.on && strstr(m->message, " of rank 0"), "the key again ends it, and leaves what it said");
	type(&a, ":ruler\r");
	ok(s->ruler.on, ":ruler sets it");
	app_key(&a, KEYCODE_ESC);
	app_settle(&a);
	ok(!s->ruler.on && a.work.here == VIEW_TIMELINE, "Esc ends it, and not the view");
	app_release(&a);
}

/* --- lines, bars, clicks --- */

static void test_lines(void)
{
	static struct app a;
	struct timeline_view *s = start(&a, lu, 120, 40);

	type_and_settle(&a, "Z++++++");
	ok(s->pitch > 4 && s->ends == s->bar && s->phase_line == s->bar + 1, "few processes: bar, ends of messages, phases");
	ok(strstr(screen(&a), "     ends ") && strstr(screen(&a), ">1") && !s->row_events, "the ends are told apart");
	type(&a, "Z");
	ok(s->row_events && strstr(screen(&a), "   events "), "or counted");
	type(&a, "v");
	ok(!s->ends && !s->phase_line, "message lines have the room instead");
	type(&a, "vv");
	app_resize(&a, 80, 12);
	app_settle(&a);
	ok(s->pitch == 1 && !s->ends && s->rows == 4, "few rows: a line each");
	app_release(&a);
}

static uint64_t events_counted(const struct timeline_view *s, int row)
{
	uint64_t n = 0;

	for (int x = 0; x < s->cells; x++)
		n += s->row_events[row * s->cells + x];
	return n;
}

static void test_counts(void)
{
	static struct app a;
	struct timeline_view *s = start(&a, lu, 120, 40);
	const struct trace *t = a.work.model.trace;
	int good = 0;

	type_and_settle(&a, "Z");
	for (uint32_t p = 0; p < t->process_count; p++)
		good += events_counted(s, (int)p) == t->first[p + 1] - t->first[p] - (t->time[t->first[p]] <= t->start);
	is_int(good, (int)t->process_count, "the whole run has every event of each process in its columns");
	app_release(&a);
}

/* Letters in a row of the bars of rank 0. */
static int letters(struct app *a, const struct timeline_view *s)
{
	int n = 0;

	app_draw(a);
	for (int x = 0; x < s->cells; x++) {
		const struct screen_cell *c = &a->shell.canvas.cells[(a->shell.view_pane.y + s->top) * a->shell.canvas.w + s->gutter + x];

		n += c->ch == 'W' && x > 0 && c[-1].ch == 'W';
	}
	return n;
}

static void test_bars(void)
{
	static struct app a;
	struct tui_options o[] = {{0}, {.ascii = true}, {.theme = "mono"}};

	for (int i = 0; i < 3; i++) {
		struct timeline_view *s = start_as(&a, &o[i], lu, 120, 40);

		type_and_settle(&a, "Z+++");
		if (i)
			ok(letters(&a, s) > 5, "letters with %s", o[i].ascii ? "ASCII" : "the theme mono");
		else
			ok(!letters(&a, s) && strstr(screen(&a), "█Wait███"), "solid bars, each with one name");
		app_release(&a);
	}
}

static void test_clicks(void)
{
	static struct app a;
	struct timeline_view *s = start(&a, lu, 120, 40);
	struct model *m = &a.work.model;
	const struct trace *t = m->trace;
	struct pane p;
	int good = 0, all = 0, exact = 0, ends = 0;

	type_and_settle(&a, "Z+++++");
	p = a.shell.view_pane;
	for (int row = 0; row < s->rows; row++)
		for (int x = 2; x < s->cells; x += 7) {
			app_mouse(&a, p.x + s->gutter + x, p.y + s->top + row * s->pitch, 0);
			app_draw(&a);
			all++;
			good += m->cursor.process == (uint32_t)row && timeline_column(s, s->at) == x;
		}
	is_int(good, all, "a click on a bar puts the cursor there");
	for (int x = 1; x < s->cells - 1; x++)
		if (a.shell.canvas.cells[(p.y + s->top + s->ends) * a.shell.canvas.w + p.x + s->gutter + x].role == ROLE_SEND) {
			uint32_t e;

			app_mouse(&a, p.x + s->gutter + x, p.y + s->top + s->ends, 0);
			app_draw(&a);
			e = model_event(m);
			ends++;
			exact += e != NO_EVENT && fabs(t->time[e] - t->start - s->at) < 1e-12;
		}
	ok(ends > 1 && exact == ends, "on a message's end: at its event (%d)", ends);
	app_mouse(&a, p.x + 1, p.y + s->top + 2 * s->pitch, 0);
	is_u64(m->cursor.process, 2, "on a name: to that process");
	app_mouse(&a, p.x + s->gutter, p.y + p.h - 1, 0);
	app_mouse(&a, p.x + p.w - 1, p.y, 0);
	ok(m->cursor.process == 2, "elsewhere nothing is wrong");
	app_release(&a);
}

/* At any size, with any keys, and where processes do nothing, it draws; a run of one process, too. */
static void test_sizes(void)
{
	static const char *const files[][1] = {{"sample-traces/one_rank.1.clog2"}, {"sample-traces/anysrc.5.clog2"}, {"sample-traces/userstates.3.clog2"}};
	static struct app a;
	int drawn = 0;

	for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
		start(&a, files[f], 80, 24);
		for (int w = 10; w <= 210; w += 25)
			for (int h = 3; h <= 63; h += 6) {
				app_resize(&a, w, h);
				type(&a, "DZljvG+wgD");
				drawn += a.shell.canvas.w == w;
			}
		app_release(&a);
	}
	is_int(drawn, 3 * 9 * 11, "at all sizes");
}

int main(void)
{
	test_totals();
	test_places();
	test_events();
	test_lateness();
	test_ruler();
	test_lines();
	test_counts();
	test_bars();
	test_clicks();
	test_sizes();
	return done_testing();
}
