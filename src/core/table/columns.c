#include "columns.h"

#include <stdio.h>

#include "core/base/text.h"
#include "core/io/tree_out.h"

void list_pick(struct list_pick *p, const struct list_table *t, unsigned in)
{
	for (int i = 0; i < t->count && p->count < LIST_COLUMNS; i++)
		if (t->column[i].in & in)
			p->column[p->count++] = &t->column[i];
}

void list_tree(struct tree_out *t, const struct list_table *table, unsigned in, const void *list, uint32_t row)
{
	struct list_pick pick = {.count = 0};
	char buf[1024];

	list_pick(&pick, table, in);
	for (int i = 0; i < pick.count; i++) {
		const char *name = pick.column[i]->name;
		struct cell c = pick.column[i]->value(list, row);

		if (c.kind == CELL_TEXT)
			tree_put_text(t, name, text_safe(buf, sizeof buf, c.text, SIZE_MAX, TEXT_UTF8));
		else if (c.kind == CELL_WHOLE)
			tree_put_whole(t, name, c.whole);
		else if (c.kind == CELL_BOOL)
			tree_put_bool(t, name, c.yes);
		else
			tree_put_real(t, name, c.kind == CELL_INT ? (double)c.i : c.kind == CELL_REAL ? c.real : (double)NAN);
	}
}

const char *column_title(const struct column *c, char title[COLUMN_TITLE])
{
	snprintf(title, COLUMN_TITLE, "%s%s%s%s", c->title, *c->unit ? " [" : "", c->unit, *c->unit ? "]" : "");
	return title;
}

double column_key(const struct column *c, const void *list, uint32_t row)
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
