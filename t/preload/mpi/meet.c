/* Two jobs at the same time: meet OWN OTHER ROUNDS SIZE. Once it is begun, rank 0 makes the file OWN and waits for
 * OTHER, which the other job makes (it gives up after a minute or two); then there are so many rounds of a message of
 * SIZE bytes each way between two ranks.
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct timespec moment = {0, 1000000};
	int rank, rounds = atoi(argv[3]), size = atoi(argv[4]);
	char *bytes = calloc(1, (size_t)size);

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		close(open(argv[1], O_WRONLY | O_CREAT, 0666));
		for (int looks = 0; access(argv[2], F_OK) != 0; looks++) {
			if (looks == 60000)
				MPI_Abort(MPI_COMM_WORLD, 9);
			nanosleep(&moment, NULL);
		}
	}
	for (int i = 0; i < rounds; i++) {
		if (rank == 0)
			MPI_Send(bytes, size, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
		MPI_Recv(bytes, size, MPI_BYTE, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Send(bytes, size, MPI_BYTE, 0, 7, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	free(bytes);
	return 0;
}
