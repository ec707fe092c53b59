/* Halo exchange on a Cartesian grid without wrap-around, with a residual now and then. halo [STEPS [WORK_US]] */
#include "said.h"

static void coordinates(int rank, const int dims[2], int at[2])
{
	at[0] = rank / dims[1];
	at[1] = rank % dims[1];
}

int main(int argc, char **argv)
{
	static double out[4][64], in[4][64];
	int dims[2] = {0, 0}, periods[2] = {0, 0}, at[2], steps, work;
	MPI_Comm grid;

	MPI_Init(&argc, &argv);
	said_begin();
	steps = said_argument(argc, argv, 1, 12);
	work = said_argument(argc, argv, 2, 0);
	MPI_Dims_create(said_size, 2, dims);
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
	coordinates(said_rank, dims, at);
	for (int step = 0; step < steps; step++) {
		MPI_Request r[8];
		int peers[4];

		for (int d = 0; d < 2; d++)
			MPI_Cart_shift(grid, d, 1, &peers[2 * d], &peers[2 * d + 1]);
		for (int i = 0; i < 4; i++)
			MPI_Irecv(in[i], 64, MPI_DOUBLE, peers[i], i ^ 1, grid, &r[i]);
		for (int i = 0; i < 4; i++) {
			int n = 8 + said_rank + 10 * i;

			MPI_Isend(out[i], n, MPI_DOUBLE, peers[i], i, grid, &r[4 + i]);
			if (peers[i] != MPI_PROC_NULL)
				said_send(peers[i], 8L * n, "grid", i);
		}
		said_work(work);
		MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
		for (int i = 0; i < 4; i++)
			if (peers[i] != MPI_PROC_NULL)
				said_receive(peers[i], 8L * (8 + peers[i] + 10 * (i ^ 1)), "grid", i ^ 1);
		if (step % 4 == 3) {
			double mine = step, all;

			MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, grid);
			if (said_size > 1)
				said_collective("Allreduce", 8, "grid");
		}
	}
	MPI_Comm_free(&grid);
	said_end();
	MPI_Finalize();
	return 0;
}
