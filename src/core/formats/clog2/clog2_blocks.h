/* Blocks of a trace that several threads read: each is read by one thread, which also sorts its records by whose they
 * are.
 *
 * All threads go through the same blocks in the same order. Who comes to a block first reads it for all; who comes
 * while it is being read reads others ahead. Blocks are kept until all threads that have joined are through with them,
 * and who is too far ahead waits. A thread that joins late (where no thread could be made, after another has left) is
 * told to read by itself what has gone by. What is told does not depend on who reads.
 */
#ifndef PAS2P_CLOG2_BLOCKS_H
#define PAS2P_CLOG2_BLOCKS_H

#include "clog2.h"

/* A block, and where in its bytes the records of each share begin: those of share i are at[i * most] and on. */
struct shared_block {
	struct clog2_block block;
	uint32_t *at, *counts;
	size_t most;
	enum err_code code;  /* of reading it */
	struct err err;
};

/* List the records of a block that was read. */
typedef void list_records(void *arg, struct shared_block *b);

struct shared_blocks;

/* For `shares` threads, PARALLEL_MOST at most; blocks of more than SHARED_BLOCK_MOST bytes are for each thread to
 * read. */
#define SHARED_BLOCK_MOST ((size_t)1 << 20)
struct shared_blocks *shared_blocks_new(unsigned shares); /* NULL: no memory */
void shared_blocks_free(struct shared_blocks *s);         /* NULL is fine */

/* A share's thread is about to take blocks, from the first on; it will take no more (also after an error). */
void shared_blocks_join(struct shared_blocks *s, unsigned share);
void shared_blocks_leave(struct shared_blocks *s, unsigned share);

/* Block `index` of the file, for a share; the file's `count` blocks are numbered from `base` on among those of all
 * files. NULL: the caller reads it. list(arg) is called, on the caller's thread, for this block or others of the file,
 * or not at all. To be given back before the next one is taken. */
const struct shared_block *shared_block_take(struct shared_blocks *s, unsigned share, const struct clog2_file *file,
					     uint64_t base, uint64_t index, uint64_t count, list_records *list, void *arg);
void shared_block_give(struct shared_blocks *s, unsigned share, const struct shared_block *b);

#endif
