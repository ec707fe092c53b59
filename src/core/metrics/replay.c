/* One pass over all lists at once. Each goes on call by call until a call depends on one that has not been entered; there it
 * waits in a chain of that call, or of the collective's member up to which all must have come. Entering wakes the chain.
 *
 * The peak of all metrics is here. So when a call was entered is not kept: it follows from when the one before it was left, which says
 * too whether it was. The first call of a list is taken for entered from the start: it depends on nobody. */
#include "replay.h"

#include <math.h>
#include <stdlib.h>

#include "dependences.h"
#include "meetings.h"

#define NO_LIST UINT32_MAX
#define ASK_EVERY 8192

/* A moment; until it is known, which list is the first that waits for it to be. */
union moment {
	double at;             /* NAN: not known */
	struct {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		uint32_t waiting, nan;
#else
		uint32_t nan, waiting;
#endif
	};
};
#define NOT_KNOWN 0x7ff80000u /* the upper half of a quiet NAN, whatever the lower one is */

/* How far a list is. */
struct position {
	uint32_t call;         /* the call entered or to be entered */
	struct call_part part; /* its next part to be looked at */
	uint32_t partner;      /* the call that it depends on there */
	uint32_t place;        /* without one: up to which all must have come */
	bool found;            /* those two have been: whoever waits looks for them once */
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
	const struct meetings *meetings;
	uint64_t *is_first;           /* a bit a call: of its list */
	union moment *left;           /* per call: its exit; who waits for it waits for the next one to be entered */
	double *entry;                /* per call entered, where that is costly to find again; else NULL */
	union moment *met;            /* per place: the latest entry up to it, when all of those are known */
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

static bool is_first(const struct replaying *g, uint32_t call)
{
	return g->is_first[call >> 6] >> (call & 63) & 1;
}

static bool is_entered(const struct replaying *g, uint32_t call)
{
	return is_first(g, call) || !isnan(g->left[call - 1].at);
}

/* When a call of this list is entered, where the one before it has been left. */
static double find_entry(const struct replaying *g, uint32_t list, uint32_t call)
{
	return replay_reached(g->r, &g->log->lists[list], call) + gap_of(g, list, call);
}

/* When a call was entered that was. */
static double entry_of(const struct replaying *g, uint32_t call)
{
	const struct logged_call *c = &g->log->calls[call];

	if (is_first(g, call))
		return find_entry(g, call_log_list_of(g->log, call), call);
	if (g->entry)
		return g->entry[call];
	return g->left[call - 1].at + (c->start > c[-1].end ? c->start - c[-1].end : 0);
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

static uint32_t partner_of(const struct replaying *g, uint32_t call, struct call_part part)
{
	uint32_t root = !g->waits && g->r->rules.rooted_all ? NO_LOGGED_CALL : meetings_root(g->log, g->meetings, call, part);

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
	place = meetings_place(g->meetings, part.event);
	return place == NO_PLACE ? NO_PLACE : meetings_until(g->meetings, place, until);
}

/* What the call depends on at its next part. */
static void find_dependence(const struct replaying *g, struct position *p)
{
	p->found = true;
	p->partner = partner_of(g, p->call, p->part);
	p->place = p->partner == NO_LOGGED_CALL ? meets_up_to(g, p->call, p->part) : NO_PLACE;
}

static void take_next_part(const struct replaying *g, struct position *p)
{
	p->part = call_log_next_part(g->log, p->call, p->part);
	p->found = false;
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

/* The call at this place has been entered. */
static void arrive(struct replaying *g, uint32_t place)
{
	const struct meetings *m = g->meetings;
	uint32_t first = m->first[m->instance[place]], end = m->first[m->instance[place] + 1];
	double latest = place > first ? g->met[place - 1].at : -INFINITY;

	if (isnan(latest))
		return;
	for (; place < end && isnan(g->met[place].at) && is_entered(g, m->call[place]); place++) {
		uint32_t waiting = g->met[place].waiting;
		double entry = entry_of(g, m->call[place]);

		if (entry > latest)
			latest = entry;
		g->met[place].at = latest;
		wake(g, &waiting);
	}
}

static void enter(struct replaying *g, uint32_t list)
{
	const struct call_log *log = g->log;
	struct position *p = &g->positions[list];
	uint32_t c = p->call, ev, place;

	p->latest = find_entry(g, list, c);
	if (g->entry)
		g->entry[c] = p->latest;
	p->part = call_log_first_part(log, c);
	p->found = false;
	p->entered = true;
	for (ev = log->calls[c].first_event; ev != NO_EVENT; ev = call_log_next_event(log, c, ev))
		if (EVENT_KIND(log->trace->type[ev]) == EVENT_COLLECTIVE && (place = meetings_place(g->meetings, ev)) != NO_PLACE)
			arrive(g, place);
}

/* Wait for what the call's events depend on, from the next one on. False: for one it must wait still. */
static bool is_satisfied(struct replaying *g, uint32_t list)
{
	struct position *p = &g->positions[list];

	for (; p->part.event != NO_EVENT; take_next_part(g, p)) {
		double came;

		if (!p->found)
			find_dependence(g, p);
		if (p->partner != NO_LOGGED_CALL) {
			if (!is_entered(g, p->partner)) {
				wait_in(g, list, &g->left[p->partner - 1].waiting);
				return false;
			}
			came = entry_of(g, p->partner);
		} else if (p->place != NO_PLACE) {
			came = g->met[p->place].at;
			if (isnan(came)) {
				wait_in(g, list, &g->met[p->place].waiting);
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

static void leave(struct replaying *g, uint32_t list)
{
	struct position *p = &g->positions[list];
	uint32_t waiting = g->left[p->call].waiting;

	g->left[p->call].at = p->latest + takes(g, list, p->call);
	wake(g, &waiting);
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

/* Take the other call's entry, or drop it. */
static void meet(struct replaying *g, struct position *p, uint32_t other)
{
	double entry;

	if (!is_entered(g, other)) {
		drop(g, p->call, other);
		return;
	}
	entry = entry_of(g, other);
	if (entry > p->latest)
		p->latest = entry;
}

/* The call where this list waits takes those that came, and drops the others. */
static void break_out(struct replaying *g, uint32_t list)
{
	struct position *p = &g->positions[list];

	leave_chain(g, list);
	for (; p->part.event != NO_EVENT; take_next_part(g, p)) {
		if (!p->found)
			find_dependence(g, p);
		if (p->partner != NO_LOGGED_CALL)
			meet(g, p, p->partner);
		else if (p->place != NO_PLACE)
			for (uint32_t i = g->meetings->first[g->meetings->instance[p->place]]; i <= p->place; i++)
				meet(g, p, g->meetings->call[i]);
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
	mem_free(g->is_first);
	mem_free(g->entry);
	mem_free(g->met);
	mem_free(g->positions);
	mem_free(g->ready);
}

static union moment *unknown_moments(uint32_t count)
{
	union moment *m = mem_alloc(count, sizeof *m);

	for (uint32_t i = 0; m && i < count; i++) {
		m[i].nan = NOT_KNOWN;
		m[i].waiting = NO_LIST;
	}
	return m;
}

static enum err_code prepare(struct replaying *g, struct err *e)
{
	const struct call_log *log = g->log;
	bool costly = g->change && g->change->useful;

	g->is_first = mem_zero((size_t)log->call_count / 64 + 1, sizeof *g->is_first);
	g->left = unknown_moments(log->call_count);
	g->r->exit = (double *)g->left;
	g->met = unknown_moments(g->meetings->count);
	g->entry = costly ? mem_alloc(log->call_count, sizeof *g->entry) : NULL;
	g->positions = mem_zero(log->list_count, sizeof *g->positions);
	g->ready = mem_alloc(log->list_count, sizeof *g->ready);
	g->r->end = mem_zero(log->list_count, sizeof *g->r->end);
	if (!g->is_first || !g->left || !g->met || (costly && !g->entry) || !g->positions || !g->ready || !g->r->end)
		return err_memory(e, "the replay of calls");
	for (uint32_t l = 0; l < log->list_count; l++) {
		const struct call_list *list = &log->lists[l];

		g->positions[l].call = list->first;
		if (list->first < list->end)
			g->is_first[list->first >> 6] |= UINT64_C(1) << (list->first & 63);
		if (l == 0 || list->start < g->r->t0)
			g->r->t0 = list->start;
	}
	return ERR_OK;
}

enum err_code replay_new_among(struct replay **out, const struct call_log *log, const struct waits *waits, const struct meetings *m,
			       const struct replay_rules *rules, const struct replay_change *change, const struct job *job,
			       struct err *e)
{
	struct replay *r = mem_zero(1, sizeof *r);
	struct replaying g = {.r = r, .log = log, .meetings = m, .change = change, .job = job};
	enum err_code code;

	*out = NULL;
	if (!r)
		return err_memory(e, "the replay of calls");
	g.waits = change && !change->ideal ? waits : NULL;
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

enum err_code replay_new(struct replay **out, const struct call_log *log, const struct waits *waits,
			 const struct replay_rules *rules, const struct replay_change *change, const struct job *job, struct err *e)
{
	struct meetings m;
	enum err_code code = meetings_init(&m, log, job, e);

	*out = NULL;
	if (!code)
		code = replay_new_among(out, log, waits, &m, rules, change, job, e);
	meetings_release(&m);
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
