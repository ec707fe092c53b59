/* Steps whose durations are known, for the runner's tests of windows: run_known STEPS MICROSECONDS [TAIL].
 *
 * Every step sleeps, which other programs on the machine disturb least, and exchanges a message with the neighbours in
 * a ring; every fourth one ends with an Allreduce. Whoever waits sleeps, too, so that no rank takes a processor from
 * another one. After the steps all sleep for TAIL seconds. Steps last about the given time: the same ones always
 * equally long, but neighbours up to three times as long as each other, one in twelve three times, and all slowly more
 * and then less again over the run, so that one occurrence, or those of one place, say little of the whole.
 */
#define _GNU_SOURCE
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void rest(double us)
{
	struct timespec t = {(time_t)(us / 1e6), (long)(fmod(us, 1e6) * 1e3)};

	nanosleep(&t, NULL);
}

/* From 0 to 1, of the step's number alone. */
static double scatter(unsigned long n)
{
	n = (n + 1) * 2654435761u;
	n ^= n >> 15;
	n = (n * 2246822519u) & 0xffffffffu;
	n ^= n >> 13;
	return (double)(n % 10000) / 10000;
}

static void wait_for(MPI_Request *r, int n)
{
	int done = 0;

	MPI_Status s[2];

	while (MPI_Testall(n, r, &done, s) == MPI_SUCCESS && !done)
		rest(50);
}

int main(int argc, char **argv)
{
	MPI_Request r[2];
	long steps = argc > 1 ? atol(argv[1]) : 400;
	double us = argc > 2 ? atof(argv[2]) : 1000;
	int rank, size;
	long in, out = 0, mine = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (long s = 0; s < steps; s++) {
		double x = scatter((unsigned long)s), drift = 1 + 0.3 * sin(6.28 * (double)s / (double)steps);

		rest(us * drift * (s % 12 == 7 ? 3 : 0.5 + x));
		MPI_Irecv(&in, 1, MPI_LONG, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &r[0]);
		MPI_Isend(&out, 1, MPI_LONG, (rank + 1) % size, 7, MPI_COMM_WORLD, &r[1]);
		wait_for(r, 2);
		mine += in + 1;
		if (s % 4 == 3) {
			MPI_Iallreduce(&mine, &out, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD, r);
			wait_for(r, 1);
		}
	}
	if (argc > 3)
		rest(atof(argv[3]) * 1e6);
	if (rank == 0)
		printf("came to its end\n");
	MPI_Finalize();
	return 0;
}
