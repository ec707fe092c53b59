/* Logical times (docs/method.md 2): the causal pass behind logical_new().
 *
 * Fills lt[] for every event of l->trace by l->order, and l->broken and l->notes where relations had to be
 * cut because the trace holds a cycle. One pass in causal order, O(events) without cycles. l->lt_count is then at least
 * as large as all LTs need.
 *
 * Of a trace that the ranks of a team share each runs the pass over its own processes, and all meet when nothing goes
 * on with any (docs/scale.md 3); where collectives of all processes contradict other relations there is a second pass,
 * which takes them as any other. Returns the team's code.
 */
#ifndef PAS2P_LOGICAL_ORDER_H
#define PAS2P_LOGICAL_ORDER_H

#include "logical.h"

enum err_code logical_order(struct logical *l, uint32_t *lt, const struct job *job, struct err *e);

#endif
