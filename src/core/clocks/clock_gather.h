/* Hulls of the pairs of all ranks of a team, on rank 0 (docs/scale.md 3). Internal to clock_bounds.
 *
 * Pairs are of the rank that has the higher process, so that rank 0's own, and then those of one rank after the other,
 * are the pairs of the whole trace, in its order. What travels are corners: 16 bytes each, some tens of them a pair,
 * and 16 bytes a pair.
 */
#ifndef PAS2P_CLOCK_GATHER_H
#define PAS2P_CLOCK_GATHER_H

#include "clock_pair.h"
#include "core/team/team.h"

struct pair_list {
	uint32_t *p, *q;
	uint32_t count;
	size_t p_cap, q_cap;
};

/* pairs: NULL where rank 0 has had them all already. hulls: settled, as many as *count, some for each pair. Rank 0's
 * become those of all, the others' are given away. A meeting. code, e: what was come to here. */
enum err_code clock_gather(const struct team *team, enum err_code code, struct pair_list *pairs, struct pair_hulls **hulls, size_t *count,
			   struct err *e);

#endif
