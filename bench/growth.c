/* make bench: how the processor time of commands grows with what a trace has many of.
 *
 *     growth --pas2p PROGRAM [--dir DIR] [--percent N] [--only DIMENSION]
 *
 * A trace has many processes, threads of one process, communicators, kinds of states, states within each other, messages
 * under way, or channels; then twice and four times as many, with as many records each. Every reader reads what
 * `pas2p convert` makes of it, every writer writes it, each in a process of its own. The figure is the time of the
 * largest over four times that of the smallest, both less what it takes to start: 1 is linear. A time that is too short
 * to compare with is not judged; a bar that is missed is marked. Best of three.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/formats/clog2/clog2.h"

#define BAR_GROWTH 1.3 /* times linear; of memory as well */
#define LEAST 0.05 /* s */
#define SIZES 3
#define ROUNDS 3
#define FEWER 10 /* where each of them is a file */
#define FIRST_STATE 1000
#define FIRST_ETYPE 10000 /* of states that are not MPE's */

struct trace_maker {
	struct clog2_writer w;
	double now;
	uint32_t kinds; /* of states */
};

/* ---- the traces ---- */

static struct clog2_head head_of(struct trace_maker *m, uint32_t rank, uint32_t thread, int32_t icomm)
{
	m->now += 1e-7;
	return (struct clog2_head){m->now, icomm, (int32_t)rank, (int32_t)thread};
}

static void put_bare(struct trace_maker *m, uint32_t rank, uint32_t thread, int etype)
{
	clog2_write_bare(&m->w, head_of(m, rank, thread, 0), etype);
}

static void put_call(struct trace_maker *m, uint32_t rank, uint32_t thread, const char *name)
{
	int state = clog2_known_state(name);

	put_bare(m, rank, thread, 2 * state);
	put_bare(m, rank, thread, 2 * state + 1);
}

static void put_message(struct trace_maker *m, bool send, uint32_t rank, uint32_t partner, int32_t tag, int32_t icomm)
{
	int state = clog2_known_state(send ? "MPI_Send" : "MPI_Recv");
	struct clog2_msg message = {send ? -101 : -102, icomm, (int32_t)partner, tag, 1024};

	put_bare(m, rank, 0, 2 * state);
	clog2_write_msg(&m->w, head_of(m, rank, 0, 0), &message);
	put_bare(m, rank, 0, 2 * state + 1);
}

static void put_exchange(struct trace_maker *m, uint32_t from, uint32_t to, int32_t tag, int32_t icomm)
{
	put_message(m, true, from, to, tag, icomm);
	put_message(m, false, to, from, tag, icomm);
}

/* Of processes 0 and 1. */
static void put_pair_comm(struct trace_maker *m, uint32_t number)
{
	struct clog2_comm comm = {.etype = 100, .icomm = (int32_t)(10 + number)};

	memcpy(comm.gid.bytes, &number, sizeof number);
	memcpy(comm.gid.bytes + 12, "pair", 4);
	for (uint32_t r = 0; r < 2; r++) {
		comm.rank = comm.wrank = (int32_t)r;
		clog2_write_comm(&m->w, head_of(m, r, 0, 0), &comm);
	}
}

static void make_processes(struct trace_maker *m, uint32_t n)
{
	for (uint32_t step = 0; step < 6; step++) {
		for (uint32_t r = 0; r < n; r++)
			put_message(m, true, r, (r + 1) % n, 1, 0);
		for (uint32_t r = 0; r < n; r++)
			put_message(m, false, r, (r + n - 1) % n, 1, 0);
		for (uint32_t r = 0; r < n; r++)
			put_bare(m, r, 0, 2 * clog2_known_state("MPI_Allreduce"));
		for (uint32_t r = 0; r < n; r++)
			put_bare(m, r, 0, 2 * clog2_known_state("MPI_Allreduce") + 1);
	}
}

static void make_threads(struct trace_maker *m, uint32_t n)
{
	for (uint32_t step = 0; step < 5; step++) {
		put_exchange(m, 0, 1, 1, 0);
		for (uint32_t thread = 0; thread < n; thread++)
			put_call(m, 1, thread, step % 2 ? "MPI_Test" : "MPI_Iprobe");
	}
}

static void make_communicators(struct trace_maker *m, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		put_pair_comm(m, i);
	for (uint32_t i = 0; i < n; i++)
		put_exchange(m, 0, 1, 1, (int32_t)(10 + i));
}

static void make_states(struct trace_maker *m, uint32_t n)
{
	m->kinds = n;
	for (uint32_t i = 0; i < n; i++) {
		put_bare(m, 0, 0, FIRST_ETYPE + 2 * (int)i);
		if (i % 10 == 0)
			put_exchange(m, 0, 1, 1, 0);
		put_bare(m, 0, 0, FIRST_ETYPE + 2 * (int)i + 1);
	}
}

static void make_nested(struct trace_maker *m, uint32_t n)
{
	m->kinds = 100;
	for (uint32_t i = 0; i < n; i++)
		put_bare(m, 0, 0, FIRST_ETYPE + 2 * (int)(i % 100));
	for (uint32_t i = 0; i < n / 10; i++)
		put_exchange(m, 0, 1, 1, 0);
	for (uint32_t i = n; i-- > 0;)
		put_bare(m, 0, 0, FIRST_ETYPE + 2 * (int)(i % 100) + 1);
}

static void make_open(struct trace_maker *m, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		put_message(m, true, 0, 1, (int32_t)(i % 1000), 0);
	for (uint32_t i = n; i-- > 0;)
		put_message(m, false, 1, 0, (int32_t)(i % 1000), 0);
}

/* Partners and tags differ. */
static void make_channels(struct trace_maker *m, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		put_exchange(m, i % 8, 8 + i / 8 % 8, (int32_t)(i / 64), 0);
}

struct dimension {
	const char *name;
	uint32_t n, ranks; /* how many at first; 0 ranks: n */
	bool files;        /* OTF2 and TIT have a file for each */
	void (*make)(struct trace_maker *m, uint32_t n);
};

static const struct dimension dimensions[] = {
	{"processes", 8000, 0, true, make_processes},
	{"threads", 50000, 2, true, make_threads},
	{"communicators", 80000, 2, false, make_communicators},
	{"states", 120000, 2, false, make_states},
	{"nested", 400000, 2, false, make_nested},
	{"open", 200000, 2, false, make_open},
	{"channels", 120000, 16, false, make_channels},
};

static void die(const char *what)
{
	fprintf(stderr, "growth: %s\n", what);
	exit(1);
}

static void put_world(struct trace_maker *m, uint32_t ranks)
{
	struct clog2_comm world = {.etype = 0, .icomm = 0};

	memcpy(world.gid.bytes + 12, "world", 5);
	for (uint32_t r = 0; r < ranks; r++) {
		world.rank = world.wrank = (int32_t)r;
		clog2_write_comm(&m->w, head_of(m, r, 0, 0), &world);
	}
}

static void put_definitions(struct trace_maker *m)
{
	static const char *const calls[] = {"MPI_Send", "MPI_Recv", "MPI_Allreduce", "MPI_Test", "MPI_Iprobe"};

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		int state = clog2_known_state(calls[i]);
		struct clog2_statedef d = {.state = state, .start = 2 * state, .final = 2 * state + 1, .color = "white"};

		snprintf(d.name, sizeof d.name, "%s", calls[i]);
		clog2_write_statedef(&m->w, head_of(m, 0, 0, 0), &d);
	}
	for (uint32_t i = 0; i < m->kinds; i++) {
		struct clog2_statedef d = {.state = FIRST_STATE + (int)i, .start = FIRST_ETYPE + 2 * (int)i,
					   .final = FIRST_ETYPE + 2 * (int)i + 1, .color = "white"};

		snprintf(d.name, sizeof d.name, "work %u", i);
		clog2_write_statedef(&m->w, head_of(m, 0, 0, 0), &d);
	}
}

static void make_trace(const char *path, const struct dimension *d, uint32_t n)
{
	uint32_t ranks = d->ranks ? d->ranks : n;
	struct clog2_write_options o = {.minor = 44, .big_endian = true, .finalized = true, .block_size = 65536, .world_size = (int32_t)ranks,
					.max_threads = d->make == make_threads ? (int32_t)n : 1};
	struct trace_maker m = {.now = 0};
	int fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0666);
	struct err e;

	if (fd < 0)
		die(strerror(errno));
	if (clog2_writer_init(&m.w, fd, &o, &e))
		die(e.text);
	put_world(&m, ranks);
	d->make(&m, n);
	put_definitions(&m);
	if (clog2_writer_finish(&m.w, true, &e))
		die(e.text);
	clog2_writer_release(&m.w);
	close(fd);
}

/* ---- what is measured ---- */

enum format { CLOG2, OTF2, PRV };
static const char *const format_names[] = {"clog2", "otf2", "prv"};

struct measured {
	enum format from;
	const char *words[4]; /* of the command: `convert --to` has the format that follows, and an output */
};

static const struct measured commands[] = {
	{CLOG2, {"info"}}, {CLOG2, {"phases"}}, {CLOG2, {"metrics"}}, {CLOG2, {"clocks"}},
#ifdef WITH_OTF2
	{OTF2, {"info"}}, {OTF2, {"metrics"}}, {CLOG2, {"convert", "--to", "otf2"}},
#endif
	{PRV, {"info"}}, {PRV, {"metrics"}}, {CLOG2, {"convert", "--to", "clog2"}}, {CLOG2, {"convert", "--to", "prv"}},
	{CLOG2, {"convert", "--to", "tit"}}, {CLOG2, {"convert", "--to", "perfetto"}},
};

struct took {
	double seconds, peak; /* of a processor; MB */
};

static char *program = NULL, *folder = NULL;

/* output NULL: it goes nowhere. */
static struct took run_once(const struct measured *c, char *path, char *output)
{
	char *argv[16] = {program}, words[4][16], force[] = "--force", to[] = "-o";
	struct rusage usage;
	int n = 1, status;
	pid_t child;

	for (int i = 0; c->words[i]; i++) {
		snprintf(words[i], sizeof words[i], "%s", c->words[i]);
		argv[n++] = words[i];
	}
	if (output) {
		argv[n++] = force;
		argv[n++] = to;
		argv[n++] = output;
	}
	argv[n++] = path;
	child = fork();
	if (!child) {
		int nowhere = open("/dev/null", O_RDWR);

		dup2(nowhere, 1);
		dup2(nowhere, 2);
		execv(program, argv);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status))
		die("a command failed");
	return (struct took){(double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec),
			     (double)usage.ru_maxrss / 1024};
}

static struct took run_best(const struct measured *c, char *path)
{
	struct took best = {1e30, 1e30};
	char output[4200];

	snprintf(output, sizeof output, "%s/out.%s", folder, c->words[1] ? c->words[2] : "");
	for (int i = 0; i < ROUNDS; i++) {
		struct took again = run_once(c, path, c->words[1] ? output : NULL);

		best.seconds = again.seconds < best.seconds ? again.seconds : best.seconds;
		best.peak = again.peak < best.peak ? again.peak : best.peak;
	}
	return best;
}

/* The trace of so many in that format, made if it is not there yet. */
static void have_trace(char path[4200], const struct dimension *d, uint32_t n, enum format format)
{
	struct measured convert = {CLOG2, {"convert", "--to", format_names[format]}};
	char from[4200];

	snprintf(from, sizeof from, "%s/%s-%u.clog2", folder, d->name, n);
	if (access(from, R_OK))
		make_trace(from, d, n);
	snprintf(path, 4200, "%s/%s-%u.%s", folder, d->name, n, format_names[format]);
	if (access(path, R_OK))
		run_once(&convert, from, path);
}

static void empty_folder(void)
{
	char command[4200];

	snprintf(command, sizeof command, "rm -rf '%s' && mkdir -p '%s'", folder, folder);
	if (system(command))
		die("cannot make a folder for the traces");
}

static const char *verdict(bool missed)
{
	return missed ? " MISSED" : "";
}

static void measure(const struct dimension *d, const struct measured *c, uint32_t n, double start)
{
	const char *to = c->words[1] ? c->words[2] : "";
	struct took took[SIZES];
	double growth, memory;
	char path[4200], name[40];

	if (d->files && (c->from == OTF2 || !strcmp(to, "otf2") || !strcmp(to, "tit")))
		n = n / FEWER + 1;
	for (int k = 0; k < SIZES; k++) {
		have_trace(path, d, n << k, c->from);
		took[k] = run_best(c, path);
		took[k].seconds = took[k].seconds > start ? took[k].seconds - start : 0;
	}
	growth = took[SIZES - 1].seconds / took[0].seconds / (1 << (SIZES - 1));
	memory = took[SIZES - 1].peak / took[0].peak / (1 << (SIZES - 1));
	snprintf(name, sizeof name, "%s%s %s", *to ? "convert --to " : c->words[0], to, *to ? "" : format_names[c->from]);
	printf("  %-22s%8u%9.3f%9.3f%9.3f s ", name, n, took[0].seconds, took[1].seconds, took[2].seconds);
	if (took[0].seconds < LEAST)
		printf("  too short");
	else
		printf("%5.2f%s", growth, verdict(growth > BAR_GROWTH));
	printf("%8.0f MB%6.2f%s\n", took[SIZES - 1].peak, memory, verdict(memory > BAR_GROWTH));
	fflush(stdout);
}

/* What a command takes that has next to nothing to read. */
static double measure_start(void)
{
	static const struct dimension few = {"few", 2, 2, false, make_open};
	char path[4200];

	have_trace(path, &few, few.n, CLOG2);
	return run_best(&commands[0], path).seconds;
}

int main(int argc, char **argv)
{
	const char *dir = ".", *only = NULL;
	static char own[4096];
	uint32_t percent = 100;
	bool found = false;
	double start;

	for (int i = 1; i + 1 < argc; i += 2)
		if (!strcmp(argv[i], "--pas2p"))
			program = argv[i + 1];
		else if (!strcmp(argv[i], "--dir"))
			dir = argv[i + 1];
		else if (!strcmp(argv[i], "--percent"))
			percent = (uint32_t)atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--only"))
			only = argv[i + 1];
	if (!program)
		die("--pas2p says which program is measured");
	snprintf(own, sizeof own, "%s/growth.XXXXXX", dir);
	folder = mkdtemp(own);
	if (!folder)
		die("cannot make a folder for the traces");
	start = measure_start();
	printf("growth: processor time of one, two and four times as many, less %.3f s; of the last / 4 / the first (bar %.1f); the last's peak and its growth\n",
	       start, BAR_GROWTH);
	for (size_t i = 0; i < sizeof dimensions / sizeof *dimensions; i++) {
		const struct dimension *d = &dimensions[i];

		if (only && strcmp(only, d->name) != 0)
			continue;
		found = true;
		printf("%s\n", d->name);
		for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
			measure(d, &commands[k], (uint32_t)((uint64_t)d->n * percent / 100) + 1, start);
		empty_folder();
	}
	empty_folder();
	rmdir(folder);
	if (!found)
		die("--only says what is not measured");
	return 0;
}
