#include "view.h"

#include <stddef.h>

#include "core/base/mem.h"
#include "core/io/tree_out.h"

#define TAB(id, name, title, brief, keys, help) extern const struct view_ops view_##name;
#define OVERLAY(id, name, title, action) extern const struct view_ops view_##name;
#include "tui/screen/views.def"

const struct view_info *view_info(enum view_id id)
{
	static const struct view_info infos[VIEWS] = {
#define TAB(id, name, title, brief, keys, help) [VIEW_##id] = {#name, title, brief, IN_##id, ACTION_##id, &view_##name},
#define OVERLAY(id, name, title, action) [VIEW_##id] = {#name, title, title, IN_##id, ACTION_##action, &view_##name},
#include "tui/screen/views.def"
	};

	return &infos[id];
}

struct view *view_new(enum view_id id, struct model *m)
{
	const struct view_ops *ops = view_info(id)->ops;
	struct view *v = mem_zero(1, ops->size);

	if (!v)
		return NULL;
	v->id = id;
	v->ops = ops;
	v->hints = ops->hints;
	v->model = m;
	list_init(&v->list);
	if (ops->open)
		ops->open(v);
	return v;
}

void view_free(struct view *v)
{
	if (!v)
		return;
	if (v->ops->close)
		v->ops->close(v);
	list_release(&v->list);
	mem_free(v);
}

void view_remember(const struct view *v, struct tree_out *t)
{
	tree_put_map(t, view_info(v->id)->name, true);
}

struct view_look view_look(const struct view *v)
{
	struct view_look look = {0};

	if (v->ops->look)
		v->ops->look(v, &look);
	return look;
}

struct list *view_list(struct view *v)
{
	return v->ops->list ? v->ops->list(v) : &v->list;
}

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

#define SPREAD_MOST (1u << 24)

uint32_t remembered_spread(struct fields *f, const struct fields_map *map)
{
	uint32_t spread = fields_count(f, map, "spread", 1, SPREAD_MOST);

	if (!f->code && spread & (spread - 1))
		fields_wrong(f, fields_find(f, map, "spread"), map->path, "spread", "a power of two");
	return spread;
}

#define TITLE_ROWS 3
#define BESIDE_W 150

void table_and_plot_lay_out(struct table_and_plot *l, const struct table_and_plot_room *room, int rows, int w, int h)
{
	*l = (struct table_and_plot){.title = TITLE_ROWS, .list_w = w, .list_h = h - TITLE_ROWS};
	if (rows < 2)
		return;
	if (w >= BESIDE_W) {
		l->list_w = room->list_beside;
		l->plot_w = w - room->list_beside - 2;
		l->plot_h = l->list_h;
	} else if (l->list_h >= room->list_least + room->plot_least) {
		l->plot_h = l->list_h / 2 > room->plot_least ? l->list_h / 2 : room->plot_least;
		if (l->list_h - l->plot_h > rows)
			l->plot_h = l->list_h - rows;
		l->plot_w = w - 1;
		l->list_h -= l->plot_h;
	}
}

struct pane table_pane(const struct table_and_plot *l, struct pane p)
{
	return pane_part(p, 0, l->title, l->list_w, l->list_h);
}

struct pane plot_pane(const struct table_and_plot *l, struct pane p)
{
	if (l->list_w < p.w)
		return pane_part(p, l->list_w + 1, l->title, l->plot_w, l->plot_h);
	return pane_part(p, 1, l->title + l->list_h, l->plot_w - 1, l->plot_h);
}
