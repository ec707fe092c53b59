/* Points of traces while they are gathered: what an operation took at some size, over many messages, in bounded memory.
 * Internal to trace_measures.h. */
#ifndef PAS2P_TRACE_POINTS_H
#define PAS2P_TRACE_POINTS_H

#include "trace_measures.h"

#define TRACE_POINT_ROWS 4096 /* kept at most */

enum trace_op {
#define PINGPONG_OP(name, who) TRACE_##name,
#include "pingpong_ops.def"
#undef PINGPONG_OP
	TRACE_OPS
};

enum trace_where { WHERE_INTRA, WHERE_INTER, WHERE_UNKNOWN, WHERES };

struct trace_point {
	enum trace_op op;
	enum trace_where where;
	uint64_t bytes;
	uint32_t p;
	double *value;         /* each `stride`th of all */
	uint32_t kept;
	size_t cap;
	uint64_t all, stride;
};

const char *trace_op_name(enum trace_op op); /* "send" */
/* "send intra", "send": a group's name. */
const char *trace_group_name(enum trace_op op, enum trace_where where, char *buf, size_t size);

enum err_code trace_points_init(struct trace_points *t, struct err *e);
void trace_points_release(struct trace_points *t);
enum err_code trace_points_add(struct trace_points *t, enum trace_op op, enum trace_where where, uint64_t bytes, uint32_t p,
			       double seconds, struct err *e);
/* All of `from` that are of op and where. */
enum err_code trace_points_join(struct trace_points *t, const struct trace_points *from, enum trace_op op, enum trace_where where,
				struct err *e);
/* Of all rows of op and where, as many as there were, thinned out or not. */
uint64_t trace_points_rows(const struct trace_points *t, enum trace_op op, enum trace_where where);
/* The median of those kept; NAN: none. */
enum err_code trace_points_median(const struct trace_points *t, enum trace_op op, enum trace_where where, double *median, struct err *e);
/* By op, where, bytes, p. Nothing can be added afterwards. */
void trace_points_sort(struct trace_points *t);
/* Rows of op and where as measurements. */
enum err_code trace_points_tell(const struct trace_points *t, enum trace_op op, enum trace_where where, struct measurements *m,
				struct err *e);

#endif
