/* make bench: what analysing clocks and correcting times cost (docs/performance.md), on traces of 20 million messages.
 *
 *     bench/clocks [--messages N] [--dir DIR] [--keep] [FILE...]
 *
 * Each measurement runs in a child process, so that its peak memory is its own. Bars are ratios of processor time
 * within one run, of the best of three. A bar that is missed is marked; the exit status is 0 all the same.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/method/analysis/analysis.h"
#include "core/clocks/report.h"
#include "core/formats/api/load.h"
#include "generate.h"

#define RANKS 64
#define RECORDS_A_MESSAGE 6  /* of a wavefront */
#define BAR_ANALYSED 1.0     /* times the load: analysis takes less */
#define BAR_CLOCKS 1.5       /* times check, loading included in both */
#define BAR_CORRECTED 4.0    /* as above */
#define BAR_ANALYSED_BYTES 16.0  /* a message, above what loading takes at its peak */
#define BAR_CORRECTED_BYTES 28.0 /* a record, above what the trace takes that was loaded without the times of its records */

struct cost {
	double cpu, wall, peak;      /* s; bytes */
	double load_cpu, load_wall, loaded; /* of what was loaded first; loaded: bytes that it holds */
	double records, messages;
	uint32_t windows, forced;
	unsigned steps;
	int failed;
};

struct asked {
	const char *path, *out;
	unsigned threads;
	bool check, analyse, correct;
};

static void die(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(1);
}

static double time_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double peak_bytes(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_maxrss * 1024;
}

/* What the process holds now. */
static double held_bytes(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	double all, resident;

	if (!f || fscanf(f, "%lf %lf", &all, &resident) != 2)
		die("cannot tell how much memory is used");
	fclose(f);
	return resident * (double)sysconf(_SC_PAGESIZE);
}

static void measure(const struct asked *a, struct cost *c)
{
	const struct clock_report_options asked = {.reference = REFERENCE_ANY, .resolution = RESOLUTION_AUTO, .windows = CLOCK_WINDOWS,
						   .bins = 50};
	const struct clock_correct_options how = {CLOCK_AUTO, CLOCK_AMORTISE};
	struct trace_options o = {.threads = a->threads};
	double wall = time_of(CLOCK_MONOTONIC), cpu = time_of(CLOCK_PROCESS_CPUTIME_ID);
	struct call_log *log = NULL;
	struct clock_report *r = NULL;
	struct analysis *order = NULL;
	struct settings s;
	struct trace *t;
	struct err e;
	bool unwritten;

	if (a->analyse)
		call_log_load(&log, &t, &a->path, 1, &o, NULL, &e);
	else
		trace_load(&t, &a->path, 1, &o, NULL, &e);
	if (!t)
		die(e.text);
	c->load_wall = time_of(CLOCK_MONOTONIC) - wall;
	c->load_cpu = time_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	c->loaded = held_bytes();
	for (uint32_t p = 0; p < t->process_count; p++)
		c->records += (double)t->processes[p].records;
	if (a->check) {
		settings_init(&s);
		if (analysis_new(&order, t, &s, NULL, ANALYSIS_ORDER, NULL, &e) != ERR_OK)
			die(e.text);
	}
	if (a->analyse && clock_report_new(&r, log, &asked, NULL, &e) != ERR_OK)
		die(e.text);
	if (a->correct && clock_report_correct(r, a->out, &how, &unwritten, NULL, &e) != ERR_OK)
		die(e.text);
	c->wall = time_of(CLOCK_MONOTONIC) - wall;
	c->cpu = time_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	c->peak = peak_bytes();
	if (r) {
		c->messages = (double)r->violations->messages.all;
		c->windows = r->bounds->windows;
		c->forced = r->bounds->forced;
		c->steps = r->correction.steps;
	}
	analysis_unref(order);
	clock_report_free(r);
	call_log_free(log);
	trace_free(t);
}

/* In a child; its figures come back through shared memory. */
static struct cost in_child(const struct asked *a)
{
	struct cost *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct cost result;
	int status = 0;
	pid_t child;

	if (shared == MAP_FAILED)
		die("no shared memory");
	fflush(stdout);
	child = fork();
	if (child == 0) {
		measure(a, shared);
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

enum kind { LOAD, CHECK, CLOCKS, CORRECT, LOAD_TWO, CLOCKS_TWO, KINDS };

/* The best of three of each, in turn, so that whatever else runs is beside all of them. */
static void measure_all(struct cost cost[KINDS], const struct asked asked[KINDS])
{
	memset(cost, 0, KINDS * sizeof *cost);
	for (int round = 0; round < 3; round++)
		for (int kind = 0; kind < KINDS; kind++) {
			struct cost c = in_child(&asked[kind]), before = cost[kind];

			c.failed |= before.failed;
			c.cpu = best(before.cpu, c.cpu);
			c.wall = best(before.wall, c.wall);
			c.peak = best(before.peak, c.peak);
			cost[kind] = c;
		}
}

static const char *verdict(bool kept)
{
	return kept ? "" : "  MISSED";
}

static void row(const char *name, double value, const char *unit, double bar, bool counts)
{
	printf("  %-46s %8.2f %s   bar %g%s\n", name, value, unit, bar, verdict(value <= bar || !counts));
}

static void report(const char *name, const char *path, const char *out)
{
	struct asked asked = {.path = path, .out = out, .threads = 1}, all[KINDS];
	struct cost cost[KINDS], load, check, one, correct, load2, two;
	bool failed = false, large;

	for (int kind = 0; kind < KINDS; kind++)
		all[kind] = asked;
	all[CHECK].check = true;
	all[CLOCKS].analyse = all[CLOCKS_TWO].analyse = all[CORRECT].analyse = all[CORRECT].correct = true;
	all[LOAD_TWO].threads = all[CLOCKS_TWO].threads = 2;
	measure_all(cost, all);
	for (int kind = 0; kind < KINDS; kind++)
		failed |= cost[kind].failed;
	load = cost[LOAD];
	check = cost[CHECK];
	one = cost[CLOCKS];
	correct = cost[CORRECT];
	load2 = cost[LOAD_TWO];
	two = cost[CLOCKS_TWO];
	unlink(out);
	if (failed) {
		printf("%s\n  a measurement failed\n", name);
		return;
	}
	large = one.messages >= 1e6; /* small traces show that it runs */
	printf("%s: %.1f M messages, %.1f M records; %u windows, %u forced pairs%s\n", name, one.messages / 1e6, one.records / 1e6, one.windows,
	       one.forced, correct.steps ? "" : "; nothing to correct");
	printf("  processor time: load %.2f s, check %.2f s, clocks %.2f s, correct %.2f s; two threads, wall clock: load %.2f s, clocks %.2f s\n",
	       load.cpu, check.cpu, one.cpu, correct.cpu, load2.wall, two.wall);
	row("analysis : load, processor time", (one.cpu - load.cpu) / load.cpu, "x", BAR_ANALYSED, large);
	row("analysis : load, two threads, wall clock", (two.wall - load2.wall) / load2.wall, "x", BAR_ANALYSED, large);
	row("clocks : check, processor time", one.cpu / check.cpu, "x", BAR_CLOCKS, large);
	row("correct : check, processor time", correct.cpu / check.cpu, "x", BAR_CORRECTED, large);
	row("analysis, memory above the peak of loading", (one.peak - load.peak) / one.messages, "bytes a message", BAR_ANALYSED_BYTES, large);
	row("correct, memory above the trace alone", (correct.peak - load.loaded) / one.records, "bytes a record", BAR_CORRECTED_BYTES, large);
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"one clock", "linear clocks", "clocks that contradict themselves"};
	uint64_t messages = 20000000;
	const char *dir = "/tmp";
	char path[4096], out[4096];
	bool keep = false;
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--messages") && i + 1 < argc)
			messages = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--dir") && i + 1 < argc)
			dir = argv[++i];
		else if (!strcmp(argv[i], "--keep"))
			keep = true;
		else
			die("usage: bench/clocks [--messages N] [--dir DIR] [--keep] [FILE...]");
	}
	snprintf(out, sizeof out, "%s/corrected.clog2", dir);
	for (int k = i; k < argc; k++)
		report(argv[k], argv[k], out);
	for (int clocks = CLOCKS_ONE; i == argc && clocks <= CLOCKS_WANDER; clocks++) {
		struct err e;

		snprintf(path, sizeof path, "%s/clocks.%d.%" PRIu64 ".clog2", dir, clocks, messages);
		if (access(path, R_OK) &&
		    generate_trace(path, TRAFFIC_WAVEFRONT, (enum clock_kind)clocks, RANKS, messages * RECORDS_A_MESSAGE, &e) != ERR_OK)
			die(e.text);
		report(names[clocks], path, out);
		if (!keep)
			unlink(path);
	}
	return 0;
}
