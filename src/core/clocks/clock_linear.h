/* Times by the estimate of a process's clock: piecewise linear, one line a window (docs/clocks.md 4.2). Internal to
 * clock_correct. */
#ifndef PAS2P_CLOCK_LINEAR_H
#define PAS2P_CLOCK_LINEAR_H

#include "clock_bounds.h"
#include "clock_records.h"

/* linear: of all records, process by process. Where a process's recorded times do not step back, these do not
 * either. */
void clock_linear(double *linear, const struct clock_records *records, const struct clock_times *times, const struct clock_bounds *b);

#endif
