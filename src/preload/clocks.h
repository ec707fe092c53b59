/* Clocks: wall time and CPU time of a call, cheaply (sync.h: how this process's wall clock relates to rank 0's).
 *
 * Wall time is CLOCK_MONOTONIC, in seconds since clock_start(): about 30 ns a reading, no system call. It is asked of
 * the kernel's own code (the vDSO) directly: the way there through the C library is of lines and pages that nobody else
 * uses, and takes longer than the reading itself where caches hold something else. Where a library was preloaded whose
 * clock_gettime() is another one, or there is no vDSO, that is asked.
 *
 * CPU time is that of the process (CLOCK_PROCESS_CPUTIME_ID), a system call of 150 to 400 ns: too dear to make
 * twice in every call. But while a thread runs without being switched out, its CPU time grows as wall time does. So
 * the CPU clock is read once, and wall time is added from there until a switch may have happened. The kernel tells of
 * that for free: it clears the rseq_cs word of a thread's restartable-sequences area when it switches the thread
 * out (or gives it a signal) while that word names a section in which the thread is not. glibc >= 2.35 registers it.
 * The CPU clock is read again
 *   - after a switch: nothing is estimated across one;
 *   - a millisecond after it was read, for the CPU time of other threads (OpenMP): this is the bound of the error,
 *     a millisecond of each other running thread, attributed to the wrong side of a call;
 *   - without rseq (old glibc, GLIBC_TUNABLES=glibc.pthread.rseq=0): after 100 us; a preemption shorter than that is
 *     taken for computing, at most 100 us each.
 * With MPI_THREAD_MULTIPLE readings are of the calling thread's CPU clock, since the process's would count what
 * the other callers do.
 */
#ifndef PAS2P_CLOCKS_H
#define PAS2P_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* What a stamp needs, in one line of the cache. */
struct clock_wall {
	int (*read)(clockid_t, struct timespec *);
	struct timespec zero;
} __attribute__((aligned(64)));
extern struct clock_wall clock_wall;

void clock_start(void);

static inline double clock_now(void)
{
	struct timespec t;

	clock_wall.read(CLOCK_MONOTONIC, &t);
	return (double)(t.tv_sec - clock_wall.zero.tv_sec) + 1e-9 * (double)(t.tv_nsec - clock_wall.zero.tv_nsec);
}

/* One thread's CPU clock. */
struct cpu_clock {
	volatile uint64_t *mark; /* its rseq_cs word; NULL: not available */
	double wall, cpu;        /* the last CPU sample: CPU time at that wall time */
	double last;             /* what was last given out: never goes back */
	bool started;
};

extern uint64_t clock_mark;      /* what the mark holds while there was no switch */
extern double clock_patience;    /* s after which the CPU clock is read anyway */
extern bool clock_of_thread;     /* read the thread's CPU clock instead of the process's */

double cpu_read(struct cpu_clock *c); /* reads the CPU clock itself */

/* CPU time at wall time `now`, which was read just before. */
static inline double cpu_at(struct cpu_clock *c, double now)
{
	double cpu;

	if (__builtin_expect(c->started && (!c->mark || *c->mark == clock_mark) && now - c->wall < clock_patience, 1))
		cpu = c->cpu + (now - c->wall);
	else
		cpu = cpu_read(c);
	if (cpu < c->last)
		cpu = c->last;
	c->last = cpu;
	return cpu;
}

#endif
