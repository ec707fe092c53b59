#include "machine_int.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/parallel.h"

#define CACHES 4              /* as large as so many of the last cache */
#define CACHE_USUAL 32e6      /* bytes, where the system does not tell */
#define STEP ((size_t)64 << 10) /* bytes that are gone through at once */
#define HEAD_START 5e-3       /* s until all cores begin together */

enum pass { PASS_READ, PASS_WRITE, PASS_COPY, PASSES };

/* A part of the memory, which a core goes through round and round. */
struct memory_walk {
	char *memory;
	size_t bytes, at;     /* whole steps; a copy goes from its first half to its second */
	enum pass pass;
};

static double last_cache(void)
{
	double largest = 0;

	for (int i = 0; i < 8; i++) {
		char path[80], unit = 0;
		double size = 0;
		FILE *f;

		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
		f = fopen(path, "r");
		if (!f)
			break;
		if (fscanf(f, "%lf%c", &size, &unit) < 1)
			size = 0;
		fclose(f);
		largest = fmax(largest, size * (unit == 'K' ? 1024 : unit == 'M' ? 1048576 : 1));
	}
	return largest > 0 ? largest : CACHE_USUAL;
}

/* A quarter of the machine's memory at most. */
static size_t buffer_size(void)
{
	double size = CACHES * last_cache();
	uint64_t memory = mem_of_machine();

	if (memory)
		size = fmin(size, (double)memory / 4);
	return (size_t)(size / (double)STEP) * STEP;
}

static void read_step(const char *from)
{
	const uint64_t *v = (const void *)from;
	uint64_t sum[8] = {0};

	for (size_t i = 0; i < STEP / sizeof *v; i += 8)
		for (int k = 0; k < 8; k++)
			sum[k] += v[i + (size_t)k];
	__asm__ volatile("" : : "r"(sum) : "memory"); /* the sums are needed */
}

static double steps(void *arg, uint64_t n)
{
	struct memory_walk *w = arg;
	size_t bytes = w->pass == PASS_COPY ? w->bytes / 2 / STEP * STEP : w->bytes;
	double begun = clock_seconds();

	for (; n; n--) {
		char *p = w->memory + w->at;

		switch (w->pass) {
		case PASS_READ: read_step(p); break;
		case PASS_WRITE: memset(p, (int)n, STEP); break;
		default: memcpy(w->memory + bytes + w->at, p, STEP); break;
		}
		__asm__ volatile("" : : "r"(p) : "memory");
		w->at = w->at + STEP < bytes ? w->at + STEP : 0;
	}
	return clock_seconds() - begun;
}

/* s per byte of each batch, sorted. */
static void walk_batches(struct memory_walk *w, enum pass pass, double value[BATCHES_COUNTED])
{
	uint64_t n;

	w->pass = pass;
	w->at = 0;
	n = batch_length(steps, w, BATCH_SECONDS);
	for (int i = 0; i < BATCHES; i++) {
		double s = steps(w, n) / ((double)n * (double)STEP);

		if (i >= BATCHES_FIRST)
			value[i - BATCHES_FIRST] = s;
	}
	batches_sort(value);
}

/* ---- several cores at once ---- */

struct memory_sharing {
	char *memory;
	size_t bytes;          /* each core's */
	double begin;
	cpu_set_t cores;
	double seconds[PARALLEL_MOST];
};

static void bind_to(const cpu_set_t *cores, unsigned number)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, cores) && number-- == 0) {
			CPU_SET(i, &one);
			sched_setaffinity(0, sizeof one, &one);
			return;
		}
}

static void one_of_many(void *arg, unsigned part)
{
	struct memory_sharing *t = arg;
	struct memory_walk w = {.memory = t->memory + part * t->bytes, .bytes = t->bytes};
	double value[BATCHES_COUNTED];

	bind_to(&t->cores, part);
	while (clock_seconds() < t->begin)
		;
	for (enum pass pass = 0; pass < PASSES; pass++) {
		walk_batches(&w, pass, value);
		t->seconds[part] += batches_quantile(value, 0.5);
	}
}

static double mean_of(struct memory_sharing *t, size_t bytes, unsigned count)
{
	double sum = 0;

	memset(t->seconds, 0, sizeof t->seconds);
	t->bytes = bytes / count / (2 * STEP) * (2 * STEP);
	t->begin = clock_seconds() + HEAD_START;
	parallel_run(count, one_of_many, t);
	sched_setaffinity(0, sizeof t->cores, &t->cores);
	for (unsigned i = 0; i < count; i++)
		sum += t->seconds[i];
	return sum / count;
}

/* 1, 2, 4 ... and all cores: the least share of its speed that a core keeps. */
static double measure_shared(char *memory, size_t bytes, const struct progress *progress)
{
	struct memory_sharing t = {.memory = memory};
	unsigned all, count = 1;
	double alone, least = 1;

	if (sched_getaffinity(0, sizeof t.cores, &t.cores))
		return NAN;
	all = (unsigned)CPU_COUNT(&t.cores);
	all = all < PARALLEL_MOST ? all : PARALLEL_MOST;
	alone = mean_of(&t, bytes, 1);
	while (count < all && !progress_stopped(progress)) {
		count = 2 * count < all ? 2 * count : all;
		least = fmin(least, alone / mean_of(&t, bytes, count));
	}
	return least;
}

enum err_code machine_measure_memory(struct machine_measured *m, bool shared, const struct progress *progress, struct err *e)
{
	static const enum machine_figure figures[PASSES] = {MACHINE_read, MACHINE_write, MACHINE_copy};
	size_t bytes = buffer_size();
	char *memory = mem_alloc(bytes, 1);
	struct memory_walk w = {.memory = memory, .bytes = bytes};
	double value[BATCHES_COUNTED];

	if (!memory)
		return err_memory(e, "the measured memory");
	memset(memory, 1, bytes);
	m->buffer = (double)bytes;
	for (enum pass pass = 0; pass < PASSES; pass++) {
		walk_batches(&w, pass, value);
		m->figure[figures[pass]] = (struct machine_range){batches_quantile(value, 0.05), batches_quantile(value, 0.95)};
	}
	if (shared)
		m->shared = measure_shared(memory, bytes, progress);
	mem_free(memory);
	return progress_stopped(progress) ? err_set(e, ERR_CANCELLED, "interrupted") : ERR_OK;
}
