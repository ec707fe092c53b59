#include "mpi_functions.h"

#include <stddef.h>
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
