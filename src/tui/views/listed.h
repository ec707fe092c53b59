/* Lists of core/lists in the workbench: names, values, units and what rows are sorted by come from the list's table;
 * here stands which columns are drawn, how wide they are and what goes first where room is short. What a file gets is a
 * pick of the same table.
 */
#ifndef PAS2P_TUI_LISTED_H
#define PAS2P_TUI_LISTED_H

#include "core/table/columns.h"
#include "tui/jobs/export_rows.h"
#include "tui/widgets/list.h"

_Static_assert(EXPORT_COLUMNS >= LIST_COLUMNS, "a file has room for every column of a list");

/* The columns that a view draws. */
struct drawn_list {
	const struct list_table *table;
	const struct column_look *drawn;
	struct column_look columns[LIST_COLUMNS];
	struct row_source source; /* its columns are those above: the struct must not move */
};
void drawn_list_init(struct drawn_list *d, const struct list_table *t, const struct column_look *drawn, int count,
		     void (*field)(const void *ctx, uint32_t row, int column, struct field *f),
		     double (*key)(const void *ctx, uint32_t row, int column));
int drawn_place(const struct drawn_list *d, int id); /* which column it is; -1: not drawn */

/* A value as people read it: seconds and shares with their unit, numbers with blanks. Columns of the list only. */
void drawn_field(const struct drawn_list *d, const void *list, uint32_t row, int column, struct field *f);
double drawn_key(const struct drawn_list *d, const void *list, uint32_t row, int column);

/* The columns that a file gets. */
struct written_list {
	struct list_pick pick;
	bool units;
	char title[LIST_COLUMNS][COLUMN_TITLE];
	struct column_look columns[LIST_COLUMNS];
	struct row_source source; /* as above */
};
/* units: titles say them, "time [s]". */
void written_list_init(struct written_list *w, const struct list_table *t, unsigned in, bool units);
void written_list_add(struct written_list *w, const struct list_table *t, unsigned in); /* behind the others */
void written_value(const struct written_list *w, const void *list, uint32_t row, int column, struct value *v);

#endif
