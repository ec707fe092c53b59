/* The closure: what bounds on pairs say of each, through every chain of partners (docs/clocks.md 2.4).
 *
 * For each pair of a graph, what is to be added at q less what is to be added at p lies in a range. So a process is
 * bound against the root of its component by shortest paths; an uncertainty never shrinks by being passed on.
 */
#ifndef PAS2P_CLOCK_CLOSURE_H
#define PAS2P_CLOCK_CLOSURE_H

#include "clock_pair.h"
#include "core/base/err.h"

#define NO_COMPONENT UINT32_MAX

/* Who talks to whom: pairs p < q, and by process the pairs that it is in. */
struct clock_graph {
	uint32_t process_count, pair_count;
	uint32_t *p, *q;         /* per pair */
	uint32_t *first, *of;    /* of[first[i] .. first[i + 1]): pairs of process i */
};

enum err_code clock_graph_init(struct clock_graph *g, uint32_t process_count, const uint32_t *p, const uint32_t *q, uint32_t pair_count,
			       struct err *e);
void clock_graph_release(struct clock_graph *g);

/* By process: roots are [0, 0]. root: of each process's component. False in *closed: some cycle has no solution
 * (rounding apart), and the ranges mean nothing. */
enum err_code clock_closure(struct clock_range *out, bool *closed, const struct clock_graph *g, const struct clock_range *pair,
			    const uint32_t *root, struct err *e);

#endif
