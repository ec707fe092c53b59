/* Causes: who made others wait, and by doing what (docs/metrics.md, "Root of waits").
 *
 * A wait [s, s + sync) of a call is due to a call on another process that came late. What that process did meanwhile is
 * the cause: it computed, or was in a call beyond waiting, or waited itself - then what it waited for is the cause, and
 * so on. Every second of waiting is attributed to exactly one moment of one process (its *root*), so causes add up to
 * sync. Where the chain leads back to itself (clocks that disagree) or before or behind a process's records, the rest
 * is `unresolved`.
 *
 * A log does not say when a user state begins or ends between two calls: computing counts to the state that the call
 * behind it was made in (behind the last call: that of the last).
 *
 * A sweep over time: at each moment the lists that wait form trees whose roots do not; a root's activity is charged
 * once for each process in its tree. O(calls x depth of the chains). 40 bytes a list and what its causes take.
 */
#ifndef PAS2P_CAUSES_H
#define PAS2P_CAUSES_H

#include "phase_spans.h"
#include "waits.h"

/* Waiting charged to a place: what a process did while others waited for it. */
struct cause {
	uint32_t process;
	uint32_t node;      /* of the tree: the user state (or program) where it computed; the MPI function where it was in a call */
	uint32_t phase;     /* id, SPAN_BEFORE, SPAN_AFTER; SPAN_BEFORE everywhere without spans */
	double useful;      /* s of others' waiting, while it computed, or the tracer wrote (node: the tracer's) */
	double in_calls;    /* while it was in a call beyond waiting */
};

struct causes {
	struct cause *list;     /* by process, node, phase; those above 0 */
	uint32_t count;
	double unresolved;      /* s of waiting without a cause */
	double sync;            /* s of all waits of account lists: the causes and unresolved add up to it */
};

/* spans NULL: phases are not asked for. ERR_MEMORY, ERR_CANCELLED. */
enum err_code causes_new(struct causes **out, const struct waits *w, const struct phase_spans *spans, const struct job *job, struct err *e);
void causes_free(struct causes *c); /* NULL is fine */

/* What one process did in all phases together while others waited for it. */
struct culprit {
	uint32_t process, node;
	double useful, in_calls;
};

static inline double culprit_seconds(const struct culprit *c)
{
	return c->useful + c->in_calls;
}

/* Those that others waited for longest, the longest first, of equals the first of the list: at most `most`. Returns how
 * many. */
uint32_t causes_culprits(const struct causes *c, struct culprit *out, uint32_t most);

/* The causes of one wait, the largest first: at most `most` of them; returns how many. 0: it did not wait, all of it is
 * unresolved, or there is no memory. Chains longer than 10 000 lists are not followed. For who asks "who made rank 0
 * wait?". */
struct wait_cause {
	uint32_t list, call;    /* the root's call, or the one that its computing lies before */
	bool in_call;
	double seconds;
	uint32_t through;       /* lists between: 0, the one that was waited for is the root; at their least */
};
uint32_t causes_of(const struct waits *w, uint32_t call, struct wait_cause *out, uint32_t most);

#endif
