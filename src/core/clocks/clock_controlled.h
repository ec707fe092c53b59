/* The controlled logical clock: times in which nothing arrives before it was sent, as near to those given as that
 * allows (docs/clocks.md 4.3). Internal to clock_correct.
 *
 * Forward, in causal order, a receive is moved as far as it must be, and what follows it in its process comes back to
 * its own times at a rate of `amortise`. Backward, an advance grows over the time before it at that rate, as far as
 * nobody who receives from there is passed. One pass each over all records: O(records + messages).
 */
#ifndef PAS2P_CLOCK_CONTROLLED_H
#define PAS2P_CLOCK_CONTROLLED_H

#include "clock_knots.h"
#include "core/base/job.h"

struct controlled_figures {
	uint64_t abrupt;     /* intervals longer than (1 + amortise) of what they were, since a limit left no room */
	double abrupt_worst; /* s, by how much the worst of them is too long */
	uint64_t broken;     /* receives and ends that were left where they are: they would have to wait for themselves */
};

/* given: of all records, process by process; of each process it is made to rise. out: likewise, the new times.
 * ERR_CANCELLED, ERR_MEMORY. */
enum err_code clock_controlled(double *out, double *given, const struct clock_knots *knots, double amortise, struct controlled_figures *figures,
			       const struct job *job, struct err *e);

#endif
