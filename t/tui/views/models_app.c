/* Models in the background: keys never wait for an evaluation, what was asked for another value is not shown as if it
 * were of this one, old figures stand until new ones come, a wrong file leaves what was open, undo goes back through
 * several knobs, and models stay when another trace is opened.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app_case.h"
#include "tap.h"
#include "tui/app/app_int.h"
#include "tui/jobs/background.h"
#include "tui/views/models/models_int.h"

static const char *const files[] = {"sample-models/matmul.yaml", "sample-models/celeron-16.yaml",
				    "sample-models/pingpong-table1.csv"};

static void start(struct app *a, struct tui_options *o, const char *const *traces, uint32_t count)
{
	struct err e;

	*o = (struct tui_options){.paths = traces, .count = count, .models = files, .model_count = 3};
	settings_init(&o->settings);
	if (app_init(a, o, &e))
		bail_out("%s", e.text);
	app_resize(a, 120, 40);
}

static void test_keys_never_wait(void)
{
	static struct app a;
	struct tui_options o;
	struct models *m = &a.models;

	start(&a, &o, NULL, 0);
	ok(a.work.here == VIEW_MODELS && !a.work.path_count, "models alone open their view");
	app_settle(&a);
	is_double(m->now.time.hi, 23.2858, 1e-4, "the program is evaluated");
	ok(models_current(m), "... at the present values");
	/* The evaluation does not come to an end: the figures of before are shown, dim. */
	models_turn(m, 1, true);
	models_work(&a.work.model, true);
	background_park(a.work.model.background, m->evaluating.slot);
	is_double(m->knob[m->selected].value.lo, 800, 0, "the slider moves at once");
	type(&a, "*vv");
	ok(strstr(screen(&a), "23.29 s") && strstr(screen(&a), "800"), "old figures stand beside a new value");
	derived_cancel(&m->evaluating);
	type(&a, "VV{");
	app_settle(&a);
	ok(models_current(m), "a turn later they are those of the value");
	is_double(m->now.time.hi, 23.2858, 1e-4, "... which is the first again");
	app_release(&a);
}

static void test_undo(void)
{
	static struct app a;
	struct tui_options o;
	struct models *m = &a.models;
	struct err e;

	start(&a, &o, NULL, 0);
	app_settle(&a);
	type(&a, "]]]]");
	type(&a, ")");
	ok(!strcmp(m->knob[m->selected].name, "p"), "the next slider");
	type(&a, ")))}");
	app_settle(&a);
	is_u64(m->undo_count, 2, "four turns of one knob are one change, another knob is another");
	ok(m->knob[m->selected].given, "what was turned is given");
	type(&a, "u");
	is_double(m->knob[m->selected].value.lo, m->knob[m->selected].kind == KNOB_SPEED ? 1 : m->knob[m->selected].value.lo,
		  0, "undone");
	type(&a, "u");
	app_settle(&a);
	is_double(m->knob[0].value.lo, 400, 0, "all of it");
	ok(!m->knob[0].given, "... so that the model's default counts again");
	type(&a, "u");
	ok(strstr(screen(&a), "Nothing to undo."), "there is no more");
	ok(!models_set(m, "n=[100,500]", &e), "an interval is a value");
	app_settle(&a);
	ok(m->now.time.lo < 1 && m->now.time.hi > 45, "T is one, too: %g to %g", m->now.time.lo, m->now.time.hi);
	ok(models_set(m, "nothing=1", &e) == ERR_USAGE && models_set(m, "n=", &e) == ERR_USAGE &&
	   models_set(m, "n=x", &e) == ERR_USAGE &&
	   models_set(m, "speed=0", &e) == ERR_USAGE && models_set(m, "form=poly", &e) == ERR_USAGE,
		   "what is no value is refused");
	ok(!models_set(m, "p=3", &e), "a value that only the evaluation refuses");
	app_settle(&a);
	ok(m->say[0] && !m->now.known && strstr(screen(&a), "9 Models"), "is a sentence: %s", m->say);
	type(&a, "uu");
	app_settle(&a);
	ok(m->now.known && !m->say[0], "and undone like any");
	app_release(&a);
}

static void test_wrong_file(void)
{
	static struct app a;
	struct tui_options o;
	char path[] = "/tmp/pas2p-models-XXXXXX.yaml";
	const char *wrong[1] = {path};
	struct err e;
	int fd = mkstemps(path, 5);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f)
		bail_out("no file");
	fputs("pas2p_model: 1\nparameters: {n: 3}\nprogram: [{compute: n}]\n", f);
	fclose(f);
	start(&a, &o, NULL, 0);
	app_settle(&a);
	ok(!app_models_open(&a, wrong, 1, &e), "another model");
	app_settle(&a);
	is_double(a.models.now.time.hi, 3, 1e-12, "takes the place of the first");
	f = fopen(path, "w");
	if (!f)
		bail_out("no file");
	fputs("pas2p_model: 1\nparameters: {n: 7}\nprogram: [{compute: n}]\n", f);
	fclose(f);
	ok(!app_models_open(&a, wrong, 1, &e), "edited outside, it is read again");
	app_settle(&a);
	is_double(a.models.now.time.hi, 7, 1e-12, "... as it is now");
	f = fopen(path, "w");
	if (!f)
		bail_out("no file");
	fputs("pas2p_model: 1\nprogram: [{dance: 1}]\n", f);
	fclose(f);
	ok(app_models_open(&a, wrong, 1, &e) == ERR_FORMAT && strstr(e.text, "dance"), "made wrong, that is said");
	app_settle(&a);
	is_double(a.models.now.time.hi, 7, 1e-12, "... and what was open stays");
	unlink(path);
	ok(app_models_open(&a, wrong, 1, &e) != ERR_OK, "gone, too");
	app_release(&a);
}

/* Whoever takes what has come: a screen that is drawn for another reason, too. */
static void test_wrong_table(void)
{
	static struct app a;
	struct tui_options o;
	char path[] = "/tmp/pas2p-models-XXXXXX.csv";
	const char *wrong[1] = {path};
	struct err e;
	int fd = mkstemps(path, 4);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f)
		bail_out("no file");
	fputs("n,seconds\n1,2\n2,x\n", f);
	fclose(f);
	start(&a, &o, NULL, 0);
	app_settle(&a);
	ok(!app_models_open(&a, wrong, 1, &e), "a table is read behind the screen");
	background_wait_idle(a.work.model.background);
	app_draw(&a);
	app_settle(&a);
	ok(strstr(screen(&a), "line 3: seconds is 'x'") != NULL, "what is wrong with it is said, though a drawing took the news");
	unlink(path);
	app_release(&a);
}

static void test_fits(void)
{
	static struct app a;
	struct tui_options o;
	struct models *m = &a.models;
	struct models_view *s;
	struct err e;
	uint32_t fits;

	start(&a, &o, NULL, 0);
	app_settle(&a);
	s = (struct models_view *)a.work.views[VIEW_MODELS];
	fits = m->fits;
	is_u64(fits, 2, "two groups are two fits");
	type(&a, "G");
	app_settle(&a);
	ok(models_selected_fit(m) && s->fit.of == models_selected_fit(m), "the last row is one, and drawn");
	is_u64(models_selected_fit(m)->fit.pieces, 2, "of two segments");
	ok(!models_set(m, "segments=4", &e), "as many as are asked for");
	app_settle(&a);
	is_u64(models_selected_fit(m)->fit.pieces, 4, "are made");
	ok(!models_set(m, "segments=40", &e), "more than the points allow");
	app_settle(&a);
	ok(models_selected_fit(m)->state == MODELS_FAILED && models_selected_fit(m)->fit.pieces == 4,
	   "leave the last that could be made: %s",
	   models_selected_fit(m)->say);
	type(&a, "uu");
	app_settle(&a);
	ok(models_selected_fit(m)->state == MODELS_KNOWN && models_selected_fit(m)->fit.pieces == 2, "undone");
	ok(!models_open(m, files[2], &e), "the table once more");
	app_settle(&a);
	is_u64(m->fits, fits, "is the same fits, not more");
	for (int w = 1; w < 120; w += 7)
		for (int h = 1; h < 40; h += 5) {
			app_resize(&a, w, h);
			type(&a, "vM");
			app_settle(&a);
		}
	ok(1, "any size of the screen is drawn");
	app_release(&a);
}

static void test_traces(void)
{
	static const char *const traces[] = {"sample-traces/lu.S.4.clog2", "sample-traces/one_rank.1.clog2"};
	static struct app a;
	struct tui_options o;
	struct err e;
	uint32_t rows;

	start(&a, &o, traces, 2);
	app_settle(&a);
	rows = a.models.rows;
	type(&a, "9}");
	app_settle(&a);
	ok(!app_reopen(&a, 1, &e), "another trace");
	app_settle(&a);
	type(&a, "9");
	app_settle(&a);
	is_u64(a.models.rows, rows, "leaves the models");
	is_double(a.models.knob[0].value.lo, 800, 0, "... as they were turned");
	ok(models_current(&a.models) && strstr(screen(&a), "T by n"), "and goes on with them");
	app_release(&a);
}

int main(void)
{
	long live = mem_live();

	test_keys_never_wait();
	test_undo();
	test_wrong_file();
	test_wrong_table();
	test_fits();
	test_traces();
	is_int(mem_live(), live, "all memory is given back");
	return done_testing();
}
