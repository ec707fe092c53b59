/* A study in the background: keys never wait for it, the one before is shown until the next is there, Esc stops it, a
 * knob turned while it is made makes another, and it stays when a trace is opened.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app_case.h"
#include "tap.h"
#include "tui/app/app_int.h"
#include "tui/jobs/background.h"
#include "tui/views/study/study_int.h"

static const char study_text[] =
	"study: 1\n"
	"name: small\n"
	"runs:\n"
	"- {file: sample-traces/cg.S.4.clog2, parameters: {n: 100}}\n"
	"- {file: sample-traces/cg.S.4.clog2, parameters: {n: 200}}\n"
	"- {file: sample-traces/is.S.4.clog2, parameters: {n: 300}}\n";

static char path[64];

static void write_study(void)
{
	char text[sizeof study_text + 1024], here[256];
	const char *at = study_text;
	size_t n = 0;
	FILE *f;

	if (!getcwd(here, sizeof here))
		bail_out("no folder");
	/* Paths are from where the study lies. */
	for (const char *next; (next = strstr(at, "sample-traces")); at = next + 1)
		n += (size_t)snprintf(text + n, sizeof text - n, "%.*s%s/s", (int)(next - at), at, here);
	snprintf(text + n, sizeof text - n, "%s", at);
	snprintf(path, sizeof path, "/tmp/pas2p-study-%d.yaml", (int)getpid());
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		bail_out("no file");
}

static void start(struct app *a, struct tui_options *o)
{
	struct err e;

	*o = (struct tui_options){.study = path};
	settings_init(&o->settings);
	if (app_init(a, o, &e))
		bail_out("%s", e.text);
	app_resize(a, 120, 40);
}

static void test_knobs(void)
{
	static struct app a;
	struct tui_options o;
	const struct studied *before;

	start(&a, &o);
	ok(a.work.here == VIEW_STUDY && a.work.tab == VIEW_RUNS && !a.work.path_count, "a study alone opens its view");
	ok(strstr(screen(&a), "Study"), "it is drawn before there is anything");
	app_settle(&a);
	ok(a.study.made && !derived_busy(&a.study.derived), "then it is made");
	is_double(a.study.made->settings.volume, 0.05, 1e-12, "with the settings");
	before = a.study.made;
	/* The next one does not come to an end. */
	a.work.model.settings.volume = 0.07;
	open_study_work(&a.work.model);
	background_park(a.work.model.background, a.study.derived.slot);
	type(&a, "v+");
	ok(a.study.made == before, "while another is made, that of before is there");
	ok(strstr(screen(&a), "time of family 1") && strstr(screen(&a), "Esc stops"), "... and can be turned");
	ok(strstr(screen(&a), "T(n=110)"), "... and asked");
	app_key(&a, 'q');
	app_settle(&a);
	ok(!derived_busy(&a.study.derived) && a.study.made == before, "stopped, it stays");
	ok(strstr(screen(&a), "Stopped."), "... which is said");
	type(&a, "]");
	app_settle(&a);
	ok(a.study.made != before && !a.study.derived.failure[0], "the next turn makes another");
	ok(settings_equal(&a.study.made->settings, &a.work.model.settings), "with the settings of now");
	is_double(a.study.at[a.study.axis], 110, 0, "what was asked for is kept");
	before = a.study.made;
	a.work.model.settings.volume += 0.01;
	open_study_work(&a.work.model);
	background_park(a.work.model.background, a.study.derived.slot);
	a.work.model.settings.volume = before->settings.volume;
	app_draw(&a);
	ok(a.study.derived.asked == before && a.study.made == before, "turned back while another is made, what is there will do");
	app_settle(&a);
	ok(a.study.made == before && !a.study.derived.failure[0], "... and that other is nothing to speak of");
	type(&a, "]]]");
	app_settle(&a);
	ok(settings_equal(&a.study.made->settings, &a.work.model.settings), "several turns end with the last");
	app_release(&a);
}

static void test_trace_opened(void)
{
	static struct app a;
	struct tui_options o;
	const struct studied *made;

	start(&a, &o);
	app_settle(&a);
	made = a.study.made;
	type(&a, "]");
	app_settle(&a);
	ok(a.study.made != made, "a knob is turned");
	made = a.study.made;
	a.study.run = 2;
	app_study_open_run(&a);
	app_settle(&a);
	ok(a.work.here == VIEW_PHASES && a.work.path_count == 1 && strstr(a.work.paths[0], "is.S.4.clog2"), "a run's phases are opened");
	ok(settings_equal(&made->settings, &a.work.model.analysis->settings), "... with the study's settings");
	ok(a.study.made == made, "the study is not made again");
	type(&a, "U");
	ok(a.work.here == VIEW_STUDY && strstr(screen(&a), "3 runs"), "and is there");
	app_release(&a);
}

/* The curve of T is the prediction at each of its places, and passes through the asked one. */
static void test_curve(void)
{
	static struct app a;
	struct tui_options o;
	const struct study_view *s;
	struct study_prediction p;
	struct err e;
	bool same = true, at_place = false;

	start(&a, &o);
	app_settle(&a);
	type(&a, "vvvv");
	app_settle(&a);
	s = (const struct study_view *)a.work.views[VIEW_STUDY];
	is_u64(s->sampled, s->curve.samples, "T is known all over the axis");
	for (uint32_t i = 0; i < s->curve.samples; i += 7) {
		if (open_study_predict(&a.study, s->curve.x[i], &p, &e))
			bail_out("%s", e.text);
		same = same && fabs(p.time.value - s->curve.y[i]) <= 1e-12 && fabs(p.time.high - s->curve.high[i]) <= 1e-12;
		study_prediction_release(&p);
	}
	ok(same, "... as predicted there");
	for (uint32_t i = 0; i < s->curve.samples; i++)
		at_place = at_place || (fabs(s->curve.x[i] - s->curve.place) <= 0 && fabs(s->curve.y[i] - s->asked.value) <= 1e-12);
	ok(at_place, "the cross is on the curve");
	ok(s->curve.from <= 100 && s->curve.to >= 300, "the axis has room for all runs");
	is_u64(s->curve.points + s->others, 3, "each run is a point");
	for (uint32_t i = 0; i < s->curve.points; i++)
		same = same && s->curve.py[i] >= a.study.made->study->aet[0] * 0.01;
	ok(same, "... of its AET");
	app_release(&a);
}

static void test_steps(void)
{
	static const double from[] = {1400, 1000, 990, 8, 1, 14.5};
	static const double up[] = {1500, 1100, 1000, 9, 2, 15};
	static const double down[] = {1300, 990, 980, 7, 1, 14};
	static struct app a;
	struct tui_options o;

	start(&a, &o);
	app_settle(&a);
	for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
		a.study.at[a.study.axis] = from[i];
		open_study_step(&a.study, 1);
		is_double(a.study.at[a.study.axis], up[i], 1e-9, "%g goes up", from[i]);
		a.study.at[a.study.axis] = from[i];
		open_study_step(&a.study, -1);
		is_double(a.study.at[a.study.axis], down[i], 1e-9, "%g goes down", from[i]);
	}
	app_release(&a);
}

/* What is asked for is turned as knobs are: coarsely, too, and what was asked for before comes back. */
static void test_undo(void)
{
	static const double from[] = {1400, 1000, 20, 7};
	static const double up[] = {2000, 2000, 30, 8};
	static const double down[] = {1000, 900, 10, 6};
	static struct app a;
	struct tui_options o;
	struct settings turned;
	double *at, begin;
	struct err e;

	start(&a, &o);
	app_settle(&a);
	at = &a.study.at[a.study.axis];
	begin = *at;
	for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
		*at = from[i];
		type(&a, "f");
		is_double(*at, up[i], 1e-9, "%g goes far up", from[i]);
		*at = from[i];
		type(&a, "b");
		is_double(*at, down[i], 1e-9, "%g goes far down", from[i]);
	}
	app_release(&a);

	start(&a, &o);
	app_settle(&a);
	type(&a, "u");
	is_double(*at, begin, 1e-9, "there is nothing to undo");
	type(&a, "+++f");
	ok(*at > begin, "(another place is asked for)");
	if (app_study_ask(&a, "n=1234", &e))
		bail_out("%s", e.text);
	app_settle(&a);
	type_and_settle(&a, "]");
	turned = a.work.model.settings;
	type_and_settle(&a, "u");
	ok(!settings_equal(&a.work.model.settings, &turned) && fabs(*at - 1234) < 1e-9, "a threshold is undone by itself");
	type(&a, "u");
	ok(*at > begin && *at < 1234, "then a place that was typed");
	type(&a, "u");
	is_double(*at, begin, 1e-9, "then steps, together");
	app_act(&a, ACTION_REDO);
	ok(*at > begin, "which come back, too");
	app_release(&a);
}

int main(void)
{
	write_study();
	test_knobs();
	test_trace_opened();
	test_curve();
	test_steps();
	test_undo();
	unlink(path);
	return done_testing();
}
