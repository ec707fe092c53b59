/* A master that hands out work, for the runner's tests: run_workers TASKS, with ORDER in the environment.
 *
 * Whose turn it is depends, in such programs, on how fast the workers are; here ORDER says it ("12": worker 1, then
 * worker 2, and so on from the start), so that a test can have it come otherwise. All orders make the same number of
 * calls in all, but not the same on each rank.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STOP (-1)

static void master(int size, int tasks)
{
	const char *order = getenv("ORDER") ? getenv("ORDER") : "12";
	int task, asked;

	for (int i = 0; i < tasks + size - 1; i++) {
		int worker = i < tasks ? order[(size_t)i % strlen(order)] - '0' : i - tasks + 1;

		task = i < tasks ? i : STOP;
		MPI_Recv(&asked, 1, MPI_INT, worker, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&task, 1, MPI_INT, worker, 2, MPI_COMM_WORLD);
	}
}

int main(int argc, char **argv)
{
	const struct timespec pause = {0, 1000000};
	int rank, size, task = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank == 0)
		master(size, argc > 1 ? atoi(argv[1]) : 40);
	for (task = rank ? 0 : STOP; task != STOP;) {
		MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
		MPI_Recv(&task, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		nanosleep(&pause, NULL);
	}
	MPI_Finalize();
	return 0;
}
