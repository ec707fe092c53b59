/* What messages and collectives took in an occurrence, as functions of their bytes (docs/models.md 9): one law fits them (fit.h).
 *
 * A trace has the moment of each send, the end of each receive and the begin of each collective, and what is computed after
 * each. Therefore:
 *
 * send   from the send to the next event's begin, less what is computed; where the next event is no receive, since that may wait
 * recv   from the send to the end of the receive, of those that wait for it already; where none does, the least of any
 * copy   of a receive that begins when its message has been sent for longer than `recv`: its length
 * NAME   of a collective: from when its last member comes to where a member goes on, if no receive follows
 *
 * What cannot be seen in the occurrence takes no time. Clocks that are apart can make a time negative: it counts as 0.
 */
#ifndef PAS2P_PHASE_COSTS_H
#define PAS2P_PHASE_COSTS_H

#include "core/io/out.h"
#include "phase_steps.h"

struct phase_costs {
	struct out function[NODE_KINDS]; /* by kind: an expression, or pieces in braces, in `b`; empty: the occurrence has none */
	struct out copy;                 /* with recv */
};

enum err_code phase_costs_init(struct phase_costs *c, const struct phase_steps *s, const struct job *job, struct err *e);
void phase_costs_release(struct phase_costs *c);

#endif
