/* The clocks behind the screen: keys never wait for them, they are compared once for view and timeline, Esc stops that and Enter tries again,
 * and the timeline is there without them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen_calls.h"
#include "gen_series.h"
#include "tap.h"
#include "tui/app/app.h"
#include "tui/app/app_lists.h"
#include "tui/jobs/background.h"
#include "tui/views/clocks/clocks_view.h"
#include "tui/views/timeline/timeline_view.h"

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

static void type(struct app *a, const char *keys)
{
	for (; *keys; keys++) {
		app_key(a, (uint32_t)*keys);
		app_draw(a);
	}
}

static const char *screen(struct app *a)
{
	static char text[65536];
	struct out o;

	app_draw(a);
	out_init(&o);
	canvas_dump_text(&a->shell.canvas, &o);
	snprintf(text, sizeof text, "%s", o.text ? o.text : "");
	out_release(&o);
	return text;
}

/* One that waits until it is stopped stands in the clocks' way. */
static enum err_code until_stopped(struct task *t, const struct job *job, struct err *e)
{
	(void)t;
	while (!job_stopped(job))
		usleep(1000);
	return err_set(e, ERR_CANCELLED, "stopped");
}

static void free_nothing(struct task *t)
{
	(void)t;
}

static void test_stop(void)
{
	static struct app a;
	static struct task endless = {until_stopped, free_nothing};
	struct tui_options o;
	struct model *m = &a.work.model;

	start(&a, &o, "sample-traces/cg.S.4.clog2", "grid");
	app_settle(&a);
	m->clocks.asked = true;
	background_ask(m->background, BACKGROUND_CLOCKS, &endless);
	type(&a, "^");
	ok(strstr(screen(&a), "Comparing the clocks by their messages") && strstr(screen(&a), "Esc stops it"), "while they are compared that is said");
	type(&a, "4");
	ok(!m->clocks.report && a.work.here == VIEW_TIMELINE, "another view does not wait for them");
	type(&a, "^");
	app_key(&a, KEYCODE_ESC);
	app_settle(&a);
	ok(strstr(screen(&a), "Stopped.") && strstr(screen(&a), "Enter compares the clocks again"), "Esc stops it");
	app_key(&a, KEYCODE_ENTER);
	app_settle(&a);
	ok(m->clocks.report && strstr(screen(&a), "317 violations in 6 720 messages"), "Enter tries again");
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
	report = m->clocks.report;
	ok(report && s->arrows.of == m->clocks.arrows, "the timeline asks for them");
	type(&a, "Z");
	app_settle(&a);
	is_u64(s->arrows.all, 317, "the whole run has all arrows that go back");
	ok(s->arrows.count && s->arrows.count <= TIMELINE_LINES, "and draws as many as it may");
	asked = background_asked(m->background);
	type(&a, "^");
	app_settle(&a);
	ok(m->clocks.report == report && background_asked(m->background) == asked, "the view has them from there");
	type(&a, "j");
	app_key(&a, KEYCODE_ENTER);
	app_key(&a, KEYCODE_ENTER);
	app_settle(&a);
	ok(a.work.here == VIEW_TIMELINE && !m->wanted.arrow && m->cursor.process == 1, "the worst message is in the timeline, at its receiver");
	is_double(m->trace->start + s->at, m->trace->time[clock_arrow_worst(m->clocks.arrows, m->trace, 0, 1)->to], 1e-12, "... at its time");
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
	app_resize(&a, 80, 20);
	app_settle(&a);
	type(&a, "Zvvj");
	app_settle(&a);
	s = (const struct timeline_view *)a.work.views[VIEW_TIMELINE];
	is_u64(a.work.model.clocks.arrows ? a.work.model.clocks.arrows->count : 0, 2, "a message and a collective go back");
	ok(s->arrows.all == 1 && s->arrows.arrow[0]->collective && strstr(screen(&a), "2 arrows go back"), "of which one is on these rows");
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

int main(void)
{
	test_stop();
	test_once();
	test_rows();
	return done_testing();
}
