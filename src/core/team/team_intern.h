/* Things that every rank of a team has a part of, told apart by what all ranks have of them, exactly. */
#ifndef PAS2P_TEAM_INTERN_H
#define PAS2P_TEAM_INTERN_H

#include "team.h"

/* of[i], on entry: a number for this rank's part of thing i, so that two parts are equal if and only if their numbers
 * are; any numbers. Afterwards the same of the whole things, and the same on all ranks: from 0 by first appearance.
 * *count: how many different ones there are. n is the same on all ranks. All ranks call it (team.h); with NULL the numbers are those of the parts.
 *
 * Pairs of ranks put their numbers together, then pairs of pairs, so that rank 0 looks up n numbers log2(size)
 * times. */
enum err_code team_intern(const struct team *t, uint32_t *of, uint32_t n, uint32_t *count, struct err *e);

#endif
