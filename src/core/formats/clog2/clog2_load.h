/* Loading a trace, inside: what the passes share (trace.h says what comes out).
 *
 *     load_scan()     pass 1 over the records: definitions, communicators, an upper bound of each process's events
 *     load_events()   pass 2: states paired, events with compute times appended to their process
 *     trace_relate()  sends to receives, collectives to each other (relate.h)
 *
 * Two passes, because definitions and a partner's communicator records may stand behind their uses, and because
 * columns that are allocated once at their final size need half the memory of growing ones.
 */
#ifndef PAS2P_CLOG2_LOAD_H
#define PAS2P_CLOG2_LOAD_H

#include "clog2.h"
#include "clog2_comms.h"
#include "clog2_kinds.h"
#include "core/base/map.h"
#include "core/formats/load.h"
#include "core/trace/relate.h"
#include "core/trace/trace.h"

/* Processes are handled in up to so many groups whose sums are added up in order, so that floating-point results
 * do not depend on how the groups were spread over threads. */
#define LOAD_GROUPS 64

struct loader {
	struct trace *t;
	struct clog2_file *files;
	uint32_t file_count;
	uint64_t *blocks;        /* per file: blocks up to the end of the log */
	uint64_t total_bytes;
	unsigned threads;
	struct comms comms;
	struct defs defs;
	struct map *counts;      /* (file << 32 | icomm, rank) -> records that may become events */
	struct map *coll_starts; /* (file << 32 | icomm, etype) -> 1: records that may start a collective */
	struct map *coll_ids;    /* (def, comm) -> collective type + 1 */
	uint32_t *room;          /* per process: first event of its room in the columns; process_count + 1 */
	uint32_t *used;          /* per process: events appended */
	struct remote_message *remote;
	size_t remote_count, remote_cap;
	struct map *false_threads; /* (process, thread) of records that are taken as of thread 0 -> 1; NULL: none found yet */
	bool readings;           /* compute times come from readings of the CPU clock */
	uint64_t reading_count, bad_readings;
	bool states_seen;        /* some MPI call state was there */
	const struct job *job;
	const struct call_watch *watch; /* NULL: load events */
	bool stopped;
};

enum err_code load_scan(struct loader *x, struct err *e);
enum err_code load_events(struct loader *x, struct err *e);
/* Local files: ERR_USAGE where they are not of one run, or two of one process; afterwards, notes of what they are. */
enum err_code load_set_check(const struct loader *x, struct err *e);
void load_set_note(struct loader *x);

#endif
