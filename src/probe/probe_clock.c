#include "probe.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#if defined __x86_64__
#include <x86intrin.h>

#include "core/base/order.h"
#define HAVE_TSC 1
#endif

#define READINGS 1000000
#define ROUNDS 5
#define COLD 100
#define WALK_MOST ((size_t)64 << 20)
#define LINE 64
#define CALIBRATION 0.05 /* s */
#define TRIES 100

enum kind { KIND_MONOTONIC, KIND_RAW, KIND_REALTIME, KIND_TSC, KIND_MPI };

static enum kind chosen;
static int64_t zero;
static double zero_mpi;
static bool zero_set;
static double skew_offset, skew_rate; /* ns, ns/ns */
static double skew_since;             /* ns: from where it gains to the zero */
static double tsc_ns;                 /* of a tick */
static volatile double tick_rate = 1; /* ticks a ns, for what divides by it: not known when that is compiled */

static int64_t ns_of(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static uint64_t ticks(void)
{
#ifdef HAVE_TSC
	unsigned aux;

	return __rdtscp(&aux);
#else
	return 0;
#endif
}

double clock_seconds(void)
{
	return (double)ns_of(CLOCK_MONOTONIC) * 1e-9;
}

void clock_sleep(double seconds)
{
	struct timespec t = {(time_t)seconds, (long)(fmod(seconds, 1) * 1e9)};

	if (seconds > 0)
		nanosleep(&t, NULL);
}

/* ---- the TSC ---- */

/* A tick and the time that it is of: the narrowest of some tries, ns wide. */
struct tick_pairing {
	uint64_t tick;
	int64_t ns, width;
};

static struct tick_pairing pair_up(void)
{
	struct tick_pairing best = {0, 0, INT64_MAX};

	for (int i = 0; i < TRIES; i++) {
		int64_t before = ns_of(CLOCK_MONOTONIC), after;
		uint64_t tick = ticks();

		after = ns_of(CLOCK_MONOTONIC);
		if (after - before < best.width)
			best = (struct tick_pairing){tick, before + (after - before) / 2, after - before};
	}
	return best;
}

static struct tick_pairing begun;

void clock_frequency_begin(void)
{
	begun = pair_up();
}

double clock_frequency(double *error)
{
#ifdef HAVE_TSC
	struct tick_pairing now = pair_up();
	double ns = (double)(now.ns - begun.ns), hz = (double)(now.tick - begun.tick) / ns * 1e9;

	*error = hz * (double)(now.width + begun.width) / 2 / ns;
	return hz;
#else
	*error = NAN;
	return NAN;
#endif
}

bool clock_choose(const char *name)
{
	static const char *const names[] = {"monotonic", "raw", "realtime", "tsc", "mpi"};
	double error;

	for (int i = 0; i < 5; i++) {
		if (strcmp(names[i], name) != 0)
			continue;
		chosen = (enum kind)i;
		if (chosen == KIND_TSC) {
			clock_frequency_begin();
			clock_sleep(CALIBRATION);
			tsc_ns = 1e9 / clock_frequency(&error);
			return tsc_ns > 0;
		}
		return true;
	}
	return false;
}

/* ---- stamps ---- */

void clock_skew(int rank)
{
	const char *s = getenv("PAS2P_CLOCK_SKEW");
	double offset, rate;

	if (s && sscanf(s, "%lf,%lf", &offset, &rate) == 2) {
		skew_offset = offset * 1e9 * rank;
		skew_rate = rate * rank;
	}
}

/* ns since the zero of the clock itself. */
static double unskewed(void)
{
	switch (chosen) {
	case KIND_RAW:
		return (double)(ns_of(CLOCK_MONOTONIC_RAW) - zero);
	case KIND_REALTIME:
		return (double)(ns_of(CLOCK_REALTIME) - zero);
	case KIND_TSC:
		return (double)((int64_t)ticks() - zero) * tsc_ns;
	case KIND_MPI:
		return (MPI_Wtime() - zero_mpi) * 1e9;
	default:
		return (double)(ns_of(CLOCK_MONOTONIC) - zero);
	}
}

int64_t clock_set_zero(void)
{
	int64_t shown;

	zero = 0;
	zero_mpi = 0;
	switch (chosen) {
	case KIND_MPI:
		zero_mpi = MPI_Wtime();
		shown = (int64_t)(zero_mpi * 1e9);
		zero_mpi = (double)shown * 1e-9;
		break;
	case KIND_TSC:
		zero = (int64_t)ticks();
		shown = (int64_t)((double)zero * tsc_ns);
		break;
	default:
		shown = zero = ns_of(chosen == KIND_RAW ? CLOCK_MONOTONIC_RAW : chosen == KIND_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC);
	}
	zero_set = true;
	return shown + (int64_t)skew_offset;
}

void clock_skew_from(int64_t reference, int64_t own)
{
	skew_since = (double)(own - (int64_t)skew_offset - reference);
}

double clock_stamp(void)
{
	double t;

	if (!zero_set)
		return (double)ns_of(CLOCK_MONOTONIC) + skew_offset;
	t = unskewed();
	return t + skew_rate * (t + skew_since);
}

/* ---- what a reading is like ---- */

/* Each in ns, or ticks. Functions of their own, so that what a cold reading waits for is the clock's, not a table of
 * clocks. */
static double read_ticks(void)
{
	return (double)ticks();
}

static double read_divided(void)
{
	return (double)ticks() / tick_rate;
}

static double read_monotonic(void)
{
	return (double)ns_of(CLOCK_MONOTONIC);
}

static double read_mpi(void)
{
	return MPI_Wtime() * 1e9;
}

static double read_day(void)
{
	struct timeval day;

	gettimeofday(&day, NULL);
	return (double)(day.tv_sec & 0xffff) * 1e9 + (double)day.tv_usec * 1e3; /* small enough to be exact */
}

static const struct clock_reading {
	const char *name;
	double (*read)(void);
	bool needs_ticks, is_ticks;
} readings[CLOCK_LOOKS] = {
	{"tsc", read_ticks, true, true}, {"tsc-divided", read_divided, true, false}, {"clock_gettime", read_monotonic, false, false},
	{"MPI_Wtime", read_mpi, false, false}, {"gettimeofday", read_day, false, false},
};

static size_t cache_size(void)
{
	long last = sysconf(_SC_LEVEL3_CACHE_SIZE);

	if (last <= 0)
		last = sysconf(_SC_LEVEL2_CACHE_SIZE);
	return last > 0 && 4 * (size_t)last < WALK_MOST ? 4 * (size_t)last : WALK_MOST;
}

static volatile double sunk; /* readings that nobody needs are made all the same */

static void clock_look_at(struct clock_look *to, double (*read)(void), double unit)
{
	double cost[ROUNDS], smallest = INFINITY, last;

	for (int round = 0; round < ROUNDS; round++) {
		int64_t begin = ns_of(CLOCK_MONOTONIC);

		for (int i = 0; i < READINGS / ROUNDS; i++)
			sunk = read();
		cost[round] = (double)(ns_of(CLOCK_MONOTONIC) - begin) * 1e-9 / (READINGS / ROUNDS);
	}
	SORT(cost, ROUNDS, order_double);
	to->cost = cost[ROUNDS / 2];
	last = read();
	for (int i = 0; i < READINGS; i++) {
		double now = read();

		if (now > last && now - last < smallest)
			smallest = now - last;
		last = now;
	}
	to->resolution = smallest * unit * 1e-9;
}

static double read_nothing(void)
{
	return 0;
}

/* A single reading after all caches hold something else, timed by ticks if there are some, less what timing takes. What
 * times it has first timed nothing, and the walk's writes are waited for: that the code around it was cold too is not
 * the clock's. */
static double read_cold(double (*read)(void), volatile char *room, size_t size, double tick, double timing)
{
	double (*const turn[])(void) = {read_nothing, read};
	double begin, spent = 0;

	for (size_t i = 0; i < size; i += LINE)
		room[i]++;
	__sync_synchronize();
	for (volatile int i = 0; i < 2; i++) { /* volatile: one code for both */
		begin = tick > 0 ? (double)ticks() : (double)ns_of(CLOCK_MONOTONIC);
		sunk = turn[i]();
		spent = tick > 0 ? ((double)ticks() - begin) * tick : (double)ns_of(CLOCK_MONOTONIC) - begin;
	}
	return fmax(0, spent - timing) * 1e-9;
}

int clock_look(struct clock_look look[CLOCK_LOOKS], double seconds)
{
	size_t size = cache_size();
	char *room = calloc(1, size);
	double tick = 0, error, timing = 0, cold[COLD];
	int n = 0;

#ifdef HAVE_TSC
	tick = 1e9 / clock_frequency(&error);
	tick_rate = 1 / tick;
#else
	(void)error;
#endif
	for (int i = 0; i < CLOCK_LOOKS; i++) {
		const struct clock_reading *r = &readings[i];
		double until = clock_seconds() + seconds / CLOCK_LOOKS;
		int count = 0;

		if (r->needs_ticks && !(tick > 0))
			continue;
		look[n] = (struct clock_look){.cost_cold = NAN};
		snprintf(look[n].name, sizeof look[n].name, "%s", r->name);
		clock_look_at(&look[n], r->read, r->is_ticks ? tick : 1);
		if (n == 0)
			timing = look[0].resolution * 1e9;
		while (room && count < COLD && (count < 5 || clock_seconds() < until))
			cold[count++] = read_cold(r->read, room, size, tick, timing);
		if (count) {
			SORT(cold, (size_t)count, order_double);
			look[n].cost_cold = cold[count / 2];
		}
		n++;
	}
	free(room);
	return n;
}

double clock_interruption(double seconds)
{
	int64_t last = ns_of(CLOCK_MONOTONIC), end = last + (int64_t)(seconds * 1e9), largest = 0;

	while (last < end) {
		int64_t now = ns_of(CLOCK_MONOTONIC);

		if (now - last > largest)
			largest = now - last;
		last = now;
	}
	return (double)largest * 1e-9;
}

#define NAP 1e-3 /* s between two looks of who waits */

void *must(void *p)
{
	if (!p) {
		fprintf(stderr, "pas2p: not enough memory to measure clocks\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	return p;
}

static void asleep(MPI_Request *r)
{
	int done = 0;

	for (;;) {
		MPI_Test(r, &done, MPI_STATUS_IGNORE);
		if (done)
			return;
		clock_sleep(NAP);
	}
}

void meet(MPI_Comm comm)
{
	MPI_Request r;

	MPI_Ibarrier(comm, &r);
	asleep(&r);
}

void receive_asleep(void *to, int bytes, int from, int tag, MPI_Comm comm)
{
	MPI_Request r;

	MPI_Irecv(to, bytes, MPI_BYTE, from, tag, comm, &r);
	asleep(&r);
}
