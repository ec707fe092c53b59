#include "listed.h"

#include <stddef.h>

#include "view.h"

/* What the list's table says of a column; one without a sentence shares that of the next. */
static const char *drawn_help(const struct row_source *source, int column)
{
	const struct drawn_list *d = (const struct drawn_list *)((const char *)source - offsetof(struct drawn_list, source));
	int id = d->look[column].id;

	while (id + 1 < d->table->count && !*d->table->column[id].help)
		id++;
	return id < d->table->count ? d->table->column[id].help : "";
}

void drawn_list_init(struct drawn_list *d, const struct list_table *t, const struct column_look *drawn, int count,
		     void (*field)(const void *ctx, uint32_t row, int column, struct field *f),
		     double (*key)(const void *ctx, uint32_t row, int column))
{
	d->table = t;
	d->source = (struct row_source){d->look, count, field, key, drawn_help};
	looks_of(d->look, t, drawn, count);
}

int drawn_place(const struct drawn_list *d, int id)
{
	for (int i = 0; i < d->source.column_count; i++)
		if (d->look[i].id == id)
			return i;
	return -1;
}

void drawn_field(const struct drawn_list *d, const void *list, uint32_t row, int column, struct field *f)
{
	const struct column *c = &d->table->column[d->look[column].id];

	cell_text_own(f->text, sizeof f->text, c, c->value(list, row));
}

double drawn_key(const struct drawn_list *d, const void *list, uint32_t row, int column)
{
	return column_key(&d->table->column[d->look[column].id], list, row);
}

void table_of_list(struct view_table *t, struct shown_table *w, const char *name, const struct list *l, bool all)
{
	*t = (struct view_table){.name = name, .shown = w, .rows = all ? l->total : l->shown, .order = all ? NULL : l->order};
}
