/* Pass 1 of a trace that ranks share: each scans blocks of its own, and all come to know what all have found
 * (docs/scale.md 3). */
#ifndef PAS2P_CLOG2_CHUNK_TEAM_H
#define PAS2P_CLOG2_CHUNK_TEAM_H

#include "clog2_chunk.h"

/* Is a file of those that ranks share? One that is compressed is read from its beginning, by each of them. */
bool chunk_shared(const struct loader *loader, const struct clog2_file *f);

/* The shared blocks, counted through all files, that are this rank's to scan: from *begin up to, not including, *end.
 * */
void chunk_range(const struct loader *loader, uint64_t *begin, uint64_t *end);

/* The chunks of all ranks, in their order in the files: the list grows, and what was in it stays. A meeting; returns
 * the rank's own code where that failed, or the team's (maker_met()). */
enum err_code chunks_gather(struct loader *loader, struct chunk **chunks, unsigned *count, struct err *e);

#endif
