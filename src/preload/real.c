#include "real.h"

#include <dlfcn.h>
#include <stddef.h>

struct real real;

#ifdef OPEN_MPI
static const char *const sonames[] = {"libmpi.so.40", "libmpi.so.20", "libmpi.so.12"};
#else
static const char *const sonames[] = {"libmpich.so.12", "libmpi.so.12"};
#endif

static void *look_from(void *where, const char *name)
{
	static void *library;
	void *p = dlsym(where, name);

	/* A program may have opened its MPI library itself, out of the global scope. */
	for (size_t i = 0; !p && !library && i < sizeof sonames / sizeof *sonames; i++)
		library = dlopen(sonames[i], RTLD_LAZY | RTLD_NOLOAD);
	if (!p && library)
		p = dlsym(library, name);
	return p;
}

static void *real_look_up(const char *name)
{
	return look_from(RTLD_NEXT, name);
}

/* POSIX lets a function's address travel in a void *, ISO C does not: copy its bytes. */
static void real_fill_slot(void *slot, const char *name)
{
	void *p = real_look_up(name);

	__builtin_memcpy(slot, &p, sizeof p);
}

bool real_find(void)
{
	if (real.Init)
		return true;
	if (!real_look_up("PMPI_Init"))
		return false;
#define CALL(name, state, colour, format) real_fill_slot(&real.name, "PMPI_" #name);
#include "calls.def"
#if MPI_VERSION >= 4
#define BIG_COUNTS
#undef CALL
#define CALL(name, state, colour, format) real_fill_slot(&real.name##_c, "PMPI_" #name "_c");
#include "calls.def"
#undef BIG_COUNTS
#endif
#undef CALL
#define X(name) real_fill_slot(&real.name, "PMPI_" #name);
	UNWRAPPED(X)
#undef X
#ifdef OPEN_MPI
#define real_look_up(name) look_from(RTLD_DEFAULT, name) /* the program may hold the one copy of the library's data */
	real.world = real_look_up("ompi_mpi_comm_world");
	real.self = real_look_up("ompi_mpi_comm_self");
	real.comm_null = real_look_up("ompi_mpi_comm_null");
	real.byte = real_look_up("ompi_mpi_byte");
	real.int32 = real_look_up("ompi_mpi_int32_t");
	real.int64 = real_look_up("ompi_mpi_int64_t");
	real.real64 = real_look_up("ompi_mpi_double");
	real.request_null = real_look_up("ompi_request_null");
	real.request_done = real_look_up("ompi_request_empty");
	real.max = real_look_up("ompi_mpi_op_max");
	real.min = real_look_up("ompi_mpi_op_min");
	real.sum = real_look_up("ompi_mpi_op_sum");
#undef real_look_up
#else
	real.world = MPI_COMM_WORLD;
	real.self = MPI_COMM_SELF;
	real.comm_null = MPI_COMM_NULL;
	real.byte = MPI_BYTE;
	real.int32 = MPI_INT32_T;
	real.int64 = MPI_INT64_T;
	real.real64 = MPI_DOUBLE;
	real.request_null = MPI_REQUEST_NULL;
	real.request_done = MPI_REQUEST_NULL;
	real.max = MPI_MAX;
	real.min = MPI_MIN;
	real.sum = MPI_SUM;
#endif
	return true;
}

/* Wrapped functions may be called before MPI_Init only in error, but even then they must arrive. */
__attribute__((constructor)) static void at_load(void)
{
	real_find();
}
