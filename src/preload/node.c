#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload.h"

#define TAG_PROCESSORS 5
#define CARGO 32
#define WORDS 128 /* of 64 processors each: as many as kernels are built for */

static int32_t first, count;     /* the lowest rank of this node, and how many ranks it has */
static int32_t processors;       /* 0: not known */
static double waited_at_start;

/* Two processes are on one node, and mean the same by a processor's number, if the same kernel runs them. */
static uint64_t node_boot_hash(void)
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
	char id[40] = "";
	uint64_t h = 14695981039346656037u;

	if (f) {
		if (fread(id, 1, 36, f) == 0)
			*id = 0;
		fclose(f);
	}
	for (size_t i = 0; i < sizeof id; i++)
		h = (h ^ (uint8_t)id[i]) * 1099511628211u;
	return h;
}

/* s, of this thread since it began: ready to run, and another one had the processor. Negative: the kernel does not
 * tell. */
static double waited(void)
{
	FILE *f = fopen("/proc/thread-self/schedstat", "r");
	unsigned long long ran, ready;
	double s = -1;

	if (f) {
		if (fscanf(f, "%llu %llu", &ran, &ready) == 2)
			s = 1e-9 * (double)ready;
		fclose(f);
	}
	return s;
}

/* The node's first rank joins what all of its ranks may use. */
static int32_t count_processors(const uint64_t *boots)
{
	uint64_t may[WORDS] = {0}, more[WORDS];
	int32_t n = 0;

	if (sched_getaffinity(0, sizeof may, (cpu_set_t *)(void *)may) != 0)
		memset(may, 0, sizeof may);
	if (first != preload.rank) {
		real.Send(may, sizeof may, real.byte, first, TAG_PROCESSORS, preload.comm);
		real.Recv(&n, 1, real.int32, first, TAG_PROCESSORS, preload.comm, MPI_STATUS_IGNORE);
		return n;
	}
	for (int32_t r = first + 1; r < preload.size; r++) {
		if (boots[r] != boots[first])
			continue;
		real.Recv(more, sizeof more, real.byte, r, TAG_PROCESSORS, preload.comm, MPI_STATUS_IGNORE);
		for (int i = 0; i < WORDS; i++)
			may[i] |= more[i];
	}
	for (int i = 0; i < WORDS; i++)
		n += __builtin_popcountll(may[i]);
	for (int32_t r = first + 1; r < preload.size; r++)
		if (boots[r] == boots[first])
			real.Send(&n, 1, real.int32, r, TAG_PROCESSORS, preload.comm);
	return n;
}

void node_start(void)
{
	uint64_t *boots = malloc((size_t)preload.size * sizeof *boots), mine = node_boot_hash();
	int32_t fine = boots != NULL, all = 0;

	real.Allreduce(&fine, &all, 1, real.int32, real.min, preload.comm);
	if (all) {
		real.Allgather(&mine, sizeof mine, real.byte, boots, sizeof mine, real.byte, preload.comm);
		while (boots[first] != mine)
			first++;
		for (int32_t r = first; r < preload.size; r++)
			count += boots[r] == mine;
		processors = count_processors(boots);
	}
	free(boots);
	waited_at_start = waited();
}

static void log_node(double seconds)
{
	uint64_t bits = big_u64(f64_bits(seconds));
	uint8_t *cargo;
	double t;

	if (!processors)
		return;
	cargo = buffer_room(LEN_CARGO) + LEN_CARGO - CARGO;
	t = buffer_order(clock_now());
	put_cargo(cargo - (LEN_CARGO - CARGO), t, 0, preload.rank, self.id, ETYPE_NODE, 0);
	memcpy(put_big(put_big(put_big(cargo, first), count), processors), &bits, sizeof bits);
	buffer_commit(LEN_CARGO, t);
}

void node_log_start(void)
{
	log_node(-1);
}

void node_log_end(void)
{
	double now = waited();

	log_node(now < 0 || waited_at_start < 0 ? -1 : now - waited_at_start);
}
