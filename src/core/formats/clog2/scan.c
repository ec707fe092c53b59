/* Pass 1 over the records: it collects everything that is needed to interpret them.
 *
 * Each file is cut into chunks of blocks, which threads scan independently. Results that depend on the order of records
 * (definitions, communicators, continuity, the log's end) are combined afterwards, chunk by chunk.
 */
#include <stdlib.h>
#include <string.h>

#include "clog2_int.h"
#include "core/base/order.h"
#include "core/base/parallel.h"
#include "core/team/team.h"

struct scan {
	struct loader *loader;
	struct chunk *chunks;
	unsigned chunk_count, parts;
	bool shared;             /* with other ranks, who have chunks of their own */
	uint8_t maybe[DEFS_DIRECT];
	struct parallel_stop stop;
};

static void scan_chunk(struct scan *s, struct chunk *c, struct clog2_block *b, unsigned part, uint64_t *bytes)
{
	uint64_t all = (uint64_t)s->parts * (s->shared ? team_size(c->loader->maker->team) : 1);
	bool more = c->done == 0;

	while (more && !parallel_stopped(&s->stop, part)) {
		more = chunk_scan(c, s->maybe, b);
		*bytes += b->len;
		if (part == 0 && (b->index & 63) == 0)
			progress_report(c->loader->maker->progress, PROGRESS_SCAN, *bytes * all, c->loader->total_bytes);
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

static struct note_place scan_place_of(const struct clog2_file *f, const struct clog2_rec *r)
{
	int64_t block = (int64_t)((r->offset - CLOG2_PREAMBLE) / f->block_size);

	return (struct note_place){f->file_index, -1, block, (int64_t)r->offset, -1};
}

/* What the tracer of pas2p left out when it traced functions (docs/internals/tracer.md). */
static void note_dropped(struct loader *loader, const struct clog2_file *f, const struct clog2_rec *r, const struct clog2_constdef *c)
{
	struct notes *notes = &loader->maker->trace->notes;

	if (c->value <= 0)
		return;
	if (!strcmp(c->name, "PAS2P_dropped_calls"))
		notes_add(notes, NOTE_DROPPED_CALLS, scan_place_of(f, r), "calls shorter than --shortest without an "
								   "MPI call: %d", c->value);
	else if (!strcmp(c->name, "PAS2P_dropped_functions"))
		notes_add(notes, NOTE_DROPPED_CALLS, scan_place_of(f, r),
			  "functions with such calls only, which were not recorded further: %d", c->value);
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
			if (defs_impossible_cost(&constant))
				notes_add(&loader->maker->trace->notes, NOTE_BAD_DEFINITION, scan_place_of(f, r),
					  "the cost of a record is %d ps, expected 1 to "
					  	"%d", constant.value, CLOG2_COST_MOST);
		} else {
			notes_add(&loader->maker->trace->notes, NOTE_BAD_DEFINITION, scan_place_of(f, r),
				  "the definition of a constant has event type %d, expected "
				  	"%d", constant.etype, CLOG2_CONSTANT);
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
static bool chunk_gather(struct loader *loader, struct chunk *c, const struct chunk *before)
{
	uint64_t a, b;
	uint32_t n;
	bool kept = true;

	if (before && before->next_time && c->first_time && before->next_time != c->first_time)
		chunk_broken(c, c->begin, CLOG2_PREAMBLE + c->begin * c->f->block_size, &loader->maker->trace->notes);
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
	SORT(others, count, order_i32);
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
		if (!chunk_gather(loader, c, before))
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

/* The blocks of a file, of which `before` come in files before it, that are this rank's. */
static void local_blocks(const struct loader *loader, uint64_t before, uint64_t *first, uint64_t *end)
{
	uint64_t local, local_end;

	chunk_range(loader, &local, &local_end);
	*first = local > before ? local - before : 0;
	local_end = local_end > before ? local_end - before : 0;
	*end = local_end < *end ? local_end : *end;
	*first = *first < *end ? *first : *end;
}

/* Cut the files, or of shared ones what is this rank's, into chunks: one each, or as many as there are threads if there
 * are fewer files. What is decompressed is not read from several places at once, and may have been scanned already. */
static enum err_code make_chunks(struct loader *loader, struct scan *s, struct err *e)
{
	unsigned per_file = s->parts / loader->file_count ? s->parts / loader->file_count : 1;
	enum err_code code = ERR_OK;
	uint64_t before = 0;

	s->chunks = mem_zero((size_t)per_file * loader->file_count, sizeof *s->chunks);
	if (!s->chunks)
		return err_memory(e, "scanning the trace");
	for (uint32_t i = 0; code == ERR_OK && i < loader->file_count; i++) {
		uint64_t first = 0, blocks = loader->files[i].block_count;
		bool shared = chunk_shared(loader, &loader->files[i]);
		unsigned pieces = source_packing(loader->files[i].source) == PACKING_NONE ? per_file : 1;

		if (loader->ahead && ahead_take(&loader->ahead[i], &s->chunks[s->chunk_count], &loader->files[i])) {
			s->chunk_count++;
			continue;
		}
		if (shared) {
			local_blocks(loader, before, &first, &blocks);
			before += loader->files[i].block_count;
			s->shared = true;
		}
		blocks -= first;
		for (unsigned k = 0; code == ERR_OK && k < pieces; k++) {
			uint64_t begin = first + blocks * k / pieces, end = first + blocks * (k + 1) / pieces;

			if (begin < end)
				code = chunk_init(&s->chunks[s->chunk_count++], loader, &loader->files[i], begin, end, e);
		}
	}
	return code;
}

/* What other ranks have scanned, too. */
static enum err_code gather_ranks(struct scan *s, struct err *e)
{
	for (unsigned i = 0; i < s->chunk_count; i++)
		if (s->chunks[i].code) {
			*e = s->chunks[i].err;
			return s->chunks[i].code;
		}
	return chunks_gather(s->loader, &s->chunks, &s->chunk_count, e);
}

enum err_code load_scan(struct loader *loader, struct err *e)
{
	struct scan s = {.loader = loader, .parts = loader->maker->threads, .stop = {.progress = loader->maker->progress}};
	enum err_code code = make_chunks(loader, &s, e);

	if (code == ERR_OK) {
		defs_maybe_table(&loader->defs, s.maybe);
		if (s.parts > s.chunk_count)
			s.parts = s.chunk_count ? s.chunk_count : 1;
		parallel_run(s.parts, scan_part, &s);
		loader->stopped = atomic_load(&s.stop.stopped);
		if (!loader->stopped && team_size(loader->maker->team) > 1)
			code = gather_ranks(&s, e);
		if (!code && !loader->stopped)
			code = gather_all(loader, &s, e);
	}
	for (unsigned i = 0; i < s.chunk_count; i++)
		chunk_release(&s.chunks[i]);
	mem_free(s.chunks);
	return code;
}
