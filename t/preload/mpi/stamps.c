/* What the library notes while it measures, checked by the program that is measured: stamps CASE FOLDER.
 *
 * One process makes a control file, runs with it, making counted calls whose times it takes itself, and compares. It
 * prints one line for each thing that is not as it should be, and "checked" at the end.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "preload/control_file.h"

#define CALLS 12
#define BOUNDARIES 10
#define MANY 4000          /* calls of the case with threads, each behind a boundary */
#define THREADS 4

/* Two boundaries at one place, before the first call and elsewhere; calls that none is before; the end, and behind
 * it. */
static const uint32_t counts[BOUNDARIES] = {0, 0, 3, 4, 4, 4, 7, 11, CALLS, CALLS};
static uint64_t before[CALLS + 2], after[CALLS + 2], stamps[MANY];
static char path[4096];

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void wrong(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}

static void put(int fd, uint64_t at, const void *bytes, size_t n)
{
	if (pwrite(fd, bytes, n, (off_t)at) != (ssize_t)n)
		wrong("cannot write the control file");
}

static struct control_head make(const char *folder, const char *what, const uint32_t *list, uint32_t n)
{
	struct control_part parts[2] = {{0, n}, {3, n > 7 ? 7 : n}};
	struct control_head h = {
		.magic = CONTROL_MAGIC, .version = CONTROL_VERSION, .ranks = 1, .parts = 2, .boundaries = n,
		.plan_offset = CONTROL_PAGE, .slot_offset = 64 * CONTROL_PAGE, .slot_size = 64 * CONTROL_PAGE,
		.file_size = 128 * CONTROL_PAGE, .mode = CONTROL_REPLAY, .collectives = 1,
	};
	int fd;

	if (!strcmp(what, "version"))
		h.version = 2;
	if (!strcmp(what, "boundaries"))
		h.boundaries = 64 * CONTROL_PAGE / 8; /* the slot has no room for so many */
	if (!strcmp(what, "plan"))
		h.slot_offset = 2 * CONTROL_PAGE, h.boundaries = CONTROL_PAGE / 4; /* nor what lies before it for their counts */
	if (!strcmp(what, "slots"))
		h.slot_size = (uint64_t)1 << 62;
	if (!strcmp(what, "part"))
		parts[1].to = n + 1;
	if (!strcmp(what, "plain"))
		h.mode = CONTROL_PLAIN;
	if (!strcmp(what, "second"))
		h.mode = CONTROL_SIGN, h.measure = 2;
	if (!strcmp(what, "nothing"))
		h.mode = CONTROL_SIGN, h.measure = 3; /* there is no such part */
	snprintf(path, sizeof path, "%s/%s", folder, CONTROL_FILE);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	put(fd, 0, &h, sizeof h);
	put(fd, h.plan_offset, parts, sizeof parts);
	put(fd, h.plan_offset + sizeof parts, list, n * sizeof *list);
	if (ftruncate(fd, strcmp(what, "short") ? (off_t)h.file_size : 2 * (off_t)CONTROL_PAGE) != 0)
		wrong("cannot make the control file");
	close(fd);
	setenv(CONTROL_ENVIRONMENT, folder, 1);
	return h;
}

static struct control_slot look(const struct control_head *h, uint32_t n)
{
	struct control_slot s = {0};
	int fd = open(path, O_RDONLY);

	if (pread(fd, &s, sizeof s, (off_t)h->slot_offset) < 0 ||
	    pread(fd, stamps, n * sizeof *stamps, (off_t)(h->slot_offset + sizeof s)) < 0)
		wrong("cannot read the control file");
	close(fd);
	return s;
}

static void call(int i)
{
	char out[8] = "", in[8];

	MPI_Sendrecv(out, 8, MPI_BYTE, 0, i, in, 8, MPI_BYTE, 0, i, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

/* Those of [from, to) and no others: each in the moment before its call, the last ones when MPI_Finalize begins. */
static void check(uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < BOUNDARIES; i++) {
		uint32_t n = counts[i] + 1;

		if (i < from || i >= to) {
			if (stamps[i])
				wrong("boundary %u is stamped", i);
		} else if (n > CALLS ? stamps[i] < before[CALLS + 1] || stamps[i] > after[CALLS + 1]
				     : stamps[i] < before[n] || stamps[i] > after[n]) {
			wrong("boundary %u is not stamped at call %u", i, n);
		} else if (i > from && counts[i] == counts[i - 1] && stamps[i] != stamps[i - 1]) {
			wrong("boundaries %u and %u have times of their own", i - 1, i);
		}
	}
}

static void *calls_of_thread(void *arg)
{
	for (int i = 0; i < MANY / THREADS; i++)
		call(*(int *)arg);
	return NULL;
}

static void threads(const char *folder)
{
	static uint32_t each[MANY];
	pthread_t t[THREADS];
	int number[THREADS], level;
	struct control_head h;
	struct control_slot s;

	for (uint32_t i = 0; i < MANY; i++)
		each[i] = i;
	h = make(folder, "threads", each, MANY);
	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
	for (int i = 0; i < THREADS; i++) {
		number[i] = i;
		pthread_create(&t[i], NULL, calls_of_thread, &number[i]);
		if (level < MPI_THREAD_MULTIPLE)
			pthread_join(t[i], NULL);
	}
	for (int i = 0; i < THREADS && level >= MPI_THREAD_MULTIPLE; i++)
		pthread_join(t[i], NULL);
	MPI_Finalize();
	s = look(&h, MANY);
	if (s.count != MANY || s.measured != MANY)
		wrong("%u of %u boundaries are measured in %u calls", (unsigned)s.measured, MANY, (unsigned)s.count);
	for (uint32_t i = 0; i < MANY; i++)
		if (!stamps[i] || (i && stamps[i] < stamps[i - 1]))
			wrong("boundary %u is not stamped after the one before", i);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	bool refused = strstr("version boundaries plan slots part short", what) != NULL;
	struct control_head h;
	struct control_slot s;

	if (!strcmp(what, "threads")) {
		threads(argv[2]);
		printf("checked\n");
		return 0;
	}
	h = make(argv[2], what, counts, BOUNDARIES);
	MPI_Init(&argc, &argv);
	for (int i = 1; i <= CALLS; i++) {
		before[i] = now();
		call(i);
		after[i] = now();
	}
	before[CALLS + 1] = now();
	MPI_Finalize();
	after[CALLS + 1] = now();
	s = look(&h, BOUNDARIES);
	if (!strcmp(what, "all"))
		check(0, BOUNDARIES);
	else if (!strcmp(what, "second"))
		check(3, 7);
	else
		check(0, 0);
	if (s.count != (refused ? 0 : CALLS))
		wrong("%u calls are counted", (unsigned)s.count);
	if (s.state != (refused ? CONTROL_NOWHERE : CONTROL_FINALIZED))
		wrong("the state is %u", (unsigned)s.state);
	printf("checked\n");
	return 0;
}
