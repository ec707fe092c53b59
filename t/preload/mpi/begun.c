/* Nonblocking collectives and what completes them: rank 0 begins each 0.3 s after the others, which wait for it in
 * MPI_Wait; in a reduction to rank 1 only that waits. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

#define W MPI_COMM_WORLD

int main(int argc, char **argv)
{
	int rank, a = 1, b = 0;
	MPI_Request r;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(W, &rank);
	MPI_Barrier(W);
	if (rank == 0)
		usleep(300000);
	MPI_Iallreduce(&a, &b, 1, MPI_INT, MPI_SUM, W, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Barrier(W);
	if (rank == 0)
		usleep(300000);
	MPI_Ibcast(&a, 1, MPI_INT, 0, W, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Barrier(W);
	if (rank == 0)
		usleep(300000);
	MPI_Ireduce(&a, &b, 1, MPI_INT, MPI_SUM, 1, W, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
