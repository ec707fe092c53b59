/* Declarations that only the files of src/core/models/fit use. Each part begins with its own description. */
#ifndef PAS2P_CORE_MODELS_FIT_FIT_INT_H
#define PAS2P_CORE_MODELS_FIT_FIT_INT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "fit.h"

/* ---- least_squares ---- */

/* Least squares by an orthogonal factorisation (docs/explain/fits.md, "Least squares"): columns come and go one at a
 * time, so that forms that begin alike share the work.
 *
 *     least_squares_init(&q, rows, columns at most, &e);
 *     least_squares_push(&q, column);       true: it is no combination of those before
 *     least_squares_solve(&q, y, &answer);  any number of times
 *     least_squares_pop(&q);
 *
 * Columns and y have their weights in them already: each row times the square root of its weight. Columns are scaled to
 * norm 1; one whose remainder is then less than 1e-10 makes the system singular and is not taken. The normal equations
 * are never formed.
 */

#define LEAST_SQUARES_COLUMNS 16

struct least_squares {
	uint32_t rows, columns;
	double *q;                 /* [column][row], orthonormal */
	double *leverage;          /* [column][row]: of the first column + 1 columns */
	double r[LEAST_SQUARES_COLUMNS][LEAST_SQUARES_COLUMNS]; /* r[i][j]: scaled column j along q's column i */
	double norm[LEAST_SQUARES_COLUMNS];                     /* what column j was divided by */
};

enum err_code least_squares_init(struct least_squares *s, uint32_t rows, uint32_t most, struct err *e);
void least_squares_release(struct least_squares *s);

bool least_squares_push(struct least_squares *s, const double *column); /* false: singular, or not finite */
static inline void least_squares_pop(struct least_squares *s)
{
	s->columns--;
}

/* How much of row i's own value is in its fitted one, 0 to 1. At least one column. */
static inline const double *least_squares_leverages(const struct least_squares *s)
{
	return s->leverage + (uint64_t)(s->columns - 1) * s->rows;
}

/* Coefficients of the columns as they were pushed, and what is left of y, a value a row; returns the sum of its
 * squares. */
double least_squares_solve(const struct least_squares *s, const double *y, double *coefficient, double *residual);

/* Half widths of the coefficients' 95 % intervals, with `rss` as the solution returned it. NANs if there are as many
 * columns as rows. */
void least_squares_half_widths(const struct least_squares *s, double rss, double *half);

/* ---- parts ---- */

/* What the parts of a fit share: points that are ready to be fitted (fit.c), and the choice of a form (forms.c). */

#define FIT_LEAST_ERROR 1e-9   /* errors are rounding below it */
#define FIT_EXACT 1e-6         /* a form with no larger error meets every point */

/* In ascending order of the parameters, so that nothing depends on the order in which they came. Values are divided by
 * a power of two near the largest, which changes no digit of them. */
struct fit_work {
	uint32_t parameters, points;
	double *at;              /* [point][parameter] */
	double *value;           /* scaled */
	double *root;            /* square roots of the weights, of scaled values */
	double *weighted;        /* root x value */
	double scale;            /* what values were divided by */
	double squares;          /* sum of the squares of `weighted` */
	bool positive, equal;    /* all values are above 0; all are the same */
	uint8_t varies[FIT_PARAMETERS];  /* parameters that vary */
	uint32_t varying;
	const struct progress *progress;
};

/* The simplest of the forms that fit well, and all that may be as true. FORM_ALL, FORM_POWER or FORM_POLY. */
enum err_code fit_forms(struct fit *f, const struct fit_work *w, enum form_family family, struct err *e);
/* That polynomial. ERR_USAGE: there are too few points. */
enum err_code fit_polynomial(struct fit *f, const struct fit_work *w, uint32_t degree, struct err *e);

/* ---- trace_points ---- */

/* Points of traces while they are gathered: what an operation took at some size, over many messages, in bounded memory.
 * Internal to fit.h. */

#define TRACE_POINT_ROWS 4096 /* kept at most */

enum trace_op {
#define PINGPONG_OP(name, who) TRACE_##name,
#include "pingpong_ops.def"
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
