/* make bench: what comparing two runs costs beside loading them, and a study of many.
 *
 *     diff [--events N] [--dir DIR]
 *
 * Pairs of traces of N events (halo, 64 and 1024 ranks): the same, with changes here and there, different everywhere.
 * Of each, in a process of its own: loading both, analysing both, and all that `pas2p diff --hunks -f json` finds
 * behind that, with the peak of memory before it and after. Then what a moved threshold makes again in the workbench's
 * diff view, on a pair of N / 10 events; phases 1000 to 1000; and a study of fifty traces. Times are those of the
 * processor, on one thread, except for the study, whose threads are what is measured. A bar that is missed is marked.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/method/analysis/phase_content.h"
#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/compare/diff/diff.h"
#include "core/study/study.h"
#include "generate.h"

#define RECORDS_AN_EVENT 4.3 /* of a halo step: states and waiting are logged, too */
#define RUNS 50
#define PHASES 1000          /* matched with as many: as many as take part */
#define ROWS 12
#define CELLS 16

#define BAR_DIFF 1           /* times as long as loading both */
#define BAR_BYTES 48         /* more at the peak for each event of both, whatever differs */
#define BAR_KNOB 0.1         /* s */

static struct err err;

static double clock_now(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void)
{
	return clock_now(CLOCK_PROCESS_CPUTIME_ID);
}

static double peak_bytes(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_maxrss * 1024;
}

static void must(enum err_code code)
{
	if (!code)
		return;
	fprintf(stderr, "diff: %s\n", err.text);
	exit(1);
}

static const char *verdict(bool kept)
{
	return kept ? "" : "  MISSED";
}

/* ---- pairs ---- */

struct pair {
	struct trace *trace[2];
	struct analysis *analysis[2];
};

static void load_pair(struct pair *p, char paths[2][512])
{
	const struct trace_options o = {.threads = 1};

	for (int side = 0; side < 2; side++) {
		const char *path = paths[side];

		must(trace_load(&p->trace[side], &path, 1, &o, NULL, &err));
	}
}

static void analyse_pair(struct pair *p, unsigned wants)
{
	struct settings s;

	settings_init(&s);
	for (int side = 0; side < 2; side++)
		must(analysis_new(&p->analysis[side], p->trace[side], &s, NULL, wants, NULL, &err));
}

static void drop_pair(struct pair *p)
{
	for (int side = 0; side < 2; side++) {
		analysis_unref(p->analysis[side]);
		trace_free(p->trace[side]);
	}
}

static void measure_pair(const char *what, char paths[2][512])
{
	struct diff_asked asked = {.edits = true, .ticks = true, .phases = true};
	struct diff_of of[2] = {{.file = "a"}, {.file = "b"}};
	struct diff_report *r;
	struct pair p;
	struct out out;
	double load = now(), analyse, begin, made, wrote, before, events, bytes, beyond = 0;

	load_pair(&p, paths);
	load = now() - load;
	analyse = now();
	analyse_pair(&p, ANALYSIS_PHASES);
	analyse = now() - analyse;
	before = peak_bytes();
	events = (double)p.trace[0]->event_count + p.trace[1]->event_count;
	for (int side = 0; side < 2; side++)
		of[side].analysis = p.analysis[side];
	begin = now();
	must(diff_report_new(&r, of, &asked, NULL, &err));
	made = now() - begin;
	out_init(&out);
	begin = now();
	must(diff_write(r, false, &out, true, NULL, &err));
	wrote = now() - begin;
	bytes = (peak_bytes() - before) / events;
	for (uint32_t i = 0; r->diff && r->diff->processes && i < r->diff->process_count; i++)
		beyond += r->diff->processes[i].script.beyond;
	printf("  %-12s %-9s load %6.3f s, analyse %6.3f s, diff %6.3f s, written %6.3f s: %.2f x load   bar %d%s\n", what,
	       diff_verdict_name(r->verdict), load, analyse, made, wrote, (made + wrote) / load, BAR_DIFF,
	       verdict(made + wrote <= BAR_DIFF * load));
	printf("  %-12s %.1f M events a run, %.0f of %u processes beyond the effort; peak %.0f MB, with diff %.0f MB: %.1f bytes an event more   "
	       "bar %d%s\n", "", events / 2e6, beyond, p.trace[0]->process_count, before / 1e6, peak_bytes() / 1e6, bytes, BAR_BYTES,
	       verdict(bytes <= BAR_BYTES));
	out_release(&out);
	diff_report_free(r);
	drop_pair(&p);
}

/* ---- a moved threshold ---- */

/* What the workbench makes again: both analyses, what their phases hold, groups and waterfall. */
static double knob(const struct pair *p, enum setting_id id, double value, double *match)
{
	struct settings s = p->analysis[0]->settings;
	struct analysis *moved[2];
	struct run_phases *phases[2];
	struct phase_match *m;
	struct waterfall *w;
	double begin = now(), at, took;

	settings_set_number(&s, id, value);
	for (int side = 0; side < 2; side++)
		must(analysis_new(&moved[side], p->trace[side], &s, p->analysis[side], ANALYSIS_PHASES, NULL, &err));
	at = now();
	for (int side = 0; side < 2; side++)
		must(phase_content_new(&phases[side], moved[side], NULL, &err));
	must(phase_match_new(&m, phases[0], phases[1], NULL, &err));
	must(waterfall_new(&w, m, moved[0], moved[1], NULL, &err));
	took = now() - begin;
	*match = now() - at;
	waterfall_free(w);
	phase_match_free(m);
	for (int side = 0; side < 2; side++) {
		run_phases_free(phases[side]);
		analysis_unref(moved[side]);
	}
	return took;
}

static void measure_knobs(const char *what, char paths[2][512])
{
	static const struct {
		enum setting_id id;
		double value;
	} knobs[] = {{SETTING_volume, 0.07}, {SETTING_events, 0.9}, {SETTING_relevance, 0.02}};
	struct pair p;
	double worst = 0, match = 0;

	load_pair(&p, paths);
	analyse_pair(&p, ANALYSIS_PHASES);
	for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++) {
		double best = 1e9, part = 0;

		for (int round = 0; round < 3; round++) {
			double of_match, took = knob(&p, knobs[i].id, knobs[i].value, &of_match);

			if (took < best) {
				best = took;
				part = of_match;
			}
		}
		if (best > worst) {
			worst = best;
			match = part;
		}
	}
	printf("  %-12s %.1f M events a run, %u : %u phases: %.1f ms, of them phases and their match %.1f ms   bar %.0f ms%s\n", what,
	       p.trace[0]->event_count / 1e6, p.analysis[0]->phases->count, p.analysis[1]->phases->count, 1e3 * worst, 1e3 * match, 1e3 * BAR_KNOB,
	       verdict(worst <= BAR_KNOB));
	drop_pair(&p);
}

/* ---- phases, many to many ---- */

static uint32_t below(uint64_t *state, uint32_t n)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*state >> 32) * n >> 32);
}

/* Two runs of phases: B's are A's with other sizes here and there, and of all others a phase shares one cell in
 * `alike`. */
static struct run_phases *made_up(uint32_t alike, uint64_t salt, uint32_t processes)
{
	static const enum role_kind kinds[] = {ROLE_UP, ROLE_DOWN};
	struct run_phases *r = mem_zero(1, sizeof *r);
	uint64_t of_both = 1;

	if (!r)
		exit(1);
	arena_init(&r->arena);
	r->processes = processes;
	r->aet = PHASES;
	r->mean_message = 1000;
	r->count = PHASES;
	r->list = arena_alloc(&r->arena, PHASES * sizeof *r->list);
	for (uint32_t i = 0; i < PHASES; i++) {
		struct content_row *rows = arena_alloc(&r->arena, ROWS * sizeof *rows);

		for (uint32_t k = 0; k < ROWS; k++) {
			struct phase_cell *cells = arena_alloc(&r->arena, CELLS * sizeof *cells);
			struct phase_role *roles = arena_alloc(&r->arena, 2 * sizeof *roles);

			for (uint32_t c = 0; c < CELLS; c++)
				cells[c] = (struct phase_cell){c, EVENT_SEND | (1 + below(&of_both, alike)), 100 * (1 + (below(&salt, 8) == 0))};
			for (uint32_t c = 0; c < 2; c++)
				roles[c] = (struct phase_role){kinds[c], "", 0.5};
			rows[k] = (struct content_row){0.25 * (1 + below(&of_both, 4)), 100 * (1 + below(&salt, 4)), roles, cells, 2, CELLS};
		}
		r->list[i] = (struct run_phase){.id = i + 1, .weight = 1 + below(&salt, 100), .time = 0.01, .compute = 0.005, .relevant = true,
						.rows = rows, .row_count = ROWS};
	}
	run_phases_sum(r);
	return r;
}

static void measure_match(const char *what, uint32_t alike, uint32_t processes)
{
	struct run_phases *a = made_up(alike, 2, CELLS), *b = made_up(alike, 3, processes);
	struct phase_match *m;
	double begin = now();

	must(phase_match_new(&m, a, b, NULL, &err));
	begin = now() - begin;
	printf("  %-34s %d : %d phases of %d rows of %d cells: %.3f s, %u groups of both\n", what, PHASES, PHASES, ROWS, CELLS, begin, m->both);
	phase_match_free(m);
	run_phases_free(a);
	run_phases_free(b);
}

/* ---- a study ---- */

struct told {
	uint64_t last;
	unsigned steps;
};

static void tell(void *arg, enum progress_stage stage, uint64_t done, uint64_t total)
{
	struct told *t = arg;

	(void)total;
	if (stage == PROGRESS_RUNS && done > t->last) {
		t->last = done;
		t->steps++;
	}
}

static double load_study(const struct study_file *f, unsigned threads, unsigned *steps)
{
	struct told told = {0, 0};
	const struct progress progress = {.report = tell, .arg = &told};
	struct study_runs runs;
	struct study *s;
	struct settings settings;
	double begin = clock_now(CLOCK_MONOTONIC);

	settings_init(&settings);
	must(study_load(&runs, f, &settings, threads, NULL, &progress, &err));
	must(study_new(&s, "bench", &runs, settings.relevance, NULL, &err));
	begin = clock_now(CLOCK_MONOTONIC) - begin;
	study_free(s);
	study_runs_release(&runs);
	*steps = told.steps;
	return begin;
}

static void measure_study(const char *dir, uint64_t events)
{
	struct study_file f;
	char path[512], operand[600];
	unsigned steps, ignored;
	double one, two;

	study_file_init(&f);
	snprintf(path, sizeof path, "%s/diff.study.clog2", dir);
	must(generate_other(path, TRAFFIC_HALO, DIFFER_NOT, 16, (uint64_t)((double)events * RECORDS_AN_EVENT), &err));
	for (int i = 0; i < RUNS; i++) {
		snprintf(operand, sizeof operand, "%s@n=%d", path, i);
		must(study_file_operand(&f, operand, &err));
	}
	one = load_study(&f, 1, &ignored);
	two = load_study(&f, 2, &steps);
	printf("  %d runs of %.1f M events: %.2f s, on two threads %.2f s: %.2f x as fast; progress told %u times\n", RUNS, (double)events / 1e6, one, two,
	       one / two, steps);
	study_file_release(&f);
	unlink(path);
}

/* ---- all of it ---- */

static void in_child(void (*measure)(const char *, char[2][512]), const char *what, char paths[2][512])
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		measure(what, paths);
		fflush(stdout);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		printf("  %s: the measurement failed\n", what);
}

static void measure_pairs(const char *dir, uint32_t ranks, uint64_t events, void (*measure)(const char *, char[2][512]))
{
	static const char *const names[] = {"the same", "scattered", "everywhere"};
	char paths[2][512];

	snprintf(paths[0], sizeof paths[0], "%s/diff.a.clog2", dir);
	must(generate_other(paths[0], TRAFFIC_HALO, DIFFER_NOT, ranks, (uint64_t)((double)events * RECORDS_AN_EVENT), &err));
	for (int d = DIFFER_NOT; d <= DIFFER_EVERYWHERE; d++) {
		snprintf(paths[1], sizeof paths[1], "%s/diff.b.clog2", dir);
		must(generate_other(paths[1], TRAFFIC_HALO, (enum difference)d, ranks, (uint64_t)((double)events * RECORDS_AN_EVENT), &err));
		in_child(measure, names[d], paths);
		unlink(paths[1]);
	}
	unlink(paths[0]);
}

int main(int argc, char **argv)
{
	uint64_t events = 10000000;
	const char *dir = "/tmp";

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--events") && i + 1 < argc) {
			events = strtoull(argv[++i], NULL, 10);
		} else if (!strcmp(argv[i], "--dir") && i + 1 < argc) {
			dir = argv[++i];
		} else {
			fputs("usage: diff [--events N] [--dir DIR]\n", stderr);
			return 1;
		}
	}
	for (uint32_t ranks = 64; ranks <= 1024; ranks *= 16) {
		printf("two runs of %" PRIu32 " ranks compared\n", ranks);
		measure_pairs(dir, ranks, events, measure_pair);
	}
	printf("a moved threshold, of two runs side by side: analyses, groups, waterfall\n");
	measure_pairs(dir, 64, events / 10, measure_knobs);
	printf("phases matched\n");
	measure_match("by content, others share little", 64, CELLS);
	measure_match("by content, others share a third", 3, CELLS);
	measure_match("by roles", 64, CELLS / 2);
	printf("a study loaded\n");
	measure_study(dir, events / 100);
	return 0;
}
