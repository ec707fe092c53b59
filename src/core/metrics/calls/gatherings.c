#include "gatherings.h"

#include <stdlib.h>

#include "core/base/order.h"
#include "core/base/search.h"
#include "core/team/team_pack.h"

static int numbers_compare(uint64_t x, uint64_t y)
{
	return x < y ? -1 : x > y;
}

static int by_gathering(const struct gathered *x, const struct gathered *y)
{
	return x->comm != y->comm ? numbers_compare(x->comm, y->comm) : numbers_compare(x->number, y->number);
}

ORDER_BY(by_start, struct gathered, UP(comm) UP(number) UP(member.start) UP(member.at.rank) UP(member.at.call))

/* A place in the order by process, for sorting. */
struct placed {
	const struct gathered *member;
	uint32_t place;
};

ORDER_BY(by_process, struct placed, UP(member->comm) UP(member->number) UP(member->process) UP(place))

static uint32_t gathered_process_of(const struct call_log *log, uint32_t call)
{
	return log->lists[call_log_list_of(log, call)].process;
}

static bool pack_local(struct team_pack *pack, const struct call_log *log)
{
	for (uint32_t i = 0; i < log->gathered_count; i++) {
		const struct gathered_call *c = &log->gathered[i];
		struct gathered member = {.comm = c->comm, .number = c->number, .process = gathered_process_of(log, c->call),
					  .member = {log->calls[c->call].start, {team_rank(trace_team(log->trace)), c->call}}};

		team_put(pack, &member, sizeof member);
	}
	return !pack->failed;
}

static enum err_code gatherings_sort(struct gatherings *g, struct err *e)
{
	struct placed *placed = mem_alloc(g->count, sizeof *placed);

	if (!placed)
		return err_memory(e, "the members of gatherings");
	SORT(g->members, g->count, by_start);
	for (uint32_t i = 0; i < g->count; i++)
		placed[i] = (struct placed){&g->members[i], i};
	SORT(placed, g->count, by_process);
	for (uint32_t i = 0; i < g->count; i++)
		g->by_process[i] = placed[i].place;
	mem_free(placed);
	return ERR_OK;
}

/* From all ranks. `all` is what came, in one array a rank. */
static enum err_code gatherings_join(struct gatherings **out, const struct team_bytes *all, uint32_t ranks, struct err *e)
{
	struct gatherings *g;
	size_t count = 0;

	for (uint32_t r = 0; r < ranks; r++)
		count += all[r].n / sizeof *g->members;
	if (!count)
		return ERR_OK;
	if (count >= UINT32_MAX)
		return err_set(e, ERR_LIMIT, "the trace has more than %u collective calls", UINT32_MAX - 1);
	*out = g = mem_zero(1, sizeof *g);
	if (g) {
		g->members = mem_alloc(count, sizeof *g->members);
		g->by_process = mem_alloc(count, sizeof *g->by_process);
	}
	if (!g || !g->members || !g->by_process)
		return err_memory(e, "the members of gatherings");
	for (uint32_t r = 0; r < ranks; r++) {
		struct team_take take = {all[r].bytes, all[r].n};

		while (team_take(&take, &g->members[g->count], sizeof *g->members))
			g->count++;
	}
	return gatherings_sort(g, e);
}

/* All ranks' members at every rank. */
static enum err_code gatherings_exchange(struct gatherings **out, const struct call_log *log, const struct team *team, struct err *e)
{
	uint32_t ranks = team_size(team);
	struct team_bytes *all = mem_zero(ranks, sizeof *all);
	struct team_pack pack = {0};
	enum err_code code = pack_local(&pack, log) && all ? ERR_OK : err_memory(e, "the members of gatherings");

	code = code ? team_agree(team, code, e) : team_gather_all(team, pack.bytes, pack.n, all, e);
	mem_free(pack.bytes);
	if (!code)
		code = team_agree(team, gatherings_join(out, all, ranks, e), e);
	if (all)
		team_bytes_free(all, ranks);
	mem_free(all);
	return code;
}

/* ---- asking ---- */

/* From whom a process receives on a communicator: those from *first on. */
static uint32_t neighbours_of(const struct call_log *log, uint32_t process, uint32_t comm, const struct neighbour **first)
{
	const struct neighbour *list = log->neighbours;
	uint32_t n = 0, low = SEARCH_PAST(i, 0, log->neighbour_count,
		list[i].process < process || (list[i].process == process && list[i].comm < comm));

	*first = log->neighbours + low;
	while (low + n < log->neighbour_count && (*first)[n].process == process && (*first)[n].comm == comm)
		n++;
	return n;
}

/* Which of the log's own it is; NULL: none. */
static const struct gathered_call *gathered_find_local(const struct call_log *log, uint32_t call)
{
	uint32_t low = SEARCH_PAST(i, 0, log->gathered_count, log->gathered[i].call < call);

	return low < log->gathered_count && log->gathered[low].call == call ? &log->gathered[low] : NULL;
}

static bool gathered_is_before(const struct gathered *member, const struct gathered *key, bool if_of_it)
{
	int order = by_gathering(member, key);

	return order < 0 || (!order && if_of_it);
}

/* How many members are before a time in a gathering's order, or (`and_at`) at it too. */
static uint32_t members_before(const struct gatherings *g, const struct gathered *key, double time, bool and_at)
{
	const struct gathered *list = g->members;

	return SEARCH_PAST(i, 0, g->count, gathered_is_before(&list[i], key, list[i].member.start < time || (and_at && list[i].member.start == time)));
}

/* The last member of a gathering that came by then, of several at the same time the lowest. */
static const struct remote_member *last_of_all(const struct gatherings *g, const struct gathered_call *local, double until)
{
	struct gathered key = {.comm = local->comm, .number = local->number};
	uint32_t n = members_before(g, &key, until, true);

	if (!n || by_gathering(&g->members[n - 1], &key))
		return NULL;
	return &g->members[members_before(g, &key, g->members[n - 1].member.start, false)].member;
}

/* The member that a process is; NULL: it is none. */
static const struct remote_member *member_of(const struct gatherings *g, const struct gathered_call *local, uint32_t process)
{
	struct gathered key = {.comm = local->comm, .number = local->number};
	uint32_t low = SEARCH_PAST(i, 0, g->count, gathered_is_before(&g->members[g->by_process[i]], &key, g->members[g->by_process[i]].process < process));

	if (low < g->count) {
		const struct gathered *at = &g->members[g->by_process[low]];

		return !by_gathering(at, &key) && at->process == process ? &at->member : NULL;
	}
	return NULL;
}

static const struct remote_member *last_neighbour(const struct call_log *log, const struct gathered_call *local)
{
	const struct remote_member *last = NULL;
	const struct neighbour *from;
	uint32_t n = neighbours_of(log, gathered_process_of(log, local->call), local->comm, &from);

	for (uint32_t i = 0; i < n; i++) {
		const struct remote_member *member = from[i].from == NO_PROCESS ? NULL : member_of(log->gatherings, local, from[i].from);

		if (!member || member->start > log->calls[local->call].end)
			continue;
		if (!last || member->start > last->start || (member->start == last->start && call_at_is_before(member->at, last->at)))
			last = member;
	}
	return last;
}

const struct remote_member *gatherings_last(const struct call_log *log, uint32_t call)
{
	const struct gathered_call *local = log->flags[call] & CALL_GATHERS ? gathered_find_local(log, call) : NULL;

	if (!local)
		return NULL;
	if (log->nodes[log->calls[call].node].traits & MPI_FOR_NEIGHBOURS)
		return last_neighbour(log, local);
	return last_of_all(log->gatherings, local, log->calls[call].end);
}

/* ---- all of it ---- */

/* Who waits, and is told for whom: of a neighbourhood, who the neighbours are. */
static void gathered_mark(struct call_log *log)
{
	for (uint32_t i = 0; i < log->gathered_count; i++) {
		const struct gathered_call *local = &log->gathered[i];
		const struct neighbour *from;

		if (!(log->nodes[log->calls[local->call].node].traits & MPI_FOR_NEIGHBOURS) ||
		    neighbours_of(log, gathered_process_of(log, local->call), local->comm, &from))
			log->flags[local->call] |= CALL_GATHERS;
	}
}

enum err_code gatherings_new(struct call_log *log, struct err *e)
{
	enum err_code code = gatherings_exchange(&log->gatherings, log, trace_team(log->trace), e);

	if (!code)
		gathered_mark(log);
	return code;
}

void gatherings_free(struct gatherings *g)
{
	if (!g)
		return;
	mem_free(g->members);
	mem_free(g->by_process);
	mem_free(g);
}
