/* Messages and a broadcast of 2 GiB and more, by each way to say so: a count of a type, a type, with MPI 4 a large count. */
#include <mpi.h>

int main(int argc, char **argv)
{
	MPI_Datatype mib, huge;
	MPI_Request request;
	MPI_Status status;
	char data[8] = {0};
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Type_contiguous(1 << 20, MPI_BYTE, &mib);
	MPI_Type_commit(&mib);
	MPI_Type_contiguous(1 << 20, mib, &huge);
	MPI_Type_commit(&huge);
	if (rank == 0) {
		MPI_Send(data, 2147483647, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
		MPI_Send(data, 2049, mib, 1, 2, MPI_COMM_WORLD);
		MPI_Isend(data, 2147483647, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Send(data, 1, huge, 1, 4, MPI_COMM_WORLD);
#if MPI_VERSION >= 4
		MPI_Send_c(data, ((MPI_Count)1 << 32) + 1, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
#else
		MPI_Send(data, 8, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
#endif
	} else if (rank == 1) {
		MPI_Recv(data, 2147483647, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &status);
		MPI_Recv(data, 2049, mib, 0, 2, MPI_COMM_WORLD, &status);
		MPI_Irecv(data, 2147483647, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Recv(data, 1, huge, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
		MPI_Recv_c(data, (MPI_Count)1 << 33, MPI_BYTE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
		MPI_Recv(data, 8, MPI_BYTE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	}
	MPI_Bcast(data, 2049, mib, 0, MPI_COMM_WORLD);
	MPI_Type_free(&huge);
	MPI_Type_free(&mib);
	MPI_Finalize();
	return 0;
}
