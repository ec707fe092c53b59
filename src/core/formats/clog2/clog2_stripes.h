/* The second pass of a trace that ranks share, in stripes: each rank reads some of the files' blocks, and passes on the
 * records that are others' (docs/scale.md 3).
 *
 * Stripe i, whole blocks of at most STRIPE_BYTES, is read by rank i mod N, and N of them are a round. What a rank gets
 * in a round it tells in the order of stripes, so that each process has its records in the file's order.
 *
 *     stripes_new()      all ranks, or none
 *     stripes_next()     a round; a meeting
 *     stripes_part()     what stripe r of it has for this rank, for each r: with
 *     stripe_block()     the records of a block at a time, and in it
 *     stripe_record()    each of them
 */
#ifndef PAS2P_CLOG2_STRIPES_H
#define PAS2P_CLOG2_STRIPES_H

#include <string.h>

#include "clog2_load.h"

#define STRIPE_BYTES ((uint64_t)4 << 20)
#define STRIPE_RANKS 8 /* fewer read all, each of them: to skip a record costs less than to pass it on (docs/scale.md 3) */

struct stripes;

struct stripe_part {
	const uint8_t *at, *block_end, *end;
	uint64_t block_offset; /* in the file, of the block */
};

/* There is a trace_far. NULL: no memory. */
struct stripes *stripes_new(const struct loader *loader);
void stripes_free(struct stripes *s); /* NULL is fine */

/* *more: there was one. *stop: in, this rank is to stop; out, some rank is. Returns the rank's own code where reading
 * failed, or the team's (maker_met()). */
enum err_code stripes_next(struct stripes *s, bool *more, bool *stop, struct err *e);
/* Bytes of the files up to the round's end. */
uint64_t stripes_done(const struct stripes *s);

struct stripe_part stripes_part(const struct stripes *s, uint32_t rank);
/* False: there is no other block. */
bool stripe_block(struct stripe_part *part, uint32_t *file, uint64_t *block, const struct loader *loader);

/* The next record of the block; false at its end. */
CLOG2_INLINE bool stripe_record(struct stripe_part *part, bool wide, bool be, struct clog2_rec *rec)
{
	const uint8_t *p = part->at + sizeof(uint32_t);
	uint32_t at;

	if (part->at == part->block_end)
		return false;
	memcpy(&at, part->at, sizeof at);
	clog2_decode_bytes(wide, be, p, rec);
	rec->offset = part->block_offset + at;
	part->at = p + rec->length;
	return true;
}

#endif
