/* View 0 where it is hard: it fills while a trace is read and computed, and says what is not known yet or never will
 * be; a knob's old figures stay, dimmed, until the new ones are there; every line leads to the view that shows more of
 * it; loops fold in place; whatever keys come, at whatever size, the cursor stands on something and nothing is drawn
 * beyond the screen.
 */
#include <math.h>
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
#include "tui/views/metrics/metrics_int.h"
#include "tui/views/overview/overview_int.h"

static const char *const lu[] = {"sample-traces/lu.S.4.clog2"}, *const cg[] = {"sample-traces/cg.S.4.clog2"};

static struct overview_view *view_of(struct app *a)
{
	return (struct overview_view *)a->work.views[VIEW_OVERVIEW];
}

static void init(struct app *a, struct tui_options *o, const char *const *files)
{
	struct err e;

	*o = (struct tui_options){.paths = files, .count = 1};
	settings_init(&o->settings);
	if (app_init(a, o, &e))
		bail_out("%s", e.text);
	app_resize(a, 80, 24);
}

static void start(struct app *a, struct tui_options *o, const char *const *files)
{
	init(a, o, files);
	app_settle(a);
}

/* The cursor on a line. */
static void on(struct app *a, enum overview_line line)
{
	if (a->work.here != VIEW_OVERVIEW)
		type_and_settle(a, "0");
	type_and_settle(a, "g");
	for (int i = 0; i < PAGE_LINES && overview_here(view_of(a))->line != line; i++)
		type_and_settle(a, "j");
	if (overview_here(view_of(a))->line != line)
		bail_out("line %d is not reached", (int)line);
}

/* --- it fills --- */

static void test_filling(void)
{
	static struct app a;
	struct tui_options o;
	const char *text;

	init(&a, &o, lu);
	a.work.news = (struct session_news){.loading = true, .stage = PROGRESS_READ, .done = 4u << 20, .total = 8u << 20, .seconds = 2, .stage_seconds = 1};
	text = screen(&a);
	ok(a.work.here == VIEW_OVERVIEW, "it is what a trace is opened with");
	ok(strstr(text, "time breakdown    reading") && strstr(text, "signature         reading"), "while the trace is read, each line says so");
	ok(strstr(text, "reading lu.S.4.clog2") && strstr(text, "4 MiB of 8 MiB"), "and below them stands how far that is");
	type_and_settle(&a, "jjl");
	ok(a.work.here == VIEW_OVERVIEW, "keys do no harm then");
	app_release(&a);

	init(&a, &o, lu);
	session_wait_idle(a.work.session);
	app_news(&a);
	if (!a.work.model.analysis)
		bail_out("there is no analysis");
	app_draw(&a); /* asks for the rest */
	background_wait_idle(a.work.model.background);
	text = screen(&a); /* takes the run's metrics */
	ok(strstr(text, "29.8 %") && strstr(text, "16 phases, 8 relevant, which cover 92.5 %"), "then it fills");
	app_settle(&a);
	ok(strstr(screen(&a), "49 x [ sweep from 0; sweep from 3; halo 2x2 ]") && !strstr(screen(&a), "computing"), "until all is known");
	app_release(&a);
}

/* As if what makes it were still at it. */
static void test_not_yet(void)
{
	static struct app a;
	struct tui_options o;
	struct overview_view *s;
	char why[OVERVIEW_TEXT];

	start(&a, &o, lu);
	s = view_of(&a);
	made_unref(s->run);
	s->run = NULL;
	is_str(overview_why_not(s, PAGE_TIME, why), "computing", "the account is being computed");
	overview_go(s);
	is_str(a.work.model.message, "No details yet: computing.", "which Enter says, too");
	snprintf(a.work.model.spending.run.failure, sizeof a.work.model.spending.run.failure, "No memory.");
	is_str(overview_why_not(s, PAGE_TIME, why), "unknown: no memory; Enter tries again", "or could not be");
	is_str(overview_why_not(s, PAGE_WARNINGS, why), NULL, "which says nothing of warnings");
	app_release(&a);
}

/* One figure for one thing: what the tracer takes is no computation in the list of routines, as it is none in the
 * account. */
static void test_computing(void)
{
	static struct app a;
	struct tui_options o;
	struct overview_view *s;
	struct state_row *program;
	char share[UNIT_TEXT], line[64];
	double all;

	start(&a, &o, lu);
	app_resize(&a, 160, 60);
	app_settle(&a);
	s = view_of(&a);
	program = &s->run->states.row[0];
	program->own.by_kind[ACCOUNT_TRACER] = program->own.by_kind[ACCOUNT_USEFUL] * 0.5;
	program->own.by_kind[ACCOUNT_USEFUL] *= 0.5;
	all = s->run->metrics->runtime * s->run->metrics->processes;
	unit_figure_percent(share, program->own.by_kind[ACCOUNT_USEFUL] / all);
	app_draw(&a);
	snprintf(line, sizeof line, "%s", strstr(screen(&a), " computation") ? strstr(screen(&a), " computation") : "");
	ok(line[0] && strstr(screen(&a), share), "computing is %s", share);
	app_release(&a);
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

/* Names in a trace are someone else's: a routine that would clear the screen, and one without an end. */
static void test_names(void)
{
	static const char *const names[] = {"\033[2J\033]0;x\007", "\342\200\256evil\nline", "%s%n%s"};
	static struct app a;
	struct gen_calls *g = gen_calls_new(2, NULL);
	char dir[] = "/tmp/pas2p-test.XXXXXX", path[64];
	const char *const files[] = {path};
	struct tui_options o;

	for (int p = 0; p < 2; p++)
		for (int i = 0; i < 3; i++) {
			gen_begin(g, p, 10 * i, names[i]);
			gen_begin(g, p, 10 * i + 1 + p, "MPI_Barrier");
			gen_end(g, p, 10 * i + 4, "MPI_Barrier");
			gen_end(g, p, 10 * i + 9, names[i]);
		}
	write_trace(gen_calls_bytes(g), dir, path, sizeof path);
	start(&a, &o, files);
	app_resize(&a, 200, 60);
	app_settle(&a);
	ok(strstr(screen(&a), "functions by time") && strstr(screen(&a), "%s%n%s"), "routines are shown by name");
	ok(!strstr(screen(&a), "\033") && !strstr(screen(&a), "\007") && !strstr(screen(&a), "\342\200\256"), "and speak to no terminal");
	type_and_settle(&a, "Gkk");
	ok(!strstr(screen(&a), "\033"), "nor in the line at the foot");
	app_release(&a);
	remove(path);
	remove(dir);
}

static void test_stop(void)
{
	static struct app a;
	struct tui_options o;
	struct model *m = &a.work.model;

	start(&a, &o, lu);
	type(&a, "v");
	spending_forget(&m->spending);
	derived_forget(&m->structure);
	spending_update(m);
	program_structure_update(m);
	background_park(m->background, m->spending.run.slot);
	background_park(m->background, m->structure.slot);
	app_draw(&a);
	app_key(&a, KEYCODE_ESC);
	background_wait_idle(m->background);
	ok(strstr(screen(&a), "time breakdown    unknown: stopped; Enter tries again") && strstr(screen(&a), "loop structure    unknown: stopped; Enter tries again"),
	   "Esc stops what is made behind the screen, and each line says that it was");
	app_key(&a, KEYCODE_ENTER);
	app_settle(&a);
	app_key(&a, '0');
	ok(strstr(screen(&a), "29.8 %") && !strstr(screen(&a), "tries again"), "and Enter begins it again");
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
	ok(strstr(screen(&a), "time breakdown    the trace has no MPI calls, only messages"), "what a trace does not support is absent, and it says why");
	ok(!strstr(screen(&a), "compute 0.0"), "and never 0");
	for (int line = 0; line < PAGE_LINES; line++) {
		on(&a, (enum overview_line)line);
		type_and_settle(&a, "\r");
	}
	ok(!a.shell.quit, "Enter on each line is safe");
	on(&a, PAGE_TIME);
	type_and_settle(&a, "\r");
	is_str(a.work.model.message, "No details: the trace has no MPI calls, only messages.", "and says why it leads nowhere");
	app_release(&a);
	remove(path);
	remove(dir);
}

/* --- a knob --- */

static void test_knob(void)
{
	static struct app a;
	struct tui_options o;
	struct overview_view *s;
	struct settings fewer;

	start(&a, &o, lu);
	type(&a, "v");
	s = view_of(&a);
	ok(!overview_is_old(s, PAGE_STRUCTURE) && !overview_is_old(s, PAGE_PHASES), "what is shown is of these thresholds");
	fewer = a.work.model.settings;
	fewer.events = 0.4;
	app_settings(&a, &fewer, -1);
	ok(overview_is_old(s, PAGE_PHASES), "a knob has moved: figures of the phases are old at once");
	session_wait_idle(a.work.session);
	app_news(&a);
	ok(overview_is_old(s, PAGE_STRUCTURE) && strstr(screen(&a), "49("), "the structure stays as it was, as an old one");
	ok(!overview_is_old(s, PAGE_TIME), "where the time went does not hang on thresholds");
	app_settle(&a);
	app_draw(&a);
	ok(!overview_is_old(s, PAGE_STRUCTURE) && s->facts.phases == a.work.model.analysis->phases->count, "until the new one is there");
	type_and_settle(&a, "u");
	ok(strstr(screen(&a), "16 phases, 8 relevant, which cover 92.5 %"), "and u brings the figures back");
	app_release(&a);
}

/* --- lines lead further --- */

static void test_jumps(void)
{
	static const struct {
		enum overview_line line;
		enum view_id view;
	} jumps[] = {
		{PAGE_TIME, VIEW_METRICS}, {PAGE_EFFICIENCY, VIEW_METRICS}, {PAGE_PHASES, VIEW_PHASES}, {PAGE_ITERATION, VIEW_GRID},
		{PAGE_LOST, VIEW_TIMELINE}, {PAGE_SLOWEST, VIEW_METRICS}, {PAGE_HEAVIEST, VIEW_SUMMARY}, {PAGE_SIGNATURE, VIEW_PLAN},
		{PAGE_WARNINGS, VIEW_SUMMARY}, {PAGE_NEXT, VIEW_METRICS},
	};
	static struct app a;
	struct tui_options o;
	const struct metrics_view *metrics;
	struct overview_view *s;
	uint32_t first, end;

	start(&a, &o, lu);
	s = view_of(&a);
	metrics = (const struct metrics_view *)a.work.views[VIEW_METRICS];
	for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
		on(&a, jumps[i].line);
		type_and_settle(&a, "\r");
		is_int((int)a.work.here, (int)jumps[i].view, "line %d leads on", (int)jumps[i].line);
	}
	is_int((int)metrics->by, GUILTY_BY_CAUSE, "the first step shows who made others wait");
	on(&a, PAGE_SLOWEST);
	type_and_settle(&a, "\r");
	is_int((int)metrics->by, GUILTY_BY_PROCESS, "the slowest, all processes");
	on(&a, PAGE_ITERATION);
	type_and_settle(&a, "Lll\r");
	is_u64(s->iteration, 4, "L goes to the first that stands out, from there two on");
	ok(program_structure_iteration(&a.work.model, 4, &first, &end) && a.work.model.cursor.tick == first, "the grid is where that begins");
	type_and_settle(&a, "0");
	ok(overview_here(s)->line == PAGE_ITERATION && s->iteration == 4, "back here the cursor is where it was");
	type_and_settle(&a, "3");
	app_key(&a, KEYCODE_ESC);
	ok(a.work.here == VIEW_OVERVIEW, "Esc comes back from any view");
	app_key(&a, KEYCODE_ESC);
	ok(a.work.here == VIEW_OVERVIEW && strstr(a.work.model.message, "Q quits"), "and says how to leave");
	on(&a, PAGE_HEAVIEST);
	type_and_settle(&a, "\r");
	ok(strstr(screen(&a), "Messages between ranks"), "the matrix is on the screen");
	app_release(&a);
}

static void test_words(void)
{
	static struct app a;
	struct tui_options o;
	struct overview_view *s;
	uint32_t words;

	start(&a, &o, cg);
	s = view_of(&a);
	on(&a, PAGE_STRUCTURE);
	type(&a, "v");
	words = s->word_count;
	is_u64(s->word, 0, "the main loop is of the reading: the cursor is on the first word");
	type_and_settle(&a, "lllllllll");
	ok(strstr(screen(&a), "loop of 14 iterations") && !strstr(screen(&a), "main loop of 14"), "the line at the foot explains a loop");
	type_and_settle(&a, "\r");
	ok(strstr(screen(&a), "3 2 4 14(...) 2 25(3 2*2)") && s->word_count < words, "Enter folds it in place");
	type_and_settle(&a, "\r");
	ok(s->word_count == words && strstr(screen(&a), "14(2 25(3 2*2) 3 2 5) 2"), "and unfolds it");
	type_and_settle(&a, "ll\r");
	ok(strstr(screen(&a), "14(2 25(...) 3 2 5)"), "an inner loop too, wherever it stands");
	type_and_settle(&a, "\r");
	for (int i = 0; i < 100; i++)
		type_and_settle(&a, "l");
	is_u64(s->word, words - 1, "the last word is the end");
	is_u64(overview_word_phase(s), 6, "which is phase 6");
	type_and_settle(&a, "\r");
	ok(a.work.here == VIEW_PHASES && list_row(&a.work.views[VIEW_PHASES]->list) == 5, "Enter on a phase shows it in the list");
	type_and_settle(&a, "0");
	app_mouse(&a, 21, 3, 0);
	ok(overview_here(s)->line == PAGE_STRUCTURE && s->word == 1, "a click is on the word under it");
	app_mouse(&a, 21, 3, 0);
	app_settle(&a);
	ok(a.work.here == VIEW_PHASES && list_row(&a.work.views[VIEW_PHASES]->list) == 1, "a second one opens it");
	app_release(&a);
}

/* The word at the cursor, without counts and brackets of others. */
static const char *word_here(const struct overview_view *s)
{
	static char text[64];

	overview_reading_word_text(s, overview_word_here(s), s->words[s->word].folded, text);
	return text;
}

static void test_reading(void)
{
	static struct app a;
	struct tui_options o;
	struct overview_view *s;
	const struct patterns *x;
	struct program_structure *of;
	struct settings fewer;
	uint32_t words, e;

	start(&a, &o, cg);
	s = view_of(&a);
	on(&a, PAGE_STRUCTURE);
	ok(overview_reads(s) && overview_here(s)->y == 0, "the page begins with the run in words");
	is_str(word_here(s), "15 x [", "the cursor is on the loop that most of the run is in");
	ok(strstr(screen(&a), "main loop of 15 iterations · "), "which the line at the foot explains");
	of = s->structure;
	is_u64(overview_reading_main(s), of->structure->main.loop, "it is the main loop of the structure");
	s->structure = NULL;
	ok(overview_reading_main(s) == STRUCTURE_NO_LOOP, "and none is as long as that is not there");
	s->structure = of;
	ok(strstr(screen(&a), "barrier; 15 x [ pair exchange ^1 8 B; 25 x [\n"), "what does not fit goes on below, at a word");
	ok(strstr(screen(&a), "time by pattern   73 % pair exchanges, 18 % transposes, 8 % broadcast"), "and below it stands what the time is spent in");
	words = s->word_count;
	type_and_settle(&a, "\r");
	ok(strstr(screen(&a), "15 x [...]; reduce") && s->word_count < words, "Enter folds a loop in place");
	type_and_settle(&a, "\r");
	is_u64(s->word_count, words, "and unfolds it");
	type_and_settle(&a, "lll");
	is_str(word_here(s), "pair exchange ^1 4 KB", "l goes along");
	ok(strstr(screen(&a), " exchange in pairs of ranks that differ by bit 1 · 73.2 % of the run time\n"), "a pattern says first what it means");
	x = a.work.model.analysis->patterns;
	type_and_settle(&a, "\r");
	e = model_event(&a.work.model);
	ok(a.work.here == VIEW_GRID && e != NO_EVENT && x->instance_of[e] == overview_word_here(s)->first && !strcmp(x->list[x->instances[x->instance_of[e]].pattern].name, "pair exchange ^1"),
	   "Enter shows it in the logical view");
	type_and_settle(&a, "0v");
	ok(!overview_reads(s) && strstr(screen(&a), "14(2 25(3 2*2) 3 2 5) 2"), "v shows the numbers of phases");
	type_and_settle(&a, "v");
	ok(overview_reads(s) && strstr(screen(&a), "15 x ["), "and words again");
	fewer = a.work.model.settings;
	fewer.events = 0.4;
	app_settings(&a, &fewer, -1);
	ok(overview_is_old(s, PAGE_PATTERNS) && !overview_is_old(s, PAGE_STRUCTURE), "a threshold moves shares, not the reading");
	app_settle(&a);
	app_draw(&a);
	ok(!overview_is_old(s, PAGE_PATTERNS), "until the new shares are there");
	app_release(&a);
}

/* An analysis comes first without names: then there are numbers. */
static void test_no_names(void)
{
	static struct app a;
	struct tui_options o;
	struct overview_view *s;

	start(&a, &o, lu);
	s = view_of(&a);
	analysis_unref(s->read);
	s->read = NULL;
	overview_lay_out(s, s->w, s->h);
	ok(!overview_reads(s) && s->word_count, "without names, numbers");
	type(&a, "v");
	is_str(a.work.model.message, "There is no reading of this trace, or not yet.", "and v says why");
	app_release(&a);
}

/* --- whatever comes --- */

static bool stands(struct app *a)
{
	const struct overview_view *s = view_of(a);

	app_draw(a);
	if (a->shell.quit)
		return false;
	if (a->work.here != VIEW_OVERVIEW || a->shell.canvas.w < APP_MIN_W || a->shell.canvas.h < APP_MIN_H)
		return true;
	return overview_here(s) && (s->page_h <= s->h || (overview_here(s)->y >= s->top && overview_here(s)->y < s->top + s->h));
}

static void test_sizes(void)
{
	static struct app a;
	static const char *const files[][1] = {
		{"sample-traces/lu.S.4.clog2"}, {"sample-traces/userstates.3.clog2"}, {"sample-traces/one_rank.1.clog2"}, {"sample-traces/ep.S.4.clog2"},
	};
	struct tui_options o;

	for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
		bool good = true;

		start(&a, &o, files[f]);
		for (int h = 1; h <= 70 && good; h += h < 20 ? 1 : 7)
			for (int w = 1; w <= 300 && good; w += w < 50 ? 9 : 31) {
				app_resize(&a, w, h);
				good = stands(&a);
				for (const char *key = "GkkhllHLg"; *key && good; key++) {
					app_key(&a, (uint32_t)*key);
					good = stands(&a);
				}
			}
		ok(good, "%s at every size", files[f][0]);
		app_release(&a);
	}
}

static void test_many(void)
{
	static struct app a;
	struct clog2_write_options how = gen_clog2_options(40, true, true, 65536);
	char dir[] = "/tmp/pas2p-test.XXXXXX", path[64];
	const char *const files[] = {path};
	struct tui_options o;

	write_trace(gen_clog2_run(&how, 1024, 2), dir, path, sizeof path);
	start(&a, &o, files);
	app_resize(&a, 200, 60);
	ok(strstr(screen(&a), "–1023 "), "1 024 processes: bars of several each");
	app_release(&a);
	remove(path);
	remove(dir);
}

/* Keys as a cat types them; nothing waits for the work in the background. */
static void test_any_keys(void)
{
	static const char keys[] = "jkhlHLgG\r\r0123456780[]{}()uoycvtT%sSwbz-+ZMAB<>'a$\033";
	static struct app a;
	struct tui_options o;
	uint32_t seed = 12345;
	bool good = true;

	start(&a, &o, lu);
	for (int i = 0; i < 3000 && good; i++) {
		seed = seed * 1664525 + 1013904223;
		if (seed >> 24 < 3)
			app_resize(&a, 1 + (int)(seed >> 4) % 220, 1 + (int)(seed >> 12) % 70);
		app_key(&a, (uint32_t)(unsigned char)keys[(seed >> 8) % (sizeof keys - 1)]);
		if (a.shell.prompt.kind)
			app_key(&a, KEYCODE_ESC);
		if (seed >> 29 == 0)
			app_news(&a);
		good = stands(&a);
		if (!good)
			diag("key %d", i);
	}
	ok(good, "three thousand keys");
	app_settle(&a);
	ok(stands(&a), "and all work done");
	app_release(&a);
}

int main(void)
{
	test_filling();
	test_not_yet();
	test_computing();
	test_stop();
	test_names();
	test_no_states();
	test_knob();
	test_jumps();
	test_words();
	test_reading();
	test_no_names();
	test_sizes();
	test_many();
	test_any_keys();
	return done_testing();
}
