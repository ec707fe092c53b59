/* The MPI library behind us: its functions and constants, looked up by name.
 *
 * The preloaded library is loaded into every process of the job's tree, mpirun and shells included, so it
 * must not need libmpi: nothing here is linked, all is found with dlsym() once MPI is there.
 *
 * Wrappers are exported as MPI_X and as PMPI_X: the Fortran bindings of Open MPI call PMPI_X, those of MPICH call
 * MPI_X or PMPI_X. So Fortran arrives here through C, whatever its interface, with all handles converted.
 */
#ifndef PAS2P_REAL_H
#define PAS2P_REAL_H

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#pragma GCC diagnostic ignored "-Wcast-qual"
#include <mpi.h>
#pragma GCC diagnostic pop

#include <stdbool.h>

/* Called by the tracer itself, beside those of calls.def. */
#define UNWRAPPED(X) \
	X(Init) X(Init_thread) X(Finalize) X(Abort) X(Pcontrol) X(Query_thread) X(Type_size_x) X(Get_elements_x) X(Group_free) \
	X(Group_translate_ranks) X(Dist_graph_neighbors_count) X(Dist_graph_neighbors) X(Get_library_version)

struct real {
#define CALL(name, state, colour, format) __typeof__(MPI_##name) *name;
#include "calls.def"
#if MPI_VERSION >= 4
#define BIG_COUNTS
#undef CALL
#define CALL(name, state, colour, format) __typeof__(MPI_##name##_c) *name##_c;
#include "calls.def"
#undef BIG_COUNTS
#endif
#undef CALL
#define X(name) __typeof__(MPI_##name) *name;
	UNWRAPPED(X)
#undef X
	/* Constants that are addresses in Open MPI. */
	MPI_Comm world, self, comm_null;
	MPI_Datatype byte, int32, int64, real64;
	MPI_Request request_null;
	MPI_Request request_done; /* what Open MPI gives for what is complete at once; MPICH: the null one */
	MPI_Op max, min, sum;
};

extern struct real real;

/* Fill `real`; true if an MPI library is there. Cheap when it was done before. */
bool real_find(void);

#endif
