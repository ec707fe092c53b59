/* Loading an OTF2 archive: what its parts share. load.c goes through them in this order. */
#ifndef PAS2P_CORE_FORMATS_OTF2_LOAD_H
#define PAS2P_CORE_FORMATS_OTF2_LOAD_H

#include <pthread.h>
#include <stdatomic.h>

#include "otf2_int.h"
#include "core/trace/make/trace_make.h"

/* ---- comms ---- */

/* The communicators of an archive (docs/reference/formats.md, "OTF2 records"): which process a rank of one is, and what
 * the maker is told of them.
 *
 * To the maker a definition of MPI_COMM_SELF is a communicator for each process, and MPI_COMM_WORLD is there even if
 * nothing defines it. Which of all those any event is on is known at the end alone: then settle.c leaves out the
 * others.
 */

#define NO_COMM UINT32_MAX

/* A definition, at its place in the definitions. */
struct otf_comm_entry {
	uint32_t comm;         /* to the maker; of MPI_COMM_SELF the first process's */
	size_t ranks, others;  /* in comms->ranks: of its (first) group, of an intercommunicator's second one */
	uint32_t count, other_count;
	bool self, inter;
};

struct otf_comms {
	struct otf_comm_entry *list;
	uint32_t *ranks;       /* processes; as defs->members, and then one for each process */
	const struct otf_defs *defs;
	uint32_t world;        /* to the maker */
};

/* Tells the maker; after make_processes(). */
enum err_code otf_comms_init(struct otf_comms *comms, const struct otf_world *world, const struct otf_defs *defs,
			      struct maker *maker, struct err *e);
void otf_comms_release(struct otf_comms *comms);

/* NULL: nothing defines it. */
static inline const struct otf_comm_entry *otf_comms_find(const struct otf_comms *comms, uint32_t ref)
{
	uint32_t at = otf_refs_get(&comms->defs->comm_at, ref);

	return at == OTF2_NOWHERE || comms->list[at].comm == NO_COMM ? NULL : &comms->list[at];
}

/* Seen by a process: which group counts, is asked once and kept. */
struct otf_comm_view {
	uint32_t comm;         /* to the maker; NO_COMM: unknown */
	const uint32_t *ranks; /* of partners */
	uint32_t count;
	uint32_t size;         /* of all members: an event needs two */
};
struct otf_comm_view otf_comms_view(const struct otf_comms *comms, uint32_t ref, uint32_t process);

/* The collective types that were met: threads meet them in any order. */
struct otf_colls {
	pthread_mutex_t lock;
	struct map *at;        /* operation, communicator -> number + 1 */
	struct otf_coll {
		uint32_t op, comm;
	} *list;
	uint32_t count;
	size_t cap;
};

/* What METRIC records of a class tell: a counter for each member, or the CPU clock. */
struct otf_counter {
	uint32_t counter;      /* the maker's; MAKE_NO_NUMBER: a CPU sample */
	bool relative;         /* a value is an increase, otherwise what the counter shows */
	double scale;
};

struct otf_loader {
	struct maker *maker;
	struct otf_archive archive;
	struct otf_world world;
	struct otf_comms comms;
	struct otf_kinds kinds;
	struct otf_colls colls;
	struct otf_counter *counters; /* as the metric members of the definitions */
	uint32_t unknown;      /* the attribute of what is not known (otf2_int.h); OTF2_UNDEFINED_ATTRIBUTE: no record has it */
	uint64_t total_bytes;  /* of event files */
	atomic_bool maps;      /* some location's own definitions say what its references mean */
	atomic_bool one_sided; /* there are RMA records */
	unsigned readings;     /* how often all records have been told, and are being told */
	bool damaged;          /* something is missing that has no note of damage */
};

/* The type's number, for all threads; UINT32_MAX: no memory. */
uint32_t otf_coll_type(struct otf_colls *colls, uint32_t op, uint32_t comm);

/* Look at each location's files (files.c): what is missing is noted; room for events. */
enum err_code otf_look_at_files(struct otf_loader *loader, struct err *e);
/* Which counters there are (load.c). */
enum err_code otf_define_counters(struct otf_loader *loader, struct err *e);
/* Reads all locations and tells their records (events.c). */
enum err_code otf_read_events(struct otf_loader *loader, struct err *e);
/* Collectives and communicators get the numbers of a fixed order; those that no event is on go (settle.c). */
enum err_code otf_settle(struct otf_loader *loader, struct err *e);

#endif
