/* The clocks in the background: keys never wait for them, they are compared once for view and timeline, Esc stops that
 * and Enter tries again, and the timeline is there without them. Corrected times: cursor and window of the timeline
 * stay at their event, all that is shown is of one trace, and what fails leaves what was recorded.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen_calls.h"
#include "gen_series.h"
#include "app_case.h"
#include "tap.h"
#include "tui/app/app_int.h"
#include "tui/jobs/background.h"
#include "tui/views/clocks/clocks_int.h"
#include "tui/views/timeline/timeline_int.h"

static void start(struct app *a, struct tui_options *o, const char *path, const char *view)
{
	static const char *paths[1];
	struct err e;

	paths[0] = path;
	*o = (struct tui_options){.paths = paths, .count = 1, .view = view};
	settings_init(&o->settings);
	if (app_init(a, o, &e))
		bail_out("%s", e.text);
	app_resize(a, 120, 40);
}

static void test_stop(void)
{
	static struct app a;
	struct tui_options o;
	struct model *m = &a.work.model;

	start(&a, &o, "sample-traces/cg.S.4.clog2", "grid");
	app_settle(&a);
	run_clocks_update(m);
	background_park(m->background, m->clocks.slot);
	type(&a, "^");
	ok(strstr(screen(&a), "Comparing the clocks") && strstr(screen(&a), "Esc stops it"), "while they are compared that is said");
	type(&a, "4");
	ok(!run_clocks_report(m) && a.work.here == VIEW_TIMELINE, "another view does not wait for them");
	type(&a, "^");
	app_key(&a, KEYCODE_ESC);
	app_settle(&a);
	ok(strstr(screen(&a), "Stopped.") && strstr(screen(&a), "Enter compares the clocks again"), "Esc stops it");
	app_key(&a, KEYCODE_ENTER);
	app_settle(&a);
	ok(run_clocks_report(m) && strstr(screen(&a), "317 clock violations in 6 720 messages"), "Enter tries again");
	app_release(&a);
}

static void test_once(void)
{
	static struct app a;
	struct tui_options o;
	const struct model *m = &a.work.model;
	const struct timeline_view *s;
	const struct clock_report *report;
	unsigned asked;

	start(&a, &o, "sample-traces/cg.S.4.clog2", "grid");
	app_settle(&a);
	ok(!m->clocks.asked, "they are not compared before anybody looks");
	type(&a, "4vv");
	app_settle(&a);
	s = (const struct timeline_view *)a.work.views[VIEW_TIMELINE];
	report = run_clocks_report(m);
	ok(report && s->arrows.of == run_clocks_arrows(m), "the timeline asks for them");
	type(&a, "Z");
	app_settle(&a);
	is_u64(s->arrows.all, 317, "the whole run has all arrows that go back");
	ok(s->arrows.count && s->arrows.count <= TIMELINE_LINES, "and draws as many as it may");
	asked = background_asked(m->background);
	type(&a, "^");
	app_settle(&a);
	ok(run_clocks_report(m) == report && background_asked(m->background) == asked, "the view has them from there");
	type(&a, "j");
	app_key(&a, KEYCODE_ENTER);
	app_key(&a, KEYCODE_ENTER);
	app_settle(&a);
	ok(a.work.here == VIEW_TIMELINE && !m->wanted.arrow && m->cursor.process == 1, "the worst message is in the timeline, at its receiver");
	is_double(m->trace->start + s->at, m->trace->time[clock_arrow_worst(run_clocks_arrows(m), m->trace, 0, 1)->to], 1e-12, "... at its time");
	is_u64(s->arrows.all, 1, "... alone");
	type(&a, "v");
	app_settle(&a);
	is_u64(s->arrows.all, 0, "without messages there are no arrows");
	app_release(&a);
}

/* A partner that is on no row, processes in groups, collectives: nothing is drawn beside the bars. */
static void test_rows(void)
{
	static struct app a;
	struct gen_calls *g = gen_calls_new(40, NULL);
	struct tui_options o;
	char dir[] = "/tmp/pas2p-clocks-XXXXXX", trace[64];
	const struct timeline_view *s;

	if (!mkdtemp(dir))
		bail_out("no directory");
	snprintf(trace, sizeof trace, "%s/many.clog2", dir);
	for (int32_t p = 0; p < 40; p++) {
		gen_mark(g, p, 0);
		gen_call(g, p, p == 39 ? 5 : 1, p == 0 ? 3 : 6, "MPI_Barrier");
		gen_message(g, p, p == 20 ? 9 : 7, true, (p + 1) % 40, 8, 0);
		gen_message(g, p, 8, false, (p + 39) % 40, 8, 0);
		gen_mark(g, p, 10);
	}
	gen_file(trace, gen_calls_bytes(g));
	start(&a, &o, trace, "timeline");
	app_resize(&a, 170, 20);
	app_settle(&a);
	type(&a, "Zvvj");
	app_settle(&a);
	s = (const struct timeline_view *)a.work.views[VIEW_TIMELINE];
	is_u64(run_clocks_arrows(&a.work.model) ? run_clocks_arrows(&a.work.model)->count : 0, 2, "a message and a collective go back");
	ok(s->arrows.all == 1 && s->arrows.arrow[0]->collective && strstr(screen(&a), "2 clock violations"), "of which one is on these rows");
	ok(strstr(screen(&a), "←"), "its head, though its other end is on none");
	type(&a, "___k");
	app_settle(&a);
	ok(s->arrows.all == 2 && strstr(screen(&a), "←"), "both, with several processes in a row");
	app_resize(&a, 40, 10);
	ok(screen(&a)[0] != 0, "on a small screen, too");
	app_release(&a);
	remove(trace);
	ok(!remove(dir), "nothing else is left");
}

static struct timeline_view *timeline_of(struct app *a)
{
	return (struct timeline_view *)a->work.views[VIEW_TIMELINE];
}

/* From the run's start, by the clocks that are shown. */
static double shown_time(const struct model *m, uint32_t event)
{
	return m->trace->time[event] - m->trace->start;
}

static void test_corrected(void)
{
	static struct app a;
	struct tui_options o;
	struct model *m = &a.work.model;
	const struct trace *recorded;
	const struct clock_report *report;
	struct timeline_view *s;
	double from, at, cell, time, moved;
	uint32_t event;
	struct trace_place cursor;

	start(&a, &o, "sample-traces/cg.S.4.clog2", "timeline");
	app_settle(&a);
	type(&a, "j+++++++++++++wwwwww");
	app_settle(&a);
	s = timeline_of(&a);
	recorded = m->trace;
	report = run_clocks_report(m);
	event = model_event(m);
	cursor = m->cursor;
	from = s->from;
	at = s->at;
	cell = s->cell;
	time = shown_time(m, event);
	ok(cell < 1e-6 && m->recorded == recorded && event != NO_EVENT, "a window of some microseconds, at an event");
	type(&a, "~");
	app_settle(&a);
	ok(m->trace != recorded && m->recorded == recorded && m->analysis->source == m->trace, "corrected times are those of another trace");
	ok(m->cursor.process == cursor.process && m->cursor.tick == cursor.tick && model_event(m) == event, "the cursor is on the same event");
	moved = shown_time(m, event) - time;
	ok(fabs(moved) > cell / 2, "... whose time is another");
	is_double(s->cell, cell, 1e-15, "as much time is seen");
	is_double(s->at, at + moved, 1e-12, "the cursor is where its event is");
	is_double(s->from, from + moved, 1e-12, "in the same column");
	ok(run_clocks_report(m) == report && spent_run(m)->log->trace == m->trace && s->timeline->trace == m->trace,
	   "clocks are told by what was recorded, and the rest by what is shown");
	type(&a, "u");
	app_settle(&a);
	ok(m->trace == recorded && !m->settings.clocks, "u takes it back");
	is_double(s->from, from, 1e-12, "with the window");
	is_double(s->at, at, 1e-12, "and the cursor");
	ok(spent_run(m)->log->trace == m->trace && s->timeline->trace == m->trace, "and all that is made of it");
	app_release(&a);
}

/* What views have of the run is of the trace shown, or they wait for it. */
static void test_metrics(void)
{
	static struct app a;
	struct tui_options o;
	struct model *m = &a.work.model;
	double before;

	start(&a, &o, "sample-traces/cg.S.4.clog2", "metrics");
	app_settle(&a);
	before = spent_run(m)->metrics->account.by_kind[ACCOUNT_USEFUL];
	type(&a, "@");
	app_settle(&a);
	type(&a, "6vv");
	app_settle(&a);
	session_wait_idle(a.work.session);
	type(&a, "~");
	session_wait_idle(a.work.session);
	app_news(&a);
	ok(m->trace != m->recorded && !spent_run(m) && !spent_phases(m), "as times change, nothing is left of what was made of others");
	derived_forget(&m->spending.run); /* it may have come already */
	spending_update(m);
	background_park(m->background, m->spending.run.slot);
	app_act(&a, ACTION_METRICS);
	ok(strstr(screen(&a), "Esc stops it") && !strstr(screen(&a), "efficiency"), "the metrics wait for it");
	app_act(&a, ACTION_PROCESSES);
	ok(strstr(screen(&a), "Esc stops it") != NULL, "and so do the processes");
	derived_cancel(&m->spending.run);
	app_settle(&a);
	app_key(&a, KEYCODE_ENTER);
	app_settle(&a);
	ok(spent_run(m) && spent_run(m)->log->trace == m->trace && spent_phases(m)->run == spent_run(m), "then they are of these");
	ok(fabs(spent_run(m)->metrics->account.by_kind[ACCOUNT_USEFUL] - before) > 1e-12, "... which are others");
	type(&a, "u");
	app_settle(&a);
	is_double(spent_run(m)->metrics->account.by_kind[ACCOUNT_USEFUL], before, 1e-15, "as recorded they are as they were");
	app_release(&a);
}

/* The correction cannot be had: what was recorded stays. */
static void test_no_correction(void)
{
	static struct app a;
	struct tui_options o;
	struct model *m = &a.work.model;
	char dir[] = "/tmp/pas2p-clocks-XXXXXX", trace[64], command[160];

	if (!mkdtemp(dir))
		bail_out("no directory");
	snprintf(trace, sizeof trace, "%s/gone.clog2", dir);
	snprintf(command, sizeof command, "cp sample-traces/cg.S.4.clog2 %s", trace);
	if (system(command))
		bail_out("no copy");
	start(&a, &o, trace, "grid");
	app_settle(&a);
	ok(!truncate(trace, 100000), "the file is cut meanwhile");
	type(&a, "~");
	app_settle(&a);
	ok(m->trace == m->recorded && !m->settings.clocks, "then times are as recorded");
	ok(strstr(screen(&a), "no corrected times: ") && !strstr(screen(&a), "corrected: "), "and why is said");
	app_release(&a);
	ok(!remove(trace) && !remove(dir), "nothing else is left");
}

/* Esc while times are being corrected, unless that is done by then. */
static void test_stop_correcting(void)
{
	static struct app a;
	struct tui_options o;
	struct model *m = &a.work.model;
	bool stopped;

	start(&a, &o, "sample-traces/cg.S.4.clog2", "timeline");
	app_settle(&a);
	type(&a, "~");
	ok(m->trace == m->recorded && m->settings.clocks == CLOCKS_CORRECTED, "keys do not wait for the correction");
	session_cancel(a.work.session);
	app_settle(&a);
	stopped = m->settings.clocks == CLOCKS_FILE;
	ok(!stopped || (m->trace == m->recorded && strstr(screen(&a), "Stopped: the view shows recorded times.")), "stopped, times are as recorded");
	if (!stopped)
		type(&a, "u");
	type(&a, "~");
	app_settle(&a);
	ok(m->trace != m->recorded && m->trace->times && strstr(screen(&a), "corrected: linear"), "it can be had again");
	type(&a, "o");
	app_settle(&a);
	ok(m->trace->times && m->analysis->settings.order == ORDER_LAMPORT && m->analysis->source == m->trace, "and other settings go with it");
	app_release(&a);
}

/* What is being written is stopped by Esc, and by nothing else. */
static void test_stop_writing(void)
{
	static struct app a;
	struct tui_options o;
	struct err e;

	start(&a, &o, "sample-traces/cg.S.4.clog2", "grid");
	app_settle(&a);
	background_park(a.work.model.background, a.work.model.slots.correct);
	type(&a, "^4");
	ok(strstr(screen(&a), "writing 0 % · Esc stops") != NULL, "that a trace is being written is said in every view");
	ok(app_write_corrected(&a, "/tmp/pas2p-never.clog2", false, &e) == ERR_USAGE && strstr(e.text, "still being written"), "one at a time");
	app_key(&a, 'Q');
	ok(a.shell.quit && strstr(a.shell.last_words, "was not written"), "leaving says that it was not");
	a.shell.quit = false;
	type(&a, "1");
	app_key(&a, KEYCODE_ESC);
	app_settle(&a);
	ok(strstr(screen(&a), "Stopped: nothing was written.") && !app_corrected_busy(&a), "Esc stops it");
	app_release(&a);
}

int main(void)
{
	test_corrected();
	test_metrics();
	test_no_correction();
	test_stop_correcting();
	test_stop_writing();
	test_stop();
	test_once();
	test_rows();
	return done_testing();
}
