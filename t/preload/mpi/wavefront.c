/* Pipelined sweeps over a 2-D grid from all four corners, as Sweep3D does them. wavefront [SWEEPS [WORK_US]] */
#include "said.h"

static int columns, rows;

static int neighbour(int rank, int dx, int dy)
{
	int x = rank % columns + dx, y = rank / columns + dy;

	return x < 0 || y < 0 || x >= columns || y >= rows ? MPI_PROC_NULL : y * columns + x;
}

static void get(int from, int size, int tag)
{
	static char buf[65536];

	MPI_Recv(buf, sizeof buf, MPI_CHAR, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (from != MPI_PROC_NULL)
		said_receive(from, size, "world", tag);
}

static void put(int to, int size, int tag)
{
	static char buf[65536];

	MPI_Send(buf, size, MPI_CHAR, to, tag, MPI_COMM_WORLD);
	if (to != MPI_PROC_NULL)
		said_send(to, size, "world", tag);
}

int main(int argc, char **argv)
{
	int sweeps, work;

	MPI_Init(&argc, &argv);
	said_begin();
	sweeps = said_argument(argc, argv, 1, 8);
	work = said_argument(argc, argv, 2, 0);
	for (columns = 1; columns * columns < said_size; columns++)
		;
	while (said_size % columns)
		columns--;
	rows = said_size / columns;
	for (int s = 0; s < sweeps; s++) {
		int dx = s & 1 ? -1 : 1, dy = s & 2 ? -1 : 1;

		for (int block = 0; block < 3; block++) {
			get(neighbour(said_rank, -dx, 0), 100 + 10 * block, 1);
			get(neighbour(said_rank, 0, -dy), 200 + 10 * block, 2);
			said_work(work);
			put(neighbour(said_rank, dx, 0), 100 + 10 * block, 1);
			put(neighbour(said_rank, 0, dy), 200 + 10 * block, 2);
		}
	}
	said_end();
	MPI_Finalize();
	return 0;
}
