/* What messages and collectives took in occurrence, as functions of their bytes (docs/models.md 9): one law fits
 * them (fit.h).
 *
 * A trace has the moment of each send, the end of each receive and the begin of each collective, and what is computed
 * after each. Therefore:
 *
 * send   from the send to the next event's begin, less what is computed; where the next event is no receive, since
 *        that may wait
 * recv   from the send to the end of the receive, of those that wait for it already; where none does, the least of any.
 *        Of collectives that messages stand for, a round of theirs
 * copy   of a receive that begins when its message has been sent for longer than `recv`: its length
 * NAME   of a collective: from when its last member comes to where a member goes on, if no receive follows
 *
 * What cannot be seen in the occurrences takes no time. Clocks that are apart can make a time negative: it counts as
 * 0.
 *
 *     phase_costs_init(&c, &e);
 *     phase_costs_add(&c, &steps, job, &e); ...       each occurrence; its trace may go behind that
 *     phase_costs_fit(&c, job, &e);
 *     phase_costs_write(&c, &out);                     "  send(b): ..." lines
 *     phase_costs_release(&c);                         in any case
 */
#ifndef PAS2P_PHASE_COSTS_H
#define PAS2P_PHASE_COSTS_H

#include "core/io/out.h"
#include "core/models/measurements.h"
#include "phase_steps.h"

/* Measurements by what they are of: a kind of node; of receives the least of any, how long they took by how long their
 * message had been there, and copies. */
enum { COSTS_ANY_TRANSFER = NODE_KINDS, COSTS_RECEIVES, COSTS_COPIES, COSTS_MEASURED };

struct phase_costs {
	struct measurements measured[COSTS_MEASURED];
	bool used[NODE_KINDS];
	struct out function[NODE_KINDS]; /* by kind: an expression or pieces in `b`; empty: there are none */
	struct out copy;                 /* with recv */
};

enum err_code phase_costs_init(struct phase_costs *c, struct err *e);
enum err_code phase_costs_add(struct phase_costs *c, const struct phase_steps *s, const struct job *job, struct err *e);
enum err_code phase_costs_fit(struct phase_costs *c, const struct job *job, struct err *e);
void phase_costs_write(const struct phase_costs *c, struct out *out);
void phase_costs_release(struct phase_costs *c);

#endif
