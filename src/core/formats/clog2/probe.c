#include "clog2_int.h"

#include <string.h>

/* A block is closed when the next record (at most 136 bytes) and ENDBLOCK no longer fit; local files keep
 * 32 bytes more. So its size is at most this much beyond its ENDBLOCK's end. */
#define FILL_SLACK (136 + 24 + 32)
/* How much of a file is searched for the first block's end where the stated size is false. */
#define SEARCHED (4u << 20)
/* How many blocks are a proof; and how many where they agree with what the preamble says, and the file's length does. */
#define JUDGED 8
#define AGREED 1

static bool usable(uint64_t size)
{
	return size >= PROBE_MIN_BLOCK && size <= PROBE_MAX_BLOCK;
}

static bool same_bits(double a, double b)
{
	return !memcmp(&a, &b, sizeof a);
}

/* To the end of block k as if blocks had the given size. */
static enum err_code probe_walk_block(struct probe *probe, uint64_t k, uint32_t size, double *first)
{
	struct clog2_file file = *probe->file;
	struct clog2_rec rec;
	bool any = false;
	enum err_code code;

	file.block_size = size;
	file.finalized = false; /* accept any ENDLOG; its time is looked at here */
	code = clog2_block_read(&file, k, &probe->block, probe->e);
	if (code)
		return code;
	while (clog2_block_next(&probe->block, &rec)) {
		if (!any)
			*first = rec.time;
		any = true;
	}
	if (!any)
		*first = probe->block.end_time;
	probe->block.file = NULL;
	return ERR_OK;
}

/* What the blocks say of a size: the more of them are filled up to their marker, the better. */
struct verdict {
	unsigned good, seen;
	bool starts;  /* block 1 starts at the very time that block 0's ENDBLOCK promises */
	bool aligned; /* whole blocks fill the file, or lead to the communicator table */
};

static enum err_code judge(struct probe *probe, uint32_t size, unsigned blocks, struct verdict *verdict)
{
	uint64_t bytes = source_size(probe->file->source), table = probe->file->commtable;
	uint64_t end = table > CLOG2_PREAMBLE && table < bytes ? table : bytes;
	double first = 0, promised = 0;

	*verdict = (struct verdict){.aligned = (end - CLOG2_PREAMBLE) % size == 0};
	for (uint64_t k = 0; k < blocks && CLOG2_PREAMBLE + k * size < bytes; k++) {
		enum err_code code = probe_walk_block(probe, k, size, &first);

		if (code)
			return code;
		if (k == 1 && same_bits(first, promised))
			verdict->starts = true;
		promised = probe->block.end_time;
		if (probe->block.end == CLOG2_END_TRUNCATED)
			break;
		verdict->seen++;
		if (probe->block.end == CLOG2_END_BLOCK && probe->block.at + FILL_SLACK >= size)
			verdict->good++;
		if (probe->block.end == CLOG2_END_LOG) {
			/* Zero-filled or misread bytes look like an ENDLOG, but not of a time like this. */
			verdict->good += probe->block.end_time >= first && probe->block.end_time > 0;
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
static bool may_start(struct probe *probe, uint64_t offset)
{
	const struct clog2_file *file = probe->file;
	uint32_t type;
	uint8_t head[24];
	size_t got;

	if (source_read(file->source, offset, head, file->header_size, &got, NULL) || got < file->header_size)
		return false;
	type = (uint32_t)clog2_i32(file->big_endian, head + (file->header_size == 24 ? 20 : 8));
	return type < CLOG2_TYPES && type > CLOG2_ENDBLOCK;
}

/* Records lie end to end from the file's first block on, whatever its size: its marker says where to look for
 * the next block. Of all sizes that would do the first is taken: records of one time follow each other, and
 * any of them would seem to start a block. */
static enum err_code search(struct probe *probe, const struct verdict *stated, uint32_t *size)
{
	uint64_t rest = source_size(probe->file->source) - CLOG2_PREAMBLE, table = probe->file->commtable, at;
	uint32_t searched = rest < SEARCHED ? (uint32_t)rest : SEARCHED;
	struct verdict best = *stated;
	double first;
	enum err_code code = probe_walk_block(probe, 0, searched, &first);

	if (code)
		return code;
	at = probe->block.at;
	if (probe->block.end == CLOG2_END_LOG && probe->block.end_time == PROBE_END_TIME) {
		/* One block: it ends where the table starts, or with the file. */
		if (table > CLOG2_PREAMBLE + at && table < source_size(probe->file->source))
			rest = table - CLOG2_PREAMBLE;
		if (usable(rest))
			*size = (uint32_t)rest;
		return ERR_OK;
	}
	if (probe->block.end != CLOG2_END_BLOCK)
		return ERR_OK;
	for (uint64_t s = at < PROBE_MIN_BLOCK ? PROBE_MIN_BLOCK : at; s <= at + FILL_SLACK && s < rest; s++) {
		struct verdict verdict;

		if (!may_start(probe, CLOG2_PREAMBLE + s))
			continue;
		code = judge(probe, (uint32_t)s, JUDGED, &verdict);
		if (code)
			return code;
		if (better(&verdict, &best) && (verdict.starts || verdict.good > 1)) {
			best = verdict;
			*size = (uint32_t)s;
		}
	}
	return ERR_OK;
}

enum err_code probe_block_size(struct probe *probe, uint64_t stated, uint32_t *size)
{
	struct verdict verdict = {.good = 0};
	enum err_code code;

	*size = usable(stated) ? (uint32_t)stated : 0;
	if (*size) {
		code = judge(probe, *size, AGREED, &verdict);
		if (!code && !(verdict.aligned && verdict.good == verdict.seen))
			code = judge(probe, *size, JUDGED, &verdict);
		if (code || verdict.good == verdict.seen) /* also where the file is cut in its first block */
			return code;
	}
	return search(probe, &verdict, size);
}

bool probe_ends_log(struct probe *probe, uint64_t k)
{
	double first;

	return !probe_walk_block(probe, k, probe->file->block_size, &first) && probe->block.end == CLOG2_END_LOG &&
		probe->block.end_time != 0;
}

/* In a local file all is of one process, and messages name no communicator. */
bool probe_merged(struct probe *probe, bool guess)
{
	struct clog2_file file = *probe->file;
	struct clog2_rec rec;
	struct clog2_msg message;
	struct clog2_comm payload;
	unsigned worlds = 0;

	if (file.header_size != 24 || clog2_block_read(&file, 0, &probe->block, probe->e))
		return guess;
	while (clog2_block_next(&probe->block, &rec)) {
		if (rec.type == CLOG2_MSGEVT) {
			clog2_get_msg(&file, &rec, &message);
			return message.icomm != CLOG2_NULL_COMM;
		}
		if (rec.type == CLOG2_COMMEVT) {
			clog2_get_comm(&file, &rec, &payload);
			if (payload.etype == 0 && ++worlds > 1)
				return true;
		}
	}
	return guess;
}
