/* The communicators of an archive (docs/formats.md 2): which process a rank of one is, and what the maker is told of
 * them.
 *
 * To the maker a definition of MPI_COMM_SELF is a communicator for each process, and MPI_COMM_WORLD is there even if
 * nothing defines it. Which of all those any event is on is known at the end alone: then settle.c leaves out the
 * others.
 */
#ifndef PAS2P_CORE_FORMATS_OTF2_COMMS_H
#define PAS2P_CORE_FORMATS_OTF2_COMMS_H

#include "core/trace/make/trace_make.h"
#include "otf2_int.h"

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

#endif
