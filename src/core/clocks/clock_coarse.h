/* The coarse map: a line for each clock that brings it close to the reference's, so that what is left is small
 * (docs/clocks.md 2.1). Internal to clock_bounds.
 *
 * A tree of pairs that talk, from the reference, the closest hulls first; along it the pairs' middle lines are
 * composed.
 */
#ifndef PAS2P_CLOCK_COARSE_H
#define PAS2P_CLOCK_COARSE_H

#include "clock_closure.h"
#include "clock_line.h"

/* line and root: per process. Hulls are settled, per pair of the graph. `origin`: the reference's first record. */
enum err_code clock_coarse(struct clock_line *line, uint32_t *root, const struct clock_graph *g, const struct pair_hulls *hulls,
			   uint32_t reference, double origin, struct err *e);

#endif
