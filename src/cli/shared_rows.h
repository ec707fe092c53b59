/* Rows that take what all ranks of a team have, and that rank 0 alone writes (docs/scale.md 1): it asks for them one
 * after another, and the ranks meet for a slice of them whenever it has come to the end of the last one. All ranks know
 * how many slices there are and how often the format goes through them, so that the others come to the same meetings
 * without being asked.
 */
#ifndef PAS2P_SHARED_ROWS_H
#define PAS2P_SHARED_ROWS_H

#include "batch.h"
#include "core/table/rows.h"
#include "core/team/team.h"

struct shared_slices {
	uint64_t count;
	/* Rows below this can be asked for once the ranks have met for this slice, and until they do for the next. */
	uint64_t (*end)(void *arg, uint64_t slice);
	enum err_code (*meet)(void *arg, uint64_t slice, struct err *e); /* by all ranks (team.h) */
	void *arg;
};

/* listing_write(), by all ranks: on rank 0 of `rows`, which the others need not have. */
enum err_code shared_rows_write(struct batch *b, const struct team *team, const struct rows *rows,
				const struct shared_slices *slices, struct err *e);

#endif
