/* A rendezvous across a checkpoint, for the runner's tests: run_rendezvous [STEPS [poll]].
 *
 * In every step rank 0 sends 4 MB to rank 1, blocking until rank 1 receives; rank 1 first sends a small message to rank
 * 2 and only then posts its receive. A cut that stops rank 1 before that small send leaves rank 0 blocked inside its
 * large one, short of its own stop: quiescent, though not everyone has stopped. With `poll` rank 0 does not block, but
 * tests until the large message is taken, and so is inside MPI at no time. Needs 3 ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define LARGE (4 << 20)

int main(int argc, char **argv)
{
	long steps = argc > 1 ? atol(argv[1]) : 20;
	int rank, small = 0, poll = argc > 2;
	char *large = calloc(LARGE, 1);
	long sum = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (long s = 0; s < steps; s++) {
		if (rank == 0) {
			large[0] = (char)s;
			large[LARGE - 1] = (char)(s + 1);
			if (poll) {
				MPI_Request request;
				int done = 0;

				MPI_Isend(large, LARGE, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &request);
				while (!done)
					MPI_Test(&request, &done, MPI_STATUS_IGNORE);
			} else {
				MPI_Send(large, LARGE, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
			}
			MPI_Send(&small, 1, MPI_INT, 2, 2, MPI_COMM_WORLD);
		} else if (rank == 1) {
			MPI_Send(&small, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
			MPI_Recv(large, LARGE, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			sum += large[0] + large[LARGE - 1];
		} else if (rank == 2) {
			MPI_Recv(&small, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Recv(&small, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
	}
	if (rank == 1)
		printf("sum %ld\n", sum);
	MPI_Finalize();
	free(large);
	return 0;
}
