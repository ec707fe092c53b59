/* Which node each process runs on (docs/models.md 7): in rank order node 0's cores, node 1's ...; when all are full,
 * from node 0 again.
 *
 * Nodes are numbered through the machine's groups. On several nodes, cores that are not given are one; a single node
 * without has any number. Without a machine all run on one node of speed 1.
 */
#ifndef PAS2P_CORE_MODELS_GRAPH_PLACEMENT_H
#define PAS2P_CORE_MODELS_GRAPH_PLACEMENT_H

#include <stdint.h>

#include "core/base/err.h"
#include "core/models/machine/machine.h"

struct home {
	uint32_t node, group;
};

struct placement {
	struct home *homes; /* by rank */
	uint32_t process_count;
	uint32_t node_count; /* those that have processes */
};

enum err_code placement_init(struct placement *p, const struct machine *m, uint32_t processes, struct err *e);
void placement_release(struct placement *p);

/* Of a group's nodes. Speed [1, 1] and 0 cores (any number) without a machine. */
struct interval placement_speed(const struct machine *m, uint32_t group);
uint64_t placement_cores(const struct machine *m, uint32_t group);

/* Each rank's part of all speed, by the means of intervals, as share() has it; NULL: no memory. To be freed with
 * mem_free(). */
double *placement_shares(const struct placement *p, const struct machine *m);

#endif
