/* Loops with messages in which every iteration takes as long as the one before (docs/models.md 8, "Cost" c).
 *
 * steady_look() is asked when all processes have paused or wait. If all that moved since a state like this one did some
 * iterations of a loop, and their clocks and the messages that they have under way moved by one amount, the same
 * follows again and again, since the system only adds and takes maxima: then all that is left of it is done at once.
 * (Some, not one: looking costs, and happens as often as it is worth it.) Processes that did not move, and messages
 * that nobody touched, have no part in it.
 */
#ifndef PAS2P_STEADY_H
#define PAS2P_STEADY_H

#include "processes.h"

#define STEADY_STATES 16                   /* remembered, for loops in loops */
#define STEADY_BYTES ((size_t)256 << 20)

struct steady_state;

struct steady {
	struct steady_state *states[STEADY_STATES];
	uint64_t asked;  /* nodes executed when it was last worth looking */
	uint64_t age;
};

enum err_code steady_look(struct steady *s, struct processes *p, struct err *e);
void steady_release(struct steady *s);

#endif
