/* Measuring: the flows that drive a job through a driver. Each leaves nothing behind, however it ends. */
#ifndef PAS2P_MEASURE_H
#define PAS2P_MEASURE_H

#include "driver.h"
#include "runner.h"
#include "signature.h"

/* Run from the start, r->runs times, and fill in the times. */
enum err_code measure_replay(const struct driver_ops *d, const struct mission *m, struct result *r, struct err *e);

/* Restore every phase's checkpoint r->runs times, and fill in the times. */
enum err_code measure_restored(const struct driver_ops *d, const struct mission *m, const struct signature *s,
			       struct result *r, struct err *e);

/* Run the whole program once, with nothing measured but its time: on each rank from the end of MPI_Init to the call of
 * MPI_Finalize, of which the longest counts (so no two clocks are compared); a trace's AET is that span too. */
enum err_code measure_whole(const struct driver_ops *d, const struct mission *m, struct result *r, struct err *e);

/* Run once and take a checkpoint at every cut into the signature's folders; then let the program run to its end, or
 * with `stop` end it there. */
enum err_code measure_sign(const struct driver_ops *d, const struct mission *m, struct signature *s, bool stop,
			   struct err *e);

#endif
