/* What of clocks is on other ranks of a team (core/trace/trace_far.h, docs/scale.md 3). Internal to clock_times and
 * clock_points.
 *
 * Each rank reads the times of its own processes. All are told where clocks were synchronised, and their resolutions; a
 * receive, when its message was sent; a send, when that was received, if its process is the higher one of the two,
 * since that is whose rank compares the two clocks (clock_points.h). Kept are 8 bytes a message with another rank, 16
 * where clocks were synchronised more than once; sent are 12 or 20 for each end that is told.
 */
#ifndef PAS2P_CLOCK_FAR_H
#define PAS2P_CLOCK_FAR_H

#include "clock_times.h"

struct clock_far {
	double *stamp;   /* per far message: of the other end, as recorded; NAN: it is not told */
	double *later;   /* likewise: what takes the steps out of it (clock_times_step()); NULL: there are none */
	struct clock_step *steps; /* of all processes */
	uint32_t *first_step;
};

/* c has what was read of the own processes; steps and resolutions of the others, and c->far, are filled in. A
 * meeting. */
enum err_code clock_far_meet(struct clock_times *c, struct err *e);
void clock_far_free(struct clock_far *far); /* NULL is fine */

#endif
