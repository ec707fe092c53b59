/* Ticks (docs/method.md 3): from logical times to the logical trace, behind logical_new().
 *
 * l->tick[] holds the LT of every event and l->lt_count is at least as large as they need; then all but notes and
 * `broken` is filled in. Of a trace that ranks share the numbers of ticks are the whole trace's, and the events in them
 * the rank's own: at a tick there may be none. It holds meetings then.
 */
#ifndef PAS2P_LOGICAL_TICKS_H
#define PAS2P_LOGICAL_TICKS_H

#include "logical.h"

enum err_code logical_ticks(struct logical *l, const struct job *job, struct err *e);

#endif
