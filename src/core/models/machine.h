/* A machine as a model: what operations and messages take there, and of which nodes it consists (docs/models.md 7).
 *
 * machine_read.h makes it from a file. Times are seconds, intervals all of them. Not changed by evaluation. Texts are
 * safe, and the arena's. Where processes lie is placement.h's: a group's cores and count come from a file and may be
 * any number, so nothing here is as long as they are.
 */
#ifndef PAS2P_MACHINE_H
#define PAS2P_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/mem.h"
#include "function.h"

struct machine_op { /* `ops`, and `memory` by read, write, copy */
	const char *name;
	struct interval seconds;
	struct place place;
};

struct machine_nodes { /* `count` equal nodes */
	uint64_t count;        /* at least 1 */
	uint64_t cores;        /* 0: not given */
	struct interval speed; /* above 0: compute and ops take 1/speed as long */
	struct machine_op *ops; /* what differs from the machine's */
	uint32_t op_count;
	struct place place;
};

struct machine {
	struct arena arena;
	const char *file, *name;  /* NULL: none */
	struct machine_op *ops;   /* with memory's */
	uint32_t op_count;
	struct expression_functions functions;
	uint64_t network;         /* messages at once; 0: any number */
	struct machine_nodes *nodes; /* at least one group */
	uint32_t group_count;
};

void machine_init(struct machine *m);
void machine_release(struct machine *m);

/* An operation's time on the nodes of a group, before their speed; NULL: it has none. */
const struct machine_op *machine_op(const struct machine *m, uint32_t group, const char *name);

#endif
