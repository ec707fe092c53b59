/* Hunks: where two runs differ, as a person reads it (docs/studies.md 2).
 *
 * Rows of a diff_align.h in which events were removed, added or resized, joined where they are at most HUNK_NEAR ticks
 * apart in a side that has them. Processes whose edits are not known take no part. A hunk's lines go row by row, and in
 * a row by rank: removed, then added or kept. Computed one after the other, without memory of their own:
 *
 *     struct hunk h = {.end = 0};
 *     while (hunk_next(&h, align))
 *             for (struct hunk_line line = {0}; hunk_line_next(&line, &h, align);) ... line ...
 */
#ifndef PAS2P_HUNKS_H
#define PAS2P_HUNKS_H

#include "diff_align.h"

#define HUNK_NEAR 3

struct hunk {
	uint32_t first, end;       /* rows; end is behind the last */
	uint32_t tick[2], ticks[2]; /* of A and of B: the first, how many. Of none: the tick before which they would be */
	uint64_t removed, added, resized;
};

/* The first after h; false: there is none. */
bool hunk_next(struct hunk *h, const struct diff_align *x);

/* Of runs that the ranks of a team share hunks are the same on all ranks, and these lines are those of a rank's own
 * processes: hunk_lines.h has all. */
struct hunk_line {
	char mark;                 /* ' ', '-', '+', '~' */
	uint32_t process;
	uint32_t event[2];         /* NO_EVENT: that side has none */
	/* Where it goes on. */
	uint32_t row, at[2];
	bool begun;
};

/* Kept events stand where A has them. */
bool hunk_line_next(struct hunk_line *line, const struct hunk *h, const struct diff_align *x);

#endif
