/* Bimodal phases: occurrences that are alike by what they send, and of which some take much longer than the others.
 * Two equal exchanges, one behind 3 ms and one behind 6 ms of computing, are one phase of that kind.
 *
 * Durations count as logarithms, those of 0 not at all. Of all ways to part them into short and long ones, each at least a
 * tenth and at least five, the one with the least spread within the parts counts. The gap between the parts must be wider
 * than the spread of either, and a factor of 1.2 at least. A twentieth at each end of a part is not looked at. Seconds.
 */
#ifndef PAS2P_MODES_H
#define PAS2P_MODES_H

#include "figures.h"

struct phase_modes {
	uint32_t count[2];  /* short, long; 0: they are of one kind */
	double median[2];   /* s */
};

/* n durations, which are sorted. */
struct phase_modes modes_of(double *seconds, uint32_t n);
/* The durations of a phase, mean over processes. */
enum err_code phase_modes_find(struct phase_modes *out, const struct clockwork *c, const struct phases *p, uint32_t id, struct err *e);

#endif
