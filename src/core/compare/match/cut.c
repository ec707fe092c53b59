#include "match_int.h"

#include <stdlib.h>

#include "core/base/order.h"
#include "core/base/search.h"
#include "core/team/team_pack.h"
#include "core/trace/trace.h"

#define NOT_SEEN UINT32_MAX

/* What an event is related to. */
enum link_kind {
	LINK_NONE,
	LINK_EVENT,  /* of a message: the other end, as its rank numbers it */
	LINK_LOCAL,  /* of a collective whose members are all of one rank: that, and its lowest event */
	LINK_SPANS   /* of another: its owner and number there */
};

struct cut_event {
	double time, compute;
	event_type type;
	uint32_t size_code;
	int32_t tag;
	uint32_t rank, number;       /* by kind of link */
	uint32_t kind : 2;           /* enum link_kind */
	uint32_t outside : 1;        /* of a collective: members here lie outside */
	uint32_t ranks : 29;         /* of a collective, told by its owner: how many have members */
};

struct cut_process {
	uint32_t from, count;        /* its events of the occurrence, as its rank numbers them */
	uint32_t more;               /* 1: an event follows */
};

/* ---- a rank's own ---- */

struct cut_packing {
	const struct trace *t;
	const uint32_t *from, *to;
	uint32_t begin, end;         /* local processes */
	size_t *base;                /* per own process: its events in `lowest` */
	uint32_t *lowest;            /* per event: the lowest of the collective's here; NOT_SEEN */
	uint8_t *outside;            /* per event: of a collective some member here lies outside */
	struct team_pack pack;
};

static bool is_inside(const struct cut_packing *g, uint32_t event, size_t *at)
{
	uint32_t p = trace_process_of(g->t, event);

	*at = g->base[p - g->begin] + event - g->from[p];
	return event >= g->from[p] && event < g->to[p];
}

/* All of its members here that lie in the occurrence. */
static void look_at_ring(struct cut_packing *g, uint32_t event)
{
	uint32_t lowest = event, ev = event;
	bool outside = false;
	size_t at;

	do {
		lowest = ev < lowest ? ev : lowest;
		outside = outside || !is_inside(g, ev, &at);
		ev = g->t->match[ev];
	} while (ev != event);
	do {
		if (is_inside(g, ev, &at)) {
			g->lowest[at] = lowest;
			g->outside[at] = outside;
		}
		ev = g->t->match[ev];
	} while (ev != event);
}

static void link_collective(struct cut_packing *g, uint32_t event, struct cut_event *x)
{
	const struct trace *t = g->t;
	const struct remote_instance *remote;
	size_t at;

	is_inside(g, event, &at);
	if (g->lowest[at] == NOT_SEEN)
		look_at_ring(g, event);
	remote = remote_instance(t, g->lowest[at]);
	x->outside = g->outside[at];
	x->kind = remote ? LINK_SPANS : LINK_LOCAL;
	x->rank = remote ? remote->owner : t->remote->team->rank;
	x->number = remote ? remote->number : g->lowest[at];
	x->ranks = remote && remote->owner == t->remote->team->rank ? t->remote->owned_ranks[remote->number] & 0x1fffffff : 0;
}

static void put_event(struct cut_packing *g, uint32_t event, bool inside)
{
	const struct trace *t = g->t;
	struct cut_event x;

	memset(&x, 0, sizeof x);
	x.time = t->time[event];
	x.compute = t->compute[event];
	x.type = t->type[event];
	x.size_code = t->size_code[event];
	x.tag = trace_tag(t, event);
	if (inside && t->match[event] != NO_EVENT) {
		bool remote = is_remote(t->match[event]);

		x.kind = LINK_EVENT;
		x.rank = remote ? remote_message(t, t->match[event])->rank : t->remote->team->rank;
		x.number = remote ? remote_message(t, t->match[event])->other : t->match[event];
		if (EVENT_KIND(x.type) == EVENT_COLLECTIVE)
			link_collective(g, event, &x);
	}
	team_put(&g->pack, &x, sizeof x);
}

static void put_process(struct cut_packing *g, uint32_t p)
{
	const struct cut_process head = {g->from[p], g->to[p] - g->from[p], g->to[p] > g->from[p] && g->to[p] < g->t->first[p + 1]};

	team_put(&g->pack, &head, sizeof head);
	for (uint32_t ev = g->from[p]; ev < g->to[p]; ev++)
		put_event(g, ev, true);
	if (head.more)
		put_event(g, g->to[p], false);
}

static bool cut_pack_local(struct cut_packing *g)
{
	size_t events = 0;

	g->base = mem_alloc(g->end - g->begin, sizeof *g->base);
	for (uint32_t p = g->begin; g->base && p < g->end; p++) {
		g->base[p - g->begin] = events;
		events += g->to[p] - g->from[p];
	}
	g->lowest = mem_alloc(events, sizeof *g->lowest);
	g->outside = mem_zero(events, sizeof *g->outside);
	if (!g->base || !g->lowest || !g->outside)
		return false;
	for (size_t i = 0; i < events; i++)
		g->lowest[i] = NOT_SEEN;
	for (uint32_t p = g->begin; p < g->end; p++)
		put_process(g, p);
	return !g->pack.failed;
}

/* ---- put together ---- */

struct cut_member {
	uint32_t kind, owner, number; /* the collective */
	uint32_t event;               /* here */
	uint32_t rank;                /* that told of it */
	uint32_t ranks;
	bool outside;
};

struct putting {
	const struct trace *from;
	struct trace *t;
	struct cut_process *processes;
	uint32_t *begin;             /* per process: its first event here of the occurrence */
	struct cut_member *members;
	size_t member_count, broken; /* collectives that lie partly outside */
};

ORDER_BY(by_collective, struct cut_member, UP(kind) UP(owner) UP(number) UP(event))

/* Up to which of the members it is one collective, and is all of it here? */
static size_t collective(const struct putting *m, size_t at, bool *whole)
{
	const struct cut_member *first = &m->members[at];
	uint32_t ranks = 0, wanted = first->kind == LINK_LOCAL;
	bool outside = false;
	size_t end = at;

	for (; end < m->member_count && m->members[end].kind == first->kind && m->members[end].owner == first->owner &&
	       m->members[end].number == first->number; end++) {
		const struct cut_member *x = &m->members[end];

		outside = outside || x->outside;
		ranks += end == at || x->rank != x[-1].rank;
		wanted = x->ranks ? x->ranks : wanted;
	}
	*whole = !outside && ranks == wanted;
	return end;
}

/* Heads of all processes, and all members of collectives: what must be known before there can be a trace. */
static bool cut_read_all(struct putting *m, const struct team_bytes *from)
{
	const struct trace_remote *remote = m->from->remote;
	size_t events = 0;

	m->processes = mem_zero(m->from->process_count, sizeof *m->processes);
	m->begin = mem_zero(m->from->process_count, sizeof *m->begin);
	for (uint32_t r = 0; r < remote->team->size; r++)
		events += from[r].n / sizeof(struct cut_event);
	m->members = mem_alloc(events, sizeof *m->members);
	if (!m->processes || !m->begin || !m->members)
		return false;
	for (uint32_t r = 0, number = 0; r < remote->team->size; r++) {
		struct team_take take = {from[r].bytes, from[r].n};

		for (uint32_t p = remote->owner_first[r]; p < remote->owner_first[r + 1]; p++) {
			struct cut_process *head = &m->processes[p];
			struct cut_event x;

			team_take(&take, head, sizeof *head);
			for (uint32_t i = 0; i < head->count + head->more; i++, number++)
				if (team_take(&take, &x, sizeof x) && x.kind >= LINK_LOCAL)
					m->members[m->member_count++] =
						(struct cut_member){x.kind, x.rank, x.number, number, r, x.ranks, x.outside};
		}
	}
	SORT(m->members, m->member_count, by_collective);
	for (size_t i = 0; i < m->member_count;) {
		bool whole;

		i = collective(m, i, &whole);
		m->broken += !whole;
	}
	return true;
}

static enum err_code make_trace(struct putting *m, struct err *e)
{
	uint32_t processes = m->from->process_count, *counts = mem_alloc(processes, sizeof *counts);
	uint64_t all = m->broken + 1;
	enum err_code code = counts ? ERR_OK : err_memory(e, "the events of a phase");

	for (uint32_t p = 0; !code && p < processes; p++) {
		counts[p] = m->processes[p].count + m->processes[p].more;
		all += counts[p];
	}
	if (!code && all >= NO_EVENT)
		code = err_set(e, ERR_LIMIT, "the phase has more than %u events", NO_EVENT - 1);
	if (!code && processes)
		counts[0] += (uint32_t)m->broken + 1;
	if (!code)
		code = trace_new(&m->t, processes, counts, e);
	mem_free(counts);
	if (code)
		return code;
	m->t->colls = mem_alloc(m->from->coll_count, sizeof *m->t->colls);
	if (!m->t->colls)
		return err_memory(e, "the events of a phase");
	code = trace_copy_large_sizes(m->t, m->from, e);
	if (code)
		return code;
	if (m->from->coll_count)
		memcpy(m->t->colls, m->from->colls, m->from->coll_count * sizeof *m->t->colls);
	m->t->coll_count = m->from->coll_count;
	for (uint32_t p = 0; p < processes; p++) {
		m->t->processes[p].work_end = m->from->processes[p].work_end;
		m->begin[p] = m->t->first[p] + (p ? 0 : (uint32_t)m->broken + 1);
	}
	return ERR_OK;
}

/* What a rank calls its event, here; event 0 is outside. */
static uint32_t event_here(const struct putting *m, uint32_t rank, uint32_t event)
{
	uint32_t first = m->from->remote->owner_first[rank], end = m->from->remote->owner_first[rank + 1];
	uint32_t low = SEARCH_LAST(i, first, end, m->processes[i].from <= event);

	if (first == end || event < m->processes[low].from || event - m->processes[low].from >= m->processes[low].count)
		return 0;
	return m->begin[low] + event - m->processes[low].from;
}

static void fill_process(const struct putting *m, uint32_t p, struct team_take *take)
{
	struct trace *t = m->t;
	struct cut_process head;

	team_take(take, &head, sizeof head);
	for (uint32_t ev = m->begin[p]; ev < m->begin[p] + head.count + head.more; ev++) {
		struct cut_event x = {0};

		team_take(take, &x, sizeof x);
		t->time[ev] = x.time;
		t->compute[ev] = x.compute;
		t->type[ev] = x.type;
		t->size_code[ev] = x.size_code;
		t->tag[ev] = x.tag;
		t->match[ev] = x.kind == LINK_EVENT ? event_here(m, x.rank, x.number) : NO_EVENT;
	}
}

/* Rings go from process to process; one that is not whole has an event outside. */
static void close_rings(const struct putting *m)
{
	uint32_t *match = m->t->match, shift = (uint32_t)m->broken + 1, outside = 1;

	for (size_t i = 0, end; i < m->member_count; i = end) {
		uint32_t first = m->members[i].event + shift;
		bool whole;

		end = collective(m, i, &whole);
		for (size_t k = i; k + 1 < end; k++)
			match[m->members[k].event + shift] = m->members[k + 1].event + shift;
		match[m->members[end - 1].event + shift] = whole ? first : outside;
		if (!whole)
			match[outside++] = first;
	}
}

static enum err_code put_together(struct putting *m, const struct team_bytes *from, uint32_t *first, uint32_t *end, struct err *e)
{
	const struct trace_remote *remote = m->from->remote;
	enum err_code code = cut_read_all(m, from) ? make_trace(m, e) : err_memory(e, "the events of a phase");

	if (code)
		return code;
	for (uint32_t r = 0; r < remote->team->size; r++) {
		struct team_take take = {from[r].bytes, from[r].n};

		for (uint32_t p = remote->owner_first[r]; p < remote->owner_first[r + 1]; p++)
			fill_process(m, p, &take);
	}
	for (uint32_t i = 0; m->from->process_count && i <= m->broken; i++)
		m->t->match[i] = NO_EVENT;
	close_rings(m);
	for (uint32_t p = 0; p < m->from->process_count; p++) {
		first[p] = m->begin[p];
		end[p] = first[p] + m->processes[p].count;
	}
	return trace_index(m->t, e);
}

enum err_code phase_cut(struct trace **out, const struct trace *t, uint32_t *from, uint32_t *to, struct err *e)
{
	const struct team *team = trace_team(t);
	struct cut_packing g = {.t = t, .from = from, .to = to};
	struct putting m = {.from = t};
	struct team_bytes *all = mem_zero(team_size(team), sizeof *all);
	enum err_code code;

	*out = NULL;
	trace_local(t, &g.begin, &g.end);
	code = cut_pack_local(&g) && all ? ERR_OK : err_memory(e, "the events of a phase");
	code = code ? team_agree(team, code, e) : team_gather(team, g.pack.bytes, g.pack.n, all, e);
	mem_free(g.base);
	mem_free(g.lowest);
	mem_free(g.outside);
	mem_free(g.pack.bytes);
	if (!code)
		code = team_agree(team, team_rank(team) ? ERR_OK : put_together(&m, all, from, to, e), e);
	if (all)
		team_bytes_free(all, team_size(team));
	mem_free(all);
	mem_free(m.processes);
	mem_free(m.begin);
	mem_free(m.members);
	if (code)
		trace_free(m.t);
	else
		*out = m.t;
	return code;
}
