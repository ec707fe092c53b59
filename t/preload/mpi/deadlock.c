/* Would deadlock if large messages were not sent head to tail: everyone sends to the right but the last, who receives
 * first, so a large (rendezvous) send returns only after the receiver's earlier send has. A process stopped in the
 * middle of it leaves others blocked, not stopped. deadlock [ROUNDS [WORK_US [BYTES]]] */
#include "said.h"

int main(int argc, char **argv)
{
	int rounds, work, bytes;
	char *out, *in;

	MPI_Init(&argc, &argv);
	said_begin();
	rounds = said_argument(argc, argv, 1, 4);
	work = said_argument(argc, argv, 2, 0);
	bytes = said_argument(argc, argv, 3, 1 << 20);
	out = calloc(2, (size_t)bytes + 64);
	if (!out)
		MPI_Abort(MPI_COMM_WORLD, 1);
	in = out + bytes + 64;
	for (int i = 0; i < rounds; i++) {
		int next = said_rank + 1, previous = said_rank - 1;

		said_work(work * (1 + said_rank));
		if (next < said_size) {
			MPI_Send(out, bytes + said_rank, MPI_CHAR, next, 7, MPI_COMM_WORLD);
			said_send(next, bytes + said_rank, "world", 7);
		}
		if (previous >= 0) {
			MPI_Recv(in, bytes + 64, MPI_CHAR, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			said_receive(previous, bytes + previous, "world", 7);
		}
	}
	free(out);
	said_end();
	MPI_Finalize();
	return 0;
}
