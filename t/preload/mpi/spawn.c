/* A job that starts another: two ranks spawn two more of the same program; in each world rank 0 sends rank 1 messages
 * of 100 bytes, 3 in the first and 5 in the spawned one.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
	MPI_Comm parent, between;
	char bytes[100] = "";
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_get_parent(&parent);
	between = parent;
	if (parent == MPI_COMM_NULL)
		MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < (parent == MPI_COMM_NULL ? 3 : 5); i++) {
		if (rank == 0)
			MPI_Send(bytes, sizeof bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
		else
			MPI_Recv(bytes, sizeof bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Comm_disconnect(&between);
	MPI_Finalize();
	return 0;
}
