/* Waits: how long each call waited for others to do their part, and for whom (docs/reference/metrics.md, "Waiting").
 *
 * A call [s, e] that completes receives waits for the calls that sent; one that sends in a rendezvous, for the
 * receive; a blocking collective, for the last member that came before it returned; so does one that completes
 * nonblocking collectives, where the trace says which; and a call that all members of a communicator make together,
 * where the trace numbers it (core/metrics/calls/gatherings.h). The waiting is the first `sync` seconds of the call.
 * It is communication, whatever the rest of the call is, so that sync and transfer add up to that.
 *
 * Where ranks share the trace each has the waits of its local processes' calls; for whom they wait may be elsewhere.
 *
 * Cost: O(calls + events + members log members); 9 bytes per call. Immutable once made; the log must outlive it.
 */
#ifndef PAS2P_CORE_METRICS_WAITS_WAITS_H
#define PAS2P_CORE_METRICS_WAITS_WAITS_H

#include "core/metrics/calls/remote.h"
#include "core/metrics/calls/phase_spans.h"
#include "core/trace/trace.h"

/* ---- waits ---- */

struct waits {
	const struct call_log *log;
	double *sync;       /* per call, s; 0: it did not wait. Of several messages that it completes the longest wait, whichever that is */
	uint8_t *reason;    /* per call: enum wait_reason, where sync > 0 */
};

struct instances;
enum err_code waits_new(struct waits **out, const struct call_log *log, const struct progress *progress, struct err *e);
/* The same with the log's instances, for who has them: they are not made again. */
enum err_code waits_new_among(struct waits **out, const struct call_log *log, const struct instances *m, const struct progress *progress,
			      struct err *e);
void waits_free(struct waits *w); /* NULL is fine */

/* The call that a waiting call waited for: of several that came at the same time, that of the lowest process, then
 * call. NO_LOGGED_CALL: it did not wait. O(events of the call, members of its collectives). */
uint32_t waits_for(const struct waits *w, uint32_t call);
/* The same in O(events of the call x log members), for callers that ask it for every call. */
uint32_t waits_for_among(const struct waits *w, const struct instances *m, uint32_t call);

/* The same, on whatever rank that is. For a log with `remote` this alone is to be asked, and m not NULL. */
struct call_at waits_for_at(const struct waits *w, const struct instances *m, uint32_t call);

/* For who follows the same rules: can this call wait at all? The call that it waits for at its message `event`, whether
 * that came late or not; NO_LOGGED_CALL: none. Does it wait at `part` for whichever member is late (of one whose root
 * is known instances_root() says for whom)? */
bool call_can_wait(const struct call_log *log, uint32_t call);
uint32_t call_partner(const struct call_log *log, uint32_t call, uint32_t event);
/* The same of a message whose other end is on another rank; NULL: none. */
const struct remote_call *call_remote_partner(const struct call_log *log, uint32_t call, uint32_t event);
bool call_meets(const struct call_log *log, uint32_t call, struct call_part part);

/* What all of a list's time went into. */
void waits_account(const struct waits *w, uint32_t list, struct account *a);

/* ---- causes ---- */

/* Causes: who made others wait, and by doing what (docs/reference/metrics.md, "Root causes").
 *
 * A wait [s, s + sync) of a call is due to a late call on another process. The activity of that process in this time is
 * the cause: it computed, or was in a call beyond waiting, or waited itself - then its own wait is followed in turn.
 * Every second of waiting is attributed to exactly one moment of one process (its *root*), so causes add up to sync. If
 * the chain leads back to itself (clocks that disagree), or to a time before or after a process's records, the rest is
 * `unresolved`.
 *
 * A log does not say when a user state begins or ends between two calls: computing counts to the state that the call
 * behind it was made in (after the last call: that of the last).
 *
 * A sweep over time: at each moment the lists that wait form trees whose roots do not; a root's activity is charged
 * once for each process in its tree. O(calls x depth of the chains). 40 bytes per list and what its causes take.
 */

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
enum err_code causes_new(struct causes **out, const struct waits *w, const struct phase_spans *spans, const struct progress *progress, struct err *e);
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

/* ---- early_receives ---- */

/* Receives before their sends, in a trace whose clocks disagree. */

/* How many there are. Where ranks share the trace all come to it, and are told all ranks'; an agreed code:
 * ERR_MEMORY. */
enum err_code early_receives(const struct trace *t, uint64_t *early, struct err *e);

#endif
