#include "listed.h"

#include <stddef.h>
#include <stdio.h>

#include "tui/widgets/units.h"

/* What the list's table says of a column; one without a sentence shares that of the next. */
static const char *drawn_help(const struct row_source *source, int column)
{
	const struct drawn_list *d = (const struct drawn_list *)((const char *)source - offsetof(struct drawn_list, source));
	int id = d->drawn[column].id;

	while (id + 1 < d->table->count && !*d->table->column[id].help)
		id++;
	return id < d->table->count ? d->table->column[id].help : "";
}

void drawn_list_init(struct drawn_list *d, const struct list_table *t, const struct column_look *drawn, int count,
		     void (*field)(const void *ctx, uint32_t row, int column, struct field *f),
		     double (*key)(const void *ctx, uint32_t row, int column))
{
	d->table = t;
	d->drawn = drawn;
	d->source = (struct row_source){d->columns, count, field, key, drawn_help};
	for (int i = 0; i < count; i++) {
		const struct column_look *k = &drawn[i];
		const struct column *c = k->id < t->count ? &t->column[k->id] : NULL;

		d->columns[i] = (struct column_look){
			k->name || !c ? k->name : c->name, k->title || !c ? k->title : c->title,
			c && column_is_right(c) ? LOOK_RIGHT : k->align, .width = k->width, .priority = k->priority,
		};
	}
}

int drawn_place(const struct drawn_list *d, int id)
{
	for (int i = 0; i < d->source.column_count; i++)
		if (d->drawn[i].id == id)
			return i;
	return -1;
}

void drawn_field(const struct drawn_list *d, const void *list, uint32_t row, int column, struct field *f)
{
	const struct column *c = &d->table->column[d->drawn[column].id];
	struct cell x = c->value(list, row);

	if (x.kind == CELL_REAL && c->kind == COLUMN_SECONDS)
		unit_time(f->text, x.real);
	else if (c->kind == COLUMN_SHARE)
		unit_figure_percent(f->text, x.kind == CELL_REAL ? x.real : (double)NAN);
	else if (x.kind == CELL_REAL)
		snprintf(f->text, sizeof f->text, "%g", x.real);
	else if (x.kind == CELL_WHOLE)
		unit_count(f->text, x.whole);
	else if (x.kind == CELL_INT)
		snprintf(f->text, sizeof f->text, "%lld", (long long)x.i);
	else if (x.kind == CELL_BOOL)
		snprintf(f->text, sizeof f->text, "%s", x.yes ? "✓" : "");
	else if (x.kind == CELL_TEXT)
		snprintf(f->text, sizeof f->text, "%s", cell_shown(&x));
}

double drawn_key(const struct drawn_list *d, const void *list, uint32_t row, int column)
{
	return column_key(&d->table->column[d->drawn[column].id], list, row);
}

void written_list_init(struct written_list *w, const struct list_table *t, unsigned in, bool units)
{
	w->units = units;
	w->pick.count = 0;
	written_list_add(w, t, in);
}

void written_list_add(struct written_list *w, const struct list_table *t, unsigned in)
{
	int i = w->pick.count;

	list_pick(&w->pick, t, in);
	for (; i < w->pick.count; i++) {
		const struct column *c = w->pick.column[i];

		w->columns[i] = (struct column_look){c->name, w->units ? column_title(c, w->title[i]) : c->title, column_is_right(c) ? LOOK_RIGHT : LOOK_LEFT, .decimals = ROWS_SHORTEST};
	}
	w->source = (struct row_source){w->columns, w->pick.count, NULL, NULL, NULL};
}

void written_value(const struct written_list *w, const void *list, uint32_t row, int column, struct value *v)
{
	v->kind = VALUE_CELL;
	v->cell = w->pick.column[column]->value(list, row);
}
