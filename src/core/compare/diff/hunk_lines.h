/* The lines of all hunks, one after another, told without the traces: at rank 0 where the ranks of a team share these.
 *
 *     hunk_lines_init(&l, align, &e);                       all ranks
 *     while (hunk_next(&h, align))                          rank 0
 *             for (hunk_lines_of(&l, &h); !(code = hunk_lines_next(&l, &line, &e)) && line.there;) ... line ...
 *     code = hunk_lines_end(&l, code, &e);                  all ranks
 *
 * Rank 0 goes through all lines of all hunks, or ends with its error. Ranks meet for some ten thousand lines at a time,
 * so that it needs no more memory than these take: 56 bytes a line. The others come straight to hunk_lines_end(), and
 * to the same meetings there.
 */
#ifndef PAS2P_CORE_COMPARE_DIFF_HUNK_LINES_H
#define PAS2P_CORE_COMPARE_DIFF_HUNK_LINES_H

#include "core/team/team_pack.h"
#include "diff.h"

struct told_line {
	bool there;                /* false: the hunk has no more */
	char mark;                 /* as of hunk_line */
	uint32_t process;
	struct diff_cell cell[2];
};

struct hunk_lines {
	const struct diff_align *align;
	const struct team *team;
	const struct hunk *hunk;   /* that lines are asked for of */
	struct hunk_line line;     /* alone: where it goes on */
	/* In a team: where the next meeting begins, the same on all ranks; */
	struct hunk ahead;
	uint32_t ahead_row;
	/* what has come, and of it what is left: rows, then of one rank's lines in the row. */
	struct team_bytes *from;
	struct team_take *take;
	uint32_t rows, rows_of_hunk, rank, lines;
	bool agreed;               /* the error that ended it is all ranks' */
};

/* Meets. To be ended in any case but an error. */
enum err_code hunk_lines_init(struct hunk_lines *l, const struct diff_align *x, struct err *e);
void hunk_lines_of(struct hunk_lines *l, const struct hunk *h);
enum err_code hunk_lines_next(struct hunk_lines *l, struct told_line *line, struct err *e);
/* code: what rank 0 has come to, ERR_OK on others. Meets, and returns what all have come to. */
enum err_code hunk_lines_end(struct hunk_lines *l, enum err_code code, struct err *e);

#endif
