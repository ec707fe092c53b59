#include "diff_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/trace/remote.h"

struct comm_number {
	int32_t number;
	uint32_t comm;
};

ORDER_BY(by_number, struct comm_number, UP(number) UP(comm))

/* ---- communicators of messages ---- */

/* used[comm]: messages are sent on it, by whomever. */
static enum err_code mark_used(const struct trace *source, const struct trace *t, uint32_t *used, struct err *e)
{
	for (uint32_t i = 0; i < t->event_count; i++)
		if (EVENT_KIND(t->type[i]) != EVENT_COLLECTIVE && trace_comm(t, i) < source->comm_count)
			used[trace_comm(t, i)] = 1;
	return team_reduce_u32(trace_team(source), used, source->comm_count, TEAM_OR, e);
}

/* The communicators that are used, in the order of their numbers. */
static uint32_t in_order(const struct trace *source, const uint32_t *used, struct comm_number *list)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < source->comm_count; i++)
		if (used[i])
			list[count++] = (struct comm_number){source->comms[i].number, i};
	SORT(list, count, by_number);
	return count;
}

/* The members alone are a record whose k is 0: it counts how many communicators have them. */
static enum err_code add_comm(struct diff_run *r, struct canonical *groups, uint32_t *have, uint32_t comm, struct err *e)
{
	const struct trace *t = r->analysis->source;
	uint32_t n = t->comms[comm].size, group, *members = mem_alloc(n, sizeof *members);
	enum err_code code = members ? ERR_OK : err_memory(e, "the communicators");

	if (!code) {
		if (n)
			memcpy(members, t->comm_members + t->comms[comm].members, n * sizeof *members);
		SORT(members, n, order_u32);
		code = canonical_add(groups, "", members, n, 0, &group, e);
	}
	if (!code)
		code = canonical_add(&r->comms, "", members, n, ++have[group], &r->comm_of[comm], e);
	mem_free(members);
	return code;
}

static enum err_code add_comms(struct diff_run *r, const uint32_t *used, uint32_t *have, struct comm_number *list, struct err *e)
{
	const struct trace *source = r->analysis->source;
	struct canonical groups = {0};
	uint32_t count = in_order(source, used, list);
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; i < source->comm_count; i++)
		r->comm_of[i] = UINT32_MAX;
	for (uint32_t i = 0; !code && i < count; i++)
		code = add_comm(r, &groups, have, list[i].comm, e);
	canonical_release(&groups);
	return code;
}

/* Collective. */
static enum err_code strict_number_comms(struct diff_run *r, struct err *e)
{
	const struct trace *source = r->analysis->source;
	const struct team *team = trace_team(source);
	uint32_t *used = mem_zero(source->comm_count, sizeof *used), *have = mem_zero(source->comm_count, sizeof *have);
	struct comm_number *list = mem_alloc(source->comm_count, sizeof *list);
	enum err_code code;

	r->comm_of = mem_alloc(source->comm_count, sizeof *r->comm_of);
	code = team_agree(team, used && have && list && r->comm_of ? ERR_OK : err_memory(e, "the communicators"), e);
	if (!code)
		code = mark_used(source, r->l->trace, used, e);
	if (!code)
		code = team_agree(team, add_comms(r, used, have, list, e), e);
	mem_free(list);
	mem_free(have);
	mem_free(used);
	return code;
}

/* ---- types ---- */

uint32_t strict_types_comm(const struct diff_run *r, uint32_t event)
{
	uint32_t comm = trace_comm(r->l->trace, event);

	return comm < r->analysis->source->comm_count ? r->comm_of[comm] : UINT32_MAX;
}

static enum err_code number_types(struct run_diff *d, enum diff_side side, const uint32_t *comms, struct map *numbers, const struct progress *progress,
				  struct err *e)
{
	struct diff_run *r = &d->run[side];
	const struct trace *t = r->l->trace;
	uint32_t *key = mem_alloc(t->event_count, sizeof *key);
	enum err_code code = key ? ERR_OK : err_memory(e, "the types of messages");

	for (uint32_t i = 0; !code && i < t->event_count; i++) {
		uint64_t more = UINT64_MAX;
		uint32_t *number;

		if (EVENT_KIND(t->type[i]) != EVENT_COLLECTIVE) {
			uint32_t comm = strict_types_comm(r, i);

			more = (uint64_t)(comm == UINT32_MAX ? comm : comms ? comms[comm] : comm) << 32 | (uint32_t)trace_tag(t, i);
		}
		number = map_at(numbers, run_diff_key(d, side, i), more);
		if (!number)
			code = err_memory(e, "the types of messages");
		else if (!*number)
			*number = (uint32_t)map_count(numbers);
		if (!code)
			key[i] = *number;
		if (!code && (i & 0xffff) == 0 && progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "interrupted");
	}
	r->key = key;
	return code;
}

/* For a rank's local events; numbers mean nothing elsewhere. */
static enum err_code number_both(struct run_diff *d, const struct progress *progress, struct err *e)
{
	uint32_t *of_b = mem_alloc(d->run[DIFF_B].comms.count, sizeof *of_b);
	struct map *numbers = map_new();
	enum err_code code = of_b && numbers ? ERR_OK : err_memory(e, "the types of messages");

	if (!code) {
		canonical_joint(&d->run[DIFF_A].comms, &d->run[DIFF_B].comms, of_b);
		code = number_types(d, DIFF_A, NULL, numbers, progress, e);
	}
	if (!code)
		code = number_types(d, DIFF_B, of_b, numbers, progress, e);
	mem_free(of_b);
	map_free(numbers);
	return code;
}

enum err_code strict_types_make(struct run_diff *d, const struct progress *progress, struct err *e)
{
	enum err_code code = strict_number_comms(&d->run[DIFF_A], e);

	if (!code)
		code = strict_number_comms(&d->run[DIFF_B], e);
	return code ? code : team_agree(run_diff_team(d), number_both(d, progress, e), e);
}

void strict_types_release(struct diff_run *r)
{
	canonical_release(&r->comms);
	mem_free(r->comm_of);
	mem_free(r->key);
}

void strict_types_print(const struct diff_run *r, const struct diff_cell *cell, struct out *out)
{
	const struct canonical_collective *comm;

	if (EVENT_KIND(cell->type) == EVENT_COLLECTIVE)
		return;
	out_printf(out, " tag %d on ", (int)cell->tag);
	if (cell->comm == UINT32_MAX) {
		out_str(out, "?");
		return;
	}
	comm = &r->comms.list[cell->comm];
	for (uint32_t i = 0; i < comm->member_count; i++)
		out_printf(out, "%s%u", i ? "," : "", comm->members[i]);
	out_printf(out, " %u", comm->nth);
}
