/* Two sends that one MPI_Startall starts, so that no time passes between them, then rest: run_startall STEPS. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	static char small[8], large[4096];
	const struct timespec pause = {0, 2000000};
	MPI_Request r[2];
	MPI_Status s[2];
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		MPI_Send_init(small, sizeof small, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &r[0]);
		MPI_Send_init(large, sizeof large, MPI_BYTE, 1, 2, MPI_COMM_WORLD, &r[1]);
	} else {
		MPI_Recv_init(small, sizeof small, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &r[0]);
		MPI_Recv_init(large, sizeof large, MPI_BYTE, 0, 2, MPI_COMM_WORLD, &r[1]);
	}
	for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 100); i++) {
		MPI_Startall(2, r);
		MPI_Waitall(2, r, s);
		nanosleep(&pause, NULL);
	}
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
	MPI_Finalize();
	return 0;
}
