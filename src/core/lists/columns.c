#include "columns.h"

#include <stdio.h>

void list_pick(struct list_pick *p, const struct list_table *t, unsigned in)
{
	for (int i = 0; i < t->count && p->count < LIST_COLUMNS; i++)
		if (t->column[i].in & in)
			p->column[p->count++] = &t->column[i];
}

const char *column_title(const struct list_column *c, char title[COLUMN_TITLE])
{
	snprintf(title, COLUMN_TITLE, "%s%s%s%s", c->title, *c->unit ? " [" : "", c->unit, *c->unit ? "]" : "");
	return title;
}

double column_key(const struct list_column *c, const void *list, uint32_t row)
{
	struct cell cell = c->value(list, row);

	switch (cell.kind) {
	case CELL_EMPTY: return -(double)INFINITY;
	case CELL_WHOLE: return (double)cell.whole;
	case CELL_INT: return (double)cell.i;
	case CELL_REAL: return cell.real;
	case CELL_BOOL: return cell.yes;
	default: return 0;
	}
}
