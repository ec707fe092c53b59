#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/order.h"
#include "remote.h"

void size_table_init(struct size_table *s)
{
	*s = (struct size_table){.list = NULL};
	pthread_mutex_init(&s->lock, NULL);
}

void size_table_release(struct size_table *s)
{
	mem_free(s->list);
	index_release(&s->index);
	pthread_mutex_destroy(&s->lock);
}

static inline bool same_size(const void *list, uint32_t i, const void *key)
{
	return ((const uint64_t *)list)[i] == *(const uint64_t *)key;
}

static uint64_t hash_size(const void *list, uint32_t i)
{
	return hash_mix(0, ((const uint64_t *)list)[i]);
}

static uint32_t code_of(struct size_table *s, uint64_t size)
{
	uint32_t *slot = index_slot(&s->index, hash_mix(0, size), s->list, s->count, same_size, hash_size, &size);
	uint64_t *list;

	if (slot && *slot)
		return SIZE_CODE_LARGE + (*slot - 1);
	list = slot && s->count < SIZE_CODE_UNKNOWN - SIZE_CODE_LARGE ? mem_grow(s->list, s->count, &s->cap, sizeof *list) : NULL;
	if (!list) {
		s->failed = true;
		return SIZE_CODE_UNKNOWN;
	}
	s->list = list;
	list[s->count++] = size;
	*slot = s->count;
	return SIZE_CODE_LARGE + s->count - 1;
}

uint32_t size_code_large(struct size_table *s, uint64_t size)
{
	uint32_t code;

	if (size == SIZE_UNKNOWN)
		return SIZE_CODE_UNKNOWN;
	pthread_mutex_lock(&s->lock);
	code = code_of(s, size);
	pthread_mutex_unlock(&s->lock);
	return code;
}

/* ---- when all are there ---- */

static inline bool is_large(uint32_t code)
{
	return code >= SIZE_CODE_LARGE && code != SIZE_CODE_UNKNOWN;
}

/* Of all ranks: how many events are large, and their sum. */
static enum err_code large_sizes_add(const struct trace *t, const struct size_table *s, uint64_t *events, bool *too_much, struct err *e)
{
	uint64_t sums[4] = {0}; /* events, 0, sum (128 bits) */
	enum err_code code;

	for (uint32_t i = 0; s->count && i < t->event_count; i++)
		if (is_large(t->size_code[i])) {
			uint64_t size = s->list[t->size_code[i] - SIZE_CODE_LARGE];

			sums[0]++;
			sums[2] += size;
			sums[3] += sums[2] < size;
		}
	code = team_reduce(trace_team(t), sums, 4, TEAM_SUM_128, e);
	*events = sums[0];
	*too_much = sums[3] || sums[2] > INT64_MAX;
	return code;
}

/* The distinct ones of a list, ascending, that are not more than `most`. */
static uint32_t sort_sizes(uint64_t *list, size_t n, uint64_t most)
{
	uint32_t kept = 0;

	SORT(list, n, order_u64);
	for (size_t i = 0; i < n && list[i] <= most; i++)
		if (!kept || list[kept - 1] != list[i])
			list[kept++] = list[i];
	return kept;
}

static enum err_code gather_sizes(struct trace *t, const struct size_table *s, uint64_t most, struct err *e)
{
	const struct team *team = trace_team(t);
	struct team_bytes *from = mem_zero(team_size(team), sizeof *from);
	size_t all = 0;
	enum err_code code = from ? ERR_OK : err_memory(e, "the sizes of messages");

	code = code ? team_agree(team, code, e) : team_gather_all(team, s->list, s->count * sizeof *s->list, from, e);
	for (uint32_t r = 0; !code && r < team_size(team); r++)
		all += from[r].n / sizeof *t->large_sizes;
	if (!code) {
		t->large_sizes = mem_alloc(all, sizeof *t->large_sizes);
		code = team_agree(team, t->large_sizes ? ERR_OK : err_memory(e, "the sizes of messages"), e);
	}
	all = 0;
	for (uint32_t r = 0; !code && r < team_size(team); all += from[r++].n / sizeof *t->large_sizes)
		if (from[r].n)
			memcpy(t->large_sizes + all, from[r].bytes, from[r].n);
	if (!code)
		t->large_size_count = sort_sizes(t->large_sizes, all, most);
	if (from)
		team_bytes_free(from, team_size(team));
	mem_free(from);
	return code;
}

/* The code of a size in the trace's table; SIZE_CODE_UNKNOWN: it is not there. */
static uint32_t settled(const struct trace *t, uint64_t size)
{
	const uint64_t *at = t->large_size_count ? bsearch(&size, t->large_sizes, t->large_size_count, sizeof size, order_u64) : NULL;

	return at ? SIZE_CODE_LARGE + (uint32_t)(at - t->large_sizes) : SIZE_CODE_UNKNOWN;
}

enum err_code trace_settle_sizes(struct trace *t, const struct size_table *s, uint64_t *incredible, struct err *e)
{
	const struct team *team = trace_team(t);
	uint32_t *now = mem_alloc(s->count, sizeof *now);
	uint64_t events = 0;
	bool too_much = false;
	enum err_code code = team_agree(team, now && !s->failed ? ERR_OK : err_memory(e, "the sizes of messages"), e);

	*incredible = 0;
	if (!code)
		code = large_sizes_add(t, s, &events, &too_much, e);
	if (!code && events)
		code = gather_sizes(t, s, too_much ? INT64_MAX / events : INT64_MAX, e);
	for (uint32_t i = 0; !code && i < s->count; i++)
		now[i] = settled(t, s->list[i]);
	for (uint32_t i = 0; !code && s->count && i < t->event_count; i++)
		if (is_large(t->size_code[i])) {
			t->size_code[i] = now[t->size_code[i] - SIZE_CODE_LARGE];
			*incredible += t->size_code[i] == SIZE_CODE_UNKNOWN;
		}
	if (!code && events && too_much)
		code = team_reduce(team, incredible, 1, TEAM_SUM, e);
	mem_free(now);
	return code;
}

enum err_code trace_copy_large_sizes(struct trace *to, const struct trace *from, struct err *e)
{
	to->large_sizes = mem_alloc(from->large_size_count, sizeof *to->large_sizes);
	if (!to->large_sizes)
		return err_memory(e, "the sizes of messages");
	to->large_size_count = from->large_size_count;
	if (from->large_size_count)
		memcpy(to->large_sizes, from->large_sizes, from->large_size_count * sizeof *to->large_sizes);
	return ERR_OK;
}
