/* Communicators: what the wrappers must know of each, and its records in the trace.
 *
 * Each has a number in this process's local table (icomm; an intercommunicator takes three: itself, its local and its
 * remote side) and a GID of 32 bytes that all its members share, agreed on with a broadcast when it is made. The merge
 * numbers GIDs for the whole file.
 *
 * A communicator that was not seen being made (by MPI_Comm_spawn, say) is looked at when it first occurs; what is sent
 * on it is logged on MPI_COMM_WORLD, with ranks translated, and what goes to a process outside of it is not logged.
 */
#ifndef PAS2P_COMMS_H
#define PAS2P_COMMS_H

#include <stdbool.h>
#include <stdint.h>

#include "real.h"

#define GID_BYTES 32

struct comm {
	MPI_Comm handle;
	int32_t icomm;       /* in the local table */
	int rank, size;      /* mine and the (local) group's */
	int peers;           /* whom collectives reach: the size, or of an intercommunicator the remote group's */
	bool inter;
	int32_t *world;      /* if it was not seen being made: the peers' world ranks (-1: in another world) */
	int32_t owner;       /* inter: icomm of the local side in the local table */
	uint32_t derived;    /* idups of it begun */
	uint32_t gatherings; /* calls begun that all its members make together */
	bool neighbours_recorded; /* where its neighbourhood collectives receive from */
};

struct local_comm {          /* of the local table */
	uint8_t gid[GID_BYTES];
	int32_t kind;        /* as in the file's table: 0 inter, 1 intra, 2 local, 3 remote side */
	int32_t side;        /* kind 0: entry of its local side's own communicator (remote: +2); otherwise itself */
	int32_t number;      /* in the merged file; set by the merge */
};
extern struct local_comm *comm_table;
extern int32_t comm_count;

bool comms_init(void);

/* The record of a communicator; never NULL (MPI_COMM_WORLD's for an invalid handle). */
struct comm *comm_slow(MPI_Comm handle);
extern struct comm comm_world;

static inline struct comm *comm_find(MPI_Comm handle)
{
	return __builtin_expect(handle == comm_world.handle, 1) ? &comm_world : comm_slow(handle);
}

/* A partner as logged on cm; -1: it cannot be named. */
static inline int comm_peer(const struct comm *cm, int rank)
{
	return cm->world ? rank >= 0 && rank < cm->peers ? cm->world[rank] : -1 : rank;
}

/* Called by all members in the call that made it; `made` may be MPI_COMM_NULL. */
void comm_made(struct comm *parent, MPI_Comm made);
/* MPI_Comm_idup, where its request is completed: members may be anywhere then, so the GID is derived from the
 * parent's and from which idup of it this is (number, from 1), instead of being broadcast. */
void comm_made_later(struct comm *parent, MPI_Comm made, uint32_t number);
void comm_freed(struct comm *cm);

/* The number of a call that all members make together, which is the same on each: they make these calls in one
 * order. 0: it has none, for not all who make it are members of what the record names. */
static inline int comm_gathering(struct comm *cm)
{
	if (cm->world || cm->inter || cm->size == 1)
		return 0;
	return (int)(__atomic_add_fetch(&cm->gatherings, 1, __ATOMIC_RELAXED) & INT32_MAX);
}

/* Windows and files, by handle: what is done with one of them all members of its communicator do. Of one that was not
 * seen being made a communicator without gatherings; never NULL. comm_release(): likewise, and it is no more. */
void comm_hold(uintptr_t handle, struct comm *cm);
struct comm *comm_held(uintptr_t handle);
struct comm *comm_release(uintptr_t handle);

/* In a neighbourhood collective, the first one: from whom the process receives. */
void comm_record_neighbours(struct comm *cm);

/* Where the process may send in a neighbourhood collective. */
int comm_outdegree(const struct comm *cm);

#endif
