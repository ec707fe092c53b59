/* Parts of a program without messages as expressions: their time where nobody waits, and how long they need each resource
 * (docs/models.md 8, the table). Private to bounds*.c.
 *
 * The same walk as work_cost.c's, with trees for values. Names of the program stay names where they are parameters;
 * arguments of blocks are what they were called with, indices keep a name of their own, rank is its number. What an
 * operand's value decides (branches that are not taken, counts below 0) is decided at the point of the run, of indices
 * over all of their range.
 */
#ifndef PAS2P_BOUNDS_WORK_H
#define PAS2P_BOUNDS_WORK_H

#include "bounds_sum.h"
#include "run.h"

#define BOUNDS_SYMBOLS (PROGRAM_DEPTH + EXPRESSION_ARGUMENTS * (BLOCK_DEPTH + 1))

struct bounds_symbol {
	const char *name;           /* in the model */
	const struct expression *x; /* what it stands for */
	bool index;                 /* whose name x is */
};

struct bounding {
	struct program_run *run;
	struct bounds_terms terms;
	bool numbers;               /* what names rank is a number, where it is one */
	struct bounds_symbol symbols[BOUNDS_SYMBOLS];
	uint32_t symbol_count, scope; /* scope: the first of the block */
	bool *named;                /* operations of the program whose names stand in expressions */
};

/* The loads of all processes together: of the model's resources, of each node's processors, of the network. */
static inline uint32_t bounds_load(const struct program_run *r, enum load_kind kind, uint32_t index)
{
	return kind == LOAD_RESOURCE ? index : r->resource_count + (kind == LOAD_NODE ? index : r->placement.node_count);
}

static inline uint32_t bounds_load_count(const struct program_run *r)
{
	return bounds_load(r, LOAD_NETWORK, 0) + 1;
}

struct bounds_work {
	struct bounds_sum free;
	struct bounds_sum *loads;   /* RUN_LOADS(): resources', then the processor's */
};

/* false: the maker's code says why. */
bool bounds_work_init(struct bounding *b, struct bounds_work *w);
/* Adds a chain, or one node. Not by the node's speed: that is the caller's. */
enum err_code bounds_chain(struct bounding *b, struct code *chain, struct bounds_work *w);
enum err_code bounds_node(struct bounding *b, struct code *c, struct bounds_work *w);
/* A process's work: by the speed of its node. */
void bounds_by_speed(struct bounding *b, struct bounds_work *w);

/* The same of what counts as 0 below 0. */
const struct expression *bounds_count(struct bounding *b, const struct expression *x, struct operand *o, struct interval *value);
/* What a name stands for from now on, until symbol_count is what it was. */
void bounds_let(struct bounding *b, const char *name, const struct expression *x, bool index);
/* A block's arguments, in the frame as well; the scope and count that were go to *scope and *count. */
enum err_code bounds_open(struct bounding *b, struct code *call, uint32_t *scope, uint32_t *count);
void bounds_close(struct bounding *b, struct code *call, uint32_t scope, uint32_t count);

#endif
