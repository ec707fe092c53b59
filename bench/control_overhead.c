/* What measuring costs a program: ns per call while the runner's hooks are on, beside the plain MPI.
 *
 * Run with the library preloaded, without PAS2P_TRACE. The program makes its own control file, in the folder that it is
 * given: of one rank that is to be measured from its start, with boundaries in every other batch of calls, one at each
 * of its calls. Plain calls go to the MPI library's own function, behind the hooks. One process that sends to itself:
 * what is measured are the hooks, not a network. Of each kind of batch the fastest counts, since whatever else the
 * machine does only adds.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "preload/control_file.h"

#define BATCH 20000u
#define BATCHES 15u

static __typeof__(MPI_Sendrecv) *bare_Sendrecv;

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t pages(uint64_t n)
{
	return (n + CONTROL_PAGE - 1) / CONTROL_PAGE * CONTROL_PAGE;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* Each pair of batches: BATCH calls without, then BATCH calls with a boundary before each. */
static void make_control(const char *folder, char *path, size_t size)
{
	static uint32_t counts[BATCHES * BATCH];
	struct control_part part = {0, BATCHES * BATCH};
	struct control_head h = {
		.magic = CONTROL_MAGIC, .version = CONTROL_VERSION, .ranks = 1, .parts = 1, .boundaries = part.to,
		.plan_offset = CONTROL_PAGE, .mode = CONTROL_REPLAY, .collectives = 1,
	};
	int fd;

	h.slot_offset = CONTROL_PAGE + pages(sizeof part + sizeof counts);
	h.slot_size = pages(sizeof(struct control_slot) + part.to * sizeof(uint64_t));
	h.file_size = h.slot_offset + h.slot_size;
	for (uint32_t b = 0; b < BATCHES; b++)
		for (uint32_t i = 0; i < BATCH; i++)
			counts[b * BATCH + i] = (2 * b + 1) * BATCH + i;
	snprintf(path, size, "%s/%s", folder, CONTROL_FILE);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, (off_t)h.file_size) != 0 || pwrite(fd, &h, sizeof h, 0) != (ssize_t)sizeof h ||
	    pwrite(fd, &part, sizeof part, CONTROL_PAGE) != (ssize_t)sizeof part ||
	    pwrite(fd, counts, sizeof counts, CONTROL_PAGE + (off_t)sizeof part) != (ssize_t)sizeof counts)
		fail(path);
	close(fd);
	setenv(CONTROL_ENVIRONMENT, folder, 1);
}

/* How many of the boundaries have been stamped, and whether their times rise. */
static uint32_t stamped(const char *path)
{
	static uint64_t stamps[BATCHES * BATCH];
	struct control_head h;
	uint32_t n = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || pread(fd, &h, sizeof h, 0) != (ssize_t)sizeof h ||
	    pread(fd, stamps, sizeof stamps, (off_t)(h.slot_offset + sizeof(struct control_slot))) != (ssize_t)sizeof stamps)
		fail(path);
	close(fd);
	while (n < BATCHES * BATCH && stamps[n] && (!n || stamps[n] > stamps[n - 1]))
		n++;
	return n;
}

enum { PLAIN, COUNTED, STAMPED, WAYS };
static const char *const names[WAYS] = {"plain MPI", "counted, no boundary", "counted, a boundary"};

int main(int argc, char **argv)
{
	static char out[64], in[64], path[4096];
	void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_LAZY | RTLD_NOLOAD);
	double least[WAYS][2];
	void *function = library ? dlsym(library, "PMPI_Sendrecv") : NULL;
	uint32_t n;

	if (argc != 3 || !function) {
		fprintf(stderr, "usage: control_overhead NAME-OF-THE-MPI-LIBRARY-IN-USE FOLDER\n");
		return 2;
	}
	*(void **)&bare_Sendrecv = function;
	make_control(argv[2], path, sizeof path);
	MPI_Init(&argc, &argv);
	for (unsigned b = 0; b < BATCHES * WAYS; b++) {
		unsigned way = b % WAYS;
		__typeof__(MPI_Sendrecv) *call = way == PLAIN ? bare_Sendrecv : MPI_Sendrecv;
		double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID);

		for (unsigned i = 0; i < BATCH; i++)
			call(out, 64, MPI_BYTE, 0, 1, in, 64, MPI_BYTE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
		wall = (now(CLOCK_MONOTONIC) - wall) * 1e9 / BATCH;
		cpu = (now(CLOCK_THREAD_CPUTIME_ID) - cpu) * 1e9 / BATCH;
		if (b < WAYS || wall < least[way][0])
			least[way][0] = wall;
		if (b < WAYS || cpu < least[way][1])
			least[way][1] = cpu;
	}
	MPI_Finalize();
	n = stamped(path);
	unlink(path);
	if (n != BATCHES * BATCH) {
		fprintf(stderr, "only %u of %u boundaries have rising stamps\n", n, BATCHES * BATCH);
		return 1;
	}
	printf("%-26s %10s %14s\n", "ns a call, Sendrecv", "wall clock", "processor time");
	for (int w = 0; w < WAYS; w++)
		printf("%-26s %10.1f %14.1f\n", names[w], least[w][0], least[w][1]);
	printf("%-26s %10.1f %14.1f  (bar: 100)\n", "a stamp", least[STAMPED][0] - least[COUNTED][0],
	       least[STAMPED][1] - least[COUNTED][1]);
	return 0;
}
