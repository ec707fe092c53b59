/* Declarations that only the files of src/core/method/logical use. Each part begins with its own description. */
#ifndef PAS2P_CORE_METHOD_LOGICAL_LOGICAL_INT_H
#define PAS2P_CORE_METHOD_LOGICAL_LOGICAL_INT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/trace/remote.h"
#include "logical.h"

/* ---- remote ---- */

/* What the causal passes of a team's ranks have to tell each other (docs/internals/scale.md 3).
 *
 * Each rank orders the events of its local processes as if there were no others (order.c). Where an event waits for one
 * of another rank, it waits for news from here:
 *
 *     logical_remote_send()    a send here has its LT, and its receive is on another rank
 *     logical_remote_lt()      the LT of a send there, once it is known here
 *     logical_remote_arrive()    all members here of a collective that has others elsewhere have come to it; its owner collects the largest
 *                           values of the ranks, and when all have come it tells them the largest of all
 *     logical_remote_news()    what has come, one by one; whom it wakes runs
 *     logical_remote_exchange()    when nothing here can go on: all ranks tell each other what they have collected. It is one collective step
 *
 * In a collective step where no rank has anything to tell, nothing goes on anywhere: all is done, or relations form a
 * cycle, and of the events that are next on their process that with the smallest time, then process, is cut by its
 * rank. Placing an event never keeps another one from being placed, so that whatever runs first, the same events have
 * got the same LTs by then: those of the pass over the whole trace.
 */

/* Where a rank's pass stands, and where those of all do. */
struct remote_state {
	double time;           /* of the event that would be cut */
	uint32_t process;      /* whose it is, NO_PROCESS: none is pending */
	uint32_t number;       /* of it within its process */
	event_type type;
	uint32_t largest;      /* of the LTs that the processes' next sends would get */
	uint32_t mixed;        /* 1: something here is of several epochs that must not be */
};

/* An event here that is waited for there, or an instance of a collective. */
struct remote_news {
	uint32_t event;        /* the receive whose send has its LT; NO_EVENT: it is a collective */
	uint32_t instance;     /* as logical_remote_arrive() was told */
	uint32_t lt;           /* of the collective */
};

struct logical_remote;

/* Not a collective step. NULL: no memory. An LT is told with its epoch (epochs); it counts from there. */
struct logical_remote *logical_remote_new(const struct trace *t);
void logical_remote_free(struct logical_remote *f); /* NULL is fine */

/* The LT of the send of a receive with that match, which is remote; NO_EVENT: it is not known yet. */
uint32_t logical_remote_lt(const struct logical_remote *f, uint32_t match);
uint32_t logical_remote_epoch(const struct logical_remote *f, uint32_t match);
/* It will be asked for, or told, soon. */
void logical_remote_fetch(const struct logical_remote *f, uint32_t match);

/* All that is told fails silently if there is no memory; then this is true. */
bool logical_remote_failed(const struct logical_remote *f);
void logical_remote_send(struct logical_remote *f, uint32_t match, uint32_t lt, uint32_t epoch);
/* `instance` is returned with the news; largest: of the values of those that wait. */
void logical_remote_arrive(struct logical_remote *f, const struct remote_instance *x, uint32_t instance, uint32_t largest, uint32_t epoch);
/* Of those that had come, one has left: the largest of those that still wait, 0 if none. */
void logical_remote_leave(struct logical_remote *f, const struct remote_instance *x, uint32_t largest);

/* False: there is no more. */
bool logical_remote_news(struct logical_remote *f, struct remote_news *news);

/* Tell what there is to tell: is it nothing? Then `own` at the collective step has to be up to date. */
bool logical_remote_quiet(const struct logical_remote *f);
/* *still: no rank had anything to tell, and *all is what of all ranks' is cut next; otherwise there may be news.
 * Returns the team's code. */
enum err_code logical_remote_exchange(struct logical_remote *f, const struct remote_state *local, struct remote_state *all, bool *still, struct err *e);

/* ---- epochs ---- */

/* Epochs: what lies between two related collectives of all processes (docs/internals/scale.md 3).
 *
 * After such a collective every process has the same value, one more than the largest that any came with. So all epochs
 * are ordered at the same time, as if LTs began at 0 in each, and when all is done the LTs of an epoch are moved to
 * where the one before it has ended.
 *
 *     epochs_find()      which collectives are at the end of an epoch, the same ones in the same order on all processes. Not all that could
 *                        be, where epochs would have few events
 *     epochs_end()       a process has come to one
 *     epochs_join()      all have come to all: where each epoch begins
 *
 * That is right where nothing is received, and no other collective met, in an earlier epoch than it is sent or met on
 * another process. A message that is sent in an earlier epoch than it is received in raises no value there, since the
 * collective's is larger.
 */

struct epochs {
	const struct trace *t;
	uint32_t count;        /* of collectives that end one; the events after the last are an epoch, too */
	uint32_t local, width; /* the rank's first process, and how many it has */
	uint32_t *ends;        /* per collective, then process of the rank: its event */
	uint32_t *largest;     /* per collective: the largest value that anybody has come to it with */
	uint32_t *base;        /* when they are joined, count + 1: the LT where an epoch begins */
};

/* Takes collective steps, returns the team's code. To be released in any case. */
enum err_code epochs_find(struct epochs *x, const struct trace *t, struct err *e);
void epochs_release(struct epochs *x);

/* A process has come to the end of that epoch, with that value. */
static inline void epochs_end(struct epochs *x, uint32_t epoch, uint32_t value)
{
	if (value > x->largest[epoch])
		x->largest[epoch] = value;
}

/* The epoch of an event of process p of this rank; quick where the guess is right. Binary search. */
uint32_t epochs_of(const struct epochs *x, uint32_t p, uint32_t event, uint32_t guess);

/* Takes a collective step, returns the team's code. */
enum err_code epochs_join(struct epochs *x, struct err *e);

/* ---- causal_pass ---- */

/* The causal pass (docs/explain/method.md, "Logical time"; over a team: docs/internals/scale.md 3): its state, shared
 * by order.c, which runs it, and team.c, which exchanges with other ranks for it.
 *
 * What runs is a strand: a process; of a trace that ranks share and that has epochs (epochs), a process's events of
 * one epoch. Strand i is of process local + i % width and of epoch i / width. It runs until its next event waits for one
 * of another strand; then it is parked, and the event it waits for wakes it. An event has its LT once its strand has
 * passed it, so no "unset" mark is needed; until a collective is passed, its lt[] holds the number of its instance
 * (NO_EVENT: not numbered yet). The order in which strands run does not show in the result.
 */

#define NO_STRAND UINT32_MAX

/* An instance of a collective: who has come to it and waits. */
struct instance {
	uint32_t missing; /* members here that have not come to it yet */
	uint32_t largest; /* of the values of those that wait */
	uint32_t waiting; /* the last strand that came, NO_STRAND: none; the others by link[] */
};

struct pass {
	struct logical *l;
	const struct trace *t;
	uint32_t *lt;
	uint32_t local, width;   /* the processes whose events are here */
	uint32_t strands;
	uint32_t *next;          /* per strand: its first event without LT */
	uint32_t *value;         /* per strand: the LT that a send would get now */
	uint8_t *parked;         /* per strand: waits at next[] */
	uint32_t *link;          /* per strand: the one that came before it to the collective where both wait */
	uint32_t *runnable;      /* stack */
	uint32_t runnable_count;
	struct instance *instances; /* of collectives */
	uint32_t instance_count;
	size_t instance_cap;
	bool no_memory;
	uint64_t done;           /* events */

	/* For a trace that ranks share. */
	struct logical_remote *remote; /* NULL: it is whole */
	struct remote_state state;     /* of this rank, when so many were done: */
	uint64_t state_done;
	uint32_t fetched;        /* what is below on the stack of runnable strands was not fetched yet */
	uint32_t opened;         /* epochs that have begun; the same on all ranks */
	struct epochs *epochs;   /* NULL: there is one */
	bool mixed;              /* something here is of several epochs that must not be */
	bool crossed;            /* a message here is received in a later epoch than it was sent in */
};

/* What lt[] holds until the epochs are joined, of a collective that ends one, and in `pas2p` order of a receive whose
 * send is in an earlier one. */
#define LT_ENDS (NO_EVENT - 1)
#define LT_CROSSED (NO_EVENT - 2)

/* How a pass ends. PASS_MIXED: the epochs are none, and a pass without them is needed. */
enum pass_outcome { PASS_UNDER_WAY, PASS_DONE, PASS_MIXED };

/* Behind a strand's last event. */
static inline uint32_t pass_end(const struct pass *s, uint32_t strand)
{
	if (s->epochs && strand < s->strands - s->width)
		return s->epochs->ends[strand] + 1;
	return s->t->first[s->local + strand % s->width + 1];
}

/* The strand of an event of a process, probably of that epoch. */
static inline uint32_t pass_strand(const struct pass *s, uint32_t process, uint32_t event, uint32_t guess)
{
	return process - s->local + (s->epochs ? epochs_of(s->epochs, process, event, guess) * s->width : 0);
}

static inline void pass_wake(struct pass *s, uint32_t strand)
{
	s->parked[strand] = 0;
	s->runnable[s->runnable_count++] = strand;
}

/* Give an event that is a send, or stands like one, its LT. */
static inline void pass_place(struct pass *s, uint32_t strand, uint32_t ev)
{
	s->lt[ev] = s->value[strand]++;
	s->next[strand] = ev + 1;
	s->done++;
}

/* All have come to a collective: those that wait get the largest value. */
static inline void pass_release_waiting(struct pass *s, const struct instance *x)
{
	for (uint32_t i = x->waiting; i != NO_STRAND; i = s->link[i]) {
		s->value[i] = x->largest;
		pass_place(s, i, s->next[i]);
		pass_wake(s, i);
	}
}

/* Begin some more epochs, the same ones on all ranks, at the same collective step: of so many events of a rank, or of a
 * part of them. So what is under way stays in a processor's caches, and there are no more collective steps than these
 * and a chain's. */
#define PASS_OPENS 16384
#define PASS_PARTS 16

static inline uint32_t pass_epochs(const struct pass *s)
{
	return s->epochs ? s->epochs->count + 1 : 1;
}

static inline void pass_open(struct pass *s)
{
	uint32_t from = s->opened, all = pass_epochs(s);
	uint64_t events = trace_all_events(s->t) / team_size(trace_team(s->t)), most = events / PASS_PARTS;
	uint64_t more = (most < PASS_OPENS ? most : PASS_OPENS) / (events / all + 1) + 1;

	s->opened = more > all - from ? all : from + (uint32_t)more;
	for (uint32_t i = s->opened * s->width; i-- > from * s->width;)
		s->runnable[s->runnable_count++] = i;
}

/* order.c: without epochs, so that strands are processes: the one whose next event has the smallest time;
 * NO_STRAND: all have passed theirs (with epochs, it is any that has not). It goes on without that event's relation,
 * which is noted. */
uint32_t pass_first_pending(const struct pass *s);
void pass_cut(struct pass *s, uint32_t strand);
void pass_note_cut(struct logical *l, uint32_t process, event_type type, uint32_t number);
/* The largest value of the strands that run to the trace's end. */
uint32_t pass_largest(const struct pass *s);

/* team.c: nothing here is ready. Exchange with the other ranks until something is, or the pass has ended, with
 * l->lt_count. Returns the team's code. */
enum err_code pass_wait_for_team(struct pass *s, const struct progress *progress, enum pass_outcome *outcome, struct err *e);

/* ---- order ---- */

/* Logical times (docs/explain/method.md, "Logical time"): the causal pass behind logical_new().
 *
 * Fills lt[] for every event of l->trace by l->order, and l->broken and l->notes where relations had to be
 * cut because the trace holds a cycle. One pass in causal order, O(events) without cycles. l->lt_count is then at least
 * as large as all LTs need.
 *
 * For a trace that the ranks of a team share each runs the pass over its local processes, and all exchange when nothing
 * goes on anywhere (docs/internals/scale.md 3); where collectives of all processes contradict other relations there is
 * a second pass, which takes them as any other. Returns the team's code.
 */

enum err_code logical_order(struct logical *l, uint32_t *lt, const struct progress *progress, struct err *e);

/* ---- ticks ---- */

/* Ticks (docs/explain/method.md, "Ticks"): from logical times to the logical trace, behind logical_new().
 *
 * l->tick[] holds the LT of every event and l->lt_count is at least as large as they need; then all but notes and
 * `broken` is filled in. For a trace that ranks share the numbers of ticks are the whole trace's, and the events in
 * them the rank's own: at a tick there may be none. It takes collective steps then.
 */

enum err_code logical_ticks(struct logical *l, const struct progress *progress, struct err *e);

#endif
