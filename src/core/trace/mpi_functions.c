#include "mpi_functions.h"

#include <stdio.h>
#include <string.h>

static const struct mpi_function {
	const char *name;
	enum time_kind time;
	unsigned traits;
	uint32_t number;
} functions[] = {
#define MPI(name, time, traits, number) {#name, TIME_##time, traits, number},
#include "mpi_functions.def"
};

static const struct mpi_function *function_find(const char *op, size_t n)
{
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (!strncmp(functions[i].name, op, n) && !functions[i].name[n])
			return &functions[i];
	return NULL;
}

/* "MPI_Send_c": the function Send. */
static const struct mpi_function *function_named(const char *name)
{
	size_t n = strlen(name);

	if (strncmp(name, "MPI_", 4) != 0)
		return NULL;
	return function_find(name + 4, n - 4 - (n > 6 && !strcmp(name + n - 2, "_c") ? 2 : 0));
}

struct mpi_call mpi_call(const char *name)
{
	const struct mpi_function *f = function_named(name);

	if (!f)
		return (struct mpi_call){.op = strncmp(name, "MPI_", 4) != 0 ? "" : name + 4, .time = TIME_OTHER_MPI};
	return (struct mpi_call){.op = name + 4, .time = f->time, .collective = f->time == TIME_COLLECTIVE,
		.starts = f->traits & (MPI_STARTS | MPI_STARTS_ALL), .untold = f->traits & MPI_UNTOLD};
}

unsigned mpi_traits(const char *name)
{
	const struct mpi_function *f = function_named(name);

	return f ? f->traits : 0;
}

unsigned mpi_completion_traits(const char *op)
{
	char blocking[64];

	if (op[0] != 'I' || op[1] < 'a' || op[1] > 'z' || strlen(op) >= sizeof blocking - 4)
		return 0;
	snprintf(blocking, sizeof blocking, "MPI_%c%s", op[1] - 'a' + 'A', op + 2);
	return mpi_traits(blocking) & (MPI_WAITS_FOR_ALL | MPI_ROOTED | MPI_FROM_ROOT | MPI_TO_ROOT);
}

const struct mpi_collective *mpi_collective(const char *op)
{
	static const struct mpi_collective collectives[] = {
#define COLLECTIVE(name, traits, number, letters, node, same) {#name, letters, traits},
#include "mpi_functions.def"
	};

	for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
		if (!strcmp(op, collectives[i].op))
			return &collectives[i];
	return NULL;
}

uint32_t mpi_extrae_number(const char *op)
{
	const struct mpi_function *f = function_find(op, strlen(op));

	return f ? f->number : 0;
}

const char *mpi_of_extrae(uint64_t number)
{
	for (size_t i = 0; number && i < sizeof functions / sizeof *functions; i++)
		if (functions[i].number == number)
			return functions[i].name;
	return NULL;
}
