/* A trace that the ranks of a team share, put together at rank 0: as much of it as patterns are found from.
 *
 * Patterns depend on the order of all processes' events, in rounds that cannot be parted. So rank 0 does the whole of it,
 * with the types, sizes, partners and compute times of all events: 60 bytes an event while it works. Where that is more
 * than half of its memory no patterns are looked for. */
#include "patterns_int.h"

#include <string.h>

#include "core/base/order.h"
#include "core/team/team_pack.h"
#include "core/trace/remote.h"

#define BYTES_AN_EVENT 60

/* A collective that has members on several ranks: the first of them on each, an event of the whole trace. */
struct gathered_part {
	uint32_t owner, number, event;
};
ORDER_BY(order_parts, struct gathered_part, UP(owner) UP(number) UP(event))

/* Numbers of events of the whole trace: those of a rank follow those of the ranks before it. */
static enum err_code event_bases(uint64_t *base, const struct trace *t, struct err *e)
{
	const struct team *team = trace_team(t);
	enum err_code code;

	for (uint32_t r = 0; r <= team->size; r++)
		base[r] = 0;
	base[team->rank + 1] = t->event_count;
	code = team_reduce(team, base, (size_t)team->size + 1, TEAM_SUM, e);
	for (uint32_t r = 1; !code && r <= team->size; r++)
		base[r] += base[r - 1];
	return code;
}

/* The other end of each event, or the next member, by its number in the whole trace. */
static uint32_t *whole_matches(const struct trace *t, const uint64_t *base)
{
	const struct team *team = trace_team(t);
	uint32_t *match = mem_alloc(t->event_count, sizeof *match);

	for (uint32_t i = 0; match && i < t->event_count; i++) {
		uint32_t m = t->match[i];

		if (m == NO_EVENT)
			match[i] = NO_EVENT;
		else if (is_remote(m))
			match[i] = (uint32_t)(base[t->remote->message[m - REMOTE_EVENT].rank] + t->remote->message[m - REMOTE_EVENT].other);
		else
			match[i] = (uint32_t)(base[team->rank] + m);
	}
	return match;
}

/* A column of all ranks into `to` at rank 0. */
static enum err_code gather_column(const struct team *team, const void *column, size_t n, void *to, size_t room, struct err *e)
{
	struct team_bytes *from = mem_zero(team->size, sizeof *from);
	enum err_code code = team_agree(team, from ? ERR_OK : err_memory(e, "patterns"), e);
	size_t at = 0;

	if (!code)
		code = team_gather(team, column, n, from, e);
	for (uint32_t r = 0; !code && to && r < team->size; r++) {
		size_t bytes = from[r].n < room - at ? from[r].n : room - at;

		if (bytes)
			memcpy((char *)to + at, from[r].bytes, bytes);
		at += bytes;
	}
	if (from)
		team_bytes_free(from, team->size);
	mem_free(from);
	return code;
}

/* Members of a collective that were rings of their own on each rank become one ring, in the order of their numbers. */
static bool join_member_lists(struct trace *w, const struct gathered_part *part, uint32_t count, uint32_t **members, size_t *cap)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t m = part[i].event;

		do {
			uint32_t *more = mem_grow(*members, n, cap, sizeof *more);

			if (!more)
				return false;
			*members = more;
			(*members)[n++] = m;
			m = w->match[m];
		} while (m != part[i].event);
	}
	SORT(*members, n, order_u32);
	for (uint32_t i = 0; i < n; i++)
		w->match[(*members)[i]] = (*members)[(i + 1) % n];
	return true;
}

static enum err_code gather_instances(struct trace *w, const struct trace *t, const uint64_t *base, struct err *e)
{
	const struct team *team = trace_team(t);
	uint32_t mine = t->remote->instance_count, *members = NULL;
	struct gathered_part *parts = mem_alloc(mine, sizeof *parts), *all = NULL;
	uint64_t total = mine;
	size_t cap = 0;
	enum err_code code = team_agree(team, parts ? ERR_OK : err_memory(e, "patterns"), e);

	for (uint32_t i = 0; !code && i < mine; i++)
		parts[i] = (struct gathered_part){t->remote->instance[i].owner, t->remote->instance[i].number,
						  (uint32_t)(base[team->rank] + t->remote->instance[i].event)};
	if (!code)
		code = team_reduce(team, &total, 1, TEAM_SUM, e);
	if (!code && w)
		all = mem_alloc(total, sizeof *all);
	if (!code)
		code = team_agree(team, w && !all ? err_memory(e, "patterns") : ERR_OK, e);
	if (!code)
		code = gather_column(team, parts, mine * sizeof *parts, all, total * sizeof *all, e);
	if (!code && w) {
		SORT(all, total, order_parts);
		for (uint64_t i = 0, end; !code && i < total; i = end) {
			for (end = i; end < total && all[end].owner == all[i].owner && all[end].number == all[i].number; end++)
				;
			if (!join_member_lists(w, all + i, (uint32_t)(end - i), &members, &cap))
				code = err_memory(e, "patterns");
		}
	}
	mem_free(parts);
	mem_free(all);
	mem_free(members);
	return team_agree(team, code, e);
}

/* Operations are numbered by each rank for itself: their names, rank by rank, and what they are in the whole. */
static enum err_code gather_operations(struct trace *w, const struct trace *t, const uint64_t *base, struct err *e)
{
	const struct team *team = trace_team(t);
	struct team_pack pack = {0};
	struct team_bytes *from = mem_zero(team->size, sizeof *from);
	enum err_code code;

	for (uint32_t i = 0; i < t->coll_count; i++)
		team_put(&pack, t->colls[i].op, strlen(t->colls[i].op) + 1);
	code = team_agree(team, pack.failed || !from ? err_memory(e, "patterns") : ERR_OK, e);
	if (!code)
		code = team_gather(team, pack.bytes, pack.n, from, e);
	for (uint32_t r = 0; !code && w && r < team->size; r++) {
		const char *name = from[r].bytes, *end = name + from[r].n;
		uint32_t first = w->coll_count, n = 0;
		struct coll_type *more;

		for (const char *p = name; p < end; p += strlen(p) + 1)
			n++;
		more = mem_resize(w->colls, (size_t)first + n, sizeof *more);
		if (!more) {
			code = err_memory(e, "patterns");
			break;
		}
		w->colls = more;
		for (; !code && name < end; name += strlen(name) + 1) {
			w->colls[w->coll_count] = (struct coll_type){.op = arena_strndup(&w->arena, name, strlen(name))};
			code = w->colls[w->coll_count++].op ? ERR_OK : err_memory(e, "patterns");
		}
		for (uint64_t i = base[r]; i < base[r + 1]; i++)
			if (EVENT_KIND(w->type[i]) == EVENT_COLLECTIVE)
				w->type[i] += first;
	}
	if (from)
		team_bytes_free(from, team->size);
	mem_free(from);
	mem_free(pack.bytes);
	return team_agree(team, code, e);
}

/* The trace at rank 0, with room for all events; on other ranks NULL. */
static enum err_code whole_new(struct trace **w, const struct trace *t, struct err *e)
{
	const struct team *team = trace_team(t);
	uint32_t *events = mem_zero(t->process_count, sizeof *events);
	enum err_code code = team_agree(team, events ? ERR_OK : err_memory(e, "patterns"), e);

	*w = NULL;
	for (uint32_t p = 0; !code && p < t->process_count; p++)
		events[p] = t->first[p + 1] - t->first[p];
	if (!code)
		code = team_reduce_u32(team, events, t->process_count, TEAM_SUM, e);
	if (!code && !team->rank)
		code = trace_new(w, t->process_count, events, e);
	if (!code && *w)
		code = trace_copy_large_sizes(*w, t, e);
	mem_free(events);
	return team_agree(team, code, e);
}

enum err_code gathered_trace(struct trace **whole, uint32_t **tick, const struct trace *t, const uint32_t *ticks, struct err *e)
{
	const struct team *team = trace_team(t);
	uint64_t *base = mem_alloc((size_t)team->size + 2, sizeof *base), possible = 0;
	uint32_t *match = NULL;
	struct trace *w = NULL;
	size_t n = t->event_count, all = 0;
	enum err_code code = team_agree(team, base ? ERR_OK : err_memory(e, "patterns"), e);

	*whole = NULL;
	*tick = NULL;
	if (!code)
		code = event_bases(base, t, e);
	if (!code && !team->rank)
		possible = base[team->size] < PATTERNS_EVENTS_MOST && (!mem_of_machine() || base[team->size] * BYTES_AN_EVENT < mem_of_machine() / 2);
	if (!code)
		code = team_broadcast(team, &possible, sizeof possible, e);
	if (code || !possible) {
		mem_free(base);
		return code;
	}
	code = whole_new(&w, t, e);
	if (!code) {
		match = whole_matches(t, base);
		if (w) {
			all = w->event_count;
			*tick = mem_alloc(all, sizeof **tick);
		}
		code = team_agree(team, !match || (w && !*tick) ? err_memory(e, "patterns") : ERR_OK, e);
	}
	if (!code)
		code = gather_column(team, t->type, n * sizeof *t->type, w ? w->type : NULL, all * sizeof *w->type, e);
	if (!code)
		code = gather_column(team, t->size_code, n * sizeof *t->size_code, w ? w->size_code : NULL, all * sizeof *w->size_code, e);
	if (!code)
		code = gather_column(team, t->compute, n * sizeof *t->compute, w ? w->compute : NULL, all * sizeof *w->compute, e);
	if (!code)
		code = gather_column(team, match, n * sizeof *match, w ? w->match : NULL, all * sizeof *w->match, e);
	if (!code)
		code = gather_column(team, ticks, n * sizeof *ticks, *tick, all * sizeof **tick, e);
	if (!code)
		code = gather_instances(w, t, base, e);
	if (!code)
		code = gather_operations(w, t, base, e);
	mem_free(match);
	mem_free(base);
	if (code) {
		trace_free(w);
		mem_free(*tick);
		*tick = NULL;
		return code;
	}
	*whole = w;
	return ERR_OK;
}
