/* An index of the leaders: the basic blocks that gave their label its number. For traces with tens of thousands of
 * labels, where comparing each block with every leader made labelling quadratic.
 *
 * It gives what comparing with all leaders in turn would give: the first one that is similar (docs/method.md 4).
 * Internal to bbp.c.
 */
#ifndef PAS2P_BBP_INDEX_H
#define PAS2P_BBP_INDEX_H

#include <stdbool.h>

#include "bbp_space.h"

struct bbp_index;

/* times: by the same settings. NULL: no memory. */
struct bbp_index *bbp_index_new(const struct bbp_space *space, const struct settings *settings, const struct bbp_times *times);
void bbp_index_free(struct bbp_index *index); /* NULL is fine */

/* The leader of the lowest number that block i is similar to; 0: none. */
uint32_t bbp_index_find(struct bbp_index *index, uint32_t i);

/* Add block i as a leader; their numbers must rise. False: no memory. */
bool bbp_index_add(struct bbp_index *index, uint32_t i);

/* Pairs of blocks compared so far: what all this is to keep low. */
uint64_t bbp_index_compared(const struct bbp_index *index);

#endif
