/* Rounds of messages and an Allreduce: collectives [MILLISECONDS [0]]. With 0 the collectives are on a copy of the
 * world. */
#include "said.h"

int main(int argc, char **argv)
{
	MPI_Comm comm = MPI_COMM_WORLD;
	int next, previous, in, sum, more = 1;
	double until;

	MPI_Init(&argc, &argv);
	said_begin();
	next = (said_rank + 1) % said_size;
	previous = (said_rank + said_size - 1) % said_size;
	until = said_argument(argc, argv, 1, 300) * 1e-3;
	if (!said_argument(argc, argv, 2, 1))
		MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	/* A fixed number, so that two runs do the same. */
	for (int i = 0; more; i++) {
		MPI_Sendrecv(&i, 1, MPI_INT, next, 1, &in, 1, MPI_INT, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		said_work(1000);
		MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, comm);
		more = i * 1e-3 < until;
	}
	if (comm != MPI_COMM_WORLD)
		MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
