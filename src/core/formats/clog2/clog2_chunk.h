/* A chunk of a file's blocks, scanned on its own: what is found is put together with that of others afterwards
 * (clog2_scan.c). */
#ifndef PAS2P_CLOG2_CHUNK_H
#define PAS2P_CLOG2_CHUNK_H

#include "clog2_load.h"

/* A record that is rare and whose order matters, kept for later. */
struct rare {
	struct clog2_rec r;
	uint8_t payload[112];
};

struct chunk {
	struct loader *loader;
	const struct clog2_file *f;
	struct clog2_file *unsized; /* the same, if nobody knows how many blocks it has: who comes to the last one says it here */
	uint64_t begin, end;     /* blocks */
	uint64_t done;           /* blocks scanned */
	bool log_ended;          /* at or before `end`: nothing follows */
	bool cut;                /* and the last block was not whole */
	bool asked_ended;        /* whether the file says that its log ends with its last block made a difference */
	uint64_t first_time;     /* bits of the first record's time; 0: no record in the first block */
	uint64_t next_time;      /* bits of the time that the last block announces for the next; 0: none */
	uint64_t records;
	int32_t tag_least, tag_highest; /* of messages; 0 is one */
	struct rare *rare;
	size_t rare_count, rare_cap;
	uint32_t *world_counts;  /* records on communicator 0 that may become events, by rank */
	uint32_t world_cap;
	struct map *counts;      /* (icomm, rank) of all others */
	struct map *user_counts; /* (icomm, rank) of user states, which are events if they are collectives of newer MPIs */
	struct map *coll_starts; /* (icomm, etype) */
	uint64_t last_coll;      /* the last one of these, to save look-ups */
	uint8_t *seen;           /* etypes below DEFS_DIRECT */
	struct map *seen_others;
	struct notes notes;
	enum err_code code;
	struct err err;
};

enum err_code chunk_init(struct chunk *c, struct loader *loader, const struct clog2_file *f, uint64_t begin, uint64_t end,
			 struct err *e);
void chunk_release(struct chunk *c);

/* The next block, by way of b; maybe: of defs_maybe_table(). false: it was the last one, or c->code says what went
 * wrong. */
bool chunk_scan(struct chunk *c, const uint8_t maybe[DEFS_DIRECT], struct clog2_block *b);

/* A block, of all chunks of a file the first that tells so, does not begin as the one before it announces. */
void chunk_broken(const struct chunk *c, uint64_t block, uint64_t offset, struct notes *notes);

#endif
