/* How this process's clock relates to rank 0's: measured in MPI_Init, in MPI_Finalize and, if asked for, during the
 * run.
 *
 * Processes that share a clock are a unit: the same boot and time namespace, and a measurement does not contradict. Its
 * lowest rank represents it, and measures for all of it. Rank 0's unit has rank 0's time exactly; if there is no other,
 * nothing is measured.
 *
 * An exchange: the child stamps t1 and sends; the parent stamps t2 on arrival and t3 before it answers; the child
 * stamps t4. Parent less child is at most t2 - t1 and at least t3 - t4, so each of a burst's exchanges can only narrow
 * what is known; that of earlier ones is loosened by SYNC_DRIFT since then. Rank 0 is the parent of all, or, of more
 * than 16 units, the root of a tree whose bounds add up.
 *
 * In the trace a measurement is a state PAS2P_sync_clocks, and, but in rank 0's unit, an event PAS2P_clock with the
 * bounds: rank 0's time less that record's, at the time of the last exchange. In the merged trace they are what all
 * measurements leave, each loosened by SYNC_DRIFT, so that a burst that was slow does not matter; times are
 * interpolated between their centres, which lies within all bounds.
 */
#ifndef PAS2P_SYNC_H
#define PAS2P_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "resync_plan.h"

#define SYNC_DRIFT 1e-3 /* s/s: faster no two clocks part (twice what the kernel slews them by) */

/* Collective over the tracer's communicator, as all here. Find the units and measure; interval as of resync_plan.h,
 * rank 0's counts. False: a process has no memory. */
bool sync_start(double interval);
bool sync_apart(void);       /* there is more than one unit */
void sync_log_first(void);   /* the records of what sync_start() measured */
void sync_finish(void);      /* measure for the last time, with records, and settle what all that was measured says */

/* Behind each blocking collective on all of the world. */
extern struct resync_plan sync_plan;
void sync_planned(void);
static inline void sync_collective(void)
{
	if (__builtin_expect(sync_plan.next != 0, 0) && ++sync_plan.count == sync_plan.next)
		sync_planned();
}

/* Local time to rank 0's: in local files, and in the bounds there, by one shift, otherwise, after sync_finish(),
 * interpolated. */
double sync_shift(void);
double sync_corrected(double local);
/* Once more what bounds[low, high] of an event at that local time are, now of the time `shown` that the merged trace
 * has for it. */
void sync_bounds(double local, double shown, double bounds[2]);
double sync_error(void);     /* largest half distance of the bounds, s */

#endif
