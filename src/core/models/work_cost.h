/* What a part of the program without messages costs: free and nested time, and loads of resources (docs/models.md 8,
 * the table). */
#ifndef PAS2P_WORK_COST_H
#define PAS2P_WORK_COST_H

#include "run.h"

struct work_cost {
	struct interval free, nested;
	struct interval *loads; /* RUN_LOADS(): resources', then the processor's */
};

/* Adds a chain of nodes to *cost. The frame is the run's. */
enum err_code work_chain(struct program_run *r, struct code *chain, struct work_cost *cost);
/* The same of one node, whatever follows it. */
enum err_code work_node(struct program_run *r, struct code *c, struct work_cost *cost);

/* A vector of loads, all 0, until it is dropped; in the opposite order. */
enum err_code work_loads(struct program_run *r, struct interval **loads);
void work_loads_drop(struct program_run *r);

/* Adds the sum of a loop's body over its index from `from`, `n` times, to *cost: at once where that is exact, else one
 * by one. */
enum err_code work_sum(struct program_run *r, struct code *loop, double from, double n, struct work_cost *cost);

#endif
