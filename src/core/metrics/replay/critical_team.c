/* The critical path from rank to rank. One rank walks along its own lists; where a call waited for others, it sends the
 * next place of the path to all ranks. If only the latest entry of a collective and its rank are known, that rank looks
 * for its first member that entered at that time; if the rank is not known, all ranks look. */
#include <math.h>
#include <string.h>

#include "core/team/team_pack.h"
#include "replay_int.h"

enum order_what { ORDER_GO_ON, ORDER_SEEK, ORDER_END };

/* What the rank that has the path says: then, with ORDER_SEEK, so many collectives, and calls that do not count. */
struct path_order {
	double at;               /* sought: who was entered then, or later */
	uint64_t to;             /* ORDER_GO_ON: before that call; ORDER_SEEK: if nobody is lower */
	uint32_t passed;
	uint32_t what;           /* enum order_what */
	uint32_t rank, instance; /* ORDER_SEEK: who is to look, and where; ALL_RANKS: all */
	uint32_t collectives, dropped;
};

struct sought {
	uint32_t owner, number;
};

struct walking {
	struct critical_walk *w;
	const struct call_log *log;
	const struct team *team;
	struct team_bytes *to, *from; /* per rank */
	struct team_pack say;
	bool here;               /* the path is */
};
#define NOBODY UINT64_MAX
#define ALL_RANKS UINT32_MAX

static uint64_t pack_call(struct call_at at)
{
	return (uint64_t)at.rank << 32 | at.call;
}

/* --- what a call waited for --- */

struct candidates {
	struct walking *g;
	double at;
	uint64_t lowest;
	uint32_t sought;         /* collectives that others must look at */
	struct replay_latest who; /* of one of which nothing was left out */
};

static void is_candidate(struct candidates *c, struct call_at at, double entry)
{
	const struct replay *r = c->g->w->r;

	if (entry >= c->at && pack_call(at) < c->lowest && !replay_dropped(r, c->g->w->at, at))
		c->lowest = pack_call(at);
}

static bool has_dropped(const struct replay *r, uint32_t call)
{
	for (uint32_t i = 0; i < r->dropped_count; i++)
		if (r->dropped[i].call == call)
			return true;
	return false;
}

static void look_at_collective(struct candidates *c, struct call_part part, uint32_t instance)
{
	const struct replay *r = c->g->w->r;
	const struct call_log *log = c->g->log;
	const struct trace_remote *of = log->trace->remote;
	const struct remote_collective *m = &log->remote->collective[instance];
	struct replay_meets meets = replay_team_meets(log, &r->rules, false, c->g->w->at, part, instance);
	double latest = r->arrived[arrived_of_all(of, instance)];

	if (meets.root.call != NO_LOGGED_CALL) {
		if (meets.root.rank != c->g->team->rank)
			is_candidate(c, meets.root, r->arrived[arrived_of_root(of, instance)]);
	} else if (meets.count != UINT32_MAX) {
		for (uint32_t k = m->first; k < m->first + meets.count; k++)
			is_candidate(c, log->remote->members[k].at, r->came[k]);
	} else if (!(latest < c->at) || has_dropped(r, c->g->w->at)) {
		struct sought sought = {of->instance[instance].owner, of->instance[instance].number};

		team_put(&c->g->say, &sought, sizeof sought);
		c->who = r->latest[instance];
		if (c->sought++ || has_dropped(r, c->g->w->at))
			c->who.rank = ALL_RANKS;
	}
}

static uint32_t instance_of(const struct trace *t, uint32_t event)
{
	const struct remote_instance *x;
	uint32_t first = event;

	for (uint32_t m = t->match[event]; m != NO_EVENT && m != event; m = t->match[m])
		first = m < first ? m : first;
	x = remote_instance(t, first);
	return x ? (uint32_t)(x - t->remote->instance) : UINT32_MAX;
}

/* Among calls of other ranks, after those here. */
static void look_elsewhere(struct candidates *c)
{
	const struct replay *r = c->g->w->r;
	const struct call_log *log = c->g->log;
	const struct trace *t = log->trace;
	uint32_t call = c->g->w->at, instance;

	for (struct call_part part = call_log_first_part(log, call); part.event != NO_EVENT; part = call_log_next_part(log, call, part)) {
		uint32_t match = t->match[part.event];

		if (EVENT_KIND(t->type[part.event]) == EVENT_COLLECTIVE) {
			instance = instance_of(t, part.event);
			if (instance != UINT32_MAX)
				look_at_collective(c, part, instance);
		} else if (is_remote(match) && ideal_waits_remote(log, &r->rules, call, part.event)) {
			is_candidate(c, (struct call_at){remote_message(t, match)->rank, call_remote_message(log, match)->call},
				     r->arrived[arrived_of_message(match)]);
		}
	}
}

/* --- what all are told --- */

static void say_order(struct walking *g, const struct path_order *order)
{
	if (!g->say.failed)
		memcpy(g->say.bytes, order, sizeof *order);
}

/* Those that the call does not wait for: they may have been entered later than it was left. */
static uint32_t say_dropped(struct walking *g)
{
	const struct replay *r = g->w->r;
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->dropped_count; i++)
		if (r->dropped[i].call == g->w->at) {
			uint64_t on = pack_call(r->dropped[i].on);

			team_put(&g->say, &on, sizeof on);
			n++;
		}
	return n;
}

static void go_on_at(struct walking *g, uint64_t call)
{
	g->w->at = (uint32_t)call;
	g->w->list = call_log_list_of(g->log, g->w->at);
}

/* Along the lists here until others must know: that the path is elsewhere, or that they are to look, or that it is
 * complete. */
static enum err_code walk_here(struct walking *g, const struct progress *progress, struct err *e)
{
	struct path_order order = {.what = ORDER_END};

	g->say.n = 0;
	team_put(&g->say, &order, sizeof order);
	for (;;) {
		enum critical_stop stop = critical_go_back(g->w, progress);
		struct candidates c = {.g = g, .lowest = NOBODY};
		uint32_t local;

		if (stop == CRITICAL_CANCELLED)
			return err_set(e, ERR_CANCELLED, "stopped while following the critical path");
		if (stop == CRITICAL_NO_MEMORY)
			return err_memory(e, "the critical path");
		if (stop == CRITICAL_AT_START)
			break;
		local = critical_waited_for(g->w->r, g->w->at);
		c.at = order.at = g->w->r->exit[g->w->at];
		if (local != NO_LOGGED_CALL)
			c.lowest = pack_call((struct call_at){g->team->rank, local});
		look_elsewhere(&c);
		if (c.who.rank == g->team->rank || (c.who.rank != ALL_RANKS && c.lowest >> 32 < c.who.rank))
			c.sought = 0; /* who is found was */
		if (c.sought) {
			order.what = ORDER_SEEK;
			order.rank = c.who.rank;
			order.instance = c.who.instance;
			order.collectives = c.sought;
			order.dropped = say_dropped(g);
			order.to = c.lowest;
			break;
		}
		if (c.lowest == NOBODY)
			continue;
		if (c.lowest >> 32 != g->team->rank) {
			order.what = ORDER_GO_ON;
			order.to = c.lowest;
			break;
		}
		go_on_at(g, c.lowest);
	}
	order.passed = g->w->passed;
	say_order(g, &order);
	return g->say.failed ? err_memory(e, "the critical path") : ERR_OK;
}

/* --- what all look for --- */

static bool call_still_counts(const uint8_t *dropped, uint32_t n, uint64_t call)
{
	for (uint32_t i = 0; i < n; i++)
		if (!memcmp(dropped + i * sizeof call, &call, sizeof call))
			return false;
	return true;
}

/* The lowest member here of an instance that was entered in time. */
static uint64_t order_seek_member(const struct walking *g, uint32_t instance, const struct path_order *order, const uint8_t *dropped)
{
	const struct call_log *log = g->log;
	const struct trace *t = log->trace;
	uint32_t first = t->remote->instance[instance].event, ev = first;
	uint64_t lowest = NOBODY;

	do {
		uint32_t call = log->call_of[ev];
		uint64_t at = pack_call((struct call_at){g->team->rank, call});

		if (call != NO_LOGGED_CALL && at < lowest && call_still_counts(dropped, order->dropped, at) &&
		    replay_entry(g->w->r, &log->lists[call_log_list_of(log, call)], call) >= order->at)
			lowest = at;
		ev = t->match[ev];
	} while (ev != first && ev != NO_EVENT);
	return lowest;
}

/* The same of all that are sought, of whatever collectives: only out of circles, so that it may take its time. */
static uint64_t seek_all(const struct walking *g, struct team_take rest, const struct path_order *order)
{
	const uint8_t *dropped = rest.bytes + order->collectives * sizeof(struct sought);
	const struct trace_remote *of = g->log->trace->remote;
	uint64_t lowest = order->to;
	struct sought sought;

	for (uint32_t k = 0; k < order->collectives && team_take(&rest, &sought, sizeof sought); k++)
		for (uint32_t i = 0; i < of->instance_count; i++)
			if (of->instance[i].owner == sought.owner && of->instance[i].number == sought.number) {
				uint64_t local = order_seek_member(g, i, order, dropped);

				lowest = local < lowest ? local : lowest;
			}
	return lowest;
}

/* Where the path goes on after an order with that behind it; returns the team's code. */
static enum err_code order_follow(struct walking *g, const struct path_order *order, struct team_take rest, struct err *e)
{
	uint64_t lowest = order->to;
	enum err_code code = ERR_OK;

	if (order->what == ORDER_SEEK && order->rank == ALL_RANKS) {
		lowest = seek_all(g, rest, order);
		code = team_reduce(g->team, &lowest, 1, TEAM_MIN, e);
	} else if (order->what == ORDER_SEEK && order->rank == g->team->rank) {
		uint64_t local = order_seek_member(g, order->instance, order, NULL);

		lowest = local < lowest ? local : lowest;
	} else if (order->what == ORDER_SEEK) {
		lowest = pack_call((struct call_at){order->rank, 0}); /* it knows which */
	}
	g->w->passed = order->passed;
	if (code || lowest == NOBODY) /* it goes on where it is */
		return code;
	g->here = lowest >> 32 == g->team->rank;
	if (g->here)
		go_on_at(g, lowest);
	return ERR_OK;
}

/* All hear the rank that has the path. Returns the team's code. */
static enum err_code order_hear(struct walking *g, enum err_code code, struct path_order *order, struct err *e)
{
	uint32_t from = 0;

	for (uint32_t r = 0; r < g->team->size; r++)
		g->to[r] = g->here ? (struct team_bytes){g->say.bytes, g->say.n} : (struct team_bytes){NULL, 0};
	code = code ? team_agree(g->team, code, e) : team_exchange(g->team, g->to, g->from, e);
	if (code)
		return code;
	while (!g->from[from].n)
		from++;
	memcpy(order, g->from[from].bytes, sizeof *order);
	code = order_follow(g, order, (struct team_take){(uint8_t *)g->from[from].bytes + sizeof *order, g->from[from].n - sizeof *order}, e);
	team_bytes_free(g->from, g->team->size);
	return code;
}

/* Where the path ends: at the list that ends last, of those the lowest. *none: there is no list. Returns the team's
 * code. */
static enum err_code find_end(struct walking *g, bool *none, struct err *e)
{
	const struct replay *r = g->w->r;
	uint64_t rank = NOBODY;
	enum err_code code;

	for (uint32_t l = g->log->list_count; l-- > 0;)
		if (r->end[l] >= r->runtime) {
			g->w->list = l;
			g->w->at = g->log->lists[l].end;
			rank = g->team->rank;
		}
	code = team_reduce(g->team, &rank, 1, TEAM_MIN, e);
	*none = rank == NOBODY;
	g->here = rank == g->team->rank;
	return code;
}

enum err_code critical_walk_team(struct critical_walk *w, const struct progress *progress, struct err *e)
{
	struct walking g = {.w = w, .log = w->r->log, .team = trace_team(w->r->log->trace)};
	struct path_order order = {.what = ORDER_GO_ON};
	enum err_code code;
	bool none = false;

	g.to = mem_zero(g.team->size, sizeof *g.to);
	g.from = mem_zero(g.team->size, sizeof *g.from);
	code = team_agree(g.team, g.to && g.from ? ERR_OK : err_memory(e, "the critical path"), e);
	if (!code)
		code = find_end(&g, &none, e);
	while (!code && !none && order.what != ORDER_END)
		code = order_hear(&g, g.here ? walk_here(&g, progress, e) : ERR_OK, &order, e);
	mem_free(g.to);
	mem_free(g.from);
	mem_free(g.say.bytes);
	return code;
}
