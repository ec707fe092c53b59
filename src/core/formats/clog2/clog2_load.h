/* Reading a CLOG2 trace, inside: what the passes share. What comes out is told to a maker (trace_make.h).
 *
 *     load_scan()     pass 1 over the records: definitions, communicators, an upper bound of each process's events
 *     load_world()    who is who
 *     load_events()   pass 2: the records, told to the maker
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
#include "core/trace/trace_make.h"

struct ahead;

struct loader {
	struct maker *maker;
	struct clog2_file *files;
	struct ahead *ahead;     /* per file, if one is compressed: what of it was scanned before it was opened */
	uint32_t file_count, given; /* those that are read, of those that were given */
	uint64_t *blocks;        /* per file: blocks up to the end of the log */
	uint64_t total_bytes;
	struct comms comms;
	struct defs defs;        /* their numbers are those of the maker's kinds */
	struct map *counts;      /* (file << 32 | icomm, rank) -> records that may become events */
	struct map *coll_starts; /* (file << 32 | icomm, etype) -> 1: records that may start a collective */
	struct map *coll_ids;    /* (def, comm) -> collective type + 1 */
	struct map *false_threads; /* (process, thread) of records that are taken as of thread 0 -> 1; NULL: none found yet */
	int32_t tag_least, tag_highest; /* of messages; 0 is one */
	bool stopped;            /* before any event was read */
};

/* All that comes before the events: definitions, communicators, processes, and room. Release the loader also after an
 * error. */
enum err_code load_prepare(struct loader *loader, const struct source *sources, uint32_t count, struct err *e);
void load_release(struct loader *loader);
enum err_code load_scan(struct loader *loader, struct err *e);
enum err_code load_events(struct loader *loader, struct err *e);
/* Local files: ERR_USAGE where they are not of one run, or two of one process; afterwards, notes of what they are. */
enum err_code load_set_check(const struct loader *loader, struct err *e);
void load_set_note(struct loader *loader);

#endif
