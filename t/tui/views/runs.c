/* Runs side by side: who asks how a program scales must get the figures of `pas2p metrics`, whatever else happens
 * meanwhile. The example of docs/reference/metrics.md, "Scaling runs" has its speedups, serial fractions and
 * projections on the screen, and every figure is the core's to the last digit; what cannot be read says why and spoils
 * nothing; a run that is taken out, or the program that is left, while one is being read ends in order; local files of
 * one run are one run; another run becomes the open trace and the way back is there. How it looks is held still in
 * t/tui/runs (UPDATE_GOLDEN=1 draws that again).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "gen_calls.h"
#include "gen_run.h"
#include "gen_series.h"
#include "app_case.h"
#include "tap.h"
#include "tui/app/app_int.h"
#include "tui/model/runs_work.h"

static char folder[] = "/tmp/pas2p-runs.XXXXXX";

/* Names as they are seen: relative to the folder that the test is in. */
static const char *const series[] = {"app.4.clog2", "app.1.clog2", "app.2.clog2"}; /* not in order */
static const char *const weak[] = {"weak.2.clog2", "weak.8.clog2"};

static void start(struct app *a, struct tui_options *o, const char *const *paths, uint32_t count, int w, int h, bool ascii)
{
	struct err e;

	*o = (struct tui_options){.paths = paths, .count = count, .ascii = ascii, .threads = 1};
	settings_init(&o->settings);
	if (app_init(a, o, &e))
		bail_out("%s", e.text);
	app_resize(a, w, h);
}

static void open_runs(struct app *a, struct tui_options *o, const char *const *paths, uint32_t count, int w, int h, bool ascii)
{
	start(a, o, paths, count, w, h, ascii);
	app_settle(a);
	app_key(a, '8');
	app_settle(a);
}

static void key(struct app *a, uint32_t k)
{
	app_key(a, k);
	app_settle(a);
}

static void command(struct app *a, const char *line)
{
	struct err e = {0};

	if (command_run(a, line, &e))
		app_say(a, ROLE_ERROR, "%s", e.text);
	app_settle(a);
}

static bool shows(struct app *a, const char *text)
{
	if (strstr(screen(a), text))
		return true;
	diag("no '%s' on this screen:\n%s", text, screen(a));
	return false;
}

/* --- how it looks --- */

static char home[4096];

static void is_golden(struct app *a, const char *name)
{
	static char wanted[131072];
	char path[sizeof home + 64];
	struct out o;
	FILE *f;
	size_t n;

	app_draw(a);
	out_init(&o);
	canvas_dump_text(&a->shell.canvas, &o);
	out_str(&o, "-- roles\n");
	canvas_dump_roles(&a->shell.canvas, &o);
	snprintf(path, sizeof path, "%s/t/tui/runs/%s.txt", home, name);
	if (getenv("UPDATE_GOLDEN")) {
		f = fopen(path, "w");
		if (!f)
			bail_out("cannot write %s", path);
		fputs(o.text, f);
		fclose(f);
	}
	f = fopen(path, "r");
	n = f ? fread(wanted, 1, sizeof wanted - 1, f) : 0;
	wanted[n] = 0;
	if (f)
		fclose(f);
	is_str(o.text, wanted, "screen %s", name);
	out_release(&o);
}

static void test_screens(void)
{
	static struct app a;
	struct tui_options o;

	open_runs(&a, &o, series, 3, 80, 24, false);
	is_golden(&a, "speedup-80");
	key(&a, KEYCODE_TAB);
	key(&a, KEYCODE_RIGHT);
	is_golden(&a, "efficiency-80");
	key(&a, KEYCODE_TAB);
	is_golden(&a, "figures-80");
	key(&a, 'd');
	is_golden(&a, "diagnosis-80");
	key(&a, 'd');
	key(&a, KEYCODE_TAB);
	key(&a, '*');
	is_golden(&a, "log-80");
	app_resize(&a, 200, 60);
	app_settle(&a);
	is_golden(&a, "log-200");
	key(&a, '*');
	is_golden(&a, "both-200");
	app_release(&a);

	open_runs(&a, &o, series, 3, 80, 24, true);
	is_golden(&a, "speedup-ascii");
	app_resize(&a, 120, 40);
	key(&a, 't');
	is_golden(&a, "both-ascii");
	app_release(&a);

	open_runs(&a, &o, weak, 2, 80, 24, false);
	key(&a, 'v');
	is_golden(&a, "weak-80");
	app_release(&a);

	open_runs(&a, &o, series, 1, 80, 24, false);
	is_golden(&a, "one-80");
	app_resize(&a, 40, 10);
	app_settle(&a);
	is_golden(&a, "one-40");
	app_release(&a);
}

/* --- the figures --- */

static bool same(double a, double b)
{
	return !memcmp(&a, &b, sizeof a) || (isnan(a) && isnan(b));
}

/* As the core has them, without the workbench. */
static void by_hand(struct scaling_run *runs, struct factors *factors, const char *const *paths, uint32_t count, enum scaling_kind kind)
{
	const struct replay_rules rules = {false, REPLAY_NEVER};

	for (uint32_t i = 0; i < count; i++) {
		struct run_metrics *m = NULL;
		struct call_log *log = NULL;
		struct trace *t = NULL;
		struct err e;

		if (trace_load(&t, &paths[i], 1, NULL, NULL, &e) || call_log_new(&log, t, NULL, &e) ||
		    run_metrics_new(&m, log, &rules, NULL, &e))
			bail_out("%s", e.text);
		runs[i] = (struct scaling_run){.processes = m->processes, .runtime = m->runtime,
					       .useful = m->account.by_kind[ACCOUNT_USEFUL], .parallel_efficiency = m->factors.parallel_efficiency};
		factors[i] = m->factors;
		run_metrics_free(m);
		call_log_free(log);
		trace_free(t);
	}
	scaling_fill(runs, count, kind, (double)NAN);
}

static void test_figures(const char *const *given, const char *const *sorted, uint32_t count, enum scaling_kind kind)
{
	static struct app a;
	struct tui_options o;
	struct scaling_run runs[8];
	struct factors factors[8];
	bool good;

	open_runs(&a, &o, given, count, 80, 24, false);
	if (kind == SCALING_WEAK)
		key(&a, 'v');
	by_hand(runs, factors, sorted, count, kind);
	good = a.runs.known == count && a.runs.reference == 0;
	for (uint32_t i = 0; i < count && good; i++) {
		const struct scaling_run *x = &a.runs.figures[i], *y = &runs[i];
		const struct run *run = &a.runs.list[a.runs.order[i]];

		good = !strcmp(run->paths[0], sorted[i]) && x->processes == y->processes && same(x->runtime, y->runtime) &&
		       same(x->speedup, y->speedup) && same(x->efficiency, y->efficiency) && same(x->serial_fraction, y->serial_fraction) &&
		       same(x->computation_scaling, y->computation_scaling) && same(x->global_efficiency, y->global_efficiency) &&
		       !memcmp(&run->metrics.factors, &factors[i], sizeof *factors);
	}
	ok(good, "%s: every figure is the core's", kind == SCALING_WEAK ? "weak" : "strong");
	app_release(&a);
}

static void test_example(void)
{
	static const char *const sorted[] = {"app.1.clog2", "app.2.clog2", "app.4.clog2"};
	static struct app a;
	struct tui_options o;

	test_figures(series, sorted, 3, SCALING_STRONG);
	test_figures(weak, weak, 2, SCALING_WEAK);
	open_runs(&a, &o, series, 3, 80, 24, false);
	ok(shows(&a, "speedup                           1      1.923      3.571"), "the example's speedups");
	ok(shows(&a, "scaling efficiency          100.0 %     96.2 %     89.3 %"), "its efficiencies");
	ok(shows(&a, "serial fraction                   -      4.0 %      4.0 %"), "its serial fractions");
	ok(shows(&a, "4.0 % constant · limit: 25 times faster"), "and what they come to");
	is_u64(a.runs.diagnosis.far.projections, 3, "how far it would go");
	is_double(a.runs.diagnosis.far.projection[0].speedup, 1 / (.04 + .96 / 8), 1e-9, "on twice the processes");
	key(&a, 'd');
	ok(shows(&a, "good: efficiency 89.3 % on 4 processes (speedup 3.57);"), "d says it in sentences");
	ok(shows(&a, "app.4.clog2 NEW"), "with the command to type, on the run that is looked at");
	key(&a, KEYCODE_ESC);
	ok(shows(&a, "speedup by processes"), "Esc goes back to the plot");
	key(&a, 'v');
	ok(shows(&a, "weak scaling") && shows(&a, "14.29"), "w: the problem grew with the processes");
	app_release(&a);
	open_runs(&a, &o, weak, 2, 80, 24, false);
	key(&a, 'v');
	ok(shows(&a, "speedup                           1        3.2") && shows(&a, "80.0 %") && shows(&a, "26.7 %"), "the weak example");
	app_release(&a);
}

/* --- what cannot be read --- */

static void test_unreadable(void)
{
	static const char *const some[] = {"app.1.clog2", "text.clog2", "gone.clog2", "cut.clog2", "silent.clog2", "app.2.clog2"};
	static struct app a;
	struct tui_options o;

	open_runs(&a, &o, some, 6, 200, 60, false);
	is_u64(a.runs.count, 6, "all are there");
	is_u64(a.runs.known, 4, "those that can be read have figures");
	ok(shows(&a, "gone.clog2: cannot open gone.clog2"), "one that is not there says so");
	ok(shows(&a, "text.clog2: text.clog2 is a text file"), "so does one that is no trace");
	ok(shows(&a, "cut.clog2: cut.clog2 is damaged"), "and a damaged one, which has figures all the same");
	ok(shows(&a, "time                        100.0 s"), "the others have theirs");
	for (int i = 0; i < 6 && strcmp(run_name(runs_selected(&a.runs)), "silent.clog2"); i++)
		key(&a, KEYCODE_RIGHT);
	ok(shows(&a, "no MPI calls, so only the run time is known"), "without calls there is a time, and no factors");
	ok(isnan(a.runs.figures[a.runs.selected].parallel_efficiency) && a.runs.figures[a.runs.selected].speedup > 0, "they are absent, not 0");
	key(&a, 'G');
	ok(shows(&a, "not read"), "who has no figures stands behind the others");
	key(&a, KEYCODE_ENTER);
	ok(strstr(a.work.model.message, "; :add reads it again") && a.runs.open == 0, "and does not become the open trace");
	gen_series_file("gone.clog2", 4);
	command(&a, "add gone.clog2");
	is_u64(a.runs.known, 5, ":add reads it again, once it is there");
	command(&a, "add app.1.clog2");
	ok(strstr(a.work.model.message, "app.1.clog2 is already in Runs"), "and nothing twice");
	command(&a, "remove cut.clog2");
	is_u64(a.runs.count, 5, ":remove takes one out");
	command(&a, "remove app.1.clog2");
	ok(strstr(a.work.model.message, "is the open trace"), "but not the open trace");
	command(&a, "remove nothing");
	ok(strstr(a.work.model.message, "nothing is not among the runs"), "nor what is not there");
	unlink("gone.clog2");
	app_release(&a);
}

/* Local files of one run are one run, beside a whole one. */
static void test_local(void)
{
	static const char *const files[] = {"app.2.clog2", "b.0", "a.0", "b.1", "a.1", "b.2", "b.3", "a.2", "a.3"};
	static struct app a;
	struct tui_options o;

	open_runs(&a, &o, files, 9, 80, 24, false);
	is_u64(a.runs.count, 3, "nine files of three runs");
	ok(a.runs.list[1].path_count == 4 && a.runs.list[2].path_count == 4 && !strcmp(a.runs.list[2].paths[3], "a.3"), "each with its own");
	is_u64(a.runs.known, 3, "all of them have figures");
	app_release(&a);
	open_runs(&a, &o, files + 1, 8, 80, 24, false);
	ok(a.work.path_count == 4 && a.work.model.trace->process_count == 4, "the first run is opened with all of its files");
	app_release(&a);
}

/* --- meanwhile --- */

static void test_open(void)
{
	static struct app a;
	struct tui_options o;

	open_runs(&a, &o, series, 3, 80, 24, false);
	key(&a, 'g');
	key(&a, ']');
	key(&a, KEYCODE_ENTER);
	is_u64(a.work.model.trace->process_count, 1, "Enter opens the selected run");
	ok(strstr(a.work.model.message, "app.1.clog2 is open; 8 shows the runs again"), "and says so");
	ok(shows(&a, "app.1.clog2  2 of 3  1 process"), "so does the header");
	key(&a, '8');
	is_u64(a.runs.known, 3, "the figures are still there");
	ok(shows(&a, "▸app.1"), "the open one is marked");
	key(&a, KEYCODE_ENTER);
	ok(strstr(a.work.model.message, "is already the open trace"), "which opens nothing new");
	key(&a, KEYCODE_RIGHT);
	key(&a, 'd');
	key(&a, 'd');
	rename("app.2.clog2", "away");
	key(&a, KEYCODE_ENTER);
	ok(a.work.model.trace && a.work.model.trace->process_count == 1 && strstr(a.work.model.message, "cannot open app.2.clog2"),
	   "a file that has gone meanwhile: the trace before it is there again, with a sentence");
	rename("away", "app.2.clog2");
	app_release(&a);
}

/* However far it has come, which differs from time to time. */
static void test_meanwhile(void)
{
	static struct app a;
	struct tui_options o;
	struct err e;
	bool good = true;

	for (int i = 0; i < 30 && good; i++) {
		open_runs(&a, &o, series, 2, 80, 24, false);
		gen_series_file("more.clog2", 16);
		command_run(&a, "add more.clog2", &e);
		for (int k = 0; k < i % 7; k++)
			app_news(&a);
		if (i % 3 == 0)
			app_key(&a, KEYCODE_DELETE);
		else if (i % 3 == 1)
			app_key(&a, KEYCODE_ESC);
		app_draw(&a);
		if (i % 2) {
			app_settle(&a);
			good = a.runs.count == (i % 3 == 0 ? 2 : 3) && a.runs.known >= 2;
		}
		app_release(&a); /* also while it is being read */
	}
	ok(good, "a run that is taken out or stopped while it is read, and leaving meanwhile, end in order");
	unlink("more.clog2");
}

/* Allocations that fail, each alone and with all that follow: a sentence, or less on the screen, and nothing lost. */
static void test_memory(void)
{
	static struct app a;
	struct tui_options o;
	long live = mem_live();
	bool good = true;

	for (long n = 0; n < 400 && good; n += 1 + n / 20) {
		struct err e = {0};

		open_runs(&a, &o, series, 2, 80, 24, false);
		mem_fail_once(n);
		command_run(&a, "add app.2.clog2", &e);
		app_settle(&a);
		app_key(&a, 'd');
		app_settle(&a);
		mem_fail_after(-1);
		screen(&a);
		app_release(&a);
		good = mem_live() == live;
		if (!good)
			diag("after %ld allocations: %ld blocks more", n, mem_live() - live);
	}
	ok(good, "without memory nothing is lost");
}

static void make_files(void)
{
	struct gen_calls *silent = gen_calls_new(2, NULL);
	struct gen_bytes b;

	gen_series_file("app.1.clog2", 1);
	gen_series_file("app.2.clog2", 2);
	gen_series_file("app.4.clog2", 4);
	gen_weak_file("weak.2.clog2", 2);
	gen_weak_file("weak.8.clog2", 8);
	for (int i = 0; i < 8; i++) {
		struct gen_run r = {.processes = 4, .rounds = 3, .id = (uint8_t)(1 + i / 4)};
		char name[] = {(char)('a' + i / 4), '.', (char)('0' + i % 4), 0};

		gen_file(name, gen_run_local(&r, i % 4));
	}
	b = gen_series(8, NULL);
	b.size = b.size * 3 / 4;
	gen_file("cut.clog2", b);
	for (int i = 0; i < 5; i++) {
		gen_message(silent, 0, i, true, 1, 8, 0);
		gen_message(silent, 1, i + 0.5, false, 0, 8, 0);
	}
	gen_file("silent.clog2", gen_calls_bytes(silent));
	b = (struct gen_bytes){malloc(12), 12};
	memcpy(b.bytes, "not a trace\n", 12);
	gen_file("text.clog2", b);
}

/* What the open run spent is not read twice: with its file gone there is nothing left to read. */
static void test_reuse(void)
{
	static const char *const path[] = {"spent.2.clog2"};
	struct tui_options o;
	struct run run;
	struct app a;

	gen_file(path[0], gen_tiny(NULL, 0));
	start(&a, &o, path, 1, 80, 24, false);
	app_settle(&a);
	key(&a, '7');
	ok(spent_run(&a.work.model) != NULL, "the metrics of the open run are there");
	unlink(path[0]);
	key(&a, '8');
	run = a.work.model.runs->list[0];
	is_int(run.state, RUN_KNOWN, "its figures beside others' are those, not read again");
	is_double(run.metrics.runtime, 20, 1e-12, "... and they are what they were");
	app_release(&a);
}

int main(void)
{
	char remove[64];

	if (!getcwd(home, sizeof home) || !mkdtemp(folder) || chdir(folder))
		bail_out("no folder for the test");
	make_files();
	test_screens();
	test_example();
	test_unreadable();
	test_local();
	test_open();
	test_meanwhile();
	test_memory();
	test_reuse();
	snprintf(remove, sizeof remove, "rm -rf %s", folder);
	if (chdir(home) || system(remove))
		diag("%s stays", folder);
	return done_testing();
}
