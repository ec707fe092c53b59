/* Waits: how long each call waited for others to do their part, and for whom (docs/metrics.md 3).
 *
 * A call [s, e] that completes receives waits for the calls that sent; one that sends in a rendezvous, for the receive;
 * a blocking collective, for the last member that came before it returned; so does one that completes nonblocking
 * collectives, where the trace says which; and a call that all members of a communicator make together, where the trace numbers
 * it (gatherings.h). The waiting is the first `sync` seconds of the call. It is communication, whatever the rest of the call is, so
 * that sync and transfer add up to that.
 *
 * Where ranks share the trace each has the waits of its own processes' calls; for whom they wait may be elsewhere.
 *
 * Cost: O(calls + events + members log members); 9 bytes a call. Immutable once made; the log must outlive it.
 */
#ifndef PAS2P_WAITS_H
#define PAS2P_WAITS_H

#include "call_far.h"

struct waits {
	const struct call_log *log;
	double *sync;       /* per call, s; 0: it did not wait */
	uint8_t *reason;    /* per call: enum wait_reason, where sync > 0 */
};

struct meetings;
enum err_code waits_new(struct waits **out, const struct call_log *log, const struct job *job, struct err *e);
/* The same with the log's meetings, for who has them: they are not made again. */
enum err_code waits_new_among(struct waits **out, const struct call_log *log, const struct meetings *m, const struct job *job,
			      struct err *e);
void waits_free(struct waits *w); /* NULL is fine */

/* The call that a waiting call waited for: of several that came at the same time, that of the lowest process, then
 * call. NO_LOGGED_CALL: it did not wait. O(events of the call, members of its collectives). */
uint32_t waits_for(const struct waits *w, uint32_t call);
/* The same in O(events of the call x log members), for who asks it of every call. */
uint32_t waits_for_among(const struct waits *w, const struct meetings *m, uint32_t call);

/* The same, on whatever rank that is. Of a log with `far` this alone is to be asked, and m not NULL. */
struct call_at waits_for_at(const struct waits *w, const struct meetings *m, uint32_t call);

/* For who follows the same rules: can this call wait at all? The call that it waits for at its message `event`, whether
 * that came late or not; NO_LOGGED_CALL: none. Does it wait at `part` for whichever member is late (of one whose root
 * is known meetings_root() says for whom)? */
bool call_can_wait(const struct call_log *log, uint32_t call);
uint32_t call_partner(const struct call_log *log, uint32_t call, uint32_t event);
/* The same of a message whose other end is on another rank; NULL: none. */
const struct far_call *call_far_partner(const struct call_log *log, uint32_t call, uint32_t event);
bool call_meets(const struct call_log *log, uint32_t call, struct call_part part);

/* What all of a list's time went into. */
void waits_account(const struct waits *w, uint32_t list, struct account *a);

#endif
