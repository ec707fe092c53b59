#include "mpi_functions.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

unsigned mpi_traits(const char *name)
{
	static const struct {
		const char *name;
		unsigned traits;
	} functions[] = {
#define MPI_FUNCTION(name, traits) {#name, traits},
#include "mpi_functions.def"
	};
	size_t n = strlen(name);

	if (n < 4 || memcmp(name, "MPI_", 4))
		return 0;
	name += 4;
	n -= 4;
	if (n > 2 && !memcmp(name + n - 2, "_c", 2))
		n -= 2;
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (strlen(functions[i].name) == n && !memcmp(functions[i].name, name, n))
			return functions[i].traits;
	return 0;
}

unsigned mpi_completion_traits(const char *op)
{
	char blocking[64];

	if (op[0] != 'I' || op[1] < 'a' || op[1] > 'z' || strlen(op) >= sizeof blocking - 4)
		return 0;
	snprintf(blocking, sizeof blocking, "MPI_%c%s", op[1] - 'a' + 'A', op + 2);
	return mpi_traits(blocking) & (MPI_WAITS_FOR_ALL | MPI_ROOTED | MPI_FROM_ROOT | MPI_TO_ROOT);
}
