#include "clog2_int.h"

#include "core/team/team.h"
#include "core/trace/remote.h"

#define PARTS 16 /* rounds of a trace that is small */

/* What a rank is told of a stripe: whether to stop, then by block this and its records that are the rank's, each behind
 * its place in the block. */
struct block_head {
	uint32_t file, bytes;
	uint64_t block;
};

struct bucket {
	uint8_t *bytes;
	size_t n, cap;
	size_t head;           /* of the block that is being read; 0: it has none yet */
};

/* A place between two stripes. */
struct cursor {
	uint32_t file;
	uint64_t block;
};

struct stripes {
	const struct loader *loader;
	const struct team *team;
	uint32_t *owner;       /* of each process */
	uint64_t bytes;        /* of a stripe */
	struct cursor next;
	struct bucket *buckets; /* by rank: what this rank's stripe has for it */
	struct team_bytes *to, *from; /* of this round */
	struct clog2_block block;
	struct whose whose;
};

struct stripes *stripes_new(const struct loader *loader)
{
	const struct trace *t = loader->maker->trace;
	struct stripes *s = mem_zero(1, sizeof *s);
	uint64_t small;

	if (!s)
		return NULL;
	s->loader = loader;
	s->team = loader->maker->team;
	small = loader->total_bytes / s->team->size / PARTS;
	s->bytes = small < STRIPE_BYTES ? small : STRIPE_BYTES;
	s->whose.loader = loader;
	clog2_block_init(&s->block);
	s->owner = mem_alloc(t->process_count, sizeof *s->owner);
	s->buckets = mem_zero(s->team->size, sizeof *s->buckets);
	s->to = mem_zero(s->team->size, sizeof *s->to);
	s->from = mem_zero(s->team->size, sizeof *s->from);
	if (!s->owner || !s->buckets || !s->to || !s->from) {
		stripes_free(s);
		return NULL;
	}
	for (uint32_t p = 0; p < t->process_count; p++)
		s->owner[p] = trace_owner(t->remote, p);
	return s;
}

void stripes_free(struct stripes *s)
{
	if (!s)
		return;
	for (uint32_t r = 0; s->buckets && r < s->team->size; r++)
		mem_free(s->buckets[r].bytes);
	if (s->from)
		team_bytes_free(s->from, s->team->size);
	clog2_block_release(&s->block);
	mem_free(s->owner);
	mem_free(s->buckets);
	mem_free(s->to);
	mem_free(s->from);
	mem_free(s);
}

/* ---- what this rank reads ---- */

static __attribute__((noinline)) bool bucket_grow(struct bucket *b, size_t n)
{
	size_t cap = b->cap * 2 > b->n + n ? b->cap * 2 : b->n + n + 4096;
	uint8_t *bytes = mem_resize(b->bytes, cap, 1);

	if (!bytes)
		return false;
	b->bytes = bytes;
	b->cap = cap;
	return true;
}

/* Room for n bytes more; NULL: no memory. */
static inline uint8_t *bucket_room(struct bucket *b, size_t n)
{
	if (__builtin_expect(n > b->cap - b->n, 0) && !bucket_grow(b, n))
		return NULL;
	b->n += n;
	return b->bytes + b->n - n;
}

CLOG2_INLINE bool put_record(struct stripes *s, struct bucket *b, const struct clog2_step *step)
{
	uint32_t length = step->next - step->at;
	uint8_t *to;

	if (__builtin_expect(!b->head, 0)) {
		b->head = b->n;
		if (!bucket_room(b, sizeof(struct block_head)))
			return false;
	}
	to = bucket_room(b, sizeof step->at + length);
	if (!to)
		return false;
	memcpy(to, &step->at, sizeof step->at);
	to += sizeof step->at;
	for (uint32_t k = 0; k < length; k += 8) /* as all lengths are */
		memcpy(to + k, s->block.bytes + step->at + k, 8);
	return true;
}

/* A record of no process is the first rank's to note. */
CLOG2_INLINE bool put_records(struct stripes *s, bool wide, bool be)
{
	struct clog2_step step = {0};

	while (clog2_block_step_as(wide, be, &s->block, &step)) {
		uint32_t process;

		if (!whose_any(step.type))
			continue;
		process = whose_process(&s->whose, step.icomm, step.rank);
		if (__builtin_expect(!put_record(s, &s->buckets[process == NO_PROCESS ? 0 : s->owner[process]], &step), 0))
			return false;
	}
	return true;
}

static enum err_code read_block(struct stripes *s, uint32_t file, uint64_t block, struct err *e)
{
	const struct clog2_file *f = &s->loader->files[file];
	bool wide = f->header_size == 24, kept;
	enum err_code code = clog2_block_read(f, block, &s->block, e);

	if (code)
		return code;
	kept = wide && f->big_endian ? put_records(s, true, true) : put_records(s, wide, f->big_endian);
	for (uint32_t r = 0; kept && r < s->team->size; r++) {
		struct bucket *b = &s->buckets[r];
		struct block_head head = {file, 0, block};

		if (!b->head)
			continue;
		head.bytes = (uint32_t)(b->n - b->head - sizeof head);
		memcpy(b->bytes + b->head, &head, sizeof head);
		b->head = 0;
	}
	return kept ? ERR_OK : err_memory(e, "records of other ranks");
}

/* ---- rounds ---- */

/* The stripe at the cursor, which goes behind it: blocks of a file from *first up to, not including, *end. False: there
 * is none. */
static bool take_stripe(const struct stripes *s, struct cursor *c, uint32_t *file, uint64_t *first, uint64_t *end)
{
	const struct loader *loader = s->loader;
	uint64_t most;

	while (c->file < loader->file_count && c->block >= loader->blocks[c->file])
		*c = (struct cursor){c->file + 1, 0};
	if (c->file == loader->file_count)
		return false;
	most = s->bytes / loader->files[c->file].block_size;
	*file = c->file;
	*first = c->block;
	*end = loader->blocks[c->file] - c->block;
	*end = *first + (most && most < *end ? most : most ? *end : 1);
	c->block = *end;
	return true;
}

/* The own stripe of the round that begins at the cursor. */
static enum err_code read_round(struct stripes *s, bool *more, struct err *e)
{
	uint64_t first, end;
	uint32_t file;
	enum err_code code = ERR_OK;

	*more = false;
	for (uint32_t r = 0; r < s->team->size && take_stripe(s, &s->next, &file, &first, &end); r++) {
		*more = true;
		if (r != s->team->rank)
			continue;
		whose_begin(&s->whose, &s->loader->files[file]);
		for (; !code && first < end; first++)
			code = read_block(s, file, first, e);
	}
	return code;
}

enum err_code stripes_next(struct stripes *s, bool *more, bool *stop, struct err *e)
{
	uint32_t ranks = s->team->size, stops = *stop;
	enum err_code code = ERR_OK;

	team_bytes_free(s->from, ranks);
	for (uint32_t r = 0; r < ranks; r++) {
		struct bucket *b = &s->buckets[r];
		uint8_t *flag;

		b->n = b->head = 0;
		flag = bucket_room(b, sizeof stops);
		if (!flag)
			return err_memory(e, "records of other ranks");
		memcpy(flag, &stops, sizeof stops);
	}
	code = read_round(s, more, e);
	if (code || !*more)
		return code;
	for (uint32_t r = 0; r < ranks; r++)
		s->to[r] = r == s->team->rank ? (struct team_bytes){NULL, 0} : (struct team_bytes){s->buckets[r].bytes, s->buckets[r].n};
	code = maker_agreed(s->loader->maker, team_exchange(s->team, s->to, s->from, e));
	for (uint32_t r = 0; !code && r < ranks; r++) {
		uint32_t its = stops;

		if (r != s->team->rank)
			memcpy(&its, s->from[r].bytes, sizeof its);
		*stop = *stop || its;
	}
	return code;
}

uint64_t stripes_done(const struct stripes *s)
{
	uint64_t done = 0;

	for (uint32_t i = 0; i < s->next.file && i < s->loader->file_count; i++)
		done += source_size(s->loader->files[i].source);
	return s->next.file < s->loader->file_count ? done + s->next.block * s->loader->files[s->next.file].block_size : done;
}

struct stripe_part stripes_part(const struct stripes *s, uint32_t rank)
{
	const struct bucket *local = &s->buckets[rank];
	struct team_bytes b = rank == s->team->rank ? (struct team_bytes){local->bytes, local->n} : s->from[rank];
	const uint8_t *bytes = b.bytes;

	return (struct stripe_part){.at = bytes + sizeof(uint32_t), .block_end = bytes + sizeof(uint32_t), .end = bytes + b.n};
}

bool stripe_block(struct stripe_part *part, uint32_t *file, uint64_t *block, const struct loader *loader)
{
	struct block_head head;

	part->at = part->block_end;
	if (part->at == part->end)
		return false;
	memcpy(&head, part->at, sizeof head);
	part->at += sizeof head;
	part->block_end = part->at + head.bytes;
	part->block_offset = CLOG2_PREAMBLE + head.block * loader->files[head.file].block_size;
	*file = head.file;
	*block = head.block;
	return true;
}
