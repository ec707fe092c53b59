/* An index of the saved phases by what is in their cells, for traces with thousands of phases of one length.
 *
 * Two windows are similar only if some cell of both holds the same type with similar sizes (m >= 1 in
 * docs/method.md 5). So the candidates for a window are the phases that share with it, in some cell, process, type and
 * a range of sizes: few, where comparing it with every phase made the search quadratic. What comes out may hold phases
 * that are not similar, but misses none that is. Internal to the search for phases.
 */
#ifndef PAS2P_PHASE_INDEX_H
#define PAS2P_PHASE_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "phase_space.h"

struct phase_index;

struct phase_index *phase_index_new(const struct phase_space *p, const struct settings *settings); /* NULL: no memory */
void phase_index_free(struct phase_index *index);

/* Add the saved phase `id`, whose content is the window of `length` send ticks from `first` on. Ids of one length must
 * rise. False: no memory. */
bool phase_index_add(struct phase_index *index, uint32_t id, uint32_t first, uint32_t length);

/* The candidates above `after` for a window, ascending, in memory of the index until the next call (something must have
 * been added); if there are more than `most` of them, counting some twice, *count is UINT32_MAX. False: no memory. */
bool phase_index_find(struct phase_index *index, uint32_t first, uint32_t length, uint32_t after, uint32_t most,
		      const uint32_t **ids, uint32_t *count);

#endif
