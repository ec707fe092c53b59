/* Packed records: those of one process, or of one of its threads, appended in order and read back in order. Internal to
 * record_log.c and nested_walk.c.
 *
 * Times are the differences of their bits to the time before, so that they come back exactly. Chunks are in memory up
 * to a budget that all processes share, and beyond that in a file without a name. No record is in two chunks. Processes
 * may be appended to by several threads.
 */
#ifndef PAS2P_CORE_RECORDS_RECORDS_INT_H
#define PAS2P_CORE_RECORDS_RECORDS_INT_H

#include <pthread.h>
#include <stdatomic.h>

#include "records.h"

/* What the packed records of all processes share. */
struct record_store {
	uint64_t budget;
	atomic_uint_fast64_t kept, written; /* bytes in memory; in the file */
	pthread_mutex_t lock;        /* of what follows */
	int fd;                      /* -1: no file yet */
	struct err err;              /* of the file */
};

struct record_chunk {
	uint8_t *bytes;              /* NULL: in the file */
	uint64_t offset;
	uint32_t used;
};

struct record_pack {
	struct record_chunk *chunks;
	uint32_t count;
	size_t cap;
	uint8_t *bytes;              /* the chunk that is being filled */
	uint32_t size, used;
	uint64_t records;
	uint64_t time, seconds;      /* bits of the last ones */
	int32_t thread;
	uint32_t event;              /* number of the next, if none is left out */
};

void record_store_init(struct record_store *store, uint64_t budget);
void record_store_reset(struct record_store *store); /* all packs are released: from the start */
void record_store_release(struct record_store *store);

/* Of `record`: kind, thread, time, and what goes with the kind; an event's number within the process. False: no
 * memory, or store->err says why. */
bool record_pack_add(struct record_pack *pack, struct record_store *store, const struct record *record);
void record_pack_release(struct record_pack *pack);

/* Reading one. */
struct record_reading {
	const uint8_t *at, *end;
	uint8_t *buffer;             /* of a chunk from the file */
	uint32_t chunk;              /* the next one; pack->count: the one that is being filled; one more: none */
	uint64_t time, seconds;
	int32_t thread;
	uint32_t event;              /* as the pack's */
};

/* False: there are no more, or code. */
bool record_pack_next(const struct record_pack *pack, const struct record_store *store, struct record_reading *reading,
		      struct record *record, struct err *e);

#endif
