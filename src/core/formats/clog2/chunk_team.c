#include "clog2_int.h"

#include <stdlib.h>

#include "core/base/hash.h"
#include "core/base/order.h"
#include "core/io/unpack.h"
#include "core/team/team_pack.h"
#include "core/trace/notes.h"
#include "core/trace/make/make_team.h"

bool chunk_shared(const struct loader *loader, const struct clog2_file *f)
{
	return team_size(loader->maker->team) > 1 && source_packing(f->source) == PACKING_NONE;
}

void chunk_range(const struct loader *loader, uint64_t *begin, uint64_t *end)
{
	uint64_t ranks = team_size(loader->maker->team), rank = team_rank(loader->maker->team), all = 0;

	for (uint32_t i = 0; i < loader->file_count; i++)
		all += chunk_shared(loader, &loader->files[i]) ? loader->files[i].block_count : 0;
	*begin = all / ranks * rank + all % ranks * rank / ranks;
	*end = all / ranks * (rank + 1) + all % ranks * (rank + 1) / ranks;
}

/* ---- packed ---- */

struct chunk_head {
	uint64_t begin, end, done, first_time, next_time, records, rare;
	uint32_t file, world;
	int32_t tag_least, tag_highest;
	bool log_ended;
};

static void put_map(struct team_pack *pack, const struct map *map)
{
	uint64_t n = map_count(map), key[2];
	uint32_t value;

	team_put(pack, &n, sizeof n);
	for (size_t i = 0; map_each(map, &i, &key[0], &key[1], &value);) {
		team_put(pack, key, sizeof key);
		team_put(pack, &value, sizeof value);
	}
}

static bool take_map(struct team_take *take, struct map *map)
{
	uint64_t n = 0, key[2];
	bool taken = team_take(take, &n, sizeof n);

	for (; taken && n; n--) {
		uint32_t value = 0, *at;

		taken = team_take(take, key, sizeof key) && team_take(take, &value, sizeof value);
		at = taken ? map_at(map, key[0], key[1]) : NULL;
		taken = at;
		if (at)
			*at = value;
	}
	return taken;
}

static void put_chunk(struct team_pack *pack, const struct chunk *c)
{
	struct chunk_head head = {.begin = c->begin, .end = c->end, .done = c->done, .first_time = c->first_time, .next_time = c->next_time,
			    .records = c->records, .rare = c->rare_count, .file = (uint32_t)c->f->file_index, .world = c->world_cap,
			    .tag_least = c->tag_least, .tag_highest = c->tag_highest, .log_ended = c->log_ended};
	uint8_t seen[DEFS_DIRECT / 8] = {0};

	while (head.world && !c->world_counts[head.world - 1])
		head.world--;
	for (unsigned i = 0; i < DEFS_DIRECT; i++)
		seen[i / 8] |= (uint8_t)((c->seen[i] != 0) << i % 8);
	team_put(pack, &head, sizeof head);
	team_put(pack, seen, sizeof seen);
	team_put(pack, c->world_counts, head.world * sizeof *c->world_counts);
	for (size_t i = 0; i < c->rare_count; i++) {
		team_put(pack, &c->rare[i].r, sizeof c->rare[i].r);
		team_put(pack, c->rare[i].payload, c->rare[i].r.length - c->f->header_size);
	}
	put_map(pack, c->counts);
	put_map(pack, c->user_counts);
	put_map(pack, c->coll_starts);
	put_map(pack, c->seen_others);
	notes_put(pack, &c->notes);
}

static bool take_rare(struct team_take *take, struct chunk *c, uint64_t count)
{
	c->rare = mem_alloc(count, sizeof *c->rare);
	if (!c->rare)
		return false;
	for (; c->rare_count < count; c->rare_count++) {
		struct rare *rare = &c->rare[c->rare_count];

		if (!team_take(take, &rare->r, sizeof rare->r) || rare->r.length < c->f->header_size ||
		    rare->r.length - c->f->header_size > sizeof rare->payload ||
		    !team_take(take, rare->payload, rare->r.length - c->f->header_size))
			return false;
	}
	return true;
}

/* Into an empty one. */
static enum err_code take_chunk(struct team_take *take, struct loader *loader, struct chunk *c, struct err *e)
{
	uint8_t seen[DEFS_DIRECT / 8];
	struct chunk_head head;
	enum err_code code;
	bool taken;

	if (!team_take(take, &head, sizeof head) || !team_take(take, seen, sizeof seen) || head.file >= loader->file_count)
		return make_team_differs(e);
	code = chunk_init(c, loader, &loader->files[head.file], head.begin, head.end, e);
	if (code)
		return code;
	c->done = head.done;
	c->first_time = head.first_time;
	c->next_time = head.next_time;
	c->records = head.records;
	c->tag_least = head.tag_least;
	c->tag_highest = head.tag_highest;
	c->log_ended = head.log_ended;
	for (unsigned i = 0; i < DEFS_DIRECT; i++)
		c->seen[i] = seen[i / 8] >> i % 8 & 1;
	c->world_counts = mem_alloc(head.world, sizeof *c->world_counts);
	c->world_cap = c->world_counts ? head.world : 0;
	taken = c->world_counts && team_take(take, c->world_counts, head.world * sizeof *c->world_counts) && take_rare(take, c, head.rare) &&
		take_map(take, c->counts) && take_map(take, c->user_counts) && take_map(take, c->coll_starts) &&
		take_map(take, c->seen_others) && notes_take(take, &c->notes);
	return taken ? ERR_OK : err_memory(e, "counting events");
}

/* ---- all ranks' ---- */

/* What stands before a rank's chunks. */
struct scanned {
	uint64_t files;        /* what its files are like, which must be the same everywhere: no rank looks at all of them */
	uint32_t chunks;
};

static uint64_t files_hash(const struct loader *loader)
{
	uint64_t h = loader->file_count;

	for (uint32_t i = 0; i < loader->file_count; i++) {
		const struct clog2_file *f = &loader->files[i];

		h = hash_mix(hash_mix(h, source_size(f->source)), f->block_count);
		h = hash_mix(h, (uint64_t)f->block_size << 32 | (uint64_t)f->header_size << 2 | (uint64_t)f->finalized << 1 | f->big_endian);
	}
	return h;
}

ORDER_BY(compare_chunks, struct chunk, UP(f) UP(begin))

/* Each shared file's chunks follow each other, from its first block to its last. */
static bool complete(const struct loader *loader, const struct chunk *chunks, unsigned count)
{
	unsigned at = 0;

	for (uint32_t i = 0; i < loader->file_count; i++) {
		const struct clog2_file *f = &loader->files[i];
		uint64_t next = 0;

		for (; at < count && chunks[at].f == f; at++) {
			if (chunk_shared(loader, f) && chunks[at].begin != next)
				return false;
			next = chunks[at].end;
		}
		if (chunk_shared(loader, f) && next != f->block_count)
			return false;
	}
	return true;
}

static enum err_code chunks_take_all(struct loader *loader, const struct team_bytes *from, struct chunk **chunks, unsigned *count, struct err *e)
{
	const struct team *team = loader->maker->team;
	unsigned all = *count;
	struct chunk *list;

	for (uint32_t r = 0; r < team->size; r++) {
		struct scanned its;

		memcpy(&its, from[r].bytes, sizeof its);
		if (its.files != files_hash(loader))
			return make_team_differs(e);
		all += r == team->rank ? 0 : its.chunks;
	}
	list = mem_resize(*chunks, all, sizeof *list);
	if (!list)
		return err_memory(e, "scanning the trace");
	*chunks = list;
	for (uint32_t r = 0; r < team->size; r++) {
		struct team_take take = {from[r].bytes, from[r].n};
		struct scanned its;

		if (!team_take(&take, &its, sizeof its) || r == team->rank)
			continue;
		for (; its.chunks; its.chunks--) {
			enum err_code code;

			list[*count] = (struct chunk){0};
			code = take_chunk(&take, loader, &list[(*count)++], e);
			if (code)
				return code;
		}
	}
	if (*count)
		SORT(list, *count, compare_chunks);
	return complete(loader, list, *count) ? ERR_OK : make_team_differs(e);
}

enum err_code chunks_gather(struct loader *loader, struct chunk **chunks, unsigned *count, struct err *e)
{
	const struct team *team = loader->maker->team;
	struct team_bytes *from = mem_zero(team->size, sizeof *from);
	struct team_pack pack = {0};
	struct scanned local = {.files = files_hash(loader)};
	enum err_code code;

	for (unsigned i = 0; i < *count; i++)
		local.chunks += chunk_shared(loader, (*chunks)[i].f);
	team_put(&pack, &local, sizeof local);
	for (unsigned i = 0; i < *count; i++)
		if (chunk_shared(loader, (*chunks)[i].f))
			put_chunk(&pack, &(*chunks)[i]);
	code = from && !pack.failed ? ERR_OK : err_memory(e, "scanning the trace");
	if (!code)
		code = maker_agreed(loader->maker, team_gather_all(team, pack.bytes, pack.n, from, e));
	mem_free(pack.bytes);
	if (!code)
		code = chunks_take_all(loader, from, chunks, count, e);
	if (from)
		team_bytes_free(from, team->size);
	mem_free(from);
	return code;
}
