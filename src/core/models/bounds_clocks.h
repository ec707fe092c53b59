/* When processes that send messages end, as expressions: the greatest of the paths that lead there (docs/models.md 8).
 * Private to bounds*.c.
 *
 * A path is a sum of parts of the program and times of messages, with its value at the point. Paths that another one
 * contains are left out whatever the values are. If more than BOUNDS_PATHS are left, those that are not the longest at the
 * point are left out, too, and the clock is `partial`.
 */
#ifndef PAS2P_BOUNDS_CLOCKS_H
#define PAS2P_BOUNDS_CLOCKS_H

#include "bounds_work.h"

#define BOUNDS_PATHS 8
#define BOUNDS_ACTIONS 20000 /* messages, and parts of the program between them, of all processes */

struct bounds_path {
	struct bounds_sum sum;
	struct interval value;
};

struct bounds_clock {
	struct bounds_path path[BOUNDS_PATHS + 1];
	uint32_t count;
	bool partial;
};

void bounds_join(struct bounding *b, struct bounds_clock *to, const struct bounds_path *path);

/* Leaves the longest path of each end of the interval. */
void bounds_longest(struct bounds_clock *c);

/* The ends of all processes together; what they need is added to the loads, which are by bounds_load(). */
enum err_code bounds_clocks(struct bounding *b, struct bounds_clock *end, struct bounds_sum *loads);

#endif
