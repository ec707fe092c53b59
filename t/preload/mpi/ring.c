/* A token goes round: blocking, nonblocking and combined sends. ring [ROUNDS [WORK_US]] */
#include "said.h"

int main(int argc, char **argv)
{
	static char out[4096], in[4096];
	int rounds, work, next, previous;

	MPI_Init(&argc, &argv);
	said_begin();
	rounds = said_argument(argc, argv, 1, 5);
	work = said_argument(argc, argv, 2, 0);
	next = (said_rank + 1) % said_size;
	previous = (said_rank + said_size - 1) % said_size;
	for (int i = 0; i < rounds; i++) {
		int n = 100 * said_rank + i % 50 + 1;
		int m = 100 * previous + i % 50 + 1;
		MPI_Request r;

		if (said_rank == 0) {
			MPI_Send(out, n, MPI_CHAR, next, 1, MPI_COMM_WORLD);
			said_send(next, n, "world", 1);
		}
		MPI_Recv(in, 4096, MPI_CHAR, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		said_receive(previous, m, "world", 1);
		if (said_rank != 0) {
			MPI_Send(out, n, MPI_CHAR, next, 1, MPI_COMM_WORLD);
			said_send(next, n, "world", 1);
		}
		said_work(work);
		MPI_Isend(out, 4 * n, MPI_CHAR, next, 2, MPI_COMM_WORLD, &r);
		said_send(next, 4 * n, "world", 2);
		MPI_Recv(in, 4096, MPI_CHAR, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		said_receive(previous, 4 * m, "world", 2);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
		MPI_Sendrecv(out, n + 7, MPI_CHAR, next, 3, in, 4096, MPI_CHAR, previous, 3, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
		said_send(next, n + 7, "world", 3);
		said_receive(previous, m + 7, "world", 3);
		/* Nobody at the other end: no event. */
		MPI_Sendrecv(out, 5, MPI_CHAR, MPI_PROC_NULL, 4, in, 5, MPI_CHAR, MPI_PROC_NULL, 4, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
	}
	said_end();
	MPI_Finalize();
	return 0;
}
