/* What phases of two runs with as many processes can have in common at most: a bound of their similarity that costs no
 * alignment (docs/studies.md 3).
 *
 * A row of n cells is similar to another one by at most 1/n for each cell that both have, whatever the sizes. So the
 * similarities of rows that are paired add up to no more than, over the cells (process and type) that both phases have,
 * the lesser of what each phase's rows give for it. Which phases of B have a cell is listed once, so that phases
 * without any in common cost nothing.
 */
#ifndef PAS2P_PHASE_OVERLAP_H
#define PAS2P_PHASE_OVERLAP_H

#include "core/analysis/run_phases.h"

struct phase_overlap;

/* of_b: B's types as A's. Not for several threads at once. ERR_MEMORY. */
enum err_code phase_overlap_new(struct phase_overlap **out, const struct run_phases *a, const struct run_phases *b, const uint32_t *of_b,
				struct err *e);
void phase_overlap_free(struct phase_overlap *o); /* NULL is fine */

/* The most that similarities of paired rows of a->list[x] and b->list[y] add up to; cheap where x is that of the call
 * before. */
double phase_overlap_most(struct phase_overlap *o, uint32_t x, uint32_t y);

#endif
