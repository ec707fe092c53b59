#include "clog2_int.h"

#include <string.h>

#define WORLD_RANKS (1u << 20) /* counted in an array */
#define USER_STATES 600        /* the first etype of user states */

static void chunk_no_memory(struct chunk *c)
{
	c->code = err_memory(&c->err, "counting events");
}

static bool grow_world(struct chunk *c, uint32_t rank)
{
	uint32_t want = c->world_cap ? c->world_cap : 256;
	uint32_t *more;

	while (want <= rank)
		want *= 2;
	more = mem_resize(c->world_counts, want, sizeof *more);
	if (!more) {
		chunk_no_memory(c);
		return false;
	}
	memset(more + c->world_cap, 0, (want - c->world_cap) * sizeof *more);
	c->world_counts = more;
	c->world_cap = want;
	return true;
}

static __attribute__((noinline)) void count_in(struct chunk *c, struct map *counts, int32_t icomm, int32_t rank)
{
	uint32_t *at = map_at(counts, (uint32_t)icomm, (uint32_t)rank);

	if (at)
		++*at;
	else
		chunk_no_memory(c);
}

/* Up to 02.20 every record is counted (by 0 if it is no event), for nothing else says which ranks there are. */
static inline void chunk_count_event(struct chunk *c, int32_t icomm, int32_t rank)
{
	if (__builtin_expect(icomm == 0 && (uint32_t)rank < c->world_cap, 1))
		c->world_counts[rank]++;
	else if (icomm != 0 || (uint32_t)rank >= WORLD_RANKS)
		count_in(c, c->counts, icomm, rank);
	else if (grow_world(c, (uint32_t)rank))
		c->world_counts[rank]++;
}

static void keep_rare(struct chunk *c, const struct clog2_block *b, uint32_t at)
{
	struct rare *list = mem_grow(c->rare, c->rare_count, &c->rare_cap, sizeof *list);
	struct clog2_rec *r;

	if (!list) {
		chunk_no_memory(c);
		return;
	}
	c->rare = list;
	r = &list[c->rare_count].r;
	clog2_decode(b, at, r);
	memcpy(list[c->rare_count++].payload, r->payload, r->length - c->f->header_size);
}

/* A record that may start a collective. */
static void see_collective(struct chunk *c, int32_t icomm, int32_t rank, int32_t etype)
{
	uint64_t key = ((uint64_t)(uint32_t)icomm << 32 | (uint32_t)etype) + 1;

	if (etype < USER_STATES)
		chunk_count_event(c, icomm, rank);
	else
		count_in(c, c->user_counts, icomm, rank);
	if (key != c->last_coll) {
		uint32_t *at = map_at(c->coll_starts, (uint32_t)icomm, (uint32_t)etype);

		if (at)
			*at = 1;
		else
			chunk_no_memory(c);
		c->last_coll = key;
	}
}

static __attribute__((noinline)) void see_other(struct chunk *c, int32_t icomm, int32_t rank, int32_t etype)
{
	uint32_t *at = map_at(c->seen_others, (uint32_t)etype, 0);

	if (!at) {
		chunk_no_memory(c);
		return;
	}
	*at = 1;
	if (defs_maybe_collective(&c->loader->defs, etype))
		see_collective(c, icomm, rank, etype);
}

static inline void chunk_see_etype(struct chunk *c, const uint8_t *maybe, int32_t icomm, int32_t rank, int32_t etype)
{
	if (__builtin_expect((uint32_t)etype >= DEFS_DIRECT, 0)) {
		see_other(c, icomm, rank, etype);
		return;
	}
	c->seen[etype] = 1;
	if (maybe[etype])
		see_collective(c, icomm, rank, etype);
}

void chunk_broken(const struct chunk *c, uint64_t block, uint64_t offset, struct notes *notes)
{
	notes_add(notes, NOTE_BAD_BLOCK, (struct note_place){c->f->file_index, -1, (int64_t)block, (int64_t)offset, -1},
		  "block %llu does not begin with the record that block %llu announces: a block is missing, duplicated or out of order",
		  (unsigned long long)block, (unsigned long long)block - 1);
}

/* A block begins with the record that the one before it announces. */
static void check_continuity(struct chunk *c, const struct clog2_block *b)
{
	double time = clog2_f64(c->f->big_endian, b->bytes);
	uint64_t bits;

	memcpy(&bits, &time, sizeof bits);
	if (b->index == c->begin)
		c->first_time = bits;
	else if (c->next_time && bits != c->next_time)
		chunk_broken(c, b->index, b->offset, &c->notes);
}

CLOG2_INLINE void scan_records(struct chunk *c, const uint8_t *maybe, bool wide, bool be, struct clog2_block *b)
{
	struct clog2_step step = {0};
	uint64_t records = 0;
	int32_t least = c->tag_least, highest = c->tag_highest, tag;

	for (; clog2_block_step_as(wide, be, b, &step); records++)
		switch (step.type) {
		case CLOG2_MSGEVT:
			chunk_count_event(c, step.icomm, step.rank);
			tag = clog2_get_tag_as(wide, be, b->bytes + step.at + (wide ? 24 : 16));
			least = tag < least ? tag : least;
			highest = tag > highest ? tag : highest;
			break;
		case CLOG2_BAREEVT:
		case CLOG2_CARGOEVT:
			chunk_see_etype(c, maybe, step.icomm, step.rank, clog2_i32(be, b->bytes + step.at + (wide ? 24 : 16)));
			if (!wide)
				chunk_count_event(c, step.icomm, step.rank);
			break;
		case CLOG2_STATEDEF:
		case CLOG2_EVENTDEF:
		case CLOG2_CONSTDEF:
			keep_rare(c, b, step.at);
			break;
		case CLOG2_COMMEVT:
			if (wide)
				keep_rare(c, b, step.at);
			break;
		default:
			break;
		}
	if (records)
		check_continuity(c, b);
	c->records += records;
	c->tag_least = least;
	c->tag_highest = highest;
}

static void scan_block(struct chunk *c, const uint8_t *maybe, struct clog2_block *b)
{
	bool wide = c->f->header_size == 24;

	if (wide && c->f->big_endian)
		scan_records(c, maybe, true, true, b); /* nearly all files: its own code, without branches for the layout */
	else
		scan_records(c, maybe, wide, c->f->big_endian, b);
	c->next_time = 0;
	if (b->end == CLOG2_END_BLOCK && c->f->finalized)
		memcpy(&c->next_time, &b->end_time, sizeof c->next_time);
}

/* How a block that is not followed by another, or is broken, ended; true: go on with the next block. */
static bool end_of_block(struct chunk *c, const struct clog2_block *b)
{
	struct note_place place = {c->f->file_index, -1, (int64_t)b->index, (int64_t)(b->offset + b->at), -1};
	bool last = b->index + 1 >= c->f->block_count;

	switch (b->end) {
	case CLOG2_END_LOG:
		c->asked_ended = c->asked_ended || !last;
		if (!last)
			notes_add(&c->notes, NOTE_BAD_BLOCK, place,
				  "block %llu ends the log, but block %llu follows: %s", (unsigned long long)b->index,
				  (unsigned long long)b->index + 1, c->f->ended ? "pas2p reads it" : "pas2p ignores it");
		return !last && c->f->ended;
	case CLOG2_END_BLOCK:
		if (last && c->f->finalized) {
			c->asked_ended = true;
			place.offset = (int64_t)source_size(c->f->source);
			notes_add(&c->notes, NOTE_TRUNCATED, place,
				  "the file ends after block %llu: expected another block or the end-of-log record", (unsigned long long)b->index);
		}
		return !last;
	case CLOG2_END_TRUNCATED:
		c->cut = true;
		notes_add(&c->notes, NOTE_TRUNCATED, place, "%s (%llu of its %u bytes exist)", b->reason ? b->reason : "the block is cut off",
			  (unsigned long long)b->len, c->f->block_size);
		return false;
	default:
		if (b->reason_code)
			notes_add(&c->notes, NOTE_BAD_RECORD, place, "%s %d, expected 0 to %d", b->reason, b->reason_code, CLOG2_TYPES - 1);
		else
			notes_add(&c->notes, NOTE_BAD_RECORD, place, "%s", b->reason ? b->reason : "not a record");
		return !last;
	}
}

/* For a file of an unknown number of blocks: does another one follow? */
static void look_ahead(struct chunk *c, const struct clog2_block *b)
{
	uint8_t byte;
	size_t got;

	c->code = source_read(c->f->source, b->offset + c->f->block_size, &byte, 1, &got, &c->err);
	if (!c->code && !got)
		c->unsized->block_count = b->index + 1;
}

bool chunk_scan(struct chunk *c, const uint8_t maybe[DEFS_DIRECT], struct clog2_block *b)
{
	c->code = clog2_block_read(c->f, c->begin + c->done, b, &c->err);
	if (c->code)
		return false;
	scan_block(c, maybe, b);
	c->done++;
	if (c->unsized && c->unsized->block_count == UINT64_MAX && !c->code)
		look_ahead(c, b);
	c->log_ended = !c->code && !end_of_block(c, b);
	return !c->code && !c->log_ended && c->begin + c->done < c->end;
}

enum err_code chunk_init(struct chunk *c, struct loader *loader, const struct clog2_file *f, uint64_t begin,
				uint64_t end, struct err *e)
{
	*c = (struct chunk){.loader = loader, .f = f, .begin = begin, .end = end};
	notes_init(&c->notes);
	c->counts = map_new();
	c->user_counts = map_new();
	c->coll_starts = map_new();
	c->seen_others = map_new();
	c->seen = mem_zero(DEFS_DIRECT, 1);
	if (c->counts && c->user_counts && c->coll_starts && c->seen_others && c->seen)
		return ERR_OK;
	return err_memory(e, "scanning the trace");
}

void chunk_release(struct chunk *c)
{
	notes_release(&c->notes);
	map_free(c->counts);
	map_free(c->user_counts);
	map_free(c->coll_starts);
	map_free(c->seen_others);
	mem_free(c->seen);
	mem_free(c->world_counts);
	mem_free(c->rare);
}

/* The blocks of a file that is as its preamble says are not larger; others are opened first. */
#define MOST_BLOCK (4u << 20)

enum err_code ahead_scan(struct ahead *ahead, struct loader *loader, const struct source *source, int file_index, struct err *e)
{
	const struct progress *progress = loader->maker->progress;
	struct chunk *c = &ahead->chunk;
	enum err_code code = ERR_OK;
	uint8_t maybe[DEFS_DIRECT];
	struct clog2_block b;
	uint64_t size;
	bool more = clog2_guess(&ahead->file, source) && ahead->file.block_size <= MOST_BLOCK;

	if (more) {
		ahead->file.file_index = file_index;
		defs_maybe_table(&loader->defs, maybe);
		code = chunk_init(c, loader, &ahead->file, 0, ahead->file.block_count, e);
		c->unsized = &ahead->file;
	}
	clog2_block_init(&b);
	while (!code && more) {
		more = chunk_scan(c, maybe, &b);
		if (c->code)
			code = c->code, *e = c->err;
		else if (progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "stopped before any event was read");
		if ((b.index & 63) == 0)
			progress_report(progress, PROGRESS_SCAN, source_taken(source, b.offset), source->file_size);
	}
	clog2_block_release(&b);
	return code ? code : source_find_size(source, &size, progress, e);
}

bool ahead_take(struct ahead *ahead, struct chunk *chunk, const struct clog2_file *file)
{
	const struct clog2_file *guess = &ahead->file;
	struct chunk *c = &ahead->chunk;
	bool same = c->done && guess->source == file->source && guess->header_size == file->header_size && guess->big_endian == file->big_endian &&
		guess->block_size == file->block_size && guess->finalized == file->finalized &&
		(guess->ended == file->ended || !c->asked_ended) &&
		(guess->block_count == file->block_count || (c->cut && c->done <= file->block_count));

	if (!same)
		return false;
	*chunk = *c;
	*c = (struct chunk){0};
	chunk->f = file;
	chunk->unsized = NULL;
	return true;
}
