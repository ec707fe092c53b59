/* make bench-job: what it brings to share a trace among ranks, and what travels between them.
 *
 *     job [--records N] [--dir DIR] [--keep] [--pas2p PROGRAM] [--mpirun LAUNCHER] [FILE...]
 *
 * What travels, and how many collective steps ranks take, is counted by stage in a team of threads, which takes the
 * same collective steps as an MPI job. Time and memory are those of `mpirun -np N pas2p phases --threads 1 --format
 * csv` (without the digest of the file, which rank 0 makes alone), best of three; without a launcher they are left out.
 * A bar that is missed is marked.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/method/analysis/analysis.h"
#include "core/formats/api/load.h"
#include "core/trace/remote.h"
#include "generate.h"
#include "team_threads.h"

#define BAR_SPEEDUP 1.5  /* two ranks, each with a core of its own */
#define BAR_MEMORY_2 0.60 /* of one rank's peak: the largest of two ranks' */
#define BAR_MEMORY_4 0.35
#define BAR_BYTES 1.2    /* times what docs/internals/scale.md 3 says travels */

enum { STAGE_LOAD, STAGE_ORDER, STAGE_REST, STAGE_COUNT };
static const char *const stage_names[STAGE_COUNT] = {"load and relate", "order and ticks", "phases and figures"};

struct stage_of {
	uint64_t bytes, steps;    /* bytes of all ranks; collective steps of rank 0 */
	double seconds;           /* of rank 0, of processor time of its thread */
};

struct counted {
	const char *path;
	struct stage_of stage[STAGE_COUNT];
	uint64_t events, sends, collectives, remote, lts, ticks, send_ticks, processes, occurrences;
	bool failed;
};

static double seconds_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const char *what)
{
	fprintf(stderr, "job: %s\n", what);
	exit(1);
}

/* What a rank has done since the last call, added up on rank 0. */
static void count_stage(struct counted *c, int stage, const struct team *team, uint64_t before[2], double *since)
{
	uint64_t bytes = *team->bytes_sent - before[0], steps = *team->steps - before[1], all = bytes;
	double now = seconds_of(CLOCK_THREAD_CPUTIME_ID);

	if (team_reduce(team, &all, 1, TEAM_SUM, NULL))
		die("the team broke");
	if (!team->rank)
		c->stage[stage] = (struct stage_of){all, steps, now - *since};
	before[0] = *team->bytes_sent;
	before[1] = *team->steps;
	*since = now;
}

static void count_rank(void *arg, const struct team *team)
{
	struct counted *c = arg;
	struct trace_options o = {.threads = 1, .team = team};
	struct analysis *order = NULL, *all = NULL;
	uint64_t before[2] = {0}, sums[4];
	struct settings settings;
	double since = seconds_of(CLOCK_THREAD_CPUTIME_ID);
	struct trace *t = NULL;
	struct err e = {0};

	settings_init(&settings);
	trace_load(&t, &c->path, 1, &o, NULL, &e);
	if (!t)
		die(e.text);
	count_stage(c, STAGE_LOAD, team, before, &since);
	if (analysis_new(&order, t, &settings, NULL, ANALYSIS_ORDER, NULL, &e))
		die(e.text);
	count_stage(c, STAGE_ORDER, team, before, &since);
	if (analysis_new(&all, t, &settings, order, ANALYSIS_PHASES, NULL, &e))
		die(e.text);
	count_stage(c, STAGE_REST, team, before, &since);
	sums[0] = t->event_count;
	sums[1] = t->send_count;
	sums[2] = t->collective_count;
	sums[3] = t->remote ? t->remote->message_count : 0;
	if (team_reduce(team, sums, 4, TEAM_SUM, &e))
		die(e.text);
	if (!team->rank) {
		c->events = trace_all_events(t);
		c->sends = sums[1];
		c->collectives = sums[2];
		c->remote = sums[3] / 2;
		c->lts = all->logical->lt_count;
		c->ticks = all->logical->tick_count;
		for (uint32_t k = 0; k < all->logical->tick_count; k++)
			c->send_ticks += all->logical->tick_sends[k];
		c->processes = t->process_count;
		c->occurrences = all->phases->occurrence_count;
	}
	analysis_unref(order);
	analysis_unref(all);
	trace_free(t);
}

/* What docs/internals/scale.md 3 says travels in a stage, at most. */
static double allowed(const struct counted *c, int stage, uint32_t ranks)
{
	double n = ranks;

	switch (stage) {
	case STAGE_LOAD: return 24.0 * (double)c->sends + 12.0 * (double)c->collectives + 4096 * n;
	case STAGE_ORDER: return 12.0 * (double)c->remote + n * (8.0 * (double)c->lts + 24.0 * (double)c->collectives / (double)c->processes);
	default: return n * (8.0 * (double)c->send_ticks + 16.0 * (double)c->ticks + 24.0 * (double)c->occurrences + 4096);
	}
}

static void count_ranks(const char *path, uint32_t ranks)
{
	struct counted c = {.path = path};

	if (!team_threads_run(ranks, count_rank, &c))
		die("no threads");
	for (int s = 0; s < STAGE_COUNT; s++) {
		double most = allowed(&c, s, ranks);

		printf("  %u rank%s %-20s %7.3f s of rank 0", ranks, ranks == 1 ? " " : "s", stage_names[s], c.stage[s].seconds);
		if (ranks == 1) {
			printf("\n");
			continue;
		}
		printf(" %9" PRIu64 " meetings %12.3f MB %9.3f bytes an event   bar %.1f x %.3f%s\n",
		       c.stage[s].steps, (double)c.stage[s].bytes / 1e6, (double)c.stage[s].bytes / (double)(c.events ? c.events : 1), BAR_BYTES,
		       most / (double)(c.events ? c.events : 1), (double)c.stage[s].bytes <= BAR_BYTES * most ? "" : "  MISSED");
	}
}

struct spent {
	double seconds, processor; /* of all ranks */
	double peak;               /* bytes, of the largest process */
};

/* False: it could not be started. */
static bool run(const char *launcher, const char *program, const char *path, uint32_t ranks, struct spent *spent)
{
	char number[16];
	struct rusage used;
	double begin = seconds_of(CLOCK_MONOTONIC), last;
	int status;
	pid_t child;

	snprintf(number, sizeof number, "%u", ranks);
	fflush(stdout);
	child = fork();
	if (!child) {
		char *words[] = {(char[]){"-np"}, number};
		int nothing = open("/dev/null", O_WRONLY);

		dup2(nothing, 1);
		execlp(launcher, launcher, words[0], words[1], program, "phases", "-q", "--threads", "1", "--format", "csv", path, (char *)NULL);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &used) != child || status)
		return false;
	last = seconds_of(CLOCK_MONOTONIC) - begin;
	if (!spent->seconds || last < spent->seconds)
		spent->seconds = last;
	spent->processor = (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec + 1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
	spent->peak = (double)used.ru_maxrss * 1024;
	return true;
}

static void run_all(const char *launcher, const char *program, const char *path)
{
	static const uint32_t sizes[] = {1, 2, 4};
	struct spent spent[3] = {{0}};

	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 3; i++)
			if (!run(launcher, program, path, sizes[i], &spent[i])) {
				printf("  %s does not start %u ranks of %s here: no times, no memory\n", launcher, sizes[i], program);
				return;
			}
	for (int i = 0; i < 3; i++) {
		double faster = spent[0].seconds / spent[i].seconds, part = spent[i].peak / spent[0].peak;
		double bar = sizes[i] == 2 ? BAR_MEMORY_2 : BAR_MEMORY_4;

		printf("  %u rank%s  %9.3f s, %.3f s of processors, largest rank %.1f MB", sizes[i], sizes[i] == 1 ? " " : "s", spent[i].seconds,
		       spent[i].processor, spent[i].peak / 1e6);
		if (sizes[i] == 2)
			printf("; speed-up %.2f   bar %.1f%s", faster, BAR_SPEEDUP, faster >= BAR_SPEEDUP ? "" : "  MISSED");
		if (sizes[i] > 1)
			printf("; memory %.2f   bar %.2f%s", part, bar, part <= bar ? "" : "  MISSED");
		printf("\n");
	}
}

/* In a process of its own: the memory of whoever starts a program counts in that program's peak. */
static void count_apart(const char *path, uint32_t ranks)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		count_ranks(path, ranks);
		fflush(stdout);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		die("nothing could be counted");
}

static void measure(const char *launcher, const char *program, const char *path, const char *name)
{
	static const uint32_t sizes[] = {1, 2, 4};

	printf("%s\n", name);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		count_apart(path, sizes[i]);
	if (launcher)
		run_all(launcher, program, path);
}

static void measure_generated(const char *launcher, const char *program, const char *dir, enum traffic p, uint32_t ranks, uint64_t records, bool keep)
{
	char path[4096], name[64];
	struct err e;

	snprintf(name, sizeof name, "%s.%u.%" PRIu64, traffic_name(p), ranks, records);
	snprintf(path, sizeof path, "%s/%s.clog2", dir, name);
	if (access(path, R_OK) && generate_trace(path, p, CLOCKS_ONE, ranks, records, &e) != ERR_OK)
		die(e.text);
	measure(launcher, program, path, name);
	if (!keep)
		unlink(path);
}

int main(int argc, char **argv)
{
	const char *dir = ".", *launcher = NULL, *program = "./pas2p";
	uint64_t records = 25000000;
	bool keep = false;
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "--keep") == 0)
			keep = true;
		else if (i + 1 < argc && strcmp(argv[i], "--records") == 0)
			records = strtoull(argv[++i], NULL, 10);
		else if (i + 1 < argc && strcmp(argv[i], "--dir") == 0)
			dir = argv[++i];
		else if (i + 1 < argc && strcmp(argv[i], "--pas2p") == 0)
			program = argv[++i];
		else if (i + 1 < argc && strcmp(argv[i], "--mpirun") == 0)
			launcher = argv[++i];
		else
			die("unknown option");
	}
	for (int k = i; k < argc; k++)
		measure(launcher, program, argv[k], argv[k]);
	if (i < argc)
		return 0;
	measure_generated(launcher, program, dir, TRAFFIC_HALO, 64, records, keep);
	measure_generated(launcher, program, dir, TRAFFIC_HALO, 1024, records, keep);
	measure_generated(launcher, program, dir, TRAFFIC_COLLECTIVE, 64, records, keep);
	return 0;
}
