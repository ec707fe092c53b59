/* Declarations that only the files of src/core/metrics/replay use. Each part begins with its own description. */
#ifndef PAS2P_CORE_METRICS_REPLAY_REPLAY_INT_H
#define PAS2P_CORE_METRICS_REPLAY_REPLAY_INT_H

#include <math.h>

#include "replay.h"
#include "core/metrics/waits/instances.h"

/* ---- critical_walk ---- */

/* The walk along the critical path, from its end back in time: critical.c goes along the lists that are here,
 * critical_team.c from rank to rank. Internal to the critical path. */

struct critical_walk {
	const struct replay *r;
	struct critical_path *p; /* pieces as they come: the last one first; their `place` counts from the end */
	size_t room;
	uint32_t list, at;       /* here: what lies before this call is next */
	uint32_t passed;         /* pieces so far, on all ranks */
	uint32_t steps;
	bool no_memory;
};

enum critical_stop {
	CRITICAL_AT_START,       /* of the run: the path is complete */
	CRITICAL_AT_WAIT,        /* w->at was left later than entered */
	CRITICAL_CANCELLED,
	CRITICAL_NO_MEMORY
};
enum critical_stop critical_go_back(struct critical_walk *w, const struct progress *progress);

/* Of the calls here that call c, left later than entered, depends on, the lowest that was entered as late as that.
 * NO_LOGGED_CALL: none. */
uint32_t critical_waited_for(const struct replay *r, uint32_t call);

/* The path of a log that ranks of a team share: w is at nothing yet. Returns the team's code. */
enum err_code critical_walk_team(struct critical_walk *w, const struct progress *progress, struct err *e);

/* ---- dependences ---- */

/* What a call depends on in a replay, event by event (docs/reference/metrics.md, "Ideal network"). Internal to the
 * metrics. */

/* The call here that `call` depends on for its message `event` in the ideal run. NO_LOGGED_CALL: none. */
uint32_t ideal_partner(const struct call_log *log, const struct replay_rules *rules, uint32_t call, uint32_t event);

/* Does it depend on the call at the other end of `event`, which is on another rank (call_remote_message())? */
bool ideal_waits_remote(const struct call_log *log, const struct replay_rules *rules, uint32_t call, uint32_t event);

/* Members of its collective `part` that `call` depends on in the ideal run: those that began by *until. False: none. */
bool ideal_meets(const struct call_log *log, const struct replay_rules *rules, uint32_t call, struct call_part part, double *until);

/* ---- replaying ---- */

/* A replay under way (docs/reference/metrics.md, "Ideal network"; over a team: docs/internals/scale.md 3): its state,
 * shared by replay.c, which runs it, and team.c, which exchanges with other ranks for it. Internal to the replay.
 *
 * Each list goes on call by call until a call depends on one that has not been entered; there it waits in a chain of
 * that call, of the collective's member up to which all must have come, or of a moment that another rank tells.
 * Entering wakes the chain.
 *
 * The peak of all metrics is here. So when a call was entered is not kept: it follows from when the one before it was
 * left, which says too whether it was. The first call of a list is taken for entered from the start: it depends on
 * nobody.
 */

#define NO_LIST UINT32_MAX
#define NO_MOMENT UINT32_MAX

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

/* How far a list is. */
struct position {
	uint32_t call;         /* the call entered or to be entered */
	struct call_part part; /* its next part to be looked at */
	uint32_t partner;      /* the call that it depends on there */
	uint32_t place;        /* without one: up to which all must have come */
	uint32_t moment;       /* without one, too: of other ranks; if there is a team */
	bool found;            /* those have been: whoever waits looks for them once */
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
	const struct progress *progress;
	const struct instances *instances;
	uint64_t *is_first;           /* a bit per call: of its list */
	union moment *left;           /* per call: its exit; who waits for it waits for the next one to be entered */
	double *entry;                /* per call entered, where that is costly to find again; otherwise NULL */
	union moment *met;            /* per place: the latest entry up to it, when all of those are known */
	struct position *positions;
	uint32_t *ready;              /* lists that can go on: each at most once */
	uint32_t ready_count;
	size_t dropped_room;
	uint32_t done;                /* calls */
	bool stopped, no_memory;
	struct replay_team *team;     /* NULL: the log is whole */
	union moment *moments;        /* of other ranks; the team's */
};

/* NULL: no memory. */
union moment *replaying_unknown(size_t count);

/* The useful seconds that a stretch of a list takes. */
static inline double replaying_useful(const struct replaying *g, uint32_t list, double from, double to)
{
	if (!(to > from))
		return 0;
	return g->change && g->change->useful ? g->change->useful(g->change->arg, list, from, to) : to - from;
}

/* Useful time before call c; c == l->end: after the last one. */
static inline double replaying_gap(const struct replaying *g, uint32_t list, uint32_t c)
{
	const struct call_list *l = &g->log->lists[list];

	return replaying_useful(g, list, c == l->first ? l->start : g->log->calls[c - 1].end,
				c == l->end ? l->stop : g->log->calls[c].start);
}

static inline bool replaying_is_first(const struct replaying *g, uint32_t call)
{
	return g->is_first[call >> 6] >> (call & 63) & 1;
}

static inline bool replaying_is_entered(const struct replaying *g, uint32_t call)
{
	return replaying_is_first(g, call) || !isnan(g->left[call - 1].at);
}

/* When a call of this list is entered, where the one before it has been left. */
static inline double replaying_find_entry(const struct replaying *g, uint32_t list, uint32_t call)
{
	return replay_reached(g->r, &g->log->lists[list], call) + replaying_gap(g, list, call);
}

/* When a call was entered that was. */
static inline double replaying_entry(const struct replaying *g, uint32_t call)
{
	const struct logged_call *c = &g->log->calls[call];

	if (replaying_is_first(g, call))
		return replaying_find_entry(g, call_log_list_of(g->log, call), call);
	if (g->entry)
		return g->entry[call];
	return g->left[call - 1].at + (c->start > c[-1].end ? c->start - c[-1].end : 0);
}

static inline void replaying_wait_in(struct replaying *g, uint32_t list, uint32_t *chain)
{
	struct position *p = &g->positions[list];

	p->chain = chain;
	p->next = *chain;
	*chain = list;
}

static inline void replaying_wake(struct replaying *g, uint32_t *chain)
{
	while (*chain != NO_LIST) {
		struct position *p = &g->positions[*chain];

		g->ready[g->ready_count++] = *chain;
		*chain = p->next;
		p->chain = NULL;
	}
}

/* It is known now. */
static inline void replaying_know(struct replaying *g, union moment *m, double at)
{
	uint32_t waiting = m->waiting;

	m->at = at;
	replaying_wake(g, &waiting);
}

/* replay.c: what the call depends on at its next part; and behind that. */
void replaying_find(const struct replaying *g, struct position *p);
void replaying_next_part(const struct replaying *g, struct position *p);

/* Take another call's entry; or drop the call, which has not been entered. */
static inline void replaying_take(struct position *p, double entry)
{
	if (entry > p->latest)
		p->latest = entry;
}
void replaying_drop(struct replaying *g, uint32_t call, struct call_at on);

/* Nothing can go on: the pending call that began first, of the lowest list. NO_LIST: all are at their ends. It takes
 * those that came, drops the others, and goes on. */
uint32_t replaying_first_pending(const struct replaying *g);
void replaying_break_out(struct replaying *g, uint32_t list);

/* ---- team ---- */

/* The replay of a rank's own lists, and the other ranks' (docs/internals/scale.md 3). Internal to the replay.
 *
 * Each rank replays its own lists as if there were no others (replay.c). What they wait for of other ranks are moments,
 * by number: the entry of the call at the other end of a message; of a collective's root; the latest entry of all
 * members of a collective; or, where not all count for everyone, of its members up to one. They are told as they come
 * to be known (core/team/team.h), and who waits for them goes on: whatever runs first, all come to the same values, and
 * stand still with the same calls pending.
 *
 * Of those the one that began first, then of the lowest rank, leaves out what holds it up, as in a whole log
 * (replaying_break_out()): what of a collective has not come is asked for then.
 */

struct replay_team;

/* Moments, by number. */
static inline uint32_t arrived_of_message(uint32_t match)
{
	return match - REMOTE_EVENT;
}
static inline uint32_t arrived_of_all(const struct trace_remote *remote, uint32_t instance) /* its latest member */
{
	return remote->message_count + instance;
}
static inline uint32_t arrived_of_root(const struct trace_remote *remote, uint32_t instance)
{
	return remote->message_count + remote->instance_count + instance;
}
static inline uint32_t arrived_up_to(const struct trace_remote *remote, uint32_t member) /* of call_remote.members: the latest of its instance up to it */
{
	return remote->message_count + 2 * remote->instance_count + member;
}

/* g is complete except for its team, which this makes: g->log is a part. A collective step; returns the team's code,
 * with everything to be freed after an error, too. */
enum err_code replay_team_start(struct replaying *g, struct err *e);
void replay_team_free(struct replay_team *t); /* NULL is fine */

/* For whom a call waits at the collective `part`, which is that instance of its rank. */
struct replay_meets {
	struct call_at root;  /* that alone; its call NO_LOGGED_CALL: not so */
	uint32_t count;       /* else so many of the instance's members, in their order; UINT32_MAX: all, which are not listed */
};
struct replay_meets replay_team_meets(const struct call_log *log, const struct replay_rules *rules, bool measured, uint32_t call,
				      struct call_part part, uint32_t instance);

/* What a call depends on at its next part, if that is a message or a collective that spans ranks: p->moment, or a call
 * here; p->partner, p->place and p->moment are set. False: it is not. */
bool replay_team_find(const struct replaying *g, struct position *p);

/* A call here was entered. The last of the members here of an instance was: `latest` of them at that time. */
void replay_team_entered(struct replaying *g, uint32_t call, double entry);
void replay_team_arrived(struct replaying *g, uint32_t instance, double latest);

/* Nothing here can go on: exchange with the other ranks until something can; *over: all is done, everywhere. Returns
 * the team's code. */
enum err_code replay_team_wait(struct replaying *g, bool *over, struct err *e);

/* For a list that is to wait no more: it takes what has come of its moment, and drops what has not. */
void replay_team_break_out(struct replaying *g, struct position *p);

/* ---- questions ---- */

/* What a list that is to wait no more must know of collectives whose members are not listed: who of them has been
 * entered, and who has not (docs/internals/scale.md 3). Its rank asks all others. Internal to the replay over a team.
 */

/* The instances here that others may ask for. */
struct replay_numbered {
	uint64_t number;       /* the same on all ranks */
	uint32_t local;        /* of the replay's instances */
};

struct replay_numbers {
	struct replay_numbered *list; /* by number; NULL: nobody has asked yet */
	uint32_t count;
};

/* Rank `asking` asks for its list, which takes what came and drops what did not. Takes collective steps; returns the
 * team's code. */
enum err_code replay_questions_ask(struct replaying *g, const struct trace_remote *of, struct replay_numbers *n, uint32_t asking, uint32_t list,
				   struct err *e);
void replay_numbers_release(struct replay_numbers *n);

#endif
