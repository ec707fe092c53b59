#include "clocks.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#if defined __has_include
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#define HAVE_RSEQ 1
#endif
#endif

#include "preload.h"
#include "real.h"

#define ROUNDS 24
#define TAG_CLOCK 1
#define PATIENCE_MARKED 1e-3
#define PATIENCE_BLIND 100e-6

struct timespec clock_zero;
uint64_t clock_mark;
double clock_patience = PATIENCE_BLIND;
bool clock_of_thread;

struct measured {
	double at;      /* local time of the measurement */
	double offset;  /* rank 0's time - local time */
	double error;
};

static struct measured measured[2];
static double skew_offset, skew_rate; /* for tests: a clock that is wrong on purpose */

#ifdef HAVE_RSEQ
/* A section that is never entered: the kernel clears the word that names it when it looks there. The signature
 * must stand before the abort address, which is never jumped to. */
static struct {
	uint32_t signature;
	uint32_t abort[3];
} never = {.signature = RSEQ_SIG};
static struct rseq_cs section __attribute__((aligned(32)));
#endif

void clock_start(void)
{
	clock_gettime(CLOCK_MONOTONIC, &clock_zero);
#ifdef HAVE_RSEQ
	section.start_ip = (uintptr_t)&never.abort[1];
	section.post_commit_offset = 1;
	section.abort_ip = (uintptr_t)&never.abort[0];
	clock_mark = (uintptr_t)&section;
#endif
}

static double seconds(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double cpu_read(struct cpu_clock *c)
{
	if (!c->started) {
		c->started = true;
#ifdef HAVE_RSEQ
		if (__rseq_size > 0 && !getenv("PAS2P_NO_RSEQ")) {
			char *area = (char *)__builtin_thread_pointer() + __rseq_offset;

			c->mark = (volatile uint64_t *)(void *)(area + offsetof(struct rseq, rseq_cs));
			clock_patience = PATIENCE_MARKED;
		}
#endif
	}
	/* Set the mark first: a switch while we read is then seen at the next call. */
	if (c->mark)
		*c->mark = clock_mark;
	c->cpu = seconds(clock_of_thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID);
	c->wall = clock_now();
	return c->cpu;
}

/* What tells one clock from another: the boot, and the time namespace. */
static void clock_identity(char id[64])
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
	struct stat s;

	memset(id, 0, 64);
	if (f) {
		size_t n = fread(id, 1, 36, f);

		id[n] = 0;
		fclose(f);
	}
	if (stat("/proc/self/ns/time", &s) == 0)
		snprintf(id + 40, 24, "%llx", (unsigned long long)s.st_ino);
}

static double local(void)
{
	double t = (double)clock_zero.tv_sec + 1e-9 * (double)clock_zero.tv_nsec + clock_now();

	return t + skew_offset + skew_rate * clock_now();
}

/* Best of a few round trips: the offset's error is at most half of the shortest. */
static void ping(struct measured *m)
{
	double best = 1e9;

	for (int i = 0; i < ROUNDS; i++) {
		double before = local();
		double there;
		double after;

		real.Send(&before, 1, real.real64, 0, TAG_CLOCK, preload.comm);
		real.Recv(&there, 1, real.real64, 0, TAG_CLOCK, preload.comm, MPI_STATUS_IGNORE);
		after = local();
		if (after - before < best) {
			best = after - before;
			m->offset = there - (before + after) / 2;
			m->error = best / 2;
			m->at = (before + after) / 2;
		}
	}
}

static void pong(int rank)
{
	for (int i = 0; i < ROUNDS; i++) {
		double t;

		real.Recv(&t, 1, real.real64, rank, TAG_CLOCK, preload.comm, MPI_STATUS_IGNORE);
		t = local();
		real.Send(&t, 1, real.real64, rank, TAG_CLOCK, preload.comm);
	}
}

static void read_skew(int rank)
{
	const char *s = getenv("PAS2P_CLOCK_SKEW");
	double offset;
	double rate;

	if (s && sscanf(s, "%lf,%lf", &offset, &rate) == 2) {
		skew_offset = offset * rank;
		skew_rate = rate * rank;
	}
}

static double root_zero; /* rank 0's clock when rank 0 started */
static double own_zero;

void clock_measure(int which, int rank, int size)
{
	struct measured *m = &measured[which];
	char mine[64];
	char root[64];

	if (which == 0)
		read_skew(rank);
	clock_identity(mine);
	memcpy(root, mine, sizeof root);
	real.Bcast(root, sizeof root, real.byte, 0, preload.comm);
	m->at = local();
	if (rank == 0) {
		for (int r = 1; r < size; r++)
			pong(r);
	} else {
		ping(m);
		if (memcmp(mine, root, sizeof mine) == 0 && m->offset <= m->error && m->offset >= -m->error) {
			m->offset = 0;
			m->error = 0;
		}
	}
	if (which == 0) {
		own_zero = local() - clock_now() * (1 + skew_rate);
		root_zero = own_zero;
		real.Bcast(&root_zero, 1, real.real64, 0, preload.comm);
	}
}

double clock_shift(void)
{
	return measured[0].offset + own_zero - root_zero;
}

double clock_corrected(double t)
{
	double span = measured[1].at - measured[0].at;
	double raw = own_zero + t * (1 + skew_rate);
	double drift = span > 0 ? (measured[1].offset - measured[0].offset) / span : 0;

	return raw + measured[0].offset + drift * (raw - measured[0].at) - root_zero;
}

double clock_error(void)
{
	return measured[0].error > measured[1].error ? measured[0].error : measured[1].error;
}
