/* make bench: what reading a Paraver trace costs (docs/performance.md), beside a loop over its lines that keeps
 * nothing.
 *
 *     bench/prv [--megabytes N] [--dir DIR] [--keep] [FILE.prv...]
 *
 * The trace is a ring of 64 ranks: Irecv, Isend, Waitall, an Allreduce each tenth step; states around calls, four
 * counters at each call's begin and end, as Extrae writes them. Times are of a processor on one thread, the best of
 * three. A bar that is missed is marked.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/formats/api/load.h"
#include "core/formats/prv/prv_int.h"
#include "core/io/source.h"

#define RANKS 64
#define MEGA 1e6
#define BAR_SPEED 200.0     /* MB/s */
#define BAR_MEMORY 96.0     /* bytes an event, at the peak */
#define HELD_ASIDE (8e6 + 256.0 * RANKS) /* that a thread and processes may take beside events */

struct figures {
	double seconds, lines, events, peak;
	int failed;
};

static void die(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(1);
}

static double cpu_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the trace ---- */

static void put_call(FILE *f, int rank, int64_t begin, int64_t end, int type, int value, const char *more)
{
	int task = rank + 1;

	fprintf(f, "1:%d:1:%d:1:%" PRId64 ":%" PRId64 ":1\n", task, task, begin - 9000, begin);
	fprintf(f, "2:%d:1:%d:1:%" PRId64 ":%d:%d%s:42000050:%d:42000059:%d:42000000:%d:42000008:%d\n", task, task, begin, type, value, more,
		812345 + rank, 902211 + task, 812 + rank, 77 + task);
	fprintf(f, "1:%d:1:%d:1:%" PRId64 ":%" PRId64 ":%d\n", task, task, begin, end, type == 50000002 ? 13 : 15);
	fprintf(f, "2:%d:1:%d:1:%" PRId64 ":%d:0:42000050:%d:42000059:%d:42000000:%d:42000008:%d\n", task, task, end, type, 4123 + rank,
		7120 + task, 12 + rank, 3 + task);
}

static void put_step(FILE *f, int64_t step)
{
	for (int rank = 0; rank < RANKS; rank++) {
		int64_t at = 1000000 + step * 100000 + rank * 13;
		int to = (rank + 1) % RANKS + 1;

		put_call(f, rank, at, at + 1200, 50000001, 4, "");
		put_call(f, rank, at + 10000, at + 11500, 50000001, 3, "");
		fprintf(f, "3:%d:1:%d:1:%" PRId64 ":%" PRId64 ":%d:1:%d:1:%" PRId64 ":%" PRId64 ":8192:%d\n", rank + 1, rank + 1, at + 10000,
			at + 10300, to, to, at + 200, at + 28000, (int)(step % 100));
		put_call(f, rank, at + 20000, at + 28500, 50000001, 6, "");
		if (step % 10 == 0)
			put_call(f, rank, at + 50000, at + 61000, 50000002, 10, ":50100001:8:50100002:8:50100004:1");
	}
}

/* When the last rank leaves its last call; a collective is the last of every tenth step. */
static int64_t end_of(int64_t steps)
{
	return 1000000 + (steps - 1) * 100000 + (RANKS - 1) * 13 + ((steps - 1) % 10 ? 28500 : 61000);
}

static void generate(const char *path, double bytes)
{
	FILE *f = fopen(path, "w");
	int64_t steps = (int64_t)(bytes / (RANKS * 750.0)) + 1;

	if (!f)
		die("cannot write the trace");
	fprintf(f, "#Paraver (22/11/2026 at 10:00):%" PRId64 "_ns:1(%d):1:%d(", end_of(steps), RANKS, RANKS);
	for (int rank = 0; rank < RANKS; rank++)
		fprintf(f, "%s1:1", rank ? "," : "");
	fprintf(f, "),1\nc:1:1:%d", RANKS);
	for (int rank = 0; rank < RANKS; rank++)
		fprintf(f, ":%d", rank + 1);
	fprintf(f, "\n");
	for (int64_t step = 0; step < steps; step++)
		put_step(f, step);
	if (fclose(f))
		die("cannot write the trace");
}

/* ---- measuring ---- */

static void lines_alone(const char *path, struct figures *out)
{
	struct source source;
	struct prv_lines lines;
	struct err e = {0};
	size_t n;
	double begun = cpu_now();

	if (source_open_file(&source, path, &e) || prv_lines_init(&lines, &source, 0, PRV_WHOLE_FILE, &e) || !prv_lines_text(&lines, &n, &e))
		die(e.text);
	while (prv_lines_next(&lines, &e) == PRV_LINE)
		out->lines++;
	out->seconds = cpu_now() - begun;
	prv_lines_release(&lines);
	source_release(&source);
}

static void whole_trace(const char *path, struct figures *out)
{
	struct trace_options o = {.threads = 1};
	struct trace *t = NULL;
	struct err e = {0};
	struct rusage before, after;
	double begun = cpu_now();

	getrusage(RUSAGE_SELF, &before);
	if (trace_load(&t, &path, 1, &o, NULL, &e))
		die(e.text);
	out->seconds = cpu_now() - begun;
	getrusage(RUSAGE_SELF, &after);
	out->events = t->event_count;
	out->peak = (double)(after.ru_maxrss - before.ru_maxrss) * 1024;
	trace_free(t);
}

/* In a process of its own, so that its peak of memory is its own. */
static struct figures measure(void (*run)(const char *path, struct figures *out), const char *path)
{
	struct figures out, best = {.failed = 1};
	int ends[2];

	for (int round = 0; round < 3; round++) {
		pid_t child;

		if (pipe(ends))
			die("cannot make a pipe");
		child = fork();
		if (!child) {
			out = (struct figures){0};
			run(path, &out);
			_exit(write(ends[1], &out, sizeof out) != sizeof out);
		}
		close(ends[1]);
		if (child < 0 || read(ends[0], &out, sizeof out) != sizeof out)
			die("a measurement failed");
		close(ends[0]);
		waitpid(child, NULL, 0);
		if (best.failed || out.seconds < best.seconds)
			best = out;
	}
	return best;
}

static void report(const char *path)
{
	struct source source;
	struct err e;
	struct figures lines = measure(lines_alone, path), whole = measure(whole_trace, path);
	double bytes, each;

	if (source_open_file(&source, path, &e))
		die(e.text);
	bytes = (double)source.file_size / MEGA;
	source_release(&source);
	each = whole.events > 0 ? (whole.peak - HELD_ASIDE) / whole.events : 0;
	printf("%s: %.0f MB, %.0f lines, %.0f events\n", path, bytes, lines.lines, whole.events);
	printf("  lines alone    %8.0f MB/s\n", bytes / lines.seconds);
	printf("  loaded         %8.0f MB/s%s\n", bytes / whole.seconds, bytes / whole.seconds < BAR_SPEED ? "  below its bar" : "");
	printf("  at the peak    %8.0f bytes an event%s\n", each, each > BAR_MEMORY ? "  above its bar" : "");
}

int main(int argc, char **argv)
{
	double megabytes = 600;
	const char *dir = ".";
	bool keep = false, given = false;
	char path[4096];

	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--megabytes") && i + 1 < argc)
			megabytes = atof(argv[++i]);
		else if (!strcmp(argv[i], "--dir") && i + 1 < argc)
			dir = argv[++i];
		else if (!strcmp(argv[i], "--keep"))
			keep = true;
	for (int i = 1; i < argc; i++) {
		size_t n = strlen(argv[i]);

		if (n > 4 && !strcmp(argv[i] + n - 4, ".prv")) {
			report(argv[i]);
			given = true;
		}
	}
	if (given)
		return 0;
	snprintf(path, sizeof path, "%s/ring.prv", dir);
	if (!keep || access(path, R_OK))
		generate(path, megabytes * MEGA);
	report(path);
	if (!keep)
		unlink(path);
	return 0;
}
