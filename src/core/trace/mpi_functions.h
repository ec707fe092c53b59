/* The properties of MPI functions by name, for every format: mpi_functions.def lists them.
 *
 * docs/reference/metrics.md, "Waiting", "Overlap" and "Ideal network" describe what each function waits for. The
 * collectives are those of docs/explain/method.md, "Messages and collectives", with their nonblocking (Iallreduce),
 * neighbourhood and large-count (_c) forms. */
#ifndef PAS2P_MPI_FUNCTIONS_H
#define PAS2P_MPI_FUNCTIONS_H

#include <stdbool.h>

#include "trace.h"

enum mpi_trait {
	MPI_WAITS_FOR_ALL = 1,   /* blocking collective: each needs all members */
	MPI_ROOTED = 2,          /* blocking collective with a direction: Bcast, Scatter(v), Gather(v), Reduce, Scan, Exscan */
	MPI_SYNCHRONOUS = 4,     /* Ssend: always a rendezvous */
	MPI_BLOCKING_SEND = 8,   /* may be a rendezvous: Send, Ssend, Rsend, Sendrecv, Sendrecv_replace */
	MPI_POSTS_AND_RECEIVES = 16, /* Recv, Mrecv, Sendrecv(_replace): posting and completing a receive are one call */
	MPI_POSTS_RECEIVE = 32,  /* Irecv (Imrecv): a receive is pending from here on */
	MPI_STARTS = 64,         /* Start: the same, where the call has no send record */
	MPI_STARTS_ALL = 128,    /* Startall: any number of them */
	MPI_COMPLETES = 256,     /* Wait*, Test*: receives that were pending complete in it */
	MPI_UNSEEN_END = 512,    /* Isend and its like, nonblocking collectives without numbers: their completion is not recorded */
	MPI_PCONTROL = 1024,     /* nothing is known of the time in it */
	MPI_NONBLOCKING_COLLECTIVE = 2048,
	MPI_FROM_ROOT = 4096,    /* Bcast, Scatter(v): members need the root alone, if it is known */
	MPI_TO_ROOT = 8192,      /* Gather(v), Reduce: the root alone needs members */
	MPI_NOT_ANALYSED = 16384, /* it may wait for others, and its name alone does not say for whom: where the trace does not
	                             either, nothing finds out how long */
	MPI_ENDS_NOT_ANALYSED = 32768, /* the same holds for the call that completes what it begins */
	MPI_TESTS = 65536,       /* Test*: of those that complete, it returns at once */
	MPI_COMPLETES_ALL = 131072, /* Waitall, Testall */
	MPI_PROBES = 262144,     /* Probe, Mprobe: for a message that another call receives */
	MPI_FOR_NEIGHBOURS = 524288, /* neighbourhood collective: for those that the process receives from */
	MPI_ENDS_WORK = 1048576, /* Finalize: what the process does ends where it begins (docs/explain/method.md, "Compute time") */
	MPI_UNTOLD = 2097152,    /* Ibsend, Irsend, Cancel: what they do is not logged in full by tracers as MPE's */
	MPI_HOLDS_ALL = 4194304  /* each member gets data from every other one: no member leaves before all have arrived */
};

struct mpi_call {
	const char *op;       /* the name without "MPI_", as in name; "" for what is no MPI call, and then the rest is false */
	enum time_kind time;  /* the activity that its time counts as */
	bool collective;
	bool starts;          /* MPI_Start, MPI_Startall: a collective right inside is a persistent one that starts */
	bool untold;          /* MPI_Ibsend, MPI_Irsend, MPI_Cancel: what they do is not logged in full by tracers as MPE's */
};

/* A blocking collective of all. */
struct mpi_collective {
	const char *op, *letters; /* two letters, for where the name does not fit */
	unsigned traits;
};

/* "MPI_Allreduce", also with _c behind it. */
struct mpi_call mpi_call(const char *name);
/* The same names; of others 0. */
unsigned mpi_traits(const char *name);
/* Of the completion of a nonblocking collective, "Ibcast": those of the blocking one. Of other operations 0. */
unsigned mpi_completion_traits(const char *op);
/* "Bcast", as it is written; NULL: it is none. */
const struct mpi_collective *mpi_collective(const char *op);

/* Extrae's number of an operation, 0: it has none; and the operation that has a number, NULL: none has. */
uint32_t mpi_extrae_number(const char *op);
const char *mpi_of_extrae(uint64_t number);

#endif
