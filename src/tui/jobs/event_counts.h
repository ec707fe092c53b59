/* Counts of events: how many lie where, for grids that show more than can be counted while one waits.
 *
 * The logical trace is cut into blocks of ticks and groups of processes (powers of two), small enough that even a
 * whole run on a large screen is made of many of them. before[] counts, so that any range of blocks costs a
 * subtraction. One pass over all events, made by the worker once for each logical trace; immutable then.
 */
#ifndef PAS2P_TUI_EVENT_COUNTS_H
#define PAS2P_TUI_EVENT_COUNTS_H

#include <stdint.h>

#include "core/base/job.h"
#include "core/logical/logical.h"

struct event_counts {
	const struct logical *of;  /* to tell whose it is; not a reference */
	uint32_t block, group;     /* ticks, processes */
	uint32_t blocks, groups;
	uint32_t *before;          /* [block][group]: events of the group at ticks before the block; blocks + 1 rows */
};

#define EVENT_COUNTS_BLOCKS 8192 /* enough for any screen */
#define EVENT_COUNTS_GROUPS 256

/* At most so many blocks and groups. */
enum err_code event_counts_new(struct event_counts **out, const struct logical *l, uint32_t blocks, uint32_t groups,
			   const struct job *job, struct err *e);
void event_counts_free(struct event_counts *o); /* NULL is fine */

/* Events of groups [g0, g1) in blocks [b0, b1). */
uint64_t event_counts_of(const struct event_counts *o, uint32_t b0, uint32_t b1, uint32_t g0, uint32_t g1);

#endif
