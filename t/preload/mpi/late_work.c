/* Computes for a fifth of its time after its last message: ROUNDS exchanges behind 10 ms of computing each, then a quarter of all
 * that once more. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static void compute(double seconds)
{
	struct timespec t;
	double until;

	clock_gettime(CLOCK_MONOTONIC, &t);
	until = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec + seconds;
	do
		clock_gettime(CLOCK_MONOTONIC, &t);
	while ((double)t.tv_sec + 1e-9 * (double)t.tv_nsec < until);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 40, rank, other, got;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	other = rank ^ 1;
	for (int i = 0; i < rounds; i++) {
		MPI_Sendrecv(&rank, 1, MPI_INT, other, 0, &got, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		compute(0.01);
	}
	compute(0.0025 * rounds);
	MPI_Finalize();
	return 0;
}
