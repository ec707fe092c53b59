#include "view.h"

#include "core/base/mem.h"

struct view *view_new(const struct view_ops *ops, struct model *m)
{
	struct view *v = mem_zero(1, ops->size);

	if (!v)
		return NULL;
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

struct list *view_list(struct view *v)
{
	return v->ops->list ? v->ops->list(v) : &v->list;
}
