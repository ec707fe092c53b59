#include "fit_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/order.h"

static const char *const op_names[] = {
#define PINGPONG_OP(name, who) #name,
#include "pingpong_ops.def"
};

const char *trace_op_name(enum trace_op op)
{
	return op_names[op];
}

const char *trace_group_name(enum trace_op op, enum trace_where where, char *buf, size_t size)
{
	static const char *const words[] = {" intra", " inter", ""};

	snprintf(buf, size, "%s%s", op_names[op], words[where]);
	return buf;
}

enum err_code trace_points_init(struct trace_points *t, struct err *e)
{
	*t = (struct trace_points){.by_key = map_new()};
	return t->by_key ? ERR_OK : err_memory(e, "the trace's measurements");
}

void trace_points_release(struct trace_points *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		mem_free(t->list[i].value);
	mem_free(t->list);
	map_free(t->by_key);
	*t = (struct trace_points){0};
}

static struct trace_point *point_of(struct trace_points *t, enum trace_op op, enum trace_where where, uint64_t bytes, uint32_t p)
{
	uint32_t *place = map_at(t->by_key, bytes, (uint64_t)p << 32 | (op * WHERES + where));
	struct trace_point *grown;

	if (!place)
		return NULL;
	if (*place)
		return &t->list[*place - 1];
	grown = mem_grow(t->list, t->count, &t->cap, sizeof *grown);
	if (!grown)
		return NULL;
	t->list = grown;
	grown[t->count] = (struct trace_point){.op = op, .where = where, .bytes = bytes, .p = p, .stride = 1};
	*place = ++t->count;
	return &t->list[t->count - 1];
}

/* Every other one goes, so that what is left is spread over all as evenly as before. */
static void thin_out(struct trace_point *point)
{
	for (uint32_t i = 0; 2 * i < point->kept; i++)
		point->value[i] = point->value[2 * i];
	point->kept = (point->kept + 1) / 2;
	point->stride *= 2;
}

static bool trace_point_take(struct trace_point *point, double seconds)
{
	double *grown;

	if (point->all++ % point->stride)
		return true;
	if (point->kept == TRACE_POINT_ROWS) {
		thin_out(point);
		if ((point->all - 1) % point->stride)
			return true;
	}
	grown = mem_grow(point->value, point->kept, &point->cap, sizeof *grown);
	if (!grown)
		return false;
	point->value = grown;
	grown[point->kept++] = seconds;
	return true;
}

enum err_code trace_points_add(struct trace_points *t, enum trace_op op, enum trace_where where, uint64_t bytes, uint32_t p,
			       double seconds, struct err *e)
{
	struct trace_point *point = point_of(t, op, where, bytes, p);

	return point && trace_point_take(point, seconds) ? ERR_OK : err_memory(e, "the trace's measurements");
}

enum err_code trace_points_join(struct trace_points *t, const struct trace_points *from, enum trace_op op, enum trace_where where,
				struct err *e)
{
	for (uint32_t i = 0; i < from->count; i++) {
		const struct trace_point *source = &from->list[i];
		struct trace_point *point;
		bool fits = source->op == op && source->where == where;

		if (!fits)
			continue;
		point = point_of(t, op, where, source->bytes, source->p);
		for (uint32_t k = 0; point && k < source->kept; k++)
			if (!trace_point_take(point, source->value[k]))
				point = NULL;
		if (!point)
			return err_memory(e, "the trace's measurements");
		point->all += source->all - source->kept;
	}
	return ERR_OK;
}

uint64_t trace_points_rows(const struct trace_points *t, enum trace_op op, enum trace_where where)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < t->count; i++)
		n += t->list[i].op == op && t->list[i].where == where ? t->list[i].all : 0;
	return n;
}

enum err_code trace_points_median(const struct trace_points *t, enum trace_op op, enum trace_where where, double *median, struct err *e)
{
	size_t n = 0, room = 0;
	double *all;

	for (uint32_t i = 0; i < t->count; i++)
		room += t->list[i].op == op && t->list[i].where == where ? t->list[i].kept : 0;
	*median = NAN;
	all = mem_alloc(room, sizeof *all);
	if (!all)
		return err_memory(e, "the trace's measurements");
	for (uint32_t i = 0; i < t->count; i++)
		for (uint32_t k = 0; t->list[i].op == op && t->list[i].where == where && k < t->list[i].kept; k++)
			all[n++] = t->list[i].value[k];
	SORT(all, n, order_double);
	if (n)
		*median = all[(n - 1) / 2] / 2 + all[n / 2] / 2;
	mem_free(all);
	return ERR_OK;
}

ORDER_BY(by_place, struct trace_point, UP(op) UP(where) UP(bytes) UP(p))

void trace_points_sort(struct trace_points *t)
{
	SORT(t->list, t->count, by_place);
}

enum err_code trace_points_tell(const struct trace_points *t, enum trace_op op, enum trace_where where, struct measurements *m,
				struct err *e)
{
	enum err_code code = ERR_OK;
	char name[32];

	trace_group_name(op, where, name, sizeof name);
	for (uint32_t i = 0; i < t->count; i++) {
		const struct trace_point *point = &t->list[i];
		const double at[] = {(double)point->bytes, point->p};

		for (uint32_t k = 0; !code && point->op == op && point->where == where && k < point->kept; k++)
			code = measurements_add(m, name, at, point->value[k], e);
	}
	return code;
}
