/* Conjugate gradients' traffic: sums along rows by point to point, an exchange with the transposed process (itself on
 * the diagonal), dot products; and a norm at the end of each outer step. cg [OUTER [INNER [WORK_US]]] */
#include "said.h"

static double out[512], in[512];
static int side;

static void swap(int peer, int n, int tag)
{
	MPI_Request r;

	MPI_Irecv(in, 512, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD, &r);
	MPI_Send(out, n, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD);
	said_send(peer, 8L * n, "world", tag);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	said_receive(peer, 8L * n, "world", tag);
}

static void row_sum(int n, int tag)
{
	int row = said_rank / side, column = said_rank % side;

	for (int bit = 1; bit < side; bit *= 2)
		swap(row * side + (column ^ bit), n, tag);
}

int main(int argc, char **argv)
{
	int outer, inner, work;

	MPI_Init(&argc, &argv);
	said_begin();
	outer = said_argument(argc, argv, 1, 3);
	inner = said_argument(argc, argv, 2, 5);
	work = said_argument(argc, argv, 3, 0);
	for (side = 1; 4 * side * side <= said_size; side *= 2)
		;
	/* A square of a power of two takes part; others only in the norm. */
	for (int o = 0; o < outer; o++) {
		double norm = o, all;

		for (int i = 0; i < inner && said_rank < side * side; i++) {
			int row = said_rank / side, column = said_rank % side;

			said_work(work);
			row_sum(100, 1);
			swap(column * side + row, 100, 2);
			row_sum(1, 3);
			said_work(work / 4);
			row_sum(1, 4);
		}
		MPI_Allreduce(&norm, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		if (said_size > 1)
			said_collective("Allreduce", 8, "world");
	}
	said_end();
	MPI_Finalize();
	return 0;
}
