/* The causal pass (docs/method.md 2; over a team: docs/scale.md 3): its state, shared by logical_order.c, which runs
 * it, and logical_team.c, which meets other ranks for it.
 *
 * What runs is a strand: a process; of a trace that ranks share and that has epochs (epochs.h), a process's events of
 * one epoch. Strand i is of process own + i % width and of epoch i / width. It runs until its next event waits for one
 * of another strand; then it is parked, and the event it waits for wakes it. An event has its LT once its strand has
 * passed it, so no "unset" mark is needed; until a collective is passed, its lt[] holds the number of its instance
 * (NO_EVENT: not numbered yet). The order in which strands run does not show in the result.
 */
#ifndef PAS2P_CAUSAL_PASS_H
#define PAS2P_CAUSAL_PASS_H

#include "epochs.h"
#include "logical.h"
#include "logical_far.h"

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
	uint32_t own, width;     /* the processes whose events are here */
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

	/* Of a trace that ranks share. */
	struct logical_far *far; /* NULL: it is whole */
	struct far_state state;  /* of this rank, when so many were done: */
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
	return s->t->first[s->own + strand % s->width + 1];
}

/* The strand of an event of a process, probably of that epoch. */
static inline uint32_t pass_strand(const struct pass *s, uint32_t process, uint32_t event, uint32_t guess)
{
	return process - s->own + (s->epochs ? epochs_of(s->epochs, process, event, guess) * s->width : 0);
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

/* Begin some more epochs, the same ones on all ranks, at the same meeting: of so many events of a rank, or of a part of
 * them. So what is under way stays in a processor's caches, and there are no more meetings than these and a chain's. */
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

/* logical_order.c: without epochs, so that strands are processes: the one whose next event has the smallest time;
 * NO_STRAND: all have passed theirs (with epochs, it is any that has not). It goes on without that event's relation,
 * which is noted. */
uint32_t pass_first_pending(const struct pass *s);
void pass_cut(struct pass *s, uint32_t strand);
void pass_note_cut(struct logical *l, uint32_t process, event_type type, uint32_t number);
/* The largest value of the strands that run to the trace's end. */
uint32_t pass_largest(const struct pass *s);

/* logical_team.c: nothing here is ready. Meet the other ranks until something is, or the pass has ended, with
 * l->lt_count. Returns the team's code. */
enum err_code pass_wait_for_team(struct pass *s, const struct job *job, enum pass_outcome *outcome, struct err *e);

#endif
