/* make bench: what each stage costs, on generated traces and on any file given.
 *
 *     bench [--records N] [--dir DIR] [--keep] [FILE...]
 *
 * Every measurement runs in a child process, so that its peak memory is its own; times are the best of three, and
 * each is also given as a ratio to reading the same file (warm, as cat would) in the same run, because machines are
 * noisy and differ. A bar that is missed is marked; the exit status is 0 all the same: this measures, it does not test.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/method/analysis/analysis.h"
#include "core/clocks/report.h"
#include "core/formats/clog2/clog2.h"
#include "generate.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/method/figures/clockwork.h"
#include "core/io/out.h"
#include "core/reports/reports.h"
#include "core/compare/diff/diff.h"
#include "core/method/windows/loops.h"
#include "core/method/windows/structure.h"

/* What docs/performance.md promises of the whole of loading and analysing. */
#define BAR_RECORDS 20e6    /* a second, on one core; four traces of the six */
#define BAR_SECOND_CORE 1.8 /* times as fast; traces of 64 ranks and more */
#define BAR_BYTES 48        /* an event, at the peak */
#define BAR_GROWTH 10.5     /* times the time, for ten times the events */
#define BAR_METRICS 2.5     /* times as long as all of loading and analysing */
#define BAR_CALL 48         /* bytes more, for each outermost call */
#define BAR_OVERVIEW 10     /* ms, of parts that are there, and its page */
#define BAR_DIFF 1          /* times as long as loading one of them: of two traces, ordered */
#define BAR_CLOCKS 2        /* times as long as loading alone: to analyse clocks takes no longer than to load */
#define BAR_PATTERNS 0.5    /* of the time of all of loading and analysing: patterns, and names of the phases */
#define BAR_PATTERN_BYTES 10 /* an event, beyond the peak of all that: 8, and 4 an atom, which has two events or more */
#define PATTERN_RANKS 100000

struct figures_of_file {
	uint64_t bytes, records;
	uint32_t ranks, events;
	double cat, decode, load, order, space, phases, whole, whole2;
	double knob_volume, knob_events, knob_relevance, knob_bbp;
	double bytes_per_event, bytes_per_event2;
	double patterns, pattern_bytes; /* s, with the names of phases; bytes an event beyond the peak of everything */
	uint32_t instances;
	double whole_cpu, metrics_cpu, patterns_cpu; /* s of processor time: on a machine that is shared, what can be compared */
	double metrics, peak, metrics_peak; /* s; bytes at the peak of everything, without metrics and with */
	double structure, plan, heaviest, pairs, overview; /* s: parts of the overview, and itself */
	uint32_t calls, occurrences;
	double clocks, messages; /* s, with loading */
	double metrics_stage[4], clocks_stage[2]; /* s, the best of each: see report() */
	double diff_same, diff_apart; /* s, beside loading and ordering: of a trace and itself; of one that differs everywhere */
	uint64_t result, result2; /* hashes of the phases */
	int failed;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of this process: for what runs on one thread, whatever else runs beside it. */
static double processor_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double peak_bytes(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_maxrss * 1024;
}

static void die(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(1);
}

/* What cat costs: read the file into one buffer. */
static void measure_cat(const char *path, struct figures_of_file *f)
{
	static char buffer[1 << 17];
	int fd = open(path, O_RDONLY);
	double begin = now();
	ssize_t n;

	if (fd < 0)
		die("cannot read the file");
	while ((n = read(fd, buffer, sizeof buffer)) > 0)
		f->bytes += (uint64_t)n;
	f->cat = now() - begin;
	close(fd);
}

static void measure_decode(const char *path, struct figures_of_file *f)
{
	struct source s;
	struct notes notes;
	struct clog2_file file;
	struct clog2_block b;
	struct clog2_rec r;
	struct err e;
	double begin = now();
	uint64_t sum = 0;

	notes_init(&notes);
	clog2_block_init(&b);
	if (source_open_file(&s, path, &e) != ERR_OK || clog2_open(&file, &s, &notes, &e) != ERR_OK)
		die(e.text);
	for (uint64_t k = 0; k < file.block_count && b.end != CLOG2_END_LOG; k++) {
		if (clog2_block_read(&file, k, &b, &e) != ERR_OK)
			die(e.text);
		while (clog2_block_next(&b, &r)) {
			struct clog2_msg m;

			f->records++;
			if (r.type == CLOG2_MSGEVT) {
				clog2_get_msg(&file, &r, &m);
				sum += (uint64_t)m.size;
			} else if (r.type == CLOG2_BAREEVT || r.type == CLOG2_CARGOEVT) {
				sum += (uint64_t)clog2_get_etype(&file, &r);
			}
		}
	}
	f->decode = now() - begin;
	f->result = sum;
	clog2_block_release(&b);
	source_release(&s);
	notes_release(&notes);
}

static uint64_t hash_phases(const struct analysis *a)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (uint32_t i = 0; i < a->phases->occurrence_count; i++)
		h = (h ^ a->phases->occurrences[i].phase ^ (uint64_t)a->phases->occurrences[i].first << 24) * 0x100000001b3u;
	for (uint32_t i = 0; i < a->figures->count; i++) {
		uint64_t bits;

		memcpy(&bits, &a->figures->phase[i].time, sizeof bits);
		h = (h ^ bits) * 0x100000001b3u;
	}
	return h;
}

static double knob(const struct trace *t, const struct analysis *a, enum setting_id id, double value)
{
	struct settings s = a->settings;
	struct analysis *moved;
	struct err e;
	double begin;

	settings_set_number(&s, id, value);
	begin = now();
	if (analysis_new(&moved, t, &s, a, ANALYSIS_PHASES, NULL, &e) != ERR_OK)
		die(e.text);
	begin = now() - begin;
	analysis_unref(moved);
	return begin;
}

/* What patterns and the names of phases add to everything. */
static void measure_patterns(const struct trace *t, const struct analysis *a, struct figures_of_file *f)
{
	struct patterns *patterns;
	struct phase_names *names;
	struct err e;
	double begin = now(), began = processor_time();

	if (patterns_new(&patterns, t, NULL, &e) != ERR_OK ||
	    phase_names_new(&names, patterns, a->logical, a->phases, a->figures, NULL, &e) != ERR_OK)
		die(e.text);
	f->patterns = now() - begin;
	f->patterns_cpu = processor_time() - began;
	f->instances = patterns->instance_count;
	f->pattern_bytes = (peak_bytes() - f->peak) / (t->event_count ? t->event_count : 1);
	phase_names_free(names);
	patterns_free(patterns);
}

static void measure_whole(const char *path, unsigned threads, struct figures_of_file *f)
{
	struct trace_options o = {.threads = threads};
	struct trace *t;
	struct settings s;
	struct analysis *order, *a;
	struct err e;
	double begin = now(), began = processor_time(), before = peak_bytes(), at;

	trace_load(&t, &path, 1, &o, NULL, &e);
	if (!t)
		die(e.text);
	f->load = now() - begin;
	f->events = t->event_count;
	f->ranks = t->process_count;
	settings_init(&s);
	at = now();
	if (analysis_new(&order, t, &s, NULL, ANALYSIS_ORDER, NULL, &e) != ERR_OK)
		die(e.text);
	f->order = now() - at;
	at = now();
	if (analysis_new(&a, t, &s, order, ANALYSIS_PHASES, NULL, &e) != ERR_OK)
		die(e.text);
	f->phases = now() - at;
	*(threads > 1 ? &f->whole2 : &f->whole) = now() - begin;
	f->whole_cpu = processor_time() - began;
	*(threads > 1 ? &f->bytes_per_event2 : &f->bytes_per_event) = (peak_bytes() - before) / (t->event_count ? t->event_count : 1);
	*(threads > 1 ? &f->result2 : &f->result) = hash_phases(a);
	f->peak = peak_bytes();
	analysis_unref(order);
	if (threads == 1) {
		measure_patterns(t, a, f);
		f->knob_volume = knob(t, a, SETTING_volume, 0.07);
		f->knob_events = knob(t, a, SETTING_events, 0.9);
		f->knob_relevance = knob(t, a, SETTING_relevance, 0.02);
	}
	analysis_unref(a);
	trace_free(t);
}

/* How long since *at, which is now from here on. */
static double lap(double *at)
{
	double before = *at;

	*at = now();
	return *at - before;
}

/* What `pas2p metrics` adds, up to the diagnosis' rows. */
static void measure_metrics(const char *path, struct figures_of_file *f)
{
	struct trace_options o = {.threads = 1};
	struct replay_rules rules = {.rendezvous = REPLAY_NEVER};
	struct metrics_run run;
	struct call_log *log;
	struct settings s;
	struct analysis *a;
	struct trace *t;
	struct err e;
	double begin = now(), began = processor_time(), at = begin;

	call_log_load(&log, &t, &path, 1, &o, NULL, &e);
	if (!log)
		die(e.text);
	f->metrics_stage[0] = lap(&at);
	settings_init(&s);
	metrics_run_init(&run, path, log);
	if (analysis_new(&a, t, &s, NULL, ANALYSIS_PHASES, NULL, &e) != ERR_OK || metrics_run_lay(&run, a, NULL, &e) != ERR_OK)
		die(e.text);
	analysis_shed(a);
	f->metrics_stage[1] = lap(&at);
	if (metrics_run_make(&run, &rules, NULL, &e) != ERR_OK)
		die(e.text);
	f->metrics_stage[2] = lap(&at);
	if (metrics_run_rows(&run, METRICS_STATES | METRICS_PHASES | METRICS_CRITICAL, a, NULL, &e) != ERR_OK)
		die(e.text);
	f->metrics_stage[3] = lap(&at);
	f->metrics = now() - begin;
	f->metrics_cpu = processor_time() - began;
	f->metrics_peak = peak_bytes();
	f->calls = run.log->call_count;
	metrics_run_release(&run);
	analysis_unref(a);
	trace_free(t);
}

/* The parts of an overview beyond metrics, and what the overview itself adds to them. */
static void measure_overview(const char *path, struct figures_of_file *f)
{
	struct trace_options o = {.threads = 1};
	struct overview_run run;
	struct structure *structure;
	struct plan *plan;
	struct plan_budget budget = {PLAN_BUDGET, PLAN_RESTORE};
	struct waited_pairs *pairs;
	struct comm_pair heaviest;
	struct overview overview;
	struct settings s;
	struct analysis *a;
	struct trace *t;
	struct out page;
	struct err e;
	double begin;

	trace_load(&t, &path, 1, &o, NULL, &e);
	if (!t)
		die(e.text);
	settings_init(&s);
	if (analysis_new(&a, t, &s, NULL, ANALYSIS_PHASES, NULL, &e) != ERR_OK || overview_run_init(&run, t, a, NULL, NULL, &e) != ERR_OK)
		die(e.text);
	begin = now();
	if (structure_new(&structure, a->clockwork, a->phases, a->figures, NULL, &s, STRUCTURE_SHORTEST, NULL, &e) != ERR_OK)
		die(e.text);
	f->structure = now() - begin;
	begin = now();
	if (plan_new(&plan, a->clockwork, a->phases, a->figures, &s, &budget, NULL, &e) != ERR_OK)
		die(e.text);
	f->plan = now() - begin;
	begin = now();
	if (comm_heaviest(&heaviest, t, NULL, &e) != ERR_OK)
		die(e.text);
	f->heaviest = now() - begin;
	begin = now();
	if (waited_pairs_new(&pairs, run.metrics->metrics->waits, NULL, &e) != ERR_OK)
		die(e.text);
	f->pairs = now() - begin;
	out_init(&page);
	begin = now();
	overview_init(&overview, &run.overview.of);
	if (overview_text(&overview, 80, TEXT_UTF8, &page, &e) != ERR_OK)
		die(e.text);
	f->overview = now() - begin;
	f->occurrences = a->phases->occurrence_count;
	out_release(&page);
	structure_free(structure);
	plan_free(plan);
	waited_pairs_free(pairs);
	overview_run_release(&run);
	analysis_unref(a);
	trace_free(t);
}

/* What `pas2p clocks` does, loading included. */
static void measure_clocks(const char *path, struct figures_of_file *f)
{
	const struct clock_report_options asked = {.reference = REFERENCE_ANY, .resolution = RESOLUTION_AUTO, .windows = CLOCK_WINDOWS,
						   .bins = 50};
	struct trace_options o = {.threads = 1};
	struct clock_report *r;
	struct call_log *log;
	struct trace *t;
	struct err e;
	double begin = now(), at = begin;

	call_log_load(&log, &t, &path, 1, &o, NULL, &e);
	if (!t)
		die(e.text);
	f->clocks_stage[0] = lap(&at);
	if (clock_report_new(&r, log, &asked, NULL, &e) != ERR_OK)
		die(e.text);
	f->clocks_stage[1] = lap(&at);
	f->clocks = at - begin;
	f->messages = (double)r->violations->messages.all;
	clock_report_free(r);
	call_log_free(log);
	trace_free(t);
}

static double diff_of(const struct analysis *a, const struct analysis *b)
{
	const struct diff_options asked = {0};
	struct run_diff *d;
	struct err e;
	double begin = now();

	if (run_diff_new(&d, a, b, &asked, NULL, &e) != ERR_OK || run_diff_edit(d, NULL, &e) != ERR_OK)
		die(e.text);
	begin = now() - begin;
	run_diff_free(d);
	return begin;
}

/* Two runs compared, with edits: the same, and one whose partners are others at every second event, so that no effort
 * is enough. */
static void measure_diff(const char *path, struct figures_of_file *f)
{
	struct trace_options o = {.threads = 1};
	struct settings s;
	struct trace *t[2];
	struct analysis *a[2];
	struct err e;

	settings_init(&s);
	for (int side = 0; side < 2; side++) {
		trace_load(&t[side], &path, 1, &o, NULL, &e);
		if (!t[side] || analysis_new(&a[side], t[side], &s, NULL, ANALYSIS_ORDER, NULL, &e) != ERR_OK)
			die(e.text);
	}
	f->diff_same = diff_of(a[0], a[1]);
	for (uint32_t i = 0; i < t[1]->event_count; i += 2)
		if (EVENT_KIND(t[1]->type[i]) != EVENT_COLLECTIVE)
			t[1]->type[i] ^= 1u << 20;
	f->diff_apart = diff_of(a[0], a[1]);
	for (int side = 0; side < 2; side++) {
		analysis_unref(a[side]);
		trace_free(t[side]);
	}
}

static void measure_one(const char *path, struct figures_of_file *f)
{
	measure_whole(path, 1, f);
}

static void measure_two(const char *path, struct figures_of_file *f)
{
	measure_whole(path, 2, f);
}

/* Run a measurement in a child; its figures come back through shared memory. */
static struct figures_of_file in_child(void (*measure)(const char *, struct figures_of_file *), const char *path)
{
	struct figures_of_file *shared =
		mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct figures_of_file result;
	int status = 0;
	pid_t child;

	if (shared == MAP_FAILED)
		die("no shared memory");
	memset(shared, 0, sizeof *shared);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		measure(path, shared);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		shared->failed = 1;
	result = *shared;
	munmap(shared, sizeof *shared);
	return result;
}

static double best(double a, double b)
{
	return a == 0 || b < a ? b : a;
}

/* What `one` measured, in one round of several. */
static void add_round(struct figures_of_file *all, const struct figures_of_file *one)
{
	all->failed |= one->failed;
	all->ranks = one->ranks;
	all->events = one->events;
	all->load = best(all->load, one->load);
	all->order = best(all->order, one->order);
	all->phases = best(all->phases, one->phases);
	all->whole = best(all->whole, one->whole);
	all->whole_cpu = best(all->whole_cpu, one->whole_cpu);
	all->peak = best(all->peak, one->peak);
	all->patterns = best(all->patterns, one->patterns);
	all->patterns_cpu = best(all->patterns_cpu, one->patterns_cpu);
	all->pattern_bytes = best(all->pattern_bytes, one->pattern_bytes);
	all->instances = one->instances;
	all->knob_volume = best(all->knob_volume, one->knob_volume);
	all->knob_events = best(all->knob_events, one->knob_events);
	all->knob_relevance = best(all->knob_relevance, one->knob_relevance);
	all->bytes_per_event = best(all->bytes_per_event, one->bytes_per_event);
	all->result = one->result;
}

static struct figures_of_file measure_file(const char *path)
{
	struct figures_of_file all = {0};

	for (int round = 0; round < 3; round++) {
		struct figures_of_file cat = in_child(measure_cat, path), decode = in_child(measure_decode, path);
		struct figures_of_file one = in_child(measure_one, path), two = in_child(measure_two, path);
		struct figures_of_file metrics = in_child(measure_metrics, path), overview = in_child(measure_overview, path);
		struct figures_of_file clocks = in_child(measure_clocks, path), diff = in_child(measure_diff, path);

		all.failed |= cat.failed | decode.failed | two.failed | metrics.failed | overview.failed | clocks.failed | diff.failed;
		add_round(&all, &one);
		for (int i = 0; i < 4; i++)
			all.metrics_stage[i] = best(all.metrics_stage[i], metrics.metrics_stage[i]);
		for (int i = 0; i < 2; i++)
			all.clocks_stage[i] = best(all.clocks_stage[i], clocks.clocks_stage[i]);
		all.metrics = best(all.metrics, metrics.metrics);
		all.metrics_cpu = best(all.metrics_cpu, metrics.metrics_cpu);
		all.metrics_peak = best(all.metrics_peak, metrics.metrics_peak);
		all.clocks = best(all.clocks, clocks.clocks);
		all.messages = clocks.messages;
		all.diff_same = best(all.diff_same, diff.diff_same);
		all.diff_apart = best(all.diff_apart, diff.diff_apart);
		all.calls = metrics.calls;
		all.structure = best(all.structure, overview.structure);
		all.plan = best(all.plan, overview.plan);
		all.heaviest = best(all.heaviest, overview.heaviest);
		all.pairs = best(all.pairs, overview.pairs);
		all.overview = best(all.overview, overview.overview);
		all.occurrences = overview.occurrences;
		all.bytes = cat.bytes;
		all.records = decode.records;
		all.cat = best(all.cat, cat.cat);
		all.decode = best(all.decode, decode.decode);
		all.whole2 = best(all.whole2, two.whole2);
		all.bytes_per_event2 = best(all.bytes_per_event2, two.bytes_per_event2);
		all.result2 = two.result2;
	}
	return all;
}

static const char *verdict(int kept)
{
	return kept ? "" : "  MISSED";
}

static void stage(const char *name, double seconds, const struct figures_of_file *f, const char *bar, int kept)
{
	printf("  %-34s %9.3f s %8.1f M records/s %8.1f M events/s %7.1f x cat   %s%s\n", name, seconds,
	       (double)f->records / seconds / 1e6, f->events / seconds / 1e6, seconds / f->cat, bar, verdict(kept));
}

static void report_patterns(const struct figures_of_file *f)
{
	printf("  %-34s %9.3f s %8.2f x the processor time of everything, one thread; %u instances   bar %.1f%s\n", "patterns and names of phases",
	       f->patterns, f->patterns_cpu / f->whole_cpu, f->instances, BAR_PATTERNS, verdict(f->patterns_cpu <= BAR_PATTERNS * f->whole_cpu));
	printf("  %-34s %9.1f bytes an event more   bar %d%s\n", "their memory", f->pattern_bytes, BAR_PATTERN_BYTES,
	       verdict(f->pattern_bytes <= BAR_PATTERN_BYTES || f->events < 500000));
}

static void report(const char *name, const struct figures_of_file *f)
{
	double knobs = f->knob_volume > f->knob_events ? f->knob_volume : f->knob_events;
	double limit = f->events <= 1000000 ? 0.016 : f->events <= 10000000 ? 0.1 : 0.1 * f->events / 1e7;

	printf("%s: %" PRIu64 " records, %u events, %u ranks, %.1f MB\n", name, f->records, f->events, f->ranks,
	       (double)f->bytes / 1e6);
	if (f->failed) {
		printf("  a measurement failed\n");
		return;
	}
	stage("cat (read the file, warm)", f->cat, f, "", 1);
	stage("read and decode CLOG2", f->decode, f, "bar 20 M records/s", (double)f->records / f->decode >= 20e6);
	stage("load (read twice, relate)", f->load, f, "", 1);
	stage("order and ticks", f->order, f, "", 1);
	stage("phases and figures", f->phases, f, "", 1);
	stage("everything, one thread", f->whole, f, "bar 20 M records/s", (double)f->records / f->whole >= BAR_RECORDS);
	printf("  %-34s %.0f%% load, %.0f%% order, %.0f%% phases\n", "  of that", 100 * f->load / f->whole, 100 * f->order / f->whole,
	       100 * f->phases / f->whole);
	stage("everything, two threads", f->whole2, f, "bar 1.8 x one thread", f->whole / f->whole2 >= BAR_SECOND_CORE);
	printf("  %-34s %9.2f x%s\n", "second core", f->whole / f->whole2,
	       f->result == f->result2 ? ", identical results" : ", RESULTS DIFFER");
	printf("  %-34s %9.2f ms (volume %.2f, events %.2f, relevance %.2f)   bar %.0f ms%s\n", "new thresholds", 1e3 * knobs,
	       1e3 * f->knob_volume, 1e3 * f->knob_events, 1e3 * f->knob_relevance, 1e3 * limit, verdict(knobs <= limit));
	printf("  %-34s %9.1f bytes an event (two threads %.1f)   bar %d%s\n", "peak memory", f->bytes_per_event,
	       f->bytes_per_event2, BAR_BYTES, verdict(f->bytes_per_event <= BAR_BYTES || f->events < 500000));
	report_patterns(f);
	printf("  %-34s %9.3f s %8.2f x the processor time of everything, one thread   bar %.1f%s\n", "metrics, everything included",
	       f->metrics, f->metrics_cpu / f->whole_cpu, BAR_METRICS, verdict(f->metrics_cpu / f->whole_cpu <= BAR_METRICS));
	printf("  %-34s %.0f%% load with log, %.0f%% order and phases, %.0f%% waits and replay, %.0f%% rows\n", "  of that",
	       100 * f->metrics_stage[0] / f->metrics, 100 * f->metrics_stage[1] / f->metrics, 100 * f->metrics_stage[2] / f->metrics,
	       100 * f->metrics_stage[3] / f->metrics);
	printf("  %-34s %9.3f s %8.2f x load, %.3f s where all differs: %.2f x load   bar %d%s\n", "diff of two, loaded and ordered", f->diff_same,
	       f->diff_same / f->load, f->diff_apart, f->diff_apart / f->load, BAR_DIFF,
	       verdict(fmax(f->diff_same, f->diff_apart) / f->load <= BAR_DIFF));
	printf("  %-34s %9.3f s %8.2f x load, %.1f M messages   bar %d%s\n", "clocks, loading included", f->clocks, f->clocks / f->load,
	       f->messages / 1e6, BAR_CLOCKS, verdict(f->clocks / f->load <= BAR_CLOCKS));
	printf("  %-34s %.0f%% load with log, %.0f%% bounds and violations\n", "  of that", 100 * f->clocks_stage[0] / f->clocks,
	       100 * f->clocks_stage[1] / f->clocks);
	if (f->calls)
		printf("  %-34s %9.1f bytes a call more   bar %d%s\n", "their memory", (f->metrics_peak - f->peak) / f->calls, BAR_CALL,
		       verdict((f->metrics_peak - f->peak) / f->calls <= BAR_CALL));
	printf("  %-34s %9.3f s structure, %.3f s plan, %.3f s pairs, %.3f s heaviest\n", "overview: parts beyond metrics", f->structure, f->plan,
	       f->pairs, f->heaviest);
	printf("  %-34s %9.3f ms of %u occurrences   bar %d ms%s\n", "the overview itself, and its page", 1e3 * f->overview, f->occurrences,
	       BAR_OVERVIEW, verdict(1e3 * f->overview <= BAR_OVERVIEW));
}

static void ratio(const char *what, const struct figures_of_file *a, const struct figures_of_file *b, double bar)
{
	double time = (b->whole / b->events) / (a->whole / a->events) * (what[0] == 'e' ? 10 : 1);
	double memory = b->bytes_per_event / a->bytes_per_event * (what[0] == 'e' ? 10 : 1);

	printf("  %-34s %9.2f x time, %.2f x memory   bar %.1f%s\n", what, time, memory, bar,
	       verdict(time <= bar && memory <= bar));
}

#define PATH_TEXT 4096
#define NAME_TEXT 64

static void make_trace(char *path, char *name, const char *dir, enum traffic p, uint32_t ranks, uint64_t records)
{
	struct err e;

	snprintf(name, NAME_TEXT, "%s.%u.%" PRIu64, traffic_name(p), ranks, records);
	snprintf(path, PATH_TEXT, "%s/%s.clog2", dir, name);
	if (access(path, R_OK) && generate_trace(path, p, CLOCKS_ONE, ranks, records, &e) != ERR_OK)
		die(e.text);
}

static struct figures_of_file generated(const char *dir, enum traffic p, uint32_t ranks, uint64_t records, int keep, int quiet)
{
	char path[PATH_TEXT], name[NAME_TEXT];
	struct figures_of_file f;

	make_trace(path, name, dir, p, ranks, records);
	f = measure_file(path);
	if (!quiet)
		report(name, &f);
	if (!keep)
		unlink(path);
	return f;
}

/* Patterns on many processes: 10 million messages if `records` is 25 million. */
static int bench_patterns(const char *dir, uint64_t records, int keep)
{
	static const struct {
		enum traffic traffic;
		double records; /* of a message */
	} of[] = {{TRAFFIC_HALO, 8.5}, {TRAFFIC_WAVEFRONT, 6.5}};
	int failed = 0;

	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		struct figures_of_file all = {0};
		char path[PATH_TEXT], name[NAME_TEXT];

		make_trace(path, name, dir, of[i].traffic, PATTERN_RANKS, (uint64_t)(of[i].records * 0.4 * (double)records));
		for (int round = 0; round < 3; round++) {
			struct figures_of_file one = in_child(measure_one, path);

			add_round(&all, &one);
		}
		printf("%s: %u events, %u ranks, everything in %.3f s, %.3f s of processor time\n", name, all.events, all.ranks, all.whole, all.whole_cpu);
		if (all.failed)
			printf("  a measurement failed\n");
		else
			report_patterns(&all);
		failed |= all.failed;
		if (!keep)
			unlink(path);
	}
	return failed;
}

/* --- folding loops --- */

#define FOLDED 1000000

enum shape { SHAPE_LOOPS, SHAPE_EQUAL, SHAPE_FAULTS, SHAPE_FEW, SHAPE_MANY, SHAPE_FIBONACCI, SHAPE_THUE_MORSE, SHAPE_PERIOD, SHAPE_SQUARES,
	     SHAPES };

static const struct {
	const char *name;
	double bar; /* s */
} shapes[SHAPES] = {
	[SHAPE_LOOPS] = {"loops in loops", 0.2},      [SHAPE_EQUAL] = {"all equal", 0.2},
	[SHAPE_FAULTS] = {"a period with faults", 2}, [SHAPE_FEW] = {"three ids, random", 2},
	[SHAPE_MANY] = {"many ids, random", 2},       [SHAPE_FIBONACCI] = {"a Fibonacci word", 2},
	[SHAPE_THUE_MORSE] = {"a Thue-Morse word", 2}, [SHAPE_PERIOD] = {"a period just too long", 2},
	[SHAPE_SQUARES] = {"each period once", 2},
};

static uint32_t below(uint64_t *state, uint32_t n)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*state >> 32) * n >> 32);
}

static void write_shape(enum shape shape, uint32_t *s)
{
	uint64_t state = 1;
	uint32_t a = 1, b = 1; /* Fibonacci: lengths of a word and the one before it; squares: the period, where it began */

	for (uint32_t i = 0; i < FOLDED; i++) {
		uint32_t step = i % 2500; /* of a program: 40 inner steps of 60 phases, and 100 */

		switch (shape) {
		case SHAPE_LOOPS: s[i] = step < 2400 ? 1 + step % 60 / 2 : 100 + step % 7; break;
		case SHAPE_EQUAL: s[i] = 1; break;
		case SHAPE_FAULTS: s[i] = i < 181 || !below(&state, 181) ? below(&state, 3) : s[i - 181]; break;
		case SHAPE_FEW: s[i] = below(&state, 3); break;
		case SHAPE_MANY: s[i] = below(&state, FOLDED); break;
		case SHAPE_FIBONACCI:
			if (i >= a + b) {
				uint32_t longer = a + b;

				b = a;
				a = longer;
			}
			s[i] = i < 2 ? i : s[i - a];
			break;
		case SHAPE_THUE_MORSE: s[i] = (uint32_t)__builtin_popcount(i) & 1; break;
		case SHAPE_PERIOD: s[i] = i % (FOLD_PERIOD + 1); break;
		default:
			if (i == b - 1 + 2 * a) {
				b = i + 1;
				a++;
			}
			s[i] = i < b - 1 + a ? i : s[i - a];
		}
	}
}

#define PROCESSES 1024

/* What the overview and its page add to a structure, with every process waiting for every other. */
static double bench_overview(const struct structure *structure, struct phases *phases, struct figures *figures)
{
	static struct process process[PROCESSES];
	static struct process_row row[PROCESSES];
	static struct waited_pair pair[PROCESSES * PROCESSES];
	static struct phase_figures figure[FOLDED + 1];
	struct trace trace = {.process_count = PROCESSES, .processes = process, .end = 1};
	struct waited_pairs pairs = {.pair = pair, .count = PROCESSES * PROCESSES};
	struct process_rows rows = {.row = row, .count = PROCESSES};
	struct run_metrics metrics = {.has_account = true, .processes = PROCESSES, .runtime = 1, .useful_mean = .5, .useful_max = .6};
	struct figures low = *figures;
	struct analysis analysis = {.phases = phases, .figures = &low};
	struct overview_parts parts = {.trace = &trace, .analysis = &analysis, .structure = structure, .metrics = &metrics,
				       .processes = &rows, .pairs = &pairs};
	double seconds = 0;

	/* Too little is relevant: which threshold helps is looked for. */
	low.phase = figure;
	low.count = structure->shown->fold->id_count;
	for (uint32_t i = 0; i < low.count; i++)
		figure[i].share = 1.0 / low.count;
	low.coverage = .3;
	process[0].records = 1;
	settings_init(&analysis.settings);
	for (int round = 0; round < 3; round++) {
		double begin = processor_time();
		struct overview overview;
		struct out page;
		struct err e;

		out_init(&page);
		overview_init(&overview, &parts);
		if (overview_text(&overview, 80, TEXT_UTF8, &page, &e) != ERR_OK)
			die(e.text);
		seconds = best(seconds, processor_time() - begin);
		out_release(&page);
	}
	return seconds;
}

/* All of a structure: both foldings, where iterations lie, the main loop and the line, of a run in which each eighth
 * phase is not relevant. */
static double bench_structure(const uint32_t *s, double *overview)
{
	static struct occurrence occurrences[FOLDED];
	static struct phase_figures figure[FOLDED + 1];
	static double at[FOLDED + 1];
	struct trace trace = {.process_count = 1};
	struct logical logical = {.trace = &trace, .tick_count = FOLDED};
	struct clockwork clockwork = {.l = &logical, .at = at};
	struct phases phases = {.count = FOLDED + 1, .occurrences = occurrences, .occurrence_count = FOLDED};
	struct figures figures = {.phase = figure};
	struct settings settings;
	double seconds = 0;

	settings_init(&settings);
	for (uint32_t i = 0; i < FOLDED; i++) {
		occurrences[i] = (struct occurrence){s[i] + 1, i, i};
		at[i + 1] = at[i] + 1e-3 * (1 + s[i] % 5) + 1e-6 * (i * 2654435761u % 1000);
	}
	for (uint32_t i = 0; i <= FOLDED; i++)
		figure[i].relevant = i % 8 != 7;
	figures.aet = at[FOLDED];
	for (int round = 0; round < 3; round++) {
		double begin = processor_time();
		struct structure *made;
		struct out line;
		struct err e;

		out_init(&line);
		if (structure_new(&made, &clockwork, &phases, &figures, NULL, &settings, STRUCTURE_SHORTEST, NULL, &e) != ERR_OK)
			die(e.text);
		structure_text(made, &line);
		if (line.failed)
			die("no memory for a line");
		seconds = best(seconds, processor_time() - begin);
		out_release(&line);
		*overview = bench_overview(made, &phases, &figures);
		structure_free(made);
	}
	return seconds;
}

static void bench_folds(void)
{
	uint32_t *s = malloc(FOLDED * sizeof *s);

	if (!s)
		die("no memory");
	printf("loops, found in the 10^6 phases of a run (processor time): folded, the whole structure, an overview of it\n");
	for (int shape = 0; shape < SHAPES; shape++) {
		double seconds = 0, structure, overview = 0;
		uint32_t top = 0;

		write_shape((enum shape)shape, s);
		for (int round = 0; round < 3; round++) {
			double begin = processor_time();
			struct fold *f;
			struct err e;

			if (fold_new(&f, s, FOLDED, NULL, &e) != ERR_OK)
				die(e.text);
			seconds = best(seconds, processor_time() - begin);
			top = f->top_count;
			fold_free(f);
		}
		structure = bench_structure(s, &overview);
		printf("  %-24s %9.3f s, to %u symbols; %.3f s   bar %.1f s%s; %.1f ms   bar %d ms%s\n", shapes[shape].name, seconds, top, structure,
		       shapes[shape].bar, verdict(structure <= shapes[shape].bar), 1e3 * overview, BAR_OVERVIEW,
		       verdict(1e3 * overview <= BAR_OVERVIEW));
	}
	free(s);
}

int main(int argc, char **argv)
{
	uint64_t records = 25000000;
	const char *dir = "/tmp";
	int keep = 0, i = 1, status = 0;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--records") && i + 1 < argc)
			records = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--dir") && i + 1 < argc)
			dir = argv[++i];
		else if (!strcmp(argv[i], "--keep"))
			keep = 1;
		else
			die("usage: bench [--records N] [--dir DIR] [--keep] [FILE...]");
	}
	if (i < argc) {
		for (; i < argc; i++) {
			struct figures_of_file f = measure_file(argv[i]);

			report(argv[i], &f);
			status |= f.failed;
		}
		return status;
	}
	bench_folds();
	status |= bench_patterns(dir, records, keep);
	for (int p = 0; p < TRAFFICS; p++) {
		struct figures_of_file small = generated(dir, (enum traffic)p, 64, records / 10, keep, 0);
		struct figures_of_file large = generated(dir, (enum traffic)p, 64, records, keep, 0);
		struct figures_of_file few = generated(dir, (enum traffic)p, 102, records, keep, 1);
		struct figures_of_file many = generated(dir, (enum traffic)p, 1024, records, keep, 0);

		printf("growth, %s\n", traffic_name((enum traffic)p));
		ratio("events x 10", &small, &large, BAR_GROWTH);
		ratio("ranks x 10 (102 to 1024)", &few, &many, 1.5);
		status |= small.failed | large.failed | few.failed | many.failed;
	}
	return status;
}
