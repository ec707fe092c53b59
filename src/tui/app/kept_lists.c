#include "kept_lists.h"

#include <string.h>

#include "core/base/mem.h"
#include "tui/views/view.h"

static void kept_list_release(struct kept_list *kept)
{
	mem_free(kept->filter);
	mem_free(kept->sort);
	*kept = (struct kept_list){0};
}

void kept_lists_release(struct kept_lists *k)
{
	for (int id = 0; id < VIEWS; id++)
		kept_list_release(&k->views[id]);
}

void kept_lists_take(struct kept_lists *k, struct view *const *views)
{
	for (int id = 0; id < VIEWS; id++) {
		struct kept_list *kept = &k->views[id];
		const struct view *v = views[id];
		const struct list *l = v ? &v->list : NULL;
		const struct row_source *rows = v && v->ops->rows ? v->ops->rows(v) : NULL;

		if (!l || v->ops->alone || kept->filter || kept->sort)
			continue;
		if (l->filter)
			kept->filter = mem_strdup(row_filter_text(l->filter));
		if (rows && l->sort_column >= 0 && l->sort_column < rows->column_count)
			kept->sort = mem_strdup(rows->columns[l->sort_column].name);
		kept->descending = l->descending;
	}
}

bool kept_lists_give(struct kept_lists *k, struct view *v)
{
	struct kept_list *kept = &k->views[v->id];
	const struct row_source *rows;
	struct err e;

	if (!kept->filter && !kept->sort)
		return false;
	rows = v->ops->rows ? v->ops->rows(v) : NULL;
	if (!rows || view_list(v) != &v->list)
		return false;
	for (int c = 0; kept->sort && rows->key && c < rows->column_count; c++)
		if (!strcmp(rows->columns[c].name, kept->sort) && (v->list.sort_column != c || v->list.descending != kept->descending))
			list_sort(&v->list, rows, v, c, kept->descending);
	/* A column that it speaks of may be gone with a result that is not shown any more: then all rows are there. */
	if (kept->filter)
		list_filter(&v->list, rows, v, kept->filter, &e);
	kept_list_release(kept);
	return true;
}
