/* Communicators while a trace is read: which process is (file, icomm, rank)? (clog2.h has the records.)
 *
 * COMMEVT records are added in file order; comms_finish() then numbers the processes and prepares fast
 * look-ups. In finalized and joined files icomm is a number of the whole file; in local files it is the process's own,
 * and communicators of different files are one where their GIDs are equal. An intercommunicator counts as its local
 * side; the icomm of its remote side resolves partners.
 *
 * Keys come from the file, so everything here is a map; nothing is sized by a value that the file claims.
 */
#ifndef PAS2P_CORE_FORMATS_CLOG2_COMMS_H
#define PAS2P_CORE_FORMATS_CLOG2_COMMS_H

#include <stdbool.h>
#include <stdint.h>

#include "clog2.h"
#include "core/base/mem.h"
#include "core/trace/notes.h"
#include "core/trace/trace.h"

#define NO_COMM UINT32_MAX

struct comm_entry {
	struct clog2_gid gid;
	int32_t icomm;       /* in the first file that names it */
	const char *kind;    /* "world", "self", "intra", "inter" */
	uint32_t members;    /* known */
	bool alone;          /* of one process for sure */
	int32_t highest;     /* rank */
	uint32_t world;      /* number of the world that it is + 1; 0: none */
	uint32_t *dense;     /* process of each rank, where that is worth it; NO_PROCESS: unknown */
};

/* A record whose header and world rank name two processes. */
struct comm_doubt {
	uint32_t comm;
	int32_t rank, wrank;
	uint64_t header; /* process key */
	struct note_place place;
};

struct comms {
	struct comm_entry *list;
	uint32_t count;
	size_t cap;
	struct map *names;    /* (file, icomm) -> comm, + 1 */
	struct map *members;  /* (comm, rank) -> process key, later process, + 1 */
	struct map *gids;     /* hash of a GID (local files only) -> comm + 1 */
	struct map *inter;    /* (file, icomm) of an intercommunicator in a local file -> 1 */
	struct map *owners;   /* local files: (world comm, rank) of the process that wrote one -> file + 1 */
	struct map *named;    /* (file, rank) of the world that another communicator's record names twice -> 1 */
	struct comm_doubt *doubts;
	size_t doubt_count, doubt_cap;
	bool twice;           /* two files are of one process: */
	uint32_t twice_files[2];
	int32_t twice_rank;
	uint32_t *first_name; /* per file: comm of icomm 0 .. first_name_count-1, NO_COMM: none; file 0 only */
	uint32_t first_name_count;
	uint64_t *worlds;     /* process keys (world << 32 | world rank) in ascending order = process number */
	uint32_t process_count, world_count;
	uint32_t *world_comm; /* per world: comm */
	size_t world_cap, world_comm_cap;
	bool memory_failed;
};

static inline uint64_t comms_name_key(uint32_t file, int32_t icomm)
{
	return (uint64_t)file << 32 | (uint32_t)icomm;
}

enum err_code comms_init(struct comms *comms, struct err *e);
void comms_release(struct comms *comms);

/* One COMMEVT; up to 02.20, which have none, any record: its rank is one of the world. A process says who it is more
 * than once: where the statements differ, what most of them say is taken and noted. */
void comms_add(struct comms *comms, const struct clog2_file *file, const struct clog2_rec *rec, struct notes *notes);

/* After all comms_add(): what only all records together can decide. */
void comms_settle(struct comms *comms, struct notes *notes);

/* A world rank that records name but no COMMEVT: its record is lost. Rank r of communicator 0 is process r. */
void comms_adopt(struct comms *comms, const struct clog2_file *file, int32_t rank, struct notes *notes);

/* No process of the first world from rank `first` on is one. How many there were. */
uint32_t comms_limit(struct comms *comms, uint32_t first);

/* Number the processes: those seen, and up to world_size of a single world. */
enum err_code comms_finish(struct comms *comms, uint32_t world_size, struct err *e);

/* After comms_finish(): which communicators are of one process. For a set of local files that lacks some of its world,
 * only MPI_COMM_SELF surely is: the members that the others log are not known. */
void comms_find_alone(struct comms *comms, bool complete);

/* In a local file, the icomms of an intercommunicator's sides; elsewhere what was given. */
int32_t comms_local_side(const struct comms *comms, const struct clog2_file *file, int32_t icomm);
int32_t comms_partner_icomm(const struct comms *comms, const struct clog2_file *file, int32_t header_icomm,
			    int32_t msg_icomm);

/* After comms_finish: NO_COMM, NO_PROCESS where unknown. */
uint32_t comms_find_slow(const struct comms *comms, uint32_t file, int32_t icomm);
uint32_t comms_process_slow(const struct comms *comms, uint32_t comm, int32_t rank);

static inline uint32_t comms_find(const struct comms *comms, uint32_t file, int32_t icomm)
{
	if (file == 0 && (uint32_t)icomm < comms->first_name_count)
		return comms->first_name[icomm];
	return comms_find_slow(comms, file, icomm);
}

static inline uint32_t comms_process(const struct comms *comms, uint32_t comm, int32_t rank)
{
	if (comm == NO_COMM)
		return NO_PROCESS;
	if (comms->list[comm].dense && rank >= 0 && rank <= comms->list[comm].highest)
		return comms->list[comm].dense[rank];
	return comms_process_slow(comms, comm, rank);
}

#endif
