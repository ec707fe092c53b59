#include "team.h"

#include <string.h>

#include "core/base/hash.h"
#include "core/base/index.h"
#include "core/base/mem.h"

#define PIECE (1u << 20) /* numbers in one collective step */

/* Pairs of numbers, each with its own number: from 0 by first appearance. */
struct pairs {
	struct index index;
	uint64_t *list;
	uint32_t count;
	size_t cap;
};

static bool same_pair(const void *list, uint32_t i, const void *key)
{
	return ((const uint64_t *)list)[i] == *(const uint64_t *)key;
}

static uint64_t hash_pair(const void *list, uint32_t i)
{
	return hash_mix(0, ((const uint64_t *)list)[i]);
}

/* of[i] and with[i] become one number in of[i]. with NULL: of[i] alone. False: no memory. */
static bool pairs_join(struct pairs *p, uint32_t *of, const uint32_t *with, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint64_t key = (uint64_t)of[i] << 32 | (with ? with[i] : 0), *list;
		uint32_t *slot = index_slot(&p->index, hash_mix(0, key), p->list, p->count, same_pair, hash_pair, &key);

		if (!slot)
			return false;
		if (!*slot) {
			list = mem_grow(p->list, p->count, &p->cap, sizeof *list);
			if (!list)
				return false;
			p->list = list;
			list[p->count++] = key;
			*slot = p->count;
		}
		of[i] = *slot - 1;
	}
	return true;
}

static void pairs_forget(struct pairs *p)
{
	index_release(&p->index);
	mem_free(p->list);
	*p = (struct pairs){0};
}

/* Numbers in a piece that starts at `at`. */
static uint32_t piece(uint32_t at, uint32_t n)
{
	return n - at < PIECE ? n - at : PIECE;
}

/* The ranks that are `step` behind one that goes on tell it theirs. */
static enum err_code join_ranks(const struct team *t, struct pairs *p, uint32_t *of, uint32_t n, uint32_t step, struct team_bytes *to,
				struct team_bytes *from, struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t at = 0, length; !code && at < n; at += length) {
		length = piece(at, n);
		if (t->rank % (2 * step) == step)
			to[t->rank - step] = (struct team_bytes){of + at, length * sizeof *of};
		code = team_exchange(t, to, from, e);
		if (code)
			break;
		if (t->rank % (2 * step) == 0 && t->rank + step < t->size && !pairs_join(p, of + at, from[t->rank + step].bytes, length))
			code = err_memory(e, "common data of the ranks");
		team_bytes_free(from, t->size);
		code = team_agree(t, code, e);
	}
	memset(to, 0, t->size * sizeof *to);
	pairs_forget(p);
	return code;
}

static enum err_code intern(const struct team *t, uint32_t *of, uint32_t n, struct team_bytes *to, struct team_bytes *from, struct err *e)
{
	struct pairs p = {0};
	enum err_code code = ERR_OK;

	for (uint32_t step = 1; !code && step < t->size; step *= 2)
		code = join_ranks(t, &p, of, n, step, to, from, e);
	for (uint32_t at = 0; !code && at < n; at += piece(at, n))
		code = team_broadcast(t, of + at, piece(at, n) * sizeof *of, e);
	return code;
}

enum err_code team_intern(const struct team *t, uint32_t *of, uint32_t n, uint32_t *count, struct err *e)
{
	struct pairs p = {0};
	enum err_code code = ERR_OK;

	if (team_size(t) == 1) {
		if (!pairs_join(&p, of, NULL, n))
			code = err_memory(e, "common data of the ranks");
		*count = p.count;
		pairs_forget(&p);
		return team_agree(t, code, e);
	}
	struct team_bytes *to = mem_zero(t->size, sizeof *to), *from = mem_zero(t->size, sizeof *from);

	if (!to || !from)
		code = err_memory(e, "common data of the ranks");
	code = team_agree(t, code, e);
	if (!code)
		code = intern(t, of, n, to, from, e);
	*count = 0;
	for (uint32_t i = 0; !code && i < n; i++)
		*count = of[i] >= *count ? of[i] + 1 : *count;
	mem_free(to);
	mem_free(from);
	return code;
}
