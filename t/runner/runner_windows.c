/* Windows, from a phase table to a result: what ranks are told (one checkpoint a window, a boundary between two
 * occurrences once), and what measured durations come to: times, prediction and interval as docs/explain/windows.md
 * works them out by hand, what several runs do to them, and the doubts that the durations themselves raise: a warm-up
 * that was too short, phases measured as nothing.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/documents/result.h"
#include "core/reports/reports.h"
#include "runner/runner.h"
#include "runner/runner_int.h"
#include "tap.h"

#define RANKS 2
#define OCCURRENCES 12
#define WINDOWS 4

/* The run of the page: phases 1 2 3 2 3 2 ..., their durations; windows 1 (extra), 2-4, 6, 10-12. */
static const uint32_t phase_of[OCCURRENCES] = {1, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2};
static const double duration[OCCURRENCES] = {1, 2, .5, 2, .7, 3, .5, 2, .6, 2, .5, 2};
static const uint32_t bounds[WINDOWS][2] = {{1, 1}, {2, 4}, {6, 6}, {10, 12}};

/* Calls of an occurrence: phase 1 three on rank 0, phase 2 one on each, phase 3 two on rank 1. */
static uint32_t calls[3][RANKS] = {{3, 0}, {1, 1}, {0, 2}};

static struct table_pattern patterns[3];
static struct table_step steps[WINDOWS][3];
static struct table_window windows[WINDOWS];
static struct table_measured measured[3];
static struct table_windows whole;
static struct table_phase phases[3];
static uint32_t counts[OCCURRENCES + 1][RANKS];
static uint8_t before[RANKS] = {1, 0};
static struct table table;

static void make_table(void)
{
	static char name[] = "ring", sha[] = "aa";

	for (uint32_t k = 0; k < OCCURRENCES; k++)
		for (uint32_t r = 0; r < RANKS; r++)
			counts[k + 1][r] = counts[k][r] + calls[phase_of[k] - 1][r];
	for (uint32_t i = 0; i < 3; i++) {
		patterns[i] = (struct table_pattern){i + 1, calls[i]};
		measured[i] = (struct table_measured){.id = i + 1, .extra = !i};
		phases[i] = (struct table_phase){.id = i + 1, .relevant = true, .ticks = 1, .points.entry = counts[i], .points.exit = counts[i + 1]};
	}
	phases[0].weight = 1;
	phases[0].time = 1;
	phases[1].weight = 6;
	phases[1].time = 13. / 6;
	phases[2].weight = 5;
	phases[2].time = .56;
	for (uint32_t w = 0; w < WINDOWS; w++) {
		uint32_t first = bounds[w][0], last = bounds[w][1];

		windows[w] = (struct table_window){.extra = !w, .first = first, .last = last, .points.checkpoint_tick = first - 1,
						   .points.checkpoint = counts[w ? first - 2 : 0], .points.before = before,
						   .points.entry = counts[first - 1], .points.exit = counts[last], .steps = steps[w],
						   .step_count = last - first + 1};
		for (uint32_t k = first; k <= last; k++) {
			steps[w][k - first] = (struct table_step){phase_of[k - 1], 1};
			windows[w].seconds += duration[k - 1];
		}
	}
	whole = (struct table_windows){.coverage = 1, .phases = measured, .phase_count = 3, .patterns = patterns,
				       .pattern_count = 3, .list = windows, .count = WINDOWS};
	table = (struct table){.application = name, .processes = RANKS, .aet = 16.8, .coverage = 1, .phases = phases,
			       .phase_count = 3, .windows = &whole};
	settings_init(&table.settings);
	snprintf(table.sha256, sizeof table.sha256, "%s", sha);
}

static void plans(void)
{
	static const uint32_t rank0[] = {0, 3, 4, 4, 5, 5, 6, 7, 8, 8, 9}, rank1[] = {0, 0, 1, 3, 4, 6, 7, 12, 13, 15, 16};
	struct launch_plan p;
	struct err e = {0};
	char name[PLAN_NAME];

	make_table();
	is_int(plan_make(&p, &table, &e), ERR_OK, "a plan of windows is made: %s", e.text);
	is_int(p.part_count, WINDOWS, "with a part a window");
	is_int(p.span_count, 8, "and their occurrences");
	/* Window 1 ends where window 2 begins. */
	is_int(p.boundary_count, 11, "what two windows have between them is one boundary");
	ok(!memcmp(p.counts, rank0, sizeof rank0), "rank 0's counts are entry and running sums");
	ok(!memcmp(p.counts + 11, rank1, sizeof rank1), "and rank 1's");
	ok(p.parts[0].from == 0 && p.parts[0].to == 2 && p.parts[1].from == 1 && p.parts[1].to == 5, "parts share it");
	is_int(plan_needed(&p, 0, 1), 0, "a rank without a call in a window is not waited for");
	is_int(plan_needed(&p, 0, 0), 2, "others are");
	is_int(plan_needed(&p, 1, 1), 5, "as far as they make calls");
	is_int(p.cut_count, 3, "checkpoints at one place are shared");
	ok(p.parts[0].cut == 0 && p.parts[1].cut == 0 && p.parts[2].cut == 1 && p.parts[3].cut == 2, "and taken in order");
	is_str(plan_name(&p, &p.parts[3], name), "window 4 (occurrences 10 to 12)", "windows are named by number and place");
	plan_release(&p);

	windows[2].points.exit = counts[7];
	is_int(plan_make(&p, &table, &e), ERR_FORMAT, "steps that do not lead to the window's end are refused");
	ok(strstr(e.text, "the steps of window 3 (occurrences 6 to 6) do not lead to its end") != NULL, "with its name: %s", e.text);
	plan_release(&p);
	make_table();
	windows[3].points.checkpoint = counts[12];
	is_int(plan_make(&p, &table, &e), ERR_FORMAT, "a checkpoint behind its window is refused");
	plan_release(&p);
	make_table();
	whole.count = 0;
	is_int(plan_make(&p, &table, &e), ERR_USAGE, "without a window there is nothing to run");
	plan_release(&p);
}

/* Durations as in the trace, times `scale`, with `more` for the first occurrence of each window. Rank 1 takes half as
 * long again as rank 0, as far as both take part, and the mean is what the page says. */
static void measure(struct result *r, uint32_t runs, const double *scale, double more)
{
	static const char *const command[] = {"mpirun", "./ring", NULL};
	struct err e = {0};

	is_int(result_begin(r, &table, "criu", runs, command, &e), ERR_OK, "a result is begun");
	for (uint32_t w = 0; w < WINDOWS; w++)
		for (uint32_t run = 0; run < runs; run++)
			for (uint32_t rank = 0; rank < RANKS; rank++) {
				double seconds[3];

				for (uint32_t k = bounds[w][0]; k <= bounds[w][1]; k++)
					seconds[k - bounds[w][0]] = duration[k - 1] * scale[run] * (rank ? 1.2 : 0.8) *
								    (k == bounds[w][0] ? more : 1);
				result_window(r, w, run, rank, seconds);
			}
	r->restored = true;
	is_int(result_finish(r, &e), ERR_OK, "and finished");
}

static void figures(void)
{
	static const double one[] = {1}, two[] = {0.9, 1.1}, none[] = {1e-9};
	struct result r;

	make_table();
	measure(&r, 1, one, 1);
	ok(r.by_windows && r.window_count == WINDOWS, "it has the windows");
	is_double(r.windows[1].seconds, 4.5, 1e-12, "a window's time is the mean of the ranks");
	is_double(r.measured, 13, 1e-12, "what was measured are all windows");
	is_double(r.phases[1].time, 2.2, 1e-12, "a phase's time is the mean of its occurrences in them");
	is_int(r.phases[1].samples, 5, "of which there are so many");
	is_int(r.phases[1].in_windows, 3, "in so many windows");
	is_double(r.phases[1].se, 0.222222, 1e-6, "with a standard error");
	ok(r.phases[0].extra && !r.phases[0].in_windows && isnan(r.phases[0].se), "an extra phase has none");
	is_double(r.pet, 16.7, 1e-9, "PET adds time times weight");
	is_double(r.se, 0.712697, 1e-6, "the standard error counts what was measured as certain: 12 of 16.8 s");
	is_double(r.half, 3.06649, 1e-5, "half of the interval");
	is_double(r.low, 13.6335, 1e-4, "from");
	is_double(r.high, 19.7665, 1e-4, "to");
	is_int(r.df, 2, "by two degrees of freedom");
	result_set_aet(&r, 19.7, "given");
	ok(result_held(&r), "a time within has been foretold");
	result_set_aet(&r, 19.8, "given");
	ok(!result_held(&r), "one beyond has not");
	ok(!r.notes, "there is nothing to be noted");
	result_release(&r);

	measure(&r, 2, two, 1);
	is_double(r.pet_scaled, 16.7, 1e-9, "of two runs the durations' means count");
	/* The runs say 15.03 and 18.37: a standard deviation of 2.36174, and its half root 1.67. */
	is_double(r.se, sqrt(0.712697 * 0.712697 + 1.67 * 1.67), 1e-5, "and how the runs differ widens the error");
	is_int(r.df, 1, "of which two runs say little");
	is_double(r.phases[1].runs[1], 2.42, 1e-12, "each run's time is kept");
	is_double(r.phases[1].deviation, 0.44 / sqrt(2), 1e-9, "with their deviation");
	is_double(r.windows[1].runs[0], 4.05, 1e-12, "and that of each window");
	result_release(&r);

	table.settings.phase_time = PHASE_TIME_SLOWEST;
	measure(&r, 1, one, 1);
	is_double(r.phases[1].time, 2.64, 1e-12, "the slowest rank's sum counts if the table says so");
	result_release(&r);
	table.settings.phase_time = PHASE_TIME_MEAN;

	measure(&r, 1, none, 1);
	ok(r.notes && strstr(r.notes[0], "phases 1, 2, 3: the 8 measured occurrences took less than 0.5 us") != NULL,
	   "phases that are measured as nothing are named: %s", r.notes ? r.notes[0] : "");
	result_release(&r);

	whole.count = 3;
	measure(&r, 1, one, 1);
	ok(isnan(r.half) && !result_has_interval(&r), "two regular windows have no interval");
	result_set_aet(&r, 16, "given");
	ok(!result_held(&r), "which thus cannot hold");
	result_release(&r);
}

/* Windows of four occurrences of one phase each, the first two of which take `slow` times as long. */
static struct settling settle(uint32_t n, double slow, uint32_t exceptions)
{
	static bool extra[8];
	static uint32_t first[9], phase[32], weight[1] = {100};
	static double seconds[32];
	struct estimate_input in = {.windows = n, .extra = extra, .first = first, .phase = phase, .parts = 1, .seconds = seconds,
				    .phases = 1, .weight = weight, .coverage = 1, .share = 0.1};
	struct estimate x;
	struct err e = {0};
	struct settling s;

	for (uint32_t w = 0; w < n; w++) {
		first[w + 1] = first[w] + 4;
		for (uint32_t i = 0; i < 4; i++)
			seconds[w * 4 + i] = i < 2 && w >= exceptions ? slow : 1;
	}
	if (estimate_init(&x, &in, &e))
		bail_out("%s", e.text);
	s = settling_look(&in, &x);
	estimate_release(&x);
	return s;
}

static void warm_up(void)
{
	static const double one[] = {1};
	struct settling s = settle(6, 1.3, 0);
	struct result r;

	is_double(s.ratio, 1.3, 1e-9, "the first halves' times are compared with the second ones'");
	is_int(s.windows, 6, "in every window");
	ok(s.late, "a first half that is slower everywhere shows a warm-up that was too short");
	ok(settle(6, 1.3, 1).late, "one window may be an exception");
	ok(!settle(6, 1.3, 2).late, "not two");
	ok(!settle(4, 1.3, 0).late, "four windows are too few");
	ok(!settle(6, 1.05, 0).late, "a twentieth is too little");
	ok(!settle(6, 0.7, 0).late, "a faster first half shows nothing");

	/* Three regular windows, one of which cannot be halved: the ratio is told, and nothing concluded. */
	make_table();
	measure(&r, 1, one, 1.5);
	ok(r.settling > 1.1 && !r.notes, "few windows give the figure without the sentence");
	result_release(&r);
}

/* Six windows of two occurrences, restored: the sentence itself. */
static void too_short(void)
{
	static const char *const command[] = {"ring", NULL};
	static struct table_window list[6];
	static struct table_step step[1] = {{1, 2}};
	static uint32_t places[6][2][1], send[1] = {1};
	static struct table_pattern pattern[1] = {{1, send}};
	static struct table_measured one[1] = {{.id = 1}};
	static struct table_phase phase[1] = {{.id = 1, .relevant = true, .weight = 100, .ticks = 1, .time = 1}};
	struct table_windows w = {.coverage = 1, .phases = one, .phase_count = 1, .patterns = pattern, .pattern_count = 1,
				  .list = list, .count = 6};
	struct err e = {0};
	struct out o;

	phase[0].points.entry = places[0][0];
	phase[0].points.exit = places[0][1];
	for (uint32_t i = 0; i < 6; i++) {
		places[i][0][0] = i * 10;
		places[i][1][0] = i * 10 + 2;
		list[i] = (struct table_window){.first = i * 10 + 1, .last = i * 10 + 2, .seconds = 2, .points.entry = places[i][0],
						.points.exit = places[i][1], .points.checkpoint = places[i][0], .points.before = before,
						.steps = step, .step_count = 1};
	}
	table = (struct table){.application = "ring", .sha256 = "aa", .processes = 1, .aet = 100, .phases = phase, .phase_count = 1,
			       .windows = &w};
	settings_init(&table.settings);
	for (int restored = 0; restored < 2; restored++) {
		struct result r;

		is_int(result_begin(&r, &table, "criu", 1, command, &e), ERR_OK, "a result is begun");
		for (uint32_t i = 0; i < 6; i++)
			result_window(&r, i, 0, 0, (const double[]){1.2, 1});
		r.restored = restored;
		is_int(result_finish(&r, &e), ERR_OK, "and finished");
		out_init(&o);
		result_print(&r, &o);
		if (restored)
			ok(strstr(o.text, "\nnote: the warm-up was too short: in 6 of 6 windows the first half of the occurrences was "
				  "slower, by 20 % on average;") != NULL, "what was restored was not warm, "
			   "and people are told");
		else
			ok(!r.notes, "a run from the start has no warm-up that could be too short");
		out_release(&o);
		result_release(&r);
	}
}

/* What one window alone holds of a phase that occurs more often does not widen the interval, and that is said. */
static void seen_once(void)
{
	static const bool extra[4] = {false, false, false, true};
	static const uint32_t first[5] = {0, 2, 3, 4, 5}, phase[5] = {0, 1, 0, 0, 2};
	static const double seconds[5] = {1, 3, 1.1, 0.9, 2};
	uint32_t weight[3] = {60, 10, 1};
	struct estimate_input in = {.windows = 4, .extra = extra, .first = first, .phase = phase, .parts = 1, .seconds = seconds,
				    .phases = 3, .weight = weight, .coverage = 1, .share = 0.1};
	struct estimate x;
	struct err e = {0};

	if (estimate_init(&x, &in, &e))
		bail_out("%s", e.text);
	is_double(x.unseen, 30.0 / 92, 1e-9, "a phase of one window, of which there is more, is not seen to vary");
	estimate_release(&x);
	weight[2] = 4;
	if (estimate_init(&x, &in, &e))
		bail_out("%s", e.text);
	is_double(x.unseen, 38.0 / 98, 1e-9, "nor is one of an extra window");
	estimate_release(&x);
	weight[1] = weight[2] = 1;
	if (estimate_init(&x, &in, &e))
		bail_out("%s", e.text);
	is_double(x.unseen, 0, 1e-9, "what is measured whole need not vary");
	estimate_release(&x);
}

/* Every line left out: a sentence, or a result where nothing depends on it. */
static void leave_out_lines(const char *text)
{
	unsigned refused = 0, lines = 0;

	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		struct out cut;
		struct result back;
		struct err e = {0};

		out_init(&cut);
		out_add(&cut, text, (size_t)(line - text));
		out_str(&cut, strchr(line, '\n') + 1);
		lines++;
		if (result_read(&back, "cut.yaml", cut.text, cut.len, &e) == ERR_OK)
			result_release(&back);
		else
			refused += e.text[0] != '\0';
		out_release(&cut);
	}
	ok(refused > lines / 2 && refused < lines, "%u of %u lines are missed when they are not there", refused, lines);
}

static void refused(const char *text, const char *what, const char *instead, const char *why)
{
	const char *at = strstr(text, what);
	struct result back;
	struct err e = {0};
	struct out o;

	if (!at)
		bail_out("no '%s' in the result", what);
	out_init(&o);
	out_add(&o, text, (size_t)(at - text));
	out_str(&o, instead);
	out_str(&o, at + strlen(what));
	is_int(result_read(&back, "wrong.yaml", o.text, o.len, &e), ERR_FORMAT, "'%s' is refused", instead);
	ok(strstr(e.text, why) != NULL, "with its place and reason: %s", e.text);
	out_release(&o);
}

static void documents(void)
{
	static const double three[] = {0.9, 1.1, 1.03};
	struct result r, back;
	struct out first, second, json, text;
	struct compare c;
	struct err e = {0};

	make_table();
	measure(&r, 3, three, 1);
	result_set_aet(&r, 17, "run");
	r.restore = 0.125;
	result_note(&r, "a %s", "note: with \"quotes\"");
	result_note(&r, "a %s", "note: with \"quotes\"");
	ok(r.notes && !r.notes[1], "a note is noted once");
	out_init(&first);
	out_init(&second);
	out_init(&json);
	out_init(&text);
	is_int(result_write_yaml(&r, &first, &e), ERR_OK, "it is written");
	ok(!strncmp(first.text, "pas2p_result: 2\n", 16), "as schema 2");
	is_int(result_read(&back, "windows.yaml", first.text, first.len, &e), ERR_OK, "and read back: %s", e.text);
	is_int(result_write_yaml(&back, &second, &e), ERR_OK, "and written again");
	is_str(second.text, first.text, "write, read, write is the identity");
	is_int(result_write_json(&back, &json, &e), ERR_OK, "JSON too");
	ok(back.restore > 0.12 && strstr(first.text, "\n  restore: 0.125\n"), "and what restoring a checkpoint took");
	ok(strstr(first.text, "\n  held: true\n") != NULL, "it says whether the interval held");
	leave_out_lines(first.text);
	refused(first.text, "pas2p_result: 2", "pas2p_result: 3", "has version 3");
	refused(first.text, "- extra: true", "- extra: maybe", "windows[0].extra is 'maybe'");
	refused(first.text, "  first: 2\n  last: 4", "  first: 5\n  last: 4", "windows[1].last is '4'");

	result_print(&back, &text);
	ok(strstr(text.text, "\nPredicted run time: 16.8670 s (95 %: ") != NULL, "the prediction is a sentence: %s", text.text);
	ok(strstr(text.text, "s), from 3 windows and 3 runs.\nThe run time, 17.0000 s, is inside the interval.\n"
			     "note: a note: with") != NULL, "and so is what became of it");
	ok(strstr(text.text, "5 in 3 windows\n") != NULL, "phases say how much of them was measured");

	is_int(compare_make(&c, &back, 1, &e), ERR_OK, "it can be compared");
	text.len = 0;
	is_int(compare_print(&c, &text, 0, &e), ERR_OK, "it is printed");
	ok(strstr(text.text, "scaled prediction 16.") != NULL, "with what is not sure of it");
	compare_release(&c);
	result_release(&back);
	out_release(&first);
	out_release(&second);
	out_release(&json);
	out_release(&text);
	result_release(&r);

	whole.count = 3;
	measure(&r, 3, three, 1);
	out_init(&first);
	is_int(result_write_yaml(&r, &first, &e), ERR_OK, "one without interval is written");
	ok(strstr(first.text, "\n  se: null\n  half: null\n  interval: null\n  df: 0\n") != NULL, "what is not defined is null");
	is_int(result_read(&back, "windows.yaml", first.text, first.len, &e), ERR_OK, "and read: %s", e.text);
	out_release(&first);
	out_init(&first);
	result_print(&back, &first);
	ok(strstr(first.text, "A confidence interval needs 3 windows; this signature has 2.\n") != NULL, "people are told why");
	out_release(&first);
	result_release(&back);
	result_release(&r);
}

int main(void)
{
	plans();
	figures();
	warm_up();
	too_short();
	seen_once();
	documents();
	return done_testing();
}
