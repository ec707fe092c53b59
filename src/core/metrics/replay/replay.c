/* One pass over all lists at once (replay_int.h). */
#include "replay.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/order.h"
#include "replay_int.h"

#define ASK_EVERY 8192
#define NOT_KNOWN 0x7ff80000u /* the upper half of a quiet NAN, whatever the lower one is */

static double takes(const struct replaying *g, uint32_t list, uint32_t call)
{
	const struct logged_call *c = &g->log->calls[call];
	double length = c->end - c->start, transfer;

	if (g->log->nodes[c->node].time == ACCOUNT_TRACER)
		return length;
	if (!g->waits)
		return 0;
	/* Gatherings bind nobody here: waiting in them stays. */
	transfer = length - (g->log->flags[call] & CALL_GATHERS ? 0 : g->waits->sync[call]);
	return g->change->call ? g->change->call(g->change->arg, list, call, transfer) : transfer;
}

static uint32_t partner_of(const struct replaying *g, uint32_t call, struct call_part part)
{
	uint32_t root = !g->waits && g->r->rules.rooted_all ? NO_LOGGED_CALL : instances_root(g->log, g->instances, call, part);

	if (root != NO_LOGGED_CALL)
		return root;
	return g->waits ? call_partner(g->log, call, part.event) : ideal_partner(g->log, &g->r->rules, call, part.event);
}

/* The place up to which all members of the part's collective must have come. NO_PLACE: it waits for none. */
static uint32_t meets_up_to(const struct replaying *g, uint32_t call, struct call_part part)
{
	double until = g->log->calls[call].end;
	uint32_t place;

	if (!(g->waits ? call_meets(g->log, call, part) : ideal_meets(g->log, &g->r->rules, call, part, &until)))
		return NO_PLACE;
	place = instances_place(g->instances, part.event);
	return place == NO_PLACE ? NO_PLACE : instances_until(g->instances, place, until);
}

void replaying_find(const struct replaying *g, struct position *p)
{
	p->found = true;
	if (g->team && replay_team_find(g, p))
		return;
	p->moment = NO_MOMENT;
	p->partner = partner_of(g, p->call, p->part);
	p->place = p->partner == NO_LOGGED_CALL ? meets_up_to(g, p->call, p->part) : NO_PLACE;
}

void replaying_next_part(const struct replaying *g, struct position *p)
{
	p->part = call_log_next_part(g->log, p->call, p->part);
	p->found = false;
}

/* The list is not to wait any more, whatever comes. */
static void leave_chain(struct replaying *g, uint32_t list)
{
	uint32_t *at = g->positions[list].chain;

	while (*at != list)
		at = &g->positions[*at].next;
	*at = g->positions[list].next;
	g->positions[list].chain = NULL;
}

/* The call at this place has been entered. */
static void arrive(struct replaying *g, uint32_t place)
{
	const struct instances *m = g->instances;
	uint32_t first = m->first[m->instance[place]], end = m->first[m->instance[place] + 1];
	double latest = place > first ? g->met[place - 1].at : -INFINITY;

	if (isnan(latest))
		return;
	for (; place < end && isnan(g->met[place].at) && replaying_is_entered(g, m->call[place]); place++) {
		double entry = replaying_entry(g, m->call[place]);

		if (entry > latest)
			latest = entry;
		replaying_know(g, &g->met[place], latest);
		if (g->team && place == end - 1)
			replay_team_arrived(g, m->instance[place], latest);
	}
}

static void list_enter_call(struct replaying *g, uint32_t list)
{
	const struct call_log *log = g->log;
	struct position *p = &g->positions[list];
	uint32_t c = p->call, ev, place;

	p->latest = replaying_find_entry(g, list, c);
	if (g->entry)
		g->entry[c] = p->latest;
	p->part = call_log_first_part(log, c);
	p->found = false;
	p->entered = true;
	for (ev = log->calls[c].first_event; ev != NO_EVENT; ev = call_log_next_event(log, c, ev))
		if (EVENT_KIND(log->trace->type[ev]) == EVENT_COLLECTIVE && (place = instances_place(g->instances, ev)) != NO_PLACE)
			arrive(g, place);
	if (g->team)
		replay_team_entered(g, c, p->latest);
}

/* Wait for what the call's events depend on, from the next one on. False: for one it must wait still. */
static bool is_satisfied(struct replaying *g, uint32_t list)
{
	struct position *p = &g->positions[list];

	for (; p->part.event != NO_EVENT; replaying_next_part(g, p)) {
		double came;

		if (!p->found)
			replaying_find(g, p);
		if (p->partner != NO_LOGGED_CALL) {
			if (!replaying_is_entered(g, p->partner)) {
				replaying_wait_in(g, list, &g->left[p->partner - 1].waiting);
				return false;
			}
			came = replaying_entry(g, p->partner);
		} else if (p->place != NO_PLACE) {
			came = g->met[p->place].at;
			if (isnan(came)) {
				replaying_wait_in(g, list, &g->met[p->place].waiting);
				return false;
			}
		} else if (g->team && p->moment != NO_MOMENT) {
			came = g->moments[p->moment].at;
			if (isnan(came)) {
				replaying_wait_in(g, list, &g->moments[p->moment].waiting);
				return false;
			}
		} else {
			continue;
		}
		if (came > p->latest)
			p->latest = came;
	}
	return true;
}

static void list_leave_call(struct replaying *g, uint32_t list)
{
	struct position *p = &g->positions[list];

	replaying_know(g, &g->left[p->call], p->latest + takes(g, list, p->call));
	p->call++;
	p->entered = false;
	if (++g->done % ASK_EVERY)
		return;
	progress_report(g->progress, PROGRESS_METRICS, g->done, g->log->call_count);
	g->stopped |= progress_stopped(g->progress);
}

static void list_go_on(struct replaying *g, uint32_t list)
{
	const struct call_list *l = &g->log->lists[list];
	struct position *p = &g->positions[list];

	while (p->call < l->end && !g->stopped) {
		if (!p->entered)
			list_enter_call(g, list);
		if (!is_satisfied(g, list))
			return;
		list_leave_call(g, list);
	}
	if (!g->stopped)
		g->r->end[list] = replay_reached(g->r, l, l->end) + replaying_gap(g, list, l->end);
}

void replaying_drop(struct replaying *g, uint32_t call, struct call_at on)
{
	struct replay *r = g->r;
	struct replay_dropped *grown = mem_grow(r->dropped, r->dropped_count, &g->dropped_room, sizeof *r->dropped);

	if (!grown) {
		g->no_memory = true;
		return;
	}
	r->dropped = grown;
	r->dropped[r->dropped_count++] = (struct replay_dropped){call, on};
}

static int compare_dropped(const void *a, const void *b)
{
	const struct replay_dropped *x = a, *y = b;

	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	return call_at_is_before(x->on, y->on) ? -1 : call_at_is_before(y->on, x->on);
}

/* Take the other call's entry, or drop it. */
static void position_take_entry(struct replaying *g, struct position *p, uint32_t other)
{
	if (replaying_is_entered(g, other))
		replaying_take(p, replaying_entry(g, other));
	else
		replaying_drop(g, p->call, (struct call_at){team_rank(trace_team(g->log->trace)), other});
}

void replaying_break_out(struct replaying *g, uint32_t list)
{
	struct position *p = &g->positions[list];

	leave_chain(g, list);
	for (; p->part.event != NO_EVENT; replaying_next_part(g, p)) {
		if (!p->found)
			replaying_find(g, p);
		if (p->partner != NO_LOGGED_CALL)
			position_take_entry(g, p, p->partner);
		else if (p->place != NO_PLACE)
			for (uint32_t i = g->instances->first[g->instances->instance[p->place]]; i <= p->place; i++)
				position_take_entry(g, p, g->instances->call[i]);
		else if (g->team && p->moment != NO_MOMENT)
			replay_team_break_out(g, p);
	}
	g->ready[g->ready_count++] = list;
}

uint32_t replaying_first_pending(const struct replaying *g)
{
	uint32_t first = NO_LIST;

	for (uint32_t l = 0; l < g->log->list_count; l++)
		if (g->positions[l].chain && (first == NO_LIST || g->log->calls[g->positions[l].call].start <
							       g->log->calls[g->positions[first].call].start))
			first = l;
	return first;
}

/* Sorted, and each once. */
static void sort_dropped(struct replay *r)
{
	uint32_t n = 0;

	if (!r->dropped_count)
		return;
	SORT(r->dropped, r->dropped_count, compare_dropped);
	for (uint32_t i = 0; i < r->dropped_count; i++)
		if (!n || compare_dropped(&r->dropped[n - 1], &r->dropped[i]))
			r->dropped[n++] = r->dropped[i];
	r->dropped_count = n;
}

bool replay_dropped(const struct replay *r, uint32_t call, struct call_at on)
{
	struct replay_dropped d = {call, on};

	return r->dropped_count && bsearch(&d, r->dropped, r->dropped_count, sizeof d, compare_dropped);
}

/* What this rank can by itself. */
static void run_ready(struct replaying *g)
{
	while (g->ready_count && !g->stopped && !g->no_memory)
		list_go_on(g, g->ready[--g->ready_count]);
}

static enum err_code run_alone(struct replaying *g, struct err *e)
{
	uint32_t list;

	for (;;) {
		run_ready(g);
		if (g->no_memory)
			return err_memory(e, "the simulation of calls");
		if (g->stopped || progress_stopped(g->progress))
			return err_set(e, ERR_CANCELLED, "stopped while simulating calls");
		list = replaying_first_pending(g);
		if (list == NO_LIST)
			return ERR_OK;
		replaying_break_out(g, list);
	}
}

static enum err_code run_with_team(struct replaying *g, struct err *e)
{
	enum err_code code = ERR_OK;
	bool over = false;

	while (!code && !over) {
		run_ready(g);
		code = replay_team_wait(g, &over, e);
	}
	return code;
}

/* What all lists come to. Returns the team's code. */
static enum err_code replay_sum_up(struct replaying *g, struct err *e)
{
	const struct team *team = trace_team(g->log->trace);
	struct replay *r = g->r;
	uint64_t sums[2] = {0, g->log->list_count};
	enum err_code code;

	sort_dropped(r);
	r->runtime = g->log->list_count ? r->end[0] : 0;
	for (uint32_t list = 1; list < g->log->list_count; list++)
		if (r->end[list] > r->runtime)
			r->runtime = r->end[list];
	r->broken = sums[0] = r->dropped_count;
	if (!g->team)
		return ERR_OK;
	if (!g->log->list_count)
		r->runtime = -INFINITY;
	code = team_reduce_double(team, &r->runtime, 1, TEAM_MAX, e);
	if (!code)
		code = team_reduce(team, sums, 2, TEAM_SUM, e);
	r->broken = sums[0];
	if (!sums[1])
		r->runtime = 0;
	return code;
}

static void replaying_release(struct replaying *g)
{
	replay_team_free(g->team);
	mem_free(g->is_first);
	mem_free(g->entry);
	mem_free(g->met);
	mem_free(g->positions);
	mem_free(g->ready);
}

union moment *replaying_unknown(size_t count)
{
	union moment *m = mem_alloc(count, sizeof *m);

	for (size_t i = 0; m && i < count; i++) {
		m[i].nan = NOT_KNOWN;
		m[i].waiting = NO_LIST;
	}
	return m;
}

static enum err_code replaying_prepare(struct replaying *g, struct err *e)
{
	const struct call_log *log = g->log;
	bool costly = g->change && g->change->useful;

	g->is_first = mem_zero((size_t)log->call_count / 64 + 1, sizeof *g->is_first);
	g->left = replaying_unknown(log->call_count);
	g->r->exit = (double *)g->left;
	g->met = replaying_unknown(g->instances->count);
	g->entry = costly ? mem_alloc(log->call_count, sizeof *g->entry) : NULL;
	g->positions = mem_zero(log->list_count, sizeof *g->positions);
	g->ready = mem_alloc(log->list_count, sizeof *g->ready);
	g->r->end = mem_zero(log->list_count, sizeof *g->r->end);
	if (!g->is_first || !g->left || !g->met || (costly && !g->entry) || !g->positions || !g->ready || !g->r->end)
		return err_memory(e, "the simulation of calls");
	for (uint32_t l = 0; l < log->list_count; l++) {
		const struct call_list *list = &log->lists[l];

		g->positions[l].call = list->first;
		if (list->first < list->end)
			g->is_first[list->first >> 6] |= UINT64_C(1) << (list->first & 63);
	}
	g->r->t0 = trace_has_time(log->trace) ? log->trace->start : 0;
	return ERR_OK;
}

static enum err_code replaying_run(struct replaying *g, struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t list = g->log->list_count; list-- > 0;)
		g->ready[g->ready_count++] = list;
	if (!g->log->remote) {
		code = run_alone(g, e);
	} else {
		code = replay_team_start(g, e);
		if (!code)
			code = run_with_team(g, e);
	}
	return code ? code : replay_sum_up(g, e);
}

enum err_code replay_new_among(struct replay **out, const struct call_log *log, const struct waits *waits, const struct instances *m,
			       const struct replay_rules *rules, const struct replay_change *change, const struct progress *progress,
			       struct err *e)
{
	const struct team *team = log->remote ? trace_team(log->trace) : NULL;
	struct replay *r = mem_zero(1, sizeof *r);
	struct replaying g = {.r = r, .log = log, .instances = m, .change = change, .progress = progress};
	enum err_code code;

	*out = NULL;
	if (!r)
		return team_agree(team, err_memory(e, "the simulation of calls"), e);
	g.waits = change && !change->ideal ? waits : NULL;
	r->log = log;
	r->rules = rules ? *rules : (struct replay_rules){.rendezvous = REPLAY_NEVER};
	code = team_agree(team, replaying_prepare(&g, e), e);
	if (!code)
		code = replaying_run(&g, e);
	replaying_release(&g);
	if (code)
		replay_free(r);
	else
		*out = r;
	return code;
}

enum err_code replay_new(struct replay **out, const struct call_log *log, const struct waits *waits,
			 const struct replay_rules *rules, const struct replay_change *change, const struct progress *progress, struct err *e)
{
	struct instances m;
	enum err_code code = team_agree(log->remote ? trace_team(log->trace) : NULL, instances_init(&m, log, progress, e), e);

	*out = NULL;
	if (!code)
		code = replay_new_among(out, log, waits, &m, rules, change, progress, e);
	instances_release(&m);
	return code;
}

void replay_free(struct replay *r)
{
	if (!r)
		return;
	mem_free(r->exit);
	mem_free(r->end);
	mem_free(r->dropped);
	mem_free(r->arrived);
	mem_free(r->came);
	mem_free(r->latest);
	mem_free(r);
}
