/* Which processes an archive has, and which of its locations are their threads (docs/formats.md 2).
 *
 * The group that lists MPI's locations gives the ranks: its i-th member's location group is process i, and all CPU
 * threads of that group are the process's threads, numbered in order of location. Without that group each location
 * group that is a process is one, in order of definition, and nothing is known of messages.
 */
#ifndef PAS2P_OTF2_WORLD_H
#define PAS2P_OTF2_WORLD_H

#include "core/trace/notes.h"
#include "otf2_archive.h"

struct otf_thread {
	uint64_t location;     /* its id */
	uint64_t expected;     /* records, as defined */
	uint64_t records;      /* at most, as its file says (otf2_chunks.h) */
	uint64_t bytes;        /* of its file */
	uint32_t process;
	int32_t thread;
	bool unreadable;       /* there is no file, or nothing in it: noted */
	bool no_local;         /* its own definitions are missing */
	uint64_t local_bytes;  /* of the file that has them */
};

struct otf_world {
	struct otf_thread *threads; /* process by process */
	uint32_t thread_count;
	uint32_t *first;       /* per process; process_count + 1 */
	uint32_t *group;       /* per process: its location group, a place in the definitions; OTF2_NOWHERE */
	uint32_t process_count;
	bool mpi;
	uint32_t other_locations[3]; /* that are not read: streams of accelerators, of metrics, threads of no rank */
};

enum err_code otf_world_init(struct otf_world *world, const struct otf_defs *defs, struct notes *notes, struct err *e);
void otf_world_release(struct otf_world *world);

/* The node that a process ran on; "": not known. Not made safe. */
const char *otf_world_host(const struct otf_world *world, const struct otf_defs *defs, uint32_t process);

#endif
