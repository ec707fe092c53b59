/* A command's rows, written in the format asked for, through --match, into the command's sink. */
#ifndef PAS2P_LISTING_H
#define PAS2P_LISTING_H

#include "batch.h"
#include "core/table/shown.h"
#include "core/table/rows.h"
#include "core/team/team.h"

/* With --match, rows whose text does not match are left out; if none is left, the command ends with EXIT_FINDING.
 * A table fits the terminal. A row's text is its cells as the table shows them, empty ones left out, joined by one
 * blank. */
enum err_code listing_write(struct batch *b, const struct rows *rows, struct err *e);

/* listing_write() of a list of core/lists with nothing else about it: those of its columns that are picked; for
 * people in a table. */
enum err_code listing_write_list(struct batch *b, const struct list_table *t, unsigned in, const void *list, uint64_t count, struct err *e);

/* The text of a row that --match looks at. */
void listing_text(struct out *o, const struct column_look *columns, const struct cell *cells, size_t n);

/* Rows that take what all ranks of a team have, and that rank 0 alone writes (docs/internals/scale.md 1): it asks for
 * them one after another, and the ranks take a collective step for a slice of them whenever it has come to the end of
 * the last one. All ranks know how many slices there are and how often the format goes through them, so that the others
 * come to the same collective steps without being asked.
 */

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
