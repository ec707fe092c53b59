/* See named.c. */
#include <mpi.h>

static __attribute__((noinline)) void library_static(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

void named_in_library(void)
{
	library_static();
	MPI_Barrier(MPI_COMM_WORLD);
}
