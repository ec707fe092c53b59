/* What tracing costs a program: ns per call, and percent of run time at 10 000 events a second.
 *
 * Run with the tracer's library preloaded. The bare calls, in the same run and taking turns with the traced
 * ones, go to the MPI library's own functions, looked up behind the tracer. One process that talks to itself:
 * what is measured is the tracer, not a network. The best of several batches counts for each, since whatever else
 * the machine does only adds. Batches are large enough that spilling records to disk is part of them.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BATCH 20000
#define BATCHES 9
#define SPARSE 3000        /* calls of a batch at 10 000 events a second: 0.3 s */

static __typeof__(MPI_Sendrecv) *bare_Sendrecv;
static __typeof__(MPI_Isend) *bare_Isend;
static __typeof__(MPI_Irecv) *bare_Irecv;
static __typeof__(MPI_Waitall) *bare_Waitall;
static __typeof__(MPI_Allreduce) *bare_Allreduce;
static __typeof__(MPI_Iprobe) *bare_Iprobe;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
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
		double t = now();

		work(steps);
		t = now() - t;
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
		(traced ? MPI_Sendrecv : bare_Sendrecv)(out, 64, MPI_BYTE, 0, 1, in, 64, MPI_BYTE, 0, 1, c, MPI_STATUS_IGNORE);
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

static double batch(enum kind k, int traced, int n, long steps)
{
	double t = now();

	for (int i = 0; i < n; i++) {
		step(k, traced);
		if (steps)
			work(steps);
	}
	return now() - t;
}

static void best(enum kind k, int n, long steps, double least[2])
{
	least[0] = least[1] = 1e9;
	for (int b = 0; b < 2 * BATCHES; b++) {
		double t = batch(k, b & 1, n, steps);

		if (t < least[b & 1])
			least[b & 1] = t;
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

int main(int argc, char **argv)
{
	void *library = dlopen(argc > 1 ? argv[1] : "libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);
	double least[2];
	double all = 0;
	int calls = 0;
	long steps;

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
	printf("%-26s %10s %10s %12s\n", "calls", "bare", "traced", "cost a call");
	for (int k = 0; k < KINDS; k++) {
		double cost;

		best((enum kind)k, BATCH / kinds[k].calls, 0, least);
		cost = (least[1] - least[0]) / (BATCH / kinds[k].calls * kinds[k].calls) * 1e9;
		printf("%-26s %7.1f ns %7.1f ns %9.1f ns\n", kinds[k].name, least[0] / BATCH * 1e9, least[1] / BATCH * 1e9, cost);
		all += cost * kinds[k].calls;
		calls += kinds[k].calls;
	}
	printf("mean of all: %.1f ns a call (bar: 300)\n", all / calls);
	/* A Sendrecv with itself is two events; 10 000 events a second are one each 200 us. */
	steps = 2 * calibrate();
	best(SENDRECV, SPARSE / 2, steps, least);
	printf("at 10 000 events a second: %.3f s bare, %.3f s traced, %+.2f %% (bar: 1)\n", least[0], least[1],
	       (least[1] / least[0] - 1) * 100);
	MPI_Finalize();
	return 0;
}
