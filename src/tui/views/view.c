#include "view.h"

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
