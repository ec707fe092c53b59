/* What tracing costs a program: ns per call, and percent of run time at 10 000 events a second.
 *
 * Run with the tracer's library preloaded. The bare calls, in the same run and taking turns with the traced
 * ones, go to the MPI library's own functions, looked up behind the tracer. One process that talks to itself:
 * what is measured is the tracer, not a network. Batches are large enough to include spilling records to disk; beside
 * the cost stands what appending as many bytes to a file takes by itself, in the same run: on a virtual machine whose
 * free memory goes back to its host that varies tenfold, with whether the page cache has been used before.
 *
 * First come time stamps by themselves: warm, the fastest of some loops; cold, single ones after the caches have been
 * walked over, the median.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <glob.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if defined __x86_64__
#include <x86intrin.h>
#endif

#define BATCH 20000
#define BATCHES 9
#define SPARSE 400         /* steps of a batch at 10 000 events a second: 0.08 s */
#define PAIRS 41

static __typeof__(MPI_Sendrecv) *bare_Sendrecv;
static __typeof__(MPI_Isend) *bare_Isend;
static __typeof__(MPI_Irecv) *bare_Irecv;
static __typeof__(MPI_Waitall) *bare_Waitall;
static __typeof__(MPI_Allreduce) *bare_Allreduce;
static __typeof__(MPI_Iprobe) *bare_Iprobe;

/* By the wall clock, and by the processor time of this thread, which other programs disturb less. */
enum { WALL, CPU, CLOCKS };
static const clockid_t clocks[CLOCKS] = {CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID};
static const char *const clock_names[CLOCKS] = {"wall clock", "processor time"};

static double now(int clock)
{
	struct timespec t;

	clock_gettime(clocks[clock], &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static volatile double sunk;

/* The program's own work; steps are calibrated to 100 us. */
static void work(long steps)
{
	double x = 1.0;

	for (long i = 0; i < steps; i++)
		x = x * 1.0000001 + 1e-9;
	sunk = x;
}

static long calibrate(void)
{
	long steps = 1000;

	for (;;) {
		double t = now(CPU);

		work(steps);
		t = now(CPU) - t;
		if (t > 10e-3)
			return (long)((double)steps * 100e-6 / t);
		steps *= 2;
	}
}

enum kind { PROBE, SENDRECV, REQUESTS, REDUCE, KINDS };
static const struct {
	const char *name;
	int calls; /* of one step */
} kinds[KINDS] = {{"Iprobe", 1}, {"Sendrecv", 1}, {"Irecv + Isend + Waitall", 3}, {"Allreduce", 1}};

static char out[64];
static char in[64];

static void step(enum kind k, int traced)
{
	MPI_Comm c = MPI_COMM_SELF;
	MPI_Request q[2];
	int flag;

	switch (k) {
	case PROBE:
		(traced ? MPI_Iprobe : bare_Iprobe)(0, 9, c, &flag, MPI_STATUS_IGNORE);
		break;
	case SENDRECV:
		(traced ? MPI_Sendrecv : bare_Sendrecv)(out, 64, MPI_BYTE, 0, 1, in, 64, MPI_BYTE, 0, 1, c,
				MPI_STATUS_IGNORE);
		break;
	case REQUESTS:
		(traced ? MPI_Irecv : bare_Irecv)(in, 64, MPI_BYTE, 0, 2, c, &q[0]);
		(traced ? MPI_Isend : bare_Isend)(out, 64, MPI_BYTE, 0, 2, c, &q[1]);
		(traced ? MPI_Waitall : bare_Waitall)(2, q, MPI_STATUSES_IGNORE);
		break;
	default:
		(traced ? MPI_Allreduce : bare_Allreduce)(out, in, 8, MPI_BYTE, MPI_BOR, c);
	}
}

static void step_bare(int k)
{
	step((enum kind)k, 0);
}

static void step_traced(int k)
{
	step((enum kind)k, 1);
}

static void batch(enum kind k, int traced, int n, long steps, double took[CLOCKS])
{
	double from[CLOCKS] = {now(WALL), now(CPU)};

	for (int i = 0; i < n; i++) {
		step(k, traced);
		if (steps)
			work(steps);
	}
	for (int c = 0; c < CLOCKS; c++)
		took[c] = now(c) - from[c];
}

enum { BARE, TRACED, WRITTEN, WAYS };

#define CHUNK (1 << 20)    /* as the tracer spills */

static glob_t local;       /* the tracer's local file, once it is there */
static char locals[4096];
static char plain[4096];   /* one beside it */
static int plain_fd;

static void name_files(void)
{
	const char *trace = getenv("PAS2P_TRACE");
	size_t n = trace ? strlen(trace) : 0;

	if (n < 6 || strcmp(trace + n - 6, ".clog2") != 0) {
		fprintf(stderr, "PAS2P_TRACE must name a file FILE.clog2\n");
		exit(2);
	}
	snprintf(locals, sizeof locals, "%.*s.*.rank000000.clog2", (int)(n - 6), trace);
	snprintf(plain, sizeof plain, "%.*s.plain", (int)(n - 6), trace);
	plain_fd = open(plain, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static off_t spilled(void)
{
	struct stat s;

	if (!local.gl_pathc && glob(locals, GLOB_NOSORT, NULL, &local) != 0)
		return 0;
	return stat(local.gl_pathv[0], &s) == 0 ? s.st_size : 0;
}

/* The time that appending so many bytes takes. */
static void append(off_t bytes, double took[CLOCKS])
{
	static char chunk[CHUNK];
	double from[CLOCKS] = {now(WALL), now(CPU)};

	for (; bytes > 0; bytes -= CHUNK) {
		if (write(plain_fd, chunk, bytes < CHUNK ? (size_t)bytes : CHUNK) < 0) {
			perror(plain);
			exit(1);
		}
	}
	for (int c = 0; c < CLOCKS; c++)
		took[c] = now(c) - from[c];
}

/* ns a call: of the fastest batch of each way, since whatever else the machine does only adds. */
static void dense(enum kind k, int calls, double least[WAYS][CLOCKS])
{
	int n = BATCH / calls;

	for (int i = 0; i < WAYS * CLOCKS; i++)
		least[i / CLOCKS][i % CLOCKS] = 1e9;
	for (int b = 0; b < WAYS * BATCHES; b++) {
		int way = b % WAYS;
		static off_t before, bytes;
		double took[CLOCKS];

		if (way == WRITTEN) {
			append(bytes, took);
		} else {
			before = spilled();
			batch(k, way == TRACED, n, 0, took);
			bytes = spilled() - before;
		}
		for (int c = 0; c < CLOCKS; c++) {
			took[c] *= 1e9 / (n * calls);
			if (took[c] < least[way][c])
				least[way][c] = took[c];
		}
	}
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Pairs of batches, bare and traced right after each other; the median of their ratios. */
static void sparse(long steps)
{
	double ratios[CLOCKS][PAIRS];
	double all = 0;

	for (int i = 0; i < PAIRS; i++) {
		double took[2][CLOCKS];

		for (int turn = 0; turn < 2; turn++)
			batch(SENDRECV, turn ^ (i & 1), SPARSE, steps, took[turn ^ (i & 1)]);
		for (int c = 0; c < CLOCKS; c++)
			ratios[c][i] = (took[1][c] / took[0][c] - 1) * 100;
		all += took[0][CPU];
	}
	printf("at %.0f events a second (bar: 1 %%):\n", 2.0 * SPARSE * PAIRS / all);
	for (int c = 0; c < CLOCKS; c++) {
		double *r = ratios[c];

		qsort(r, PAIRS, sizeof *r, by_value);
		printf("%-26s %+9.2f %%     quartiles %+.2f and %+.2f\n", clock_names[c], r[PAIRS / 2], r[PAIRS / 4],
				r[3 * PAIRS / 4]);
	}
}

static void *behind(void *library, const char *name)
{
	void *p = dlsym(library, name);

	if (!p) {
		fprintf(stderr, "no %s in the MPI library\n", name);
		exit(1);
	}
	return p;
}

/* ---- time stamps ---- */

#define WARM 1000000
#define LOOPS 5
#define COLD 31
#define WALK (64 << 20)    /* at most: a virtual machine's last cache is its host's, for all who share it */

enum stamp { STAMP_TRACER, STAMP_LIBRARY, STAMP_SYSTEM, STAMP_TSC, STAMP_TSCP, STAMPS };
static const char *const stamp_names[STAMPS] = {"vDSO (tracer's)", "clock_gettime", "its system call", "rdtsc", "rdtscp"};
static int (*kernel_clock)(clockid_t, struct timespec *) = clock_gettime; /* as the tracer finds it */
static volatile uint64_t stamped;

static inline __attribute__((always_inline)) void stamp(enum stamp s)
{
	struct timespec t = {0};

	switch (s) {
	case STAMP_TRACER:
		kernel_clock(CLOCK_MONOTONIC, &t);
		break;
	case STAMP_LIBRARY:
		clock_gettime(CLOCK_MONOTONIC, &t);
		break;
	case STAMP_SYSTEM:
		syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
		break;
#if defined __x86_64__
	case STAMP_TSC:
		t.tv_nsec = (long)__rdtsc();
		break;
	case STAMP_TSCP: {
		unsigned cpu;

		t.tv_nsec = (long)__rdtscp(&cpu);
		break;
	}
#endif
	default:
		break;
	}
	stamped = (uint64_t)t.tv_nsec;
}

static double stamp_warm(void (*call)(int))
{
	double least = 1e9;

	for (int k = 0; k < LOOPS; k++) {
		double from = now(CPU), took;

		for (int i = 0; i < WARM; i++)
			call(0);
		took = (now(CPU) - from) / WARM;
		least = took < least ? took : least;
	}
	return least * 1e9;
}

static void nothing(int k)
{
	(void)k;
}

/* Functions of their own: what a cold one waits for is its own. */
static void stamp_tracer(int k)
{
	(void)k;
	stamp(STAMP_TRACER);
}

static void stamp_library(int k)
{
	(void)k;
	stamp(STAMP_LIBRARY);
}

static void stamp_system(int k)
{
	(void)k;
	stamp(STAMP_SYSTEM);
}

static void stamp_tsc(int k)
{
	(void)k;
	stamp(STAMP_TSC);
}

static void stamp_tscp(int k)
{
	(void)k;
	stamp(STAMP_TSCP);
}

#if defined __x86_64__
/* ns of what(k) after the caches have been walked over, timed by the time stamp counter, the median. What times it has
 * first timed nothing, and the walk's writes are waited for, so that only what is timed is cold. */
static double cold(void (*what)(int), int k)
{
	long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
	size_t size = cache > 0 && cache < WALK / 4 ? 4 * (size_t)cache : WALK;
	volatile char *walk = malloc(size);
	double took[COLD], from = now(WALL), rate;
	uint64_t ticks = __rdtsc();
	unsigned cpu;

	while (now(WALL) - from < 0.02)
		;
	rate = (double)(__rdtsc() - ticks) / (now(WALL) - from);
	for (int i = 0; walk && i < COLD; i++) {
		for (size_t at = 0; at < size; at += 64)
			walk[at]++;
		__sync_synchronize();
		for (volatile int turn = 0; turn < 2; turn++) { /* volatile: one code for both */
			void (*call)(int) = turn ? what : nothing;

			ticks = __rdtscp(&cpu);
			call(k);
			took[i] = (double)(__rdtscp(&cpu) - ticks) / rate;
		}
	}
	if (walk)
		qsort(took, COLD, sizeof *took, by_value);
	free((void *)walk);
	return walk ? took[COLD / 2] * 1e9 : 0;
}
#else
static double cold(void (*what)(int), int k)
{
	(void)what;
	(void)k;
	return 0;
}
#endif

static void stamps(void)
{
	static void (*const each[STAMPS])(int) = {stamp_tracer, stamp_library, stamp_system, stamp_tsc, stamp_tscp};
	void *kernel = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD), *found = kernel ? dlsym(kernel, "__vdso_clock_gettime") : NULL;

	if (found)
		*(void **)&kernel_clock = found;
	printf("%-26s %10s %10s\n", "ns a time stamp", "warm", "cold");
	for (int s = 0; s < STAMPS; s++) {
#if !defined __x86_64__
		if (s > STAMP_SYSTEM)
			break;
#endif
		printf("%-26s %10.1f %10.1f%s\n", stamp_names[s], stamp_warm(each[s]), cold(each[s], 0),
				s == STAMP_TRACER ? "   (bars: 60, 300)" : "");
	}
}

int main(int argc, char **argv)
{
	void *library = dlopen(argc > 1 ? argv[1] : "libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);
	double least[WAYS][CLOCKS];
	double all[CLOCKS] = {0};
	double writing = 0;
	int calls = 0;

	if (!library) {
		fprintf(stderr, "usage: tracer_overhead NAME-OF-THE-MPI-LIBRARY-IN-USE\n");
		return 2;
	}
	*(void **)&bare_Sendrecv = behind(library, "PMPI_Sendrecv");
	*(void **)&bare_Isend = behind(library, "PMPI_Isend");
	*(void **)&bare_Irecv = behind(library, "PMPI_Irecv");
	*(void **)&bare_Waitall = behind(library, "PMPI_Waitall");
	*(void **)&bare_Allreduce = behind(library, "PMPI_Allreduce");
	*(void **)&bare_Iprobe = behind(library, "PMPI_Iprobe");
	MPI_Init(&argc, &argv);
	name_files();
	stamps();
	printf("%-26s %10s %10s %12s\n", "ns a cold step", "bare", "traced", "cost");
	for (int k = 0; k < KINDS; k++) {
		double bare = cold(step_bare, k), traced = cold(step_traced, k);

		printf("%-26s %10.1f %10.1f %12.1f\n", kinds[k].name, bare, traced, traced - bare);
	}
	printf("%-26s %10s %10s %12s %12s\n", "ns a call, processor time", "bare", "traced", "cost", "plain write");
	for (int k = 0; k < KINDS; k++) {
		dense((enum kind)k, kinds[k].calls, least);
		printf("%-26s %10.1f %10.1f %12.1f %12.1f\n", kinds[k].name, least[BARE][CPU], least[TRACED][CPU],
				least[TRACED][CPU] - least[BARE][CPU], least[WRITTEN][CPU]);
		for (int c = 0; c < CLOCKS; c++)
			all[c] += (least[TRACED][c] - least[BARE][c]) * kinds[k].calls;
		writing += least[WRITTEN][CPU] * kinds[k].calls;
		calls += kinds[k].calls;
	}
	for (int c = 0; c < CLOCKS; c++)
		printf("mean cost, %-15s %34.1f  (bar: 300)\n", clock_names[c], all[c] / calls);
	printf("%-26s %47.1f\n", "a plain write of the same", writing / calls);
	close(plain_fd);
	unlink(plain);
	/* A Sendrecv with itself is two events; 10 000 events a second are one each 200 us. */
	sparse(2 * calibrate());
	MPI_Finalize();
	return 0;
}
