/* Lists of core/lists in the workbench: names, values, units and what rows are sorted by come from the list's table;
 * here stands which columns are drawn, how wide they are and what goes first where room is short. What a file gets is a
 * pick of the same table.
 */
#ifndef PAS2P_TUI_LISTED_H
#define PAS2P_TUI_LISTED_H

#include "core/table/shown.h"
#include "tui/widgets/list.h"

/* The columns that a view draws. */
struct drawn_list {
	const struct list_table *table;
	struct column_look look[LIST_COLUMNS];
	struct row_source source; /* its columns are those above: the struct must not move */
};
void drawn_list_init(struct drawn_list *d, const struct list_table *t, const struct column_look *drawn, int count,
		     void (*field)(const void *ctx, uint32_t row, int column, struct field *f),
		     double (*key)(const void *ctx, uint32_t row, int column));
int drawn_place(const struct drawn_list *d, int id); /* which column it is; -1: not drawn */

/* A value as people read it: seconds and shares with their unit, numbers with blanks. Columns of the list only. */
void drawn_field(const struct drawn_list *d, const void *list, uint32_t row, int column, struct field *f);
double drawn_key(const struct drawn_list *d, const void *list, uint32_t row, int column);

/* All that a file gets: columns of a pick, and the rows that the view's list shows, or all. w stays with the view. */
struct view_table;
void table_of_list(struct view_table *t, struct shown_table *w, const char *name, const struct list *l, bool all);

#endif
