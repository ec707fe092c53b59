/* The workbench as a machine, where time matters. A key that comes before the timeline has been read is done once it
 * has. Loading that is stopped by Esc or Ctrl-C ends well: however far it has come by then, and
 * that differs from run to run, it ends at once with what is loaded, or leaves in order; and the thread behind it is
 * never waited for in vain.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen_calls.h"
#include "gen_clog2.h"
#include "gen_series.h"
#include "app_case.h"
#include "tap.h"
#include "core/base/text.h"
#include "tui/app/app_int.h"
#include "tui/views/compare/compare_int.h"
#include "tui/views/grid/grid_int.h"
#include "tui/views/processes/processes_int.h"
#include "tui/views/phases/phases_int.h"
#include "tui/views/plan/plan_int.h"
#include "tui/views/tune/tune_int.h"
#include "tui/views/timeline/timeline_int.h"

static const char *const paths[] = {"sample-traces/lu.S.4.clog2"};

static void start(struct app *a, struct tui_options *o)
{
	struct err e;

	*o = (struct tui_options){.paths = paths, .count = 1, .view = "grid"};
	settings_init(&o->settings);
	if (app_init(a, o, &e))
		bail_out("%s", e.text);
	app_resize(a, 80, 24);
	app_news(a);
	app_draw(a);
}

/* Each stage of loading is named, and has a bar and a rate of its own: a bar that stands full says that it is done. */
static void test_stages(void)
{
	static struct app a;
	struct tui_options o = {.paths = paths, .count = 1, .view = "grid"};
	struct session_news news = {.loading = true, .stage = PROGRESS_READ, .done = 4u << 20, .total = 8u << 20, .seconds = 2, .stage_seconds = 1};
	struct err e;

	settings_init(&o.settings);
	if (app_init(&a, &o, &e))
		bail_out("%s", e.text);
	app_resize(&a, 80, 24);
	a.work.news = news;
	ok(strstr(screen(&a), "reading lu.S.4.clog2") && strstr(screen(&a), "4 MiB of 8 MiB · 4 MiB/s · 1 s left"), "reading, in bytes");
	ok(strstr(screen(&a), "▅─"), "with half a bar");
	a.work.news.stage = PROGRESS_RELATE;
	a.work.news.done = 0;
	a.work.news.total = 1000;
	ok(strstr(screen(&a), "matching messages…") && !strstr(screen(&a), "▅"), "relating begins with an empty bar");
	ok(!strstr(screen(&a), " left") && strstr(screen(&a), "Esc stops"), "and with no guess at how long it takes");
	a.work.news.done = 250;
	ok(strstr(screen(&a), "250 of 1 000 · 250/s · 3 s left"), "its rate is its own");
	a.work.news.done = 1000;
	ok(strstr(screen(&a), "▅") && !strstr(screen(&a), "▅─"), "at its end the bar is full");
	a.work.news.loading = false;
	a.work.news.stage = PROGRESS_ORDER;
	a.work.news.done = 500;
	a.work.model.busy = true;
	ok(strstr(screen(&a), "ordering events…") && strstr(screen(&a), "▅─"), "the analysis that follows has one too");
	ok(!strstr(screen(&a), "ordering events 50 %"), "and is not told twice");
	app_key(&a, '?');
	ok(strstr(screen(&a), "ordering events 50 %") && !strstr(screen(&a), "▅─"), "but below the help it is told");
	app_key(&a, '1');
	a.work.news.seconds = 0.1;
	ok(strstr(screen(&a), "ordering events…") && !strstr(screen(&a), "▅"), "but not for a blink");
	app_release(&a);
}

/* What holds after a stop, at whatever moment it came. */
static bool in_order(struct app *a)
{
	session_wait_idle(a->work.session);
	app_news(a);
	app_draw(a);
	if (a->shell.quit)
		return a->shell.status == 130 || a->shell.status == 0;
	return a->work.model.trace && (!a->work.model.trace->partial || strstr(a->work.model.message, "Loading stopped"));
}

static void test_stop(void (*stop)(struct app *a), const char *what)
{
	static struct app a;
	struct tui_options o;
	bool good = true;

	for (int i = 0; i < 20 && good; i++) {
		start(&a, &o);
		for (int k = 0; k < i; k++)
			app_news(&a); /* a little later each time */
		stop(&a);
		good = in_order(&a);
		app_release(&a);
	}
	ok(good, "%s while it loads: what is loaded is kept, or it leaves in order", what);
}

static void escape(struct app *a)
{
	app_key(a, KEYCODE_ESC);
}

static void keys_and_escape(struct app *a)
{
	app_key(a, '3');
	app_key(a, ']');
	app_key(a, KEYCODE_ESC);
	app_key(a, 'j');
}

static void test_cancel_first(void)
{
	static struct app a;
	struct tui_options o;

	start(&a, &o);
	ok(a.work.news.loading || a.work.model.trace, "at first it is loading, or has already");
	a.work.news.loading = true; /* as it stands in the moment before the news of its end */
	app_interrupt(&a);
	ok(!a.shell.quit, "the first Ctrl-C stops the loading");
	app_interrupt(&a);
	ok(a.shell.quit && a.shell.status == 130, "the second leaves");
	app_release(&a);
}

/* The keys in one go, and each after the one before has been answered: the same timeline. */
static void test_waiting(void)
{
	static struct app a;
	struct tui_options o;
	double from[2], cell[2];
	uint32_t process[2];

	for (int slow = 0; slow < 2; slow++) {
		const struct timeline_view *s;

		start(&a, &o);
		app_settle(&a);
		for (const char *key = "4Z+jlll"; *key; key++) {
			app_key(&a, (uint32_t)*key);
			if (slow)
				app_settle(&a);
		}
		app_settle(&a);
		s = (const struct timeline_view *)a.work.views[VIEW_TIMELINE];
		from[slow] = s->from;
		cell[slow] = s->cell;
		process[slow] = a.work.model.cursor.process;
		app_release(&a);
	}
	is_double(cell[0], cell[1], 0, "keys before the timeline is read zoom it");
	is_double(from[0], from[1], 0, "and scroll it");
	is_u64(process[0], 1, "and move the cursor");
	ok(cell[1] > 0 && process[1] == 1, "as later ones do");
}

static void command(struct app *a, const char *line)
{
	struct err e;

	if (command_run(a, line, &e))
		bail_out("%s", e.text);
}

/* Above the prompt: what was typed may become, in the order that Tab has; and every action is there by its name. */
static void test_palette(void)
{
	static struct app a;
	struct tui_options o;
	struct palette_entry entry;
	int missing = 0, wrong = 0;

	start(&a, &o);
	app_settle(&a);
	type(&a, ":tun");
	ok(strstr(screen(&a), "1 command ") && strstr(screen(&a), "find thresholds that cover more"), "what a name may become, and what it does");
	app_key(&a, KEYCODE_TAB);
	ok(strstr(screen(&a), ":tune"), "Tab completes it");
	app_key(&a, KEYCODE_ESC);
	type(&a, ":made others");
	ok(!strstr(screen(&a), "command"), "behind a blank there are no names");
	app_key(&a, KEYCODE_ESC);
	type(&a, ":cause-");
	app_key(&a, KEYCODE_BACKSPACE);
	ok(strstr(screen(&a), "waited-for"), "a word of the meaning finds it, too");
	app_key(&a, KEYCODE_ESC);
	type(&a, ":set similarity ");
	ok(strstr(screen(&a), "   similarity bbp") && strstr(screen(&a), "   similarity phase"), "values");
	app_key(&a, KEYCODE_ESC);
	type(&a, ":write sample-");
	ok(strstr(screen(&a), "   sample-traces/\n"), "behind a command that writes, files");
	app_key(&a, KEYCODE_ESC);
	for (int i = 0; palette_entry("", i, &entry); i++) {
		char typed[64], out[PROMPT_TEXT];

		snprintf(typed, sizeof typed, "%s ", entry.name);
		for (int nth = 0; nth < 500 && command_complete(&a, typed, nth, out, sizeof out); nth++)
			wrong += strncmp(out, typed, strlen(typed)) != 0;
	}
	is_int(wrong, 0, "what is completed behind a name begins with it");
	for (int x = ACTION_NONE + 1; x < ACTION_COUNT; x++) {
		bool there = false;

		for (int i = 0; palette_entry(action_info((enum action)x)->name, i, &entry) && !there; i++)
			there = entry.action == (enum action)x;
		missing += !there;
	}
	is_int(missing, 0, "every action is found by its name");
	ok(!palette_entry("no such thing", 0, &entry), "and nothing by what is nothing");
	app_release(&a);
}

/* The screens' words are explained below the keys, and searched with them. */
static void test_words(void)
{
	static struct app a;
	struct tui_options o;

	start(&a, &o);
	app_settle(&a);
	command(&a, "glossary");
	ok(strstr(screen(&a), "analysis ranks      The ranks of an MPI job that share the"), "the words, and the first one's meaning");
	app_key(&a, KEYCODE_ESC);
	type(&a, "?/number of occurrences");
	app_key(&a, KEYCODE_ENTER);
	app_settle(&a);
	ok(strstr(screen(&a), "weight              The number of occurrences of a phase"), "found among the keys");
	app_release(&a);
}

/* Why two are not similar, and then so that they are: what is told before is what comes of it. */
static void test_merge(void)
{
	static struct app a;
	struct tui_options o;
	const struct compare_view *s;
	struct compare_merged *m;
	uint32_t left, right;

	start(&a, &o);
	app_settle(&a);
	app_key(&a, '3');
	app_settle(&a);
	for (int i = 0; i < 6; i++) { /* the first phase that would merge with its nearest */
		app_key(&a, 'w');
		app_settle(&a);
		s = (const struct compare_view *)a.work.views[VIEW_COMPARE];
		if (s->merge.possible)
			break;
		app_key(&a, '3');
		app_key(&a, 'j');
	}
	m = made_ref(s->merge.trying.now);
	if (!m)
		bail_out("nobody knows what would come of it");
	left = s->a;
	right = s->b;
	ok(s->merge.possible && strstr(screen(&a), " phases, coverage "), "what would come of it is told");
	app_key(&a, 'D');
	app_settle(&a);
	ok(settings_equal(&a.work.model.settings, &m->settings), "the key sets the threshold");
	is_u64(a.work.model.analysis->phases->count, m->phases, "there are as many phases as was told");
	ok(fabs(a.work.model.analysis->figures->coverage - m->coverage) < 1e-12, "and the coverage is what was told");
	ok(!s->b || s->b != right || s->a != left, "the two are one now");
	app_key(&a, 'u');
	app_settle(&a);
	ok(!settings_equal(&a.work.model.settings, &m->settings), "u takes it back");
	made_unref(m);
	app_release(&a);
}

/* Thresholds are looked for once; what a row says is what the analysis says with them; Esc stops the search and keeps
 * what was found. */
static void test_tune(void)
{
	static struct app a;
	struct tui_options o;
	struct tune_view *s;
	const struct figures *f;
	struct tune_point p;
	uint64_t serial;
	uint32_t whole = 0, turned = 0;

	start(&a, &o);
	app_settle(&a);
	command(&a, "tune");
	app_settle(&a);
	s = (struct tune_view *)a.work.views[VIEW_TUNE];
	ok(s->found.count && s->found.tried == s->found.searches, "all thresholds were tried");
	if (!s->found.count)
		bail_out("no thresholds were found");
	is_u64(list_row(&s->view.list), s->found.best, "the cursor is on those to begin with");
	app_key(&a, 'g');
	p = s->found.points[0];
	app_key(&a, KEYCODE_ENTER);
	app_settle(&a);
	f = a.work.model.analysis->figures;
	ok(f->relevant == p.relevant && a.work.model.analysis->phases->count == p.phases && fabs(f->coverage - p.coverage) < 1e-9,
	   "Enter: the analysis is what the row says");
	app_key(&a, 'u');
	app_settle(&a);
	for (uint32_t i = 0; i < s->found.count; i++) {
		p = s->found.points[i];
		turned += p.settings.order != a.work.model.settings.order || p.settings.absent != a.work.model.settings.absent;
		app_key(&a, 'Y');
		app_settle(&a);
		list_select(&a.work.views[VIEW_TUNE]->list, i);
		app_key(&a, KEYCODE_ENTER);
		app_settle(&a);
		f = a.work.model.analysis->figures;
		whole += settings_equal(&a.work.model.settings, &p.settings) && f->relevant == p.relevant && a.work.model.analysis->phases->count == p.phases &&
			 fabs(f->coverage - p.coverage) < 1e-9;
		app_key(&a, 'u');
		app_settle(&a);
	}
	ok(whole == s->found.count, "Enter on each row: its settings, and the analysis that it says (%u of %u)", whole, s->found.count);
	ok(turned, "another order, or way to count absent events, is among them");
	app_key(&a, 'Y');
	app_settle(&a);
	app_key(&a, 'g');
	p = s->found.points[0];
	app_key(&a, KEYCODE_ENTER);
	app_settle(&a);
	serial = s->found_serial;
	app_key(&a, 'Y');
	app_settle(&a);
	ok(s->found_serial == serial && strstr(screen(&a), "●"), "its thresholds start no other search, and are marked");
	app_key(&a, 'u');
	app_settle(&a);
	ok(a.work.model.settings.relevance < p.settings.relevance || !settings_same_phases(&a.work.model.settings, &p.settings), "u takes them back");
	command(&a, "tune");
	app_settle(&a);
	derived_again(&s->looking);
	tune_search_update(s);
	background_park(a.work.model.background, s->looking.slot);
	app_draw(&a);
	app_key(&a, KEYCODE_ESC);
	app_settle(&a);
	ok(!strcmp(s->looking.failure, "Stopped.") && s->found.count, "Esc stops the search, and what was found stays");
	app_release(&a);
}

/* A plan is made once for what it depends on, and Esc stops it. */
static void test_plan(void)
{
	static struct app a;
	struct tui_options o;
	const struct plan_view *s;
	const struct plan *plan;
	struct model *m = &a.work.model;

	start(&a, &o);
	app_settle(&a);
	command(&a, "set warmup-seconds 0");
	command(&a, "plan 90% 0.0001");
	app_settle(&a);
	s = (const struct plan_view *)a.work.views[VIEW_PLAN];
	plan = s->plan;
	ok(plan && plan->choice >= 0, "a plan is made, and one of its designs chosen");
	if (!plan || plan->choice < 0)
		bail_out("there is no plan");
	app_key(&a, KEYCODE_ENTER);
	app_settle(&a);
	is_u64(a.work.model.analysis->settings.windows, plan->candidate[plan->choice].windows, "Enter: it is analysed");
	app_key(&a, '$');
	app_settle(&a);
	ok(s->plan == plan && s->of->analysis != a.work.model.analysis, "settings of windows change nothing in a plan");
	command(&a, "set warmup-seconds 1ms");
	app_settle(&a);
	ok(s->plan && s->of->analysis == a.work.model.analysis && s->plan->warmup > 0, "what it costs to warm up does: it is made again");
	command(&a, "plan 50%");
	derived_forget(&m->plan); /* it may have come already */
	run_plan_update(m);
	background_park(m->background, m->plan.slot);
	app_key(&a, KEYCODE_ESC);
	app_settle(&a);
	ok(!strcmp(m->plan.failure, "Stopped.") && !s->plan && strstr(screen(&a), "Stopped."), "Esc stops it, and that is said");
	app_key(&a, KEYCODE_ENTER);
	app_settle(&a);
	ok(s->plan && !a.work.model.plan.failure[0], "Enter plans again");
	app_release(&a);
}

/* Blocks take long on long traces: they are compared only once they are asked for. */
static void test_blocks(void)
{
	static struct app a;
	struct tui_options o;

	start(&a, &o);
	app_settle(&a);
	app_key(&a, '5');
	app_settle(&a);
	ok(a.work.model.analysis && !a.work.model.analysis->bbps, "comparing phases compares no blocks");
	app_key(&a, 'v');
	app_settle(&a);
	ok(a.work.model.analysis && a.work.model.analysis->bbps, "comparing blocks does");
	app_release(&a);
}

/* Lines of a file; 0: there is none. */
static uint32_t lines(const char *path)
{
	FILE *f = fopen(path, "r");
	uint32_t n = 0;

	for (int c; f && (c = getc(f)) != EOF;)
		n += c == '\n';
	if (f)
		fclose(f);
	return n;
}

/* A list is written between keys. Whatever comes in between, the file is there with all rows or not at all. */
static void test_export(void)
{
	static struct app a;
	struct tui_options o;
	char dir[] = "/tmp/pas2p-test.XXXXXX", path[64];
	struct err e;
	uint32_t all, n;

	if (!mkdtemp(dir))
		bail_out("no directory");
	snprintf(path, sizeof path, "%s/x.csv", dir);
	start(&a, &o);
	app_settle(&a);
	app_key(&a, '2');
	app_settle(&a);
	all = view_list(a.work.views[VIEW_BBPS])->total + 1;
	ok(all > 100, "there are rows");
	ok(!app_export(&a, path, false, false, &e), "an export begins");
	while (app_work(&a))
		;
	is_u64(lines(path), all, "and ends with a line for each row and the head");
	remove(path);
	ok(!app_export(&a, path, false, false, &e), "another begins");
	app_key(&a, 'j');
	app_key(&a, 's');
	while (app_work(&a))
		;
	is_u64(lines(path), all, "moving and sorting do not end it");
	remove(path);
	ok(!app_export(&a, path, false, false, &e), "another begins");
	app_stop_work(&a);
	ok(!app_work(&a) && !a.work.exporting, "it is stopped");
	n = lines(path);
	ok(n == 0 || n == all, "all rows or no file");
	remove(path);
	ok(!app_export(&a, path, false, false, &e), "another begins");
	app_key(&a, ']');
	app_settle(&a);
	n = lines(path);
	ok(n == 0 || n == all, "other thresholds while it is written: all rows or no file");
	remove(path);
	app_release(&a);
	ok(!remove(dir), "nothing else is left behind");
}

/* The screen shows 100 processes as 64; what is exported has each of them, and of a filter those that its rows hold. */
static void test_groups(void)
{
	static struct app a;
	struct tui_options o = {.count = 1, .view = "grid"};
	struct clog2_write_options how = gen_clog2_options(40, true, true, 65536);
	struct gen_bytes b = gen_clog2_run(&how, 100, 3);
	char dir[] = "/tmp/pas2p-test.XXXXXX", trace[64], path[64];
	const char *const files[] = {trace};
	struct err e;
	FILE *f;

	if (!mkdtemp(dir))
		bail_out("no directory");
	snprintf(trace, sizeof trace, "%s/x.clog2", dir);
	snprintf(path, sizeof path, "%s/x.csv", dir);
	f = fopen(trace, "w");
	if (!f || fwrite(b.bytes, 1, b.size, f) != b.size || fclose(f))
		bail_out("cannot write %s", trace);
	free(b.bytes);
	settings_init(&o.settings);
	o.paths = files;
	if (app_init(&a, &o, &e))
		bail_out("%s", e.text);
	app_resize(&a, 120, 40);
	app_settle(&a);
	app_key(&a, '6');
	app_settle(&a);
	for (const char *key = "/^r2–3\r"; *key;) {
		uint32_t c;

		key += text_decode(key, 8, &c);
		app_key(&a, c);
	}
	app_settle(&a);
	ok(!app_export(&a, path, false, false, &e), "times of groups are exported");
	app_settle(&a);
	is_u64(lines(path), 101, "each process has a row");
	remove(path);
	for (const char *key = "&^r2–3\r"; *key;) {
		uint32_t c;

		key += text_decode(key, 8, &c);
		app_key(&a, c);
	}
	app_settle(&a);
	ok(!app_export(&a, path, false, false, &e), "of one group too");
	app_settle(&a);
	is_u64(lines(path), 3, "there are its two");
	remove(path);
	app_key(&a, 'J');
	app_settle(&a);
	ok(!app_export(&a, path, false, false, &e), "and what they send");
	app_settle(&a);
	is_u64(lines(path), 3, "each to the next");
	remove(path);
	app_release(&a);
	remove(trace);
	ok(!remove(dir), "nothing else is left");
}

/* A key behind a new result, before that is drawn, means what it has. */
static void test_key_behind_result(void)
{
	static struct app a;
	struct compare_view *s;
	struct tui_options o;
	struct settings few;

	start(&a, &o);
	session_wait_idle(a.work.session);
	app_news(&a);
	app_draw(&a);
	app_key(&a, '5');
	s = (struct compare_view *)a.work.views[VIEW_COMPARE];
	s->a = a.work.model.analysis->phases->count;
	app_draw(&a);
	is_u64(s->a, a.work.model.analysis->phases->count, "the last phase is compared");
	few = a.work.model.settings;
	few.events = 0;
	few.volume = 1;
	app_settings(&a, &few, -1);
	session_wait_idle(a.work.session);
	app_news(&a);
	ok(s->a && s->a <= a.work.model.analysis->phases->count, "among fewer, one that there is");
	app_key(&a, 'i');
	ok(a.work.here == VIEW_GRID, "its place is shown");
	app_release(&a);
}

/* Zooming several times is one change; turning the grid before that is another. */
static void test_undo_of_looks(void)
{
	static struct app a;
	struct tui_options o;
	const struct grid *g;

	start(&a, &o);
	app_settle(&a);
	g = (const struct grid *)a.work.views[VIEW_GRID];
	type(&a, "x--");
	ok(g->transposed && g->zoom == 2, "the grid is turned and zoomed");
	type(&a, "u");
	ok(g->transposed && g->zoom == 0, "undo takes both zooms back, and leaves it turned");
	type(&a, "u");
	ok(!g->transposed, "the next one turns it back");
	app_release(&a);
}

static uint32_t selected_tick(struct app *a)
{
	const struct phases *p = a->work.model.analysis->phases;
	uint32_t row = list_row(&a->work.views[VIEW_PHASES]->list);

	return p->occurrences[p->by_phase[p->phase_first[row]]].first;
}

/* A phase's number is another one's once a threshold is turned: what is selected is the same part of the run. */
static void test_selected_phase(void)
{
	static struct app a;
	struct tui_options o;
	const struct phases_view *v;
	const struct phases *p;
	uint32_t tick, phases;
	struct settings s;

	start(&a, &o);
	app_settle(&a);
	type_and_settle(&a, "3");
	phases = a.work.model.analysis->phases->count;
	for (int i = 0; i < 9; i++)
		type_and_settle(&a, "j");
	tick = selected_tick(&a);
	s = a.work.model.settings;
	s.events = 0.5;
	app_settings(&a, &s, -1);
	app_settle(&a);
	p = a.work.model.analysis->phases;
	ok(p->count < phases, "(there are fewer phases)");
	is_int(list_row(&a.work.views[VIEW_PHASES]->list) + 1, p->occurrences[phases_occurrence_at(p, tick)].phase, "the selected phase is the one that it was part of");
	type_and_settle(&a, "\r");
	type_and_settle(&a, "u");
	v = (const struct phases_view *)a.work.views[VIEW_PHASES];
	ok(v->inside && v->inside == list_row(&a.work.views[VIEW_PHASES]->list) + 1, "and so it is where its occurrences are shown");
	app_release(&a);
}

/* 100 processes of 10 s each, in a barrier for a second or a little more; rank 41 for eight. */
static void test_many(void)
{
	static struct app a;
	struct tui_options o = {.count = 1};
	struct gen_calls *g = gen_calls_new(100, NULL);
	char dir[] = "/tmp/pas2p-test.XXXXXX", trace[64], status[256];
	const char *const files[] = {trace};
	const struct processes_view *s;
	struct err e;

	if (!mkdtemp(dir))
		bail_out("no directory");
	snprintf(trace, sizeof trace, "%s/many.clog2", dir);
	for (int32_t p = 0; p < 100; p++) {
		gen_mark(g, p, 0);
		gen_call(g, p, 1, p == 41 ? 9 : 2 + p % 4 * 0.1, "MPI_Barrier");
		gen_message(g, p, 9.5, true, (p + 1) % 100, 8, 0);
		gen_message(g, p, 9.6, false, (p + 99) % 100, 8, 0);
		gen_mark(g, p, 10);
	}
	gen_file(trace, gen_calls_bytes(g));
	settings_init(&o.settings);
	o.paths = files;
	if (app_init(&a, &o, &e))
		bail_out("%s", e.text);
	app_resize(&a, 120, 40);
	app_settle(&a);
	type(&a, "6JJ");
	app_settle(&a);
	a.work.views[VIEW_SUMMARY]->ops->status(a.work.views[VIEW_SUMMARY], status, sizeof status, 100);
	ok(strstr(status, "ranks 0–1 · 20.00 s: computation 89.50 % (most r0 90.0 %, least r1 89.0 %)"), "a mean of two names its ends: %s", status);
	type(&a, "@");
	app_settle(&a);
	s = (const struct processes_view *)a.work.views[VIEW_PROCESSES];
	ok(s->figures[1].outliers == 1 && s->figures[1].outlier_row == 41 && s->figures[1].least_row == 41, "one of 100 stands out, and is named");
	is_int(processes_stands_out(s, 41, 1), -1, "... below the others");
	is_double(s->figures[1].mean, 8.781, 1e-9, "... as the mean hides");
	is_int(s->list_h + s->foot_h <= 40, 1, "rows and their foot share the screen");
	app_release(&a);
	remove(trace);
	ok(!remove(dir), "nothing else is left");
}

/* Heat of another zoom stands in until its own is there. */
static void test_heat(void)
{
	static struct app a;
	struct tui_options o;
	const struct grid *g;
	uint32_t tick;

	start(&a, &o);
	app_settle(&a);
	g = (const struct grid *)a.work.views[VIEW_GRID];
	type(&a, "1Zvvv");
	app_settle(&a);
	ok(grid_heat_maps(g, HEAT_WAITING) && grid_heat_maps(g, HEAT_WAITING)->frame.per == g->zoom && g->heat.measure == HEAT_WAITING, "the whole run's waiting is there");
	type(&a, "+");
	ok(grid_heat_maps(g, HEAT_WAITING) != NULL, "zoomed in, that of before stands in");
	app_settle(&a);
	ok(grid_heat_maps(g, HEAT_WAITING)->frame.per == g->zoom && grid_heat_maps(g, HEAT_WAITING)->frame.first == 0, "until its own is there, of the whole run");
	type(&a, "LLL");
	ok(g->first_tick > 0 && !derived_busy(&g->heat.maps), "scrolling asks for nothing more");
	app_resize(&a, 80, 10);
	app_draw(&a);
	tick = a.work.model.cursor.tick;
	ok(g->process_cells < 4 && !g->view.ops->click(a.work.views[VIEW_GRID], g->gutter, g->h) && a.work.model.cursor.tick == tick &&
	   !a.work.model.cursor.process, "the legend is no process that could be clicked");
	app_release(&a);
}

int main(void)
{
	test_stages();
	test_heat();
	test_many();
	test_undo_of_looks();
	test_selected_phase();
	test_key_behind_result();
	test_export();
	test_groups();
	test_waiting();
	test_plan();
	test_tune();
	test_merge();
	test_palette();
	test_words();
	test_blocks();
	test_stop(escape, "Esc");
	test_stop(app_interrupt, "Ctrl-C");
	test_stop(keys_and_escape, "other keys and Esc");
	test_cancel_first();
	return done_testing();
}
