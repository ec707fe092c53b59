/* The ticks of two runs beside one another, and every cell's counterpart (docs/studies.md 2).
 *
 * Rows are what a person scrolls through: each has a tick of A, one of B, or both, and both sides' ticks ascend. Ticks
 * stand in one row where the edits keep most of their events together; ticks between those are paired in order as far
 * as they go, and what a side has more of stands alone. An event's partner is what its process's edits keep it with, in
 * whichever row that is. Where those edits are not known, it is the event of the same row, if the types are equal.
 *
 * Between two runs that are identical or differ in sizes, rows are ticks. Immutable once made; the diff must outlive
 * it, with its edits. Memory: 4 bytes an event and 36 a tick of either side. Time: O(events + ticks x log(ticks)).
 *
 * Of runs that the ranks of a team share all ranks come to diff_align_new(), which meets (team.h). All have the same
 * rows; partners are those of the rank's own events.
 */
#ifndef PAS2P_DIFF_ALIGN_H
#define PAS2P_DIFF_ALIGN_H

#include "run_diff.h"

#define NO_TICK UINT32_MAX
#define NO_ROW UINT32_MAX

struct diff_row {
	uint32_t tick[2];      /* of A, of B; NO_TICK: it has none here */
	uint32_t changes;      /* cells removed, added and resized */
	uint32_t removed, added, resized; /* those of processes whose edits are known */
};

struct diff_align {
	const struct run_diff *d;
	struct diff_row *rows;
	uint32_t row_count;
	uint32_t *row_of[2];   /* of a tick */
	uint32_t *partner[2];  /* of an event: the other run's, NO_EVENT: removed (A), added (B) */
	uint64_t changes;      /* of all rows; a resized pair counts once, in its row of A */
};

/* d: with edits, and of equal numbers of processes. */
enum err_code diff_align_new(struct diff_align **out, const struct run_diff *d, const struct job *job, struct err *e);
void diff_align_free(struct diff_align *x); /* NULL is fine */

enum diff_change { CHANGE_NONE, CHANGE_REMOVED, CHANGE_ADDED, CHANGE_RESIZED };
enum diff_change diff_change_of(const struct diff_align *x, enum diff_side side, uint32_t event);

/* The next row after this one that has changes, and the one before it; NO_ROW: there is none. From NO_ROW: the first,
 * the last. */
uint32_t diff_align_next(const struct diff_align *x, uint32_t row);
uint32_t diff_align_previous(const struct diff_align *x, uint32_t row);

/* How many changes lie in each of so many equal parts of the rows: the strip over the whole run. */
void diff_align_density(const struct diff_align *x, uint64_t *changes, uint32_t parts);

#endif
