/* A command's rows, written in the format asked for, through --match, into the command's sink. */
#ifndef PAS2P_LISTING_H
#define PAS2P_LISTING_H

#include "batch.h"
#include "core/table/shown.h"

/* With --match, rows whose text does not match are left out; if none is left, the command ends with EXIT_FINDING.
 * A table fits the terminal. A row's text is its cells as the table shows them, empty ones left out, joined by one
 * blank. */
enum err_code listing_write(struct batch *b, const struct rows *rows, struct err *e);

/* listing_write() of a list of core/lists with nothing else about it: those of its columns that are picked; for
 * people in a table. */
enum err_code listing_write_list(struct batch *b, const struct list_table *t, unsigned in, const void *list, uint64_t count, struct err *e);

/* The text of a row that --match looks at. */
void listing_text(struct out *o, const struct column_look *columns, const struct cell *cells, size_t n);

#endif
