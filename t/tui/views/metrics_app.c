/* View 7 where the trace makes it hard: its work can be stopped and begun again; without MPI calls figures are absent,
 * never 0; with 1 024 processes the bars stand for several processes each, and at every size nothing is drawn beyond
 * the screen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen_calls.h"
#include "gen_clog2.h"
#include "app_case.h"
#include "tap.h"
#include "tui/app/app_int.h"
#include "tui/jobs/background.h"

static void start(struct app *a, struct tui_options *o, const char *const *files)
{
	struct err e;

	*o = (struct tui_options){.paths = files, .count = 1, .view = "grid"};
	settings_init(&o->settings);
	if (app_init(a, o, &e))
		bail_out("%s", e.text);
	app_resize(a, 80, 24);
	app_settle(a);
}

/* A trace of these bytes, which are freed, in a folder of its own. */
static void write_trace(struct gen_bytes b, char *dir, char *path, size_t size)
{
	FILE *f;

	if (!mkdtemp(dir))
		bail_out("no directory");
	snprintf(path, size, "%s/x.clog2", dir);
	f = fopen(path, "w");
	if (!f || fwrite(b.bytes, 1, b.size, f) != b.size || fclose(f))
		bail_out("cannot write %s", path);
	free(b.bytes);
}

static void test_stop(void)
{
	static const char *const files[] = {"sample-traces/lu.S.4.clog2"};
	static struct app a;
	struct tui_options o;
	struct model *m = &a.work.model;

	start(&a, &o, files);
	spending_forget(&m->spending);
	spending_update(m);
	background_park(m->background, m->spending.run.slot);
	app_key(&a, '7');
	app_draw(&a);
	app_key(&a, KEYCODE_ESC);
	background_wait_idle(m->background);
	ok(strstr(screen(&a), "Stopped.") && !spent_run(m), "Esc stops the work");
	app_key(&a, KEYCODE_ENTER);
	app_settle(&a);
	app_key(&a, '7');
	app_settle(&a);
	ok(strstr(screen(&a), "serialisation") || strstr(screen(&a), "by state"), "and Enter begins it again");
	app_release(&a);
}

/* Turned faster than a projection takes, what is shown is of the last turn; and the same as of the typed text. */
static void test_sliders(void)
{
	static const char *const files[] = {"sample-traces/lu.S.4.clog2"};
	static struct app a;
	const struct model *m = &a.work.model;
	struct tui_options o;
	double turned;
	struct err e;

	start(&a, &o, files);
	app_key(&a, '7');
	app_settle(&a);
	app_key(&a, 'w');
	for (const char *key = "hhhhhjhh"; *key; key++) {
		app_key(&a, (uint32_t)*key);
		app_draw(&a);
	}
	app_settle(&a);
	ok(projected_changed(m) && !strcmp(m->projected.text, "network x 0.5, rank 0 x 0.8"), "the last turn is projected");
	ok(strstr(screen(&a), " x 0.5 ") && strstr(screen(&a), " x 0.8 "), "and shown");
	turned = projected_changed(m) ? projected_changed(m)->runtime : NAN;
	app_key(&a, KEYCODE_ESC);
	app_settle(&a);
	ok(!m->projected.change.count && !strstr(screen(&a), "what if n"), "Esc ends it");
	ok(!projected_ask(&a.work.model, "network x 0.5, rank 0 x 0.8", &e), "typed");
	app_settle(&a);
	ok(projected_changed(m) && projected_changed(m)->runtime >= turned && projected_changed(m)->runtime <= turned, "the typed text gives the same run time");
	app_release(&a);
}

static void test_no_states(void)
{
	static struct app a;
	struct gen_calls *g = gen_calls_new(2, NULL);
	char dir[] = "/tmp/pas2p-test.XXXXXX", path[64];
	const char *const files[] = {path};
	struct tui_options o;

	gen_mark(g, 0, 0);
	gen_message(g, 0, 2, true, 1, 8, 0);
	gen_mark(g, 0, 8);
	gen_message(g, 1, 3, false, 0, 8, 0);
	gen_mark(g, 1, 10);
	write_trace(gen_calls_bytes(g), dir, path, sizeof path);
	start(&a, &o, files);
	app_key(&a, '7');
	app_settle(&a);
	ok(strstr(screen(&a), "run time 10.00 s") && strstr(screen(&a), "parallel efficiency            -"), "without MPI calls: time, no factors");
	ok(strstr(screen(&a), "load balance                 -") &&
	   strstr(screen(&a), "transfer eff.              -") && strstr(screen(&a), "the trace has no MPI calls"),
	   "no figure is 0, and a note says why");
	for (const char *key = "\rbbb%d"; *key; key++) {
		app_key(&a, (uint32_t)*key);
		app_settle(&a);
	}
	ok(strstr(screen(&a), "no-mpi-states"), "the diagnosis says it, too");
	app_key(&a, 'w');
	app_settle(&a);
	ok(strstr(screen(&a), "A projection needs MPI calls") && !strstr(screen(&a), "what if n"), "and there is nothing to turn");
	app_release(&a);
	remove(path);
	remove(dir);
}

static void test_many(void)
{
	static struct app a;
	static const int sizes[][2] = {{80, 24}, {200, 60}, {40, 10}, {60, 14}, {400, 100}};
	struct clog2_write_options how = gen_clog2_options(40, true, true, 65536);
	char dir[] = "/tmp/pas2p-test.XXXXXX", path[64];
	const char *const files[] = {path};
	struct tui_options o;
	bool good = true;

	write_trace(gen_clog2_run(&how, 1024, 2), dir, path, sizeof path);
	start(&a, &o, files);
	app_key(&a, '7');
	app_settle(&a);
	ok(strstr(screen(&a), " r0–") && strstr(screen(&a), "–1023 "), "1 024 processes: bars of several each");
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		app_resize(&a, sizes[i][0], sizes[i][1]);
		for (const char *key = "7jjjwhjh\033\rbbb\033jjd\033"; *key; key++) {
			app_key(&a, (uint32_t)*key);
			app_settle(&a);
			good = good && !a.shell.quit;
		}
	}
	ok(good, "every page at every size");
	app_release(&a);
	remove(path);
	remove(dir);
}

int main(void)
{
	test_stop();
	test_sliders();
	test_no_states();
	test_many();
	return done_testing();
}
