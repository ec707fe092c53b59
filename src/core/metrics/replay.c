/* One pass over all lists at once. Each goes on call by call until a call depends on one that has not been entered; there it
 * waits in a chain of that call, or of the collective's member up to which all must have come. Entering wakes the chain. */
#include "replay.h"

#include <math.h>
#include <stdlib.h>

#include "dependences.h"
#include "meetings.h"

#define NO_LIST UINT32_MAX
#define ASK_EVERY 8192

enum arrival { ABSENT, CAME, ALL_CAME }; /* ALL_CAME: and all members of places before it */

/* How far a list is. */
struct position {
	uint32_t call, event;  /* the call entered or to be entered; its next event to be looked at */
	bool entered;
	double latest;         /* of the call's own entry and those that it has waited for so far */
	uint32_t *chain;       /* where it waits; NULL: it does not */
	uint32_t next;         /* in that chain */
};

struct replaying {
	struct replay *r;
	const struct call_log *log;
	const struct waits *waits;    /* NULL: an ideal run */
	const struct replay_change *change;
	const struct job *job;
	struct meetings meetings;
	double *entry;                /* per call; NAN: not entered */
	uint32_t *waiting_for;        /* per call: the first list that waits for it to be entered */
	double *met;                  /* per place: its entry; from ALL_CAME on the latest up to it */
	uint8_t *arrival;             /* per place */
	uint32_t *waiting_at;         /* per place: the first list that waits for ALL_CAME */
	struct position *positions;
	uint32_t *ready;              /* lists that can go on: each at most once */
	uint32_t ready_count;
	size_t dropped_room;
	uint32_t done;                /* calls */
	bool stopped, no_memory;
};

static double useful_between(const struct replaying *g, uint32_t list, double from, double to)
{
	if (!(to > from))
		return 0;
	return g->change && g->change->useful ? g->change->useful(g->change->arg, list, from, to) : to - from;
}

/* Useful time before call c; c == l->end: behind the last one. */
static double gap_of(const struct replaying *g, uint32_t list, uint32_t c)
{
	const struct call_list *l = &g->log->lists[list];

	return useful_between(g, list, c == l->first ? l->start : g->log->calls[c - 1].end,
			      c == l->end ? l->stop : g->log->calls[c].start);
}

static double takes(const struct replaying *g, uint32_t list, uint32_t call)
{
	const struct logged_call *c = &g->log->calls[call];
	double length = c->end - c->start, transfer;

	if (g->log->nodes[c->node].time == ACCOUNT_TRACER)
		return length;
	if (!g->waits)
		return 0;
	transfer = length - g->waits->sync[call];
	return g->change->call ? g->change->call(g->change->arg, list, call, transfer) : transfer;
}

static uint32_t partner_of(const struct replaying *g, uint32_t call, uint32_t event)
{
	uint32_t root = !g->waits && g->r->rules.rooted_all ? NO_LOGGED_CALL : meetings_root(g->log, &g->meetings, call, event);

	if (root != NO_LOGGED_CALL)
		return root;
	return g->waits ? call_partner(g->log, call, event) : ideal_partner(g->log, &g->r->rules, call, event);
}

/* The place up to which all members of the event's collective must have come. NO_PLACE: it waits for none. */
static uint32_t meets_up_to(const struct replaying *g, uint32_t call, uint32_t event)
{
	double until = g->log->calls[call].end;
	uint32_t place;

	if (EVENT_KIND(g->log->trace->type[event]) != EVENT_COLLECTIVE ||
	    !(g->waits ? call_meets(g->log, call) : ideal_meets(g->log, &g->r->rules, call, &until)))
		return NO_PLACE;
	place = meetings_place(&g->meetings, event);
	return place == NO_PLACE ? NO_PLACE : meetings_until(&g->meetings, place, until);
}

static void wait_in(struct replaying *g, uint32_t list, uint32_t *chain)
{
	struct position *p = &g->positions[list];

	p->chain = chain;
	p->next = *chain;
	*chain = list;
}

static void wake(struct replaying *g, uint32_t *chain)
{
	while (*chain != NO_LIST) {
		struct position *p = &g->positions[*chain];

		g->ready[g->ready_count++] = *chain;
		*chain = p->next;
		p->chain = NULL;
	}
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

static void arrive(struct replaying *g, uint32_t place, double entry)
{
	const struct meetings *m = &g->meetings;
	uint32_t first = m->first[m->instance[place]], end = m->first[m->instance[place] + 1];

	g->met[place] = entry;
	g->arrival[place] = CAME;
	if (place > first && g->arrival[place - 1] != ALL_CAME)
		return;
	for (; place < end && g->arrival[place] == CAME; place++) {
		if (place > first && g->met[place - 1] > g->met[place])
			g->met[place] = g->met[place - 1];
		g->arrival[place] = ALL_CAME;
		wake(g, &g->waiting_at[place]);
	}
}

static void enter(struct replaying *g, uint32_t list)
{
	const struct call_log *log = g->log;
	struct position *p = &g->positions[list];
	uint32_t c = p->call, ev, place;

	p->latest = g->entry[c] = replay_reached(g->r, &log->lists[list], c) + gap_of(g, list, c);
	p->event = log->calls[c].first_event;
	p->entered = true;
	for (ev = p->event; ev != NO_EVENT; ev = call_log_next_event(log, c, ev))
		if (EVENT_KIND(log->trace->type[ev]) == EVENT_COLLECTIVE && (place = meetings_place(&g->meetings, ev)) != NO_PLACE)
			arrive(g, place, g->entry[c]);
	wake(g, &g->waiting_for[c]);
}

/* Wait for what the call's events depend on, from the next one on. False: for one it must wait still. */
static bool is_satisfied(struct replaying *g, uint32_t list)
{
	struct position *p = &g->positions[list];

	for (; p->event != NO_EVENT; p->event = call_log_next_event(g->log, p->call, p->event)) {
		uint32_t partner = partner_of(g, p->call, p->event), place;
		double came;

		if (partner != NO_LOGGED_CALL) {
			came = g->entry[partner];
			if (isnan(came)) {
				wait_in(g, list, &g->waiting_for[partner]);
				return false;
			}
		} else if ((place = meets_up_to(g, p->call, p->event)) != NO_PLACE) {
			if (g->arrival[place] != ALL_CAME) {
				wait_in(g, list, &g->waiting_at[place]);
				return false;
			}
			came = g->met[place];
		} else {
			continue;
		}
		if (came > p->latest)
			p->latest = came;
	}
	return true;
}

static void leave(struct replaying *g, uint32_t list)
{
	struct position *p = &g->positions[list];

	g->r->exit[p->call] = p->latest + takes(g, list, p->call);
	p->call++;
	p->entered = false;
	if (++g->done % ASK_EVERY)
		return;
	job_progress(g->job, JOB_METRICS, g->done, g->log->call_count);
	g->stopped |= job_stopped(g->job);
}

static void go_on(struct replaying *g, uint32_t list)
{
	const struct call_list *l = &g->log->lists[list];
	struct position *p = &g->positions[list];

	while (p->call < l->end && !g->stopped) {
		if (!p->entered)
			enter(g, list);
		if (!is_satisfied(g, list))
			return;
		leave(g, list);
	}
	if (!g->stopped)
		g->r->end[list] = replay_reached(g->r, l, l->end) + gap_of(g, list, l->end);
}

static void drop(struct replaying *g, uint32_t call, uint32_t on)
{
	struct replay *r = g->r;
	struct replay_dropped *grown = mem_grow(r->dropped, r->broken, &g->dropped_room, sizeof *r->dropped);

	if (!grown) {
		g->no_memory = true;
		return;
	}
	r->dropped = grown;
	r->dropped[r->broken++] = (struct replay_dropped){call, on};
}

static int compare_dropped(const void *a, const void *b)
{
	const struct replay_dropped *x = a, *y = b;

	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	return x->on < y->on ? -1 : x->on > y->on;
}

/* The call where this list waits takes those that came, and drops the others. */
static void break_out(struct replaying *g, uint32_t list)
{
	struct position *p = &g->positions[list];

	leave_chain(g, list);
	for (; p->event != NO_EVENT; p->event = call_log_next_event(g->log, p->call, p->event)) {
		uint32_t partner = partner_of(g, p->call, p->event), place;

		if (partner != NO_LOGGED_CALL) {
			if (isnan(g->entry[partner]))
				drop(g, p->call, partner);
			else if (g->entry[partner] > p->latest)
				p->latest = g->entry[partner];
			continue;
		}
		place = meets_up_to(g, p->call, p->event);
		if (place == NO_PLACE)
			continue;
		for (uint32_t i = g->meetings.first[g->meetings.instance[place]]; i <= place; i++)
			if (g->arrival[i] == ABSENT)
				drop(g, p->call, meetings_call(&g->meetings, i));
			else if (g->met[i] > p->latest)
				p->latest = g->met[i];
	}
	g->ready[g->ready_count++] = list;
}

/* Nothing can go on: the pending call that began first, of the lowest list. NO_LIST: all are at their ends. */
static uint32_t first_pending(const struct replaying *g)
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

	if (!r->broken)
		return;
	qsort(r->dropped, r->broken, sizeof *r->dropped, compare_dropped);
	for (uint32_t i = 0; i < r->broken; i++)
		if (!n || compare_dropped(&r->dropped[n - 1], &r->dropped[i]))
			r->dropped[n++] = r->dropped[i];
	r->broken = n;
}

bool replay_dropped(const struct replay *r, uint32_t call, uint32_t on)
{
	struct replay_dropped d = {call, on};

	return r->broken && bsearch(&d, r->dropped, r->broken, sizeof d, compare_dropped);
}

static void run(struct replaying *g)
{
	struct replay *r = g->r;
	uint32_t list;

	for (list = g->log->list_count; list-- > 0;)
		g->ready[g->ready_count++] = list;
	while (!g->stopped && !g->no_memory) {
		while (g->ready_count && !g->stopped)
			go_on(g, g->ready[--g->ready_count]);
		list = first_pending(g);
		if (list == NO_LIST)
			break;
		break_out(g, list);
	}
	sort_dropped(r);
	for (list = 0; list < g->log->list_count; list++)
		if (list == 0 || r->end[list] > r->runtime)
			r->runtime = r->end[list];
}

static void release(struct replaying *g)
{
	meetings_release(&g->meetings);
	mem_free(g->entry);
	mem_free(g->waiting_for);
	mem_free(g->met);
	mem_free(g->arrival);
	mem_free(g->waiting_at);
	mem_free(g->positions);
	mem_free(g->ready);
}

static enum err_code prepare(struct replaying *g, struct err *e)
{
	const struct call_log *log = g->log;
	enum err_code code = meetings_init(&g->meetings, log, g->job, e);
	uint32_t places = g->meetings.count;

	if (code)
		return code;
	g->entry = mem_alloc(log->call_count, sizeof *g->entry);
	g->waiting_for = mem_alloc(log->call_count, sizeof *g->waiting_for);
	g->met = mem_alloc(places, sizeof *g->met);
	g->arrival = mem_zero(places, sizeof *g->arrival);
	g->waiting_at = mem_alloc(places, sizeof *g->waiting_at);
	g->positions = mem_zero(log->list_count, sizeof *g->positions);
	g->ready = mem_alloc(log->list_count, sizeof *g->ready);
	g->r->exit = mem_alloc(log->call_count, sizeof *g->r->exit);
	g->r->end = mem_zero(log->list_count, sizeof *g->r->end);
	if (!g->entry || !g->waiting_for || !g->met || !g->arrival || !g->waiting_at || !g->positions || !g->ready ||
	    !g->r->exit || !g->r->end)
		return err_memory(e, "the replay of calls");
	for (uint32_t c = 0; c < log->call_count; c++) {
		g->entry[c] = NAN;
		g->waiting_for[c] = NO_LIST;
	}
	for (uint32_t i = 0; i < places; i++)
		g->waiting_at[i] = NO_LIST;
	for (uint32_t l = 0; l < log->list_count; l++) {
		g->positions[l].call = log->lists[l].first;
		if (l == 0 || log->lists[l].start < g->r->t0)
			g->r->t0 = log->lists[l].start;
	}
	return ERR_OK;
}

enum err_code replay_new(struct replay **out, const struct call_log *log, const struct waits *waits,
			 const struct replay_rules *rules, const struct replay_change *change, const struct job *job, struct err *e)
{
	struct replay *r = mem_zero(1, sizeof *r);
	struct replaying g = {.r = r, .log = log, .waits = change && !change->ideal ? waits : NULL, .change = change, .job = job};
	enum err_code code;

	*out = NULL;
	if (!r)
		return err_memory(e, "the replay of calls");
	r->log = log;
	r->rules = rules ? *rules : (struct replay_rules){.rendezvous = REPLAY_NEVER};
	code = prepare(&g, e);
	if (!code) {
		run(&g);
		if (g.no_memory)
			code = err_memory(e, "the replay of calls");
		else if (g.stopped || job_stopped(job))
			code = err_set(e, ERR_CANCELLED, "stopped while replaying calls");
	}
	release(&g);
	if (code)
		replay_free(r);
	else
		*out = r;
	return code;
}

void replay_free(struct replay *r)
{
	if (!r)
		return;
	mem_free(r->exit);
	mem_free(r->end);
	mem_free(r->dropped);
	mem_free(r);
}
