/* Epochs: what lies between two related collectives of all processes (docs/scale.md 3).
 *
 * After such a collective every process has the same value, one more than the largest that any came with. So all epochs
 * are ordered at the same time, as if LTs began at 0 in each, and when all is done the LTs of an epoch are moved to
 * where the one before it has ended.
 *
 *     epochs_find()      which collectives are at the end of an epoch, the same ones in the same order on all processes. Not all that could
 *                        be, where epochs would have few events
 *     epochs_end()       a process has come to one
 *     epochs_join()      all have come to all: where each epoch begins
 *
 * That is right where nothing is received, and no other collective met, in an earlier epoch than it is sent or met on
 * another process. A message that is sent in an earlier epoch than it is received in raises no value there, since the
 * collective's is larger.
 */
#ifndef PAS2P_EPOCHS_H
#define PAS2P_EPOCHS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/trace/trace_far.h"

struct epochs {
	const struct trace *t;
	uint32_t count;        /* of collectives that end one; the events behind the last are an epoch, too */
	uint32_t own, width;   /* the rank's first process, and how many it has */
	uint32_t *ends;        /* per collective, then process of the rank: its event */
	uint32_t *largest;     /* per collective: the largest value that anybody has come to it with */
	uint32_t *base;        /* when they are joined, count + 1: the LT where an epoch begins */
};

/* Holds meetings, returns the team's code. To be released in any case. */
enum err_code epochs_find(struct epochs *x, const struct trace *t, struct err *e);
void epochs_release(struct epochs *x);

/* A process has come to the end of that epoch, with that value. */
static inline void epochs_end(struct epochs *x, uint32_t epoch, uint32_t value)
{
	if (value > x->largest[epoch])
		x->largest[epoch] = value;
}

/* The epoch of an event of process p of this rank; quick where the guess is right. Binary search. */
uint32_t epochs_of(const struct epochs *x, uint32_t p, uint32_t event, uint32_t guess);

/* Holds a meeting, returns the team's code. */
enum err_code epochs_join(struct epochs *x, struct err *e);

#endif
