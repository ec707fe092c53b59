/* What the name of an MPI call says, whatever format it comes from: "MPI_Allreduce".
 *
 * Which calls are collectives is docs/method.md 1.1's list, with their nonblocking (Iallreduce), neighbourhood and
 * large-count (_c) forms.
 */
#ifndef PAS2P_MPI_CALL_H
#define PAS2P_MPI_CALL_H

#include <stdbool.h>

#include "trace.h"

struct mpi_call {
	const char *op;       /* the name without "MPI_", as in name; "" for what is no MPI call, and then the rest is false */
	enum time_kind time;  /* what its time goes into */
	bool collective;
	bool starts;          /* MPI_Start, MPI_Startall: a collective right inside is a persistent one that starts */
	bool untold;          /* MPI_Ibsend, MPI_Irsend, MPI_Cancel: what they do is not logged in full by tracers as MPE's */
};

struct mpi_call mpi_call(const char *name);

#endif
