/* A program whose functions are traced, and its library: each has a static function and one that is not. */
#include <mpi.h>

void named_in_library(void);

static __attribute__((noinline)) void named_static(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

__attribute__((noinline)) void named_global(void)
{
	named_static();
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	named_global();
	named_in_library();
	MPI_Finalize();
	return 0;
}
