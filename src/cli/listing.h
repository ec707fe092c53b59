/* A command's rows, written in the format asked for, through --match, into the command's sink. */
#ifndef PAS2P_LISTING_H
#define PAS2P_LISTING_H

#include "batch.h"
#include "core/table/rows.h"
#include "core/table/columns.h"

/* With --match, rows whose text does not match are left out; if none is left, the command ends with
 * EXIT_FINDING. A table fits the terminal. A row's text is its cells as the table shows them, empty ones left out, joined by one blank. */
enum err_code listing_write(struct batch *b, const struct rows *rows, struct err *e);

/* A list of core/lists as columns of rows: those of it that are picked. Its titles are its own. */
struct listing {
	struct list_pick pick;
	struct column_look columns[LIST_COLUMNS];
	char title[LIST_COLUMNS][COLUMN_TITLE];
	bool for_people; /* cells say yes and no, and a dash where there is no value */
};
void listing_pick(struct listing *l, const struct list_table *t, unsigned in);
void listing_title(struct listing *l, const struct column *c, const char *title); /* another one in tables */
void listing_cells(const struct listing *l, const void *list, uint32_t row, struct cell *cells);

/* listing_write() of such a list with nothing else about it; for people in a table. */
enum err_code listing_write_list(struct batch *b, const struct list_table *t, unsigned in, const void *list, uint64_t count, struct err *e);

/* The text of a row that --match looks at. */
void listing_text(struct out *o, const struct column_look *columns, const struct cell *cells, size_t n);

#endif
