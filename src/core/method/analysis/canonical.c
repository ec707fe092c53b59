#include "analysis.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/order.h"
#include "core/trace/remote.h"

static uint64_t hash_of(const struct canonical_collective *x)
{
	uint64_t h = hash_text(hash_mix(0, x->nth), x->op);

	for (uint32_t i = 0; i < x->member_count; i++)
		h = hash_mix(h, x->members[i]);
	return h;
}

static uint64_t hash_record(const void *records, uint32_t i)
{
	return hash_of((const struct canonical_collective *)records + i);
}

static bool same_members(const uint32_t *a, uint32_t na, const uint32_t *b, uint32_t nb)
{
	return na == nb && (!na || memcmp(a, b, na * sizeof *a) == 0);
}

static bool same_record(const void *records, uint32_t i, const void *key)
{
	const struct canonical_collective *x = (const struct canonical_collective *)records + i, *y = key;

	return x->nth == y->nth && strcmp(x->op, y->op) == 0 &&
	       same_members(x->members, x->member_count, y->members, y->member_count);
}

static bool canonical_keep_collective(struct canonical *c, struct canonical_collective *x)
{
	uint32_t *members = arena_alloc(&c->arena, x->member_count * sizeof *members);

	x->op = arena_strndup(&c->arena, x->op, strlen(x->op));
	if (!members || !x->op)
		return false;
	if (x->member_count)
		memcpy(members, x->members, x->member_count * sizeof *members);
	x->members = members;
	return true;
}

enum err_code canonical_add(struct canonical *c, const char *op, const uint32_t *members, uint32_t member_count, uint32_t nth,
			    uint32_t *at, struct err *e)
{
	struct canonical_collective x = {op, members, member_count, nth}, *list;
	uint32_t *slot = index_slot(&c->index, hash_of(&x), c->list, c->count, same_record, hash_record, &x);

	if (slot && *slot) {
		*at = *slot - 1;
		return ERR_OK;
	}
	list = slot ? mem_grow(c->list, c->count, &c->cap, sizeof *list) : NULL;
	if (list)
		c->list = list;
	if (!list || !canonical_keep_collective(c, &x))
		return err_memory(e, "the types of collectives");
	*at = c->count;
	list[c->count++] = x;
	*slot = c->count;
	return ERR_OK;
}

/* A communicator with its members in ascending order. */
struct canonical_group {
	uint32_t comm;
	int32_t number;
	const uint32_t *members;
	uint32_t count, nth;
};

static int by_members(const struct canonical_group *x, const struct canonical_group *y)
{
	if (x->count != y->count)
		return x->count < y->count ? -1 : 1;
	for (uint32_t i = 0; i < x->count; i++)
		if (x->members[i] != y->members[i])
			return x->members[i] < y->members[i] ? -1 : 1;
	return 0;
}

static int in_order(const void *a, const void *b)
{
	const struct canonical_group *x = a, *y = b;
	int c = by_members(x, y);

	if (c)
		return c;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->comm < y->comm ? -1 : x->comm > y->comm;
}

/* Which types of collectives have an event, and so which communicators. */
static enum err_code mark_used(const struct trace *t, uint32_t *type_used, uint8_t *comm_used, struct err *e)
{
	enum err_code code;

	for (uint32_t i = 0; i < t->event_count; i++)
		if (EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE)
			type_used[EVENT_INDEX(t->type[i])] = 1;
	code = team_reduce_u32(trace_team(t), type_used, t->coll_count, TEAM_OR, e);
	for (uint32_t i = 0; i < t->coll_count; i++)
		if (type_used[i] && t->colls[i].comm < t->comm_count)
			comm_used[t->colls[i].comm] = 1;
	return code;
}

/* group[comm] for every communicator that is used, with its k. */
static bool canonical_number_comms(const struct trace *t, const uint8_t *used, struct canonical_group *group, struct arena *arena)
{
	struct canonical_group *list = mem_alloc(t->comm_count, sizeof *list);
	uint32_t n = 0;

	for (uint32_t i = 0; list && i < t->comm_count; i++) {
		uint32_t count = t->comms[i].size, *members = used[i] ? arena_alloc(arena, count * sizeof *members) : NULL;

		if (!used[i])
			continue;
		if (!members) {
			mem_free(list);
			return false;
		}
		if (count) {
			memcpy(members, t->comm_members + t->comms[i].members, count * sizeof *members);
			SORT(members, count, order_u32);
		}
		list[n++] = (struct canonical_group){i, t->comms[i].number, members, count, 1};
	}
	if (!list)
		return false;
	SORT(list, n, in_order);
	for (uint32_t i = 0; i < n; i++) {
		if (i && !by_members(&list[i - 1], &list[i]))
			list[i].nth = list[i - 1].nth + 1;
		group[list[i].comm] = list[i];
	}
	mem_free(list);
	return true;
}

static enum err_code add_types(struct canonical *c, const struct trace *t, const uint32_t *used, const struct canonical_group *group,
			       struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < t->coll_count; i++) {
		static const struct canonical_group none = {.nth = 1};
		const struct canonical_group *g = t->colls[i].comm < t->comm_count ? &group[t->colls[i].comm] : &none;

		c->of_coll[i] = UINT32_MAX;
		if (used[i])
			code = canonical_add(c, t->colls[i].op, g->members, g->count, g->nth, &c->of_coll[i], e);
	}
	return code;
}

enum err_code canonical_init(struct canonical *c, const struct trace *t, struct err *e)
{
	uint32_t *type_used = mem_zero(t->coll_count, sizeof *type_used);
	uint8_t *comm_used = mem_zero(t->comm_count, 1);
	struct canonical_group *group = mem_zero(t->comm_count, sizeof *group);
	struct arena arena;
	enum err_code code = ERR_OK;

	*c = (struct canonical){0};
	arena_init(&arena);
	c->of_coll = mem_alloc(t->coll_count, sizeof *c->of_coll);
	if (!type_used || !comm_used || !group || !c->of_coll)
		code = err_memory(e, "the types of collectives");
	code = team_agree(trace_team(t), code, e);
	if (!code)
		code = mark_used(t, type_used, comm_used, e);
	if (!code) {
		code = canonical_number_comms(t, comm_used, group, &arena) ? add_types(c, t, type_used, group, e)
								 : err_memory(e, "the types of collectives");
		code = team_agree(trace_team(t), code, e);
	}
	arena_release(&arena);
	mem_free(type_used);
	mem_free(comm_used);
	mem_free(group);
	if (code)
		canonical_release(c);
	return code;
}

void canonical_release(struct canonical *c)
{
	arena_release(&c->arena);
	index_release(&c->index);
	mem_free(c->list);
	mem_free(c->of_coll);
	*c = (struct canonical){0};
}

void canonical_joint(const struct canonical *a, const struct canonical *b, uint32_t *of_b)
{
	uint32_t more = a->count;

	for (uint32_t i = 0; i < b->count; i++) {
		uint32_t found = index_find(&a->index, hash_of(&b->list[i]), a->list, same_record, &b->list[i]);

		of_b[i] = found ? found - 1 : more++;
	}
}

/* Neighbours among the members as a range. */
static void show_collective(const struct canonical_collective *x, struct out *out)
{
	out_printf(out, "%s (rank%s ", x->op, x->member_count == 1 ? "" : "s");
	for (uint32_t from = 0, to; from < x->member_count; from = to + 1) {
		for (to = from; to + 1 < x->member_count && x->members[to + 1] == x->members[to] + 1;)
			to++;
		out_printf(out, to > from ? "%s%u-%u" : "%s%u", from ? "," : "", x->members[from], x->members[to]);
	}
	if (x->nth > 1)
		out_printf(out, ", communicator %u", x->nth);
	out_str(out, ")");
}

void canonical_print(const struct canonical *c, event_type canonical, enum type_style style, struct out *out)
{
	uint32_t i = EVENT_INDEX(canonical);
	const struct canonical_collective *x;

	if (EVENT_KIND(canonical) != EVENT_COLLECTIVE) {
		bool send = EVENT_KIND(canonical) == EVENT_SEND;

		out_str(out, style == TYPES_SHOWN ? send ? ">" : "<" : send ? "+" : "-");
		if (i)
			out_printf(out, "%u", i - (style == TYPES_SHOWN));
		else
			out_str(out, "?");
		return;
	}
	x = &c->list[i];
	if (style == TYPES_SHOWN) {
		show_collective(x, out);
		return;
	}
	out_printf(out, "C%s ", x->op);
	for (uint32_t k = 0; k < x->member_count; k++)
		out_printf(out, "%s%u", k ? "," : "", x->members[k]);
	out_printf(out, " %u", x->nth);
}
