/* Blocks and records: the hot path of reading. A record costs one length look-up and one call. */
#include "clog2.h"

#include <string.h>

#include "core/base/mem.h"

/* Lengths with the 24-byte header; up to 02.20 all but COMMEVT have the same payload. */
const uint8_t clog2_lengths[CLOG2_TYPES] = {24, 24, 136, 128, 64, 32, 64, 48, 40, 72, 72, 32};
const uint8_t clog2_old_lengths[CLOG2_TYPES] = {16, 16, 128, 120, 56, 24, 56, 40, 32, 32, 64, 24};

#define END_TIME 1.0e8 /* of ENDLOG in a finalized file */

void clog2_block_init(struct clog2_block *b)
{
	*b = (struct clog2_block){0};
}

void clog2_block_release(struct clog2_block *b)
{
	mem_free(b->bytes);
	clog2_block_init(b);
}

enum err_code clog2_block_read(const struct clog2_file *f, uint64_t k, struct clog2_block *b, struct err *e)
{
	uint64_t offset = CLOG2_PREAMBLE + k * f->block_size;
	uint64_t size = source_size(f->source), left = offset < size ? size - offset : 0;
	size_t want = left < f->block_size ? (size_t)left : f->block_size;

	b->file = f;
	b->index = k;
	b->offset = offset;
	b->at = b->len = 0;
	b->end = CLOG2_END_OPEN;
	b->end_time = 0;
	b->reason = NULL;
	b->reason_code = 0;
	if (want > b->cap) {
		mem_free(b->bytes); /* its contents are not wanted: no copy */
		b->cap = 0;
		b->bytes = mem_alloc(want, 1);
		if (!b->bytes)
			return err_memory(e, "a block of the trace");
		b->cap = want;
	}
	return source_read(f->source, offset, b->bytes, want, &b->len, e);
}

static void block_stop(struct clog2_block *b, enum clog2_end end, const char *reason)
{
	b->end = end;
	b->reason = reason;
}

/* The bytes ran out before a marker. */
static void run_out(struct clog2_block *b, const char *in_short_block, const char *in_full_block)
{
	if (b->len < b->file->block_size)
		block_stop(b, CLOG2_END_TRUNCATED, in_short_block);
	else
		block_stop(b, CLOG2_END_DAMAGED, in_full_block);
}

static bool all_zero(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i])
			return false;
	return true;
}

static void marker(struct clog2_block *b, enum clog2_type type, const uint8_t *p)
{
	b->end_time = clog2_f64(b->file->big_endian, p);
	if (type == CLOG2_ENDLOG && b->file->finalized && b->end_time != END_TIME) {
		block_stop(b, CLOG2_END_DAMAGED, all_zero(p, b->file->header_size) ?
			    "zeros instead of a record" :
			    "the time of the end-of-log record is not 1e8");
		return;
	}
	b->at += b->file->header_size;
	block_stop(b, type == CLOG2_ENDBLOCK ? CLOG2_END_BLOCK : CLOG2_END_LOG, NULL);
}

void clog2_block_stop(struct clog2_block *b, size_t at)
{
	const struct clog2_file *f = b->file;
	const uint8_t *p = b->bytes + at;
	size_t left = b->len - at;
	bool wide = f->header_size == 24;
	uint32_t type;

	b->at = at;
	if (left < f->header_size) {
		run_out(b, "the file ends inside a block", "the block has no end marker");
		return;
	}
	type = (uint32_t)clog2_i32(f->big_endian, p + (wide ? 20 : 8));
	if (type >= CLOG2_TYPES) {
		b->reason_code = (int32_t)type;
		block_stop(b, CLOG2_END_DAMAGED, "the record type is");
		return;
	}
	if (left < (wide ? clog2_lengths : clog2_old_lengths)[type])
		run_out(b, "the file ends inside a record", "a record crosses the block's end");
	else
		marker(b, (enum clog2_type)type, p);
}
