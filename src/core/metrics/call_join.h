/* The trees that ranks of a team made of their own processes become one, the same on all of them and the same as of a
 * whole trace (call_log.h). Internal to the call log.
 *
 * A whole log numbers nodes as they come, process by process. Ranks have consecutive ranges of processes: so its tree
 * is rank 0's, and then of each rank's the nodes that no lower one has, in their order.
 */
#ifndef PAS2P_CALL_JOIN_H
#define PAS2P_CALL_JOIN_H

#include "call_tree.h"
#include "core/team/team.h"

/* The tree becomes that of all, with counts of all; the log, which is complete but for its nodes, gets their new
 * numbers, and what it says of the whole trace (call_log.h). All ranks come to it; an agreed code: ERR_MEMORY. */
enum err_code call_join(struct call_tree *tree, struct call_log *log, const struct team *team, struct err *e);

#endif
