/* A sequence folded into nested repetitions: of the phases of a run, the program's loops.
 *
 * A symbol is an id of the sequence or a loop, which is `count` times a body of symbols; two loops are the same
 * symbol if their bodies and their counts are equal. The sequence is folded at the shortest period that repeats
 * anywhere, over and over:
 *
 *     1. p = 1.
 *     2. Scan from the left. At i let r be the length of the longest run with s[i+j] = s[i+j+p], j = 0 .. r-1. If
 *        r >= p, s[i .. i + p(r/p + 1)) becomes one loop of count r/p + 1 and body s[i .. i+p); go on behind it. Else
 *        go on at i+1.
 *     3. If anything was folded, back to 1 with the new sequence. Else p = p + 1, while 2p <= length and
 *        p <= FOLD_PERIOD; then stop.
 *
 * The result is that of these steps, though they are not taken one by one. Unfolding gives the sequence back. A
 * loop's body names only loops of smaller numbers, so that a pass over the loops in their order sees what is inside
 * before what is around. Memory is linear in the length; a fold never changes once it is made.
 */
#ifndef PAS2P_FOLD_H
#define PAS2P_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"
#include "progress.h"

#define FOLD_PERIOD 4096 /* the longest period that is looked for */

struct fold_loop {
	uint32_t count;    /* at least 2 */
	uint32_t body;     /* its symbols are symbols[body .. body + length) */
	uint32_t length;
	uint32_t unfolded; /* ids in one iteration */
};

struct fold {
	uint32_t length;         /* of the sequence */
	uint32_t *ids;           /* those that occur, in order of first appearance */
	uint32_t id_count;
	struct fold_loop *loops; /* in the order in which they were found */
	uint32_t loop_count;
	uint32_t *symbols;       /* of all bodies */
	uint32_t *top;           /* what the sequence is folded into */
	uint32_t top_count;
};

/* Fold a sequence of any numbers. Reports PROGRESS_FOLD. */
enum err_code fold_new(struct fold **out, const uint32_t *sequence, uint32_t length, const struct progress *progress,
		       struct err *e);
void fold_free(struct fold *f); /* NULL is fine */

/* Write the sequence: f->length numbers. */
void fold_unfold(const struct fold *f, uint32_t *sequence);

/* A symbol below id_count is ids[symbol], any other loops[symbol - id_count]. */
static inline bool fold_is_loop(const struct fold *f, uint32_t symbol)
{
	return symbol >= f->id_count;
}

static inline const struct fold_loop *fold_loop(const struct fold *f, uint32_t symbol)
{
	return &f->loops[symbol - f->id_count];
}

static inline uint32_t fold_id(const struct fold *f, uint32_t symbol)
{
	return f->ids[symbol];
}

#endif
