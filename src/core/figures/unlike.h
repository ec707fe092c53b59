/* A phase whose occurrences are of two kinds: the method tells phases apart by what is sent, so that two exchanges
 * that are equal, one behind 3 ms and one behind 6 ms of computing, are one phase.
 *
 * Durations count as logarithms. Of all ways to part them into short and long ones, each at least a tenth and at least
 * five, the one with the least spread within the parts is looked at: what lies between the parts must be wider than either
 * of them, and a fifth longer at the least. A twentieth at each end of a part does not count. Times are seconds.
 */
#ifndef PAS2P_UNLIKE_H
#define PAS2P_UNLIKE_H

#include "figures.h"

struct unlike {
	uint32_t count[2];  /* short, long; 0: they are of one kind */
	double median[2];   /* s */
};

/* n durations, which are sorted. */
struct unlike unlike_of(double *seconds, uint32_t n);
/* The durations of a phase, mean over processes. */
enum err_code phase_unlike(struct unlike *out, const struct clockwork *c, const struct phases *p, uint32_t id, struct err *e);

#endif
