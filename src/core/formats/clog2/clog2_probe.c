#include "clog2_probe.h"

#include <string.h>

/* A block is closed when the next record (at most 136 bytes) and ENDBLOCK no longer fit; local files keep
 * 32 bytes more. So its size is at most this much beyond its ENDBLOCK's end. */
#define FILL_SLACK (136 + 24 + 32)
/* How much of a file is searched for the first block's end where the stated size is false. */
#define SEARCHED (4u << 20)
/* How many blocks are a proof. */
#define JUDGED 8

static bool usable(uint64_t size)
{
	return size >= PROBE_MIN_BLOCK && size <= PROBE_MAX_BLOCK;
}

static bool same_bits(double a, double b)
{
	return !memcmp(&a, &b, sizeof a);
}

/* To the end of block k as if blocks had the given size. */
static enum err_code walk(struct probe *p, uint64_t k, uint32_t size, double *first)
{
	struct clog2_file f = *p->file;
	struct clog2_rec r;
	bool any = false;
	enum err_code code;

	f.block_size = size;
	f.finalized = false; /* accept any ENDLOG; its time is looked at here */
	code = clog2_block_read(&f, k, &p->block, p->e);
	if (code)
		return code;
	while (clog2_block_next(&p->block, &r)) {
		if (!any)
			*first = r.time;
		any = true;
	}
	if (!any)
		*first = p->block.end_time;
	p->block.file = NULL;
	return ERR_OK;
}

/* What the blocks say of a size: the more of them are filled up to their marker, the better. */
struct verdict {
	unsigned good, seen;
	bool starts;  /* block 1 starts at the very time that block 0's ENDBLOCK promises */
	bool aligned; /* whole blocks fill the file, or lead to the communicator table */
};

static enum err_code judge(struct probe *p, uint32_t size, struct verdict *v)
{
	uint64_t bytes = p->file->source->size, table = p->file->commtable;
	uint64_t end = table > CLOG2_PREAMBLE && table < bytes ? table : bytes;
	double first = 0, promised = 0;

	*v = (struct verdict){.aligned = (end - CLOG2_PREAMBLE) % size == 0};
	for (uint64_t k = 0; k < JUDGED && CLOG2_PREAMBLE + k * size < bytes; k++) {
		enum err_code code = walk(p, k, size, &first);

		if (code)
			return code;
		if (k == 1 && same_bits(first, promised))
			v->starts = true;
		promised = p->block.end_time;
		if (p->block.end == CLOG2_END_TRUNCATED)
			break;
		v->seen++;
		if (p->block.end == CLOG2_END_BLOCK && p->block.at + FILL_SLACK >= size)
			v->good++;
		if (p->block.end == CLOG2_END_LOG) {
			/* Zero-filled or misread bytes look like an ENDLOG, but not of a time like this. */
			v->good += p->block.end_time >= first && p->block.end_time > 0;
			break;
		}
	}
	return ERR_OK;
}

static bool better(const struct verdict *a, const struct verdict *b)
{
	if (a->aligned != b->aligned)
		return a->aligned;
	return a->good * b->seen > b->good * a->seen || (a->good && !b->seen);
}

/* The header of a block's first record: of a possible type, no marker. Rules most places out cheaply. */
static bool may_start(struct probe *p, uint64_t offset)
{
	const struct clog2_file *f = p->file;
	uint32_t type;
	uint8_t head[24];
	size_t got;

	if (source_read(f->source, offset, head, f->header_size, &got, NULL) || got < f->header_size)
		return false;
	type = (uint32_t)clog2_i32(f->big_endian, head + (f->header_size == 24 ? 20 : 8));
	return type < CLOG2_TYPES && type > CLOG2_ENDBLOCK;
}

/* Records lie end to end from the file's first block on, whatever its size: its marker says where to look for
 * the next block. Of all sizes that would do the first is taken: records of one time follow each other, and
 * any of them would seem to start a block. */
static enum err_code search(struct probe *p, const struct verdict *stated, uint32_t *size)
{
	uint64_t rest = p->file->source->size - CLOG2_PREAMBLE, table = p->file->commtable, at;
	uint32_t searched = rest < SEARCHED ? (uint32_t)rest : SEARCHED;
	struct verdict best = *stated;
	double first;
	enum err_code code = walk(p, 0, searched, &first);

	if (code)
		return code;
	at = p->block.at;
	if (p->block.end == CLOG2_END_LOG && p->block.end_time == PROBE_END_TIME) {
		/* One block: it ends where the table starts, or with the file. */
		if (table > CLOG2_PREAMBLE + at && table < p->file->source->size)
			rest = table - CLOG2_PREAMBLE;
		if (usable(rest))
			*size = (uint32_t)rest;
		return ERR_OK;
	}
	if (p->block.end != CLOG2_END_BLOCK)
		return ERR_OK;
	for (uint64_t s = at < PROBE_MIN_BLOCK ? PROBE_MIN_BLOCK : at; s <= at + FILL_SLACK && s < rest; s++) {
		struct verdict v;

		if (!may_start(p, CLOG2_PREAMBLE + s))
			continue;
		code = judge(p, (uint32_t)s, &v);
		if (code)
			return code;
		if (better(&v, &best) && (v.starts || v.good > 1)) {
			best = v;
			*size = (uint32_t)s;
		}
	}
	return ERR_OK;
}

enum err_code probe_block_size(struct probe *p, uint64_t stated, uint32_t *size)
{
	struct verdict v = {.good = 0};
	enum err_code code;

	*size = usable(stated) ? (uint32_t)stated : 0;
	if (*size) {
		code = judge(p, *size, &v);
		if (code || v.good == v.seen) /* also where the file is cut in its first block */
			return code;
	}
	return search(p, &v, size);
}

bool probe_ends_log(struct probe *p, uint64_t k)
{
	double first;

	return !walk(p, k, p->file->block_size, &first) && p->block.end == CLOG2_END_LOG && p->block.end_time != 0;
}

/* In a local file all is of one process, and messages name no communicator. */
bool probe_merged(struct probe *p, bool guess)
{
	struct clog2_file f = *p->file;
	struct clog2_rec r;
	struct clog2_msg m;
	struct clog2_comm c;
	unsigned worlds = 0;

	if (f.header_size != 24 || clog2_block_read(&f, 0, &p->block, p->e))
		return guess;
	while (clog2_block_next(&p->block, &r)) {
		if (r.type == CLOG2_MSGEVT) {
			clog2_get_msg(&f, &r, &m);
			return m.icomm != CLOG2_NULL_COMM;
		}
		if (r.type == CLOG2_COMMEVT) {
			clog2_get_comm(&f, &r, &c);
			if (c.etype == 0 && ++worlds > 1)
				return true;
		}
	}
	return guess;
}
