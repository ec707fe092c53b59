/* Pass 1 over the records: what must be known before any of them can be understood.
 *
 * Each file is cut into chunks of blocks, which threads scan on their own; what depends on the order of records
 * (definitions, communicators, continuity, where the log ends) is put together afterwards, chunk by chunk.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/parallel.h"
#include "clog2_load.h"

/* A record that is rare and whose order matters, kept for later. */
struct rare {
	struct clog2_rec r;
	uint8_t payload[112];
};

struct chunk {
	struct loader *loader;
	const struct clog2_file *f;
	uint64_t begin, end;     /* blocks */
	uint64_t done;           /* blocks scanned */
	bool log_ended;          /* at or before `end`: nothing follows */
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

struct scan {
	struct loader *loader;
	struct chunk *chunks;
	unsigned chunk_count, parts;
	uint8_t maybe[DEFS_DIRECT];
	struct parallel_stop stop;
};

#define WORLD_RANKS (1u << 20) /* counted in an array */
#define USER_STATES 600        /* the first etype of user states */

static void no_memory(struct chunk *c)
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
		no_memory(c);
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
		no_memory(c);
}

/* Up to 02.20 every record is counted (by 0 if it is no event), for nothing else says which ranks there are. */
static inline void count(struct chunk *c, int32_t icomm, int32_t rank)
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
		no_memory(c);
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
		count(c, icomm, rank);
	else
		count_in(c, c->user_counts, icomm, rank);
	if (key != c->last_coll) {
		uint32_t *at = map_at(c->coll_starts, (uint32_t)icomm, (uint32_t)etype);

		if (at)
			*at = 1;
		else
			no_memory(c);
		c->last_coll = key;
	}
}

static __attribute__((noinline)) void see_other(struct chunk *c, int32_t icomm, int32_t rank, int32_t etype)
{
	uint32_t *at = map_at(c->seen_others, (uint32_t)etype, 0);

	if (!at) {
		no_memory(c);
		return;
	}
	*at = 1;
	if (defs_maybe_collective(&c->loader->defs, etype))
		see_collective(c, icomm, rank, etype);
}

static inline void see(struct chunk *c, const struct scan *s, int32_t icomm, int32_t rank, int32_t etype)
{
	if (__builtin_expect((uint32_t)etype >= DEFS_DIRECT, 0)) {
		see_other(c, icomm, rank, etype);
		return;
	}
	c->seen[etype] = 1;
	if (s->maybe[etype])
		see_collective(c, icomm, rank, etype);
}

static void broken_continuity(struct chunk *c, uint64_t block, uint64_t offset, struct notes *notes)
{
	notes_add(notes, NOTE_BAD_BLOCK, (struct note_place){c->f->file_index, -1, (int64_t)block, (int64_t)offset, -1},
		  "block %llu does not begin with the record that block %llu announces: a block is lost, doubled or out of order",
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
		broken_continuity(c, b->index, b->offset, &c->notes);
}

CLOG2_INLINE void scan_records(struct chunk *c, const struct scan *s, bool wide, bool be, struct clog2_block *b)
{
	struct clog2_step step = {0};
	uint64_t records = 0;
	int32_t least = c->tag_least, highest = c->tag_highest, tag;

	for (; clog2_block_step_as(wide, be, b, &step); records++)
		switch (step.type) {
		case CLOG2_MSGEVT:
			count(c, step.icomm, step.rank);
			tag = clog2_get_tag_as(wide, be, b->bytes + step.at + (wide ? 24 : 16));
			least = tag < least ? tag : least;
			highest = tag > highest ? tag : highest;
			break;
		case CLOG2_BAREEVT:
		case CLOG2_CARGOEVT:
			see(c, s, step.icomm, step.rank, clog2_i32(be, b->bytes + step.at + (wide ? 24 : 16)));
			if (!wide)
				count(c, step.icomm, step.rank);
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

static void scan_block(struct chunk *c, const struct scan *s, struct clog2_block *b)
{
	bool wide = c->f->header_size == 24;

	if (wide && c->f->big_endian)
		scan_records(c, s, true, true, b); /* nearly all files: its own code, without branches for the layout */
	else
		scan_records(c, s, wide, c->f->big_endian, b);
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
		if (!last)
			notes_add(&c->notes, NOTE_BAD_BLOCK, place,
				  "block %llu ends the log, but block %llu follows: %s", (unsigned long long)b->index,
				  (unsigned long long)b->index + 1, c->f->ended ? "it is read" : "it is left out");
		return !last && c->f->ended;
	case CLOG2_END_BLOCK:
		if (last && c->f->finalized) {
			place.offset = (int64_t)source_size(c->f->source);
			notes_add(&c->notes, NOTE_TRUNCATED, place,
				  "the file ends after block %llu, but another block or the end-of-log record should "
				  "follow", (unsigned long long)b->index);
		}
		return !last;
	case CLOG2_END_TRUNCATED:
		notes_add(&c->notes, NOTE_TRUNCATED, place, "block %llu at byte %llu: %s (%llu of %u bytes are there)",
			  (unsigned long long)b->index, (unsigned long long)(b->offset + b->at), b->reason ? b->reason : "cut off",
			  (unsigned long long)b->len, c->f->block_size);
		return false;
	default:
		if (b->reason_code)
			notes_add(&c->notes, NOTE_BAD_RECORD, place, "block %llu at byte %llu: %s (type %d, expected 0 to %d)",
				  (unsigned long long)b->index, (unsigned long long)(b->offset + b->at), b->reason, b->reason_code,
				  CLOG2_TYPES - 1);
		else
			notes_add(&c->notes, NOTE_BAD_RECORD, place, "block %llu at byte %llu: %s",
				  (unsigned long long)b->index, (unsigned long long)(b->offset + b->at),
				  b->reason ? b->reason : "not a record");
		return !last;
	}
}

static void scan_chunk(struct scan *s, struct chunk *c, struct clog2_block *b, unsigned part, uint64_t *bytes)
{
	for (uint64_t k = c->begin; k < c->end && !c->log_ended && c->code == ERR_OK; k++) {
		if (parallel_stopped(&s->stop, part))
			return;
		c->code = clog2_block_read(c->f, k, b, &c->err);
		if (c->code != ERR_OK)
			return;
		scan_block(c, s, b);
		c->done++;
		c->log_ended = !end_of_block(c, b);
		*bytes += b->len;
		if (part == 0 && (k & 63) == 0)
			job_progress(c->loader->maker->job, JOB_SCAN, *bytes * s->parts, c->loader->total_bytes);
	}
}

static void scan_part(void *arg, unsigned part)
{
	struct scan *s = arg;
	struct clog2_block b;
	uint64_t bytes = 0;

	clog2_block_init(&b);
	for (unsigned i = part; i < s->chunk_count; i += s->parts)
		scan_chunk(s, &s->chunks[i], &b, part, &bytes);
	clog2_block_release(&b);
}

static enum err_code chunk_init(struct chunk *c, struct loader *loader, const struct clog2_file *f, uint64_t begin,
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

static void chunk_release(struct chunk *c)
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

static struct note_place place_of(const struct clog2_file *f, const struct clog2_rec *r)
{
	int64_t block = (int64_t)((r->offset - CLOG2_PREAMBLE) / f->block_size);

	return (struct note_place){f->file_index, -1, block, (int64_t)r->offset, -1};
}

/* What the tracer of pas2p left out when it traced functions (docs/tracer.md). */
static void note_dropped(struct loader *loader, const struct clog2_file *f, const struct clog2_rec *r, const struct clog2_constdef *c)
{
	struct notes *notes = &loader->maker->trace->notes;

	if (c->value <= 0)
		return;
	if (!strcmp(c->name, "PAS2P_dropped_calls"))
		notes_add(notes, NOTE_DROPPED_CALLS, place_of(f, r), "calls that took less than --shortest and made no MPI call: %d", c->value);
	else if (!strcmp(c->name, "PAS2P_dropped_functions"))
		notes_add(notes, NOTE_DROPPED_CALLS, place_of(f, r),
			  "functions that came to nothing but such calls, and were not looked at any more: %d", c->value);
}

static void add_rare(struct loader *loader, const struct clog2_file *f, struct rare *rare)
{
	struct clog2_rec *r = &rare->r;
	struct clog2_statedef state;
	struct clog2_eventdef event;
	struct clog2_constdef constant;

	r->payload = rare->payload;
	switch (r->type) {
	case CLOG2_STATEDEF:
		clog2_get_statedef(f, r, &state);
		defs_add_state(&loader->defs, &state);
		break;
	case CLOG2_EVENTDEF:
		clog2_get_eventdef(f, r, &event);
		defs_add_event(&loader->defs, &event);
		break;
	case CLOG2_CONSTDEF:
		clog2_get_constdef(f, r, &constant);
		if (constant.etype == CLOG2_CONSTANT) {
			defs_add_const(&loader->defs, &constant);
			note_dropped(loader, f, r, &constant);
		} else {
			notes_add(&loader->maker->trace->notes, NOTE_BAD_DEFINITION, place_of(f, r),
				  "a constant's definition has event type %d, expected %d", constant.etype, CLOG2_CONSTANT);
		}
		break;
	default:
		comms_add(&loader->comms, f, r, &loader->maker->trace->notes);
	}
}

static bool add_count(struct loader *loader, const struct clog2_file *f, uint64_t icomm, uint64_t rank, uint32_t n)
{
	uint32_t *at = map_at(loader->counts, (uint64_t)f->file_index << 32 | icomm, rank);

	if (at)
		*at += n;
	return at;
}

/* Put what a chunk found behind what those before it found. */
static bool gather(struct loader *loader, struct chunk *c, const struct chunk *before)
{
	uint64_t a, b;
	uint32_t n;
	bool kept = true;

	if (before && before->next_time && c->first_time && before->next_time != c->first_time)
		broken_continuity(c, c->begin, CLOG2_PREAMBLE + c->begin * c->f->block_size, &loader->maker->trace->notes);
	notes_append(&loader->maker->trace->notes, &c->notes);
	for (size_t i = 0; i < c->rare_count; i++)
		add_rare(loader, c->f, &c->rare[i]);
	for (uint32_t rank = 0; rank < c->world_cap; rank++)
		if (c->world_counts[rank])
			kept = kept && add_count(loader, c->f, 0, rank, c->world_counts[rank]);
	for (size_t i = 0; map_each(c->counts, &i, &a, &b, &n);)
		kept = kept && add_count(loader, c->f, a, b, n);
	for (size_t i = 0; kept && map_each(c->coll_starts, &i, &a, &b, &n);) {
		uint32_t *at = map_at(loader->coll_starts, (uint64_t)c->f->file_index << 32 | a, b);

		if (at)
			*at = 1;
		kept = at;
	}
	loader->tag_least = c->tag_least < loader->tag_least ? c->tag_least : loader->tag_least;
	loader->tag_highest = c->tag_highest > loader->tag_highest ? c->tag_highest : loader->tag_highest;
	loader->blocks[c->f->file_index] = c->begin + c->done;
	loader->maker->trace->files[c->f->file_index].records += c->records;
	loader->maker->trace->record_count += c->records;
	return kept;
}

/* User states turned out to be collectives: their records may be events. */
static bool gather_user(struct loader *loader, const struct chunk *c)
{
	uint64_t a, b;
	uint32_t n;
	bool kept = true;

	for (size_t i = 0; map_each(c->user_counts, &i, &a, &b, &n);)
		kept = kept && add_count(loader, c->f, a, b, n);
	return kept;
}

static int compare_i32(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return x < y ? -1 : x > y;
}

/* Etypes in use that no definition names, in ascending order. */
static bool need_seen(struct loader *loader, const struct chunk *chunks, unsigned n)
{
	int32_t *others = NULL;
	size_t count = 0, cap = 0;
	uint64_t etype, b;
	uint32_t one;

	for (int32_t i = 0; i < DEFS_DIRECT; i++)
		for (unsigned k = 0; k < n; k++)
			if (chunks[k].seen[i]) {
				defs_need(&loader->defs, i);
				break;
			}
	for (unsigned k = 0; k < n; k++)
		for (size_t i = 0; map_each(chunks[k].seen_others, &i, &etype, &b, &one);) {
			int32_t *more = mem_grow(others, count, &cap, sizeof *more);

			if (!more) {
				mem_free(others);
				return false;
			}
			others = more;
			others[count++] = (int32_t)(uint32_t)etype;
		}
	if (count)
		qsort(others, count, sizeof *others, compare_i32);
	for (size_t i = 0; i < count; i++)
		defs_need(&loader->defs, others[i]);
	mem_free(others);
	return true;
}

static enum err_code gather_all(struct loader *loader, struct scan *s, struct err *e)
{
	const struct chunk *before = NULL;
	unsigned used = 0;

	loader->tag_least = loader->tag_highest = 0;
	loader->counts = map_new();
	loader->coll_starts = map_new();
	if (!loader->counts || !loader->coll_starts)
		return err_memory(e, "counting events");
	for (unsigned i = 0; i < s->chunk_count; i++) {
		struct chunk *c = &s->chunks[i];

		if (c->code != ERR_OK) {
			*e = c->err;
			return c->code;
		}
		if (before && before->f != c->f)
			before = NULL;
		if (before && before->log_ended) {
			/* Behind the end of the log: as if it had not been looked at. */
			memset(c->seen, 0, DEFS_DIRECT);
			continue;
		}
		if (!gather(loader, c, before))
			return err_memory(e, "counting events");
		before = c;
		used = i + 1;
	}
	for (unsigned i = 0; defs_user_collectives(&loader->defs) && i < used; i++)
		if (!gather_user(loader, &s->chunks[i]))
			return err_memory(e, "counting events");
	if (!need_seen(loader, s->chunks, used) || loader->defs.memory_failed || loader->comms.memory_failed)
		return err_memory(e, "definitions and communicators");
	return ERR_OK;
}

/* Cut the files into chunks: one each, or as many as there are threads where there are fewer files. */
static enum err_code make_chunks(struct loader *loader, struct scan *s, struct err *e)
{
	unsigned per_file = s->parts / loader->file_count ? s->parts / loader->file_count : 1;
	enum err_code code = ERR_OK;

	s->chunks = mem_zero((size_t)per_file * loader->file_count, sizeof *s->chunks);
	if (!s->chunks)
		return err_memory(e, "scanning the trace");
	for (uint32_t i = 0; code == ERR_OK && i < loader->file_count; i++) {
		uint64_t blocks = loader->files[i].block_count;

		for (unsigned k = 0; code == ERR_OK && k < per_file; k++) {
			uint64_t begin = blocks * k / per_file, end = blocks * (k + 1) / per_file;

			if (begin < end)
				code = chunk_init(&s->chunks[s->chunk_count++], loader, &loader->files[i], begin, end, e);
		}
	}
	return code;
}

enum err_code load_scan(struct loader *loader, struct err *e)
{
	struct scan s = {.loader = loader, .parts = loader->maker->threads, .stop = {.job = loader->maker->job}};
	enum err_code code = make_chunks(loader, &s, e);

	if (code == ERR_OK) {
		defs_maybe_table(&loader->defs, s.maybe);
		if (s.parts > s.chunk_count)
			s.parts = s.chunk_count ? s.chunk_count : 1;
		parallel_run(s.parts, scan_part, &s);
		loader->stopped = atomic_load(&s.stop.stopped);
		if (!loader->stopped)
			code = gather_all(loader, &s, e);
	}
	for (unsigned i = 0; i < s.chunk_count; i++)
		chunk_release(&s.chunks[i]);
	mem_free(s.chunks);
	return code;
}
