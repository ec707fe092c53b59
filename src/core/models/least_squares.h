/* Least squares by an orthogonal factorisation (docs/models.md 2): columns come and go one at a time, so that forms
 * that begin alike share the work.
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
#ifndef PAS2P_LEAST_SQUARES_H
#define PAS2P_LEAST_SQUARES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

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

/* Half widths of the coefficients' 95 % intervals, with `rss` as the solution returned it. NANs where there are as many
 * columns as rows. */
void least_squares_half_widths(const struct least_squares *s, double rss, double *half);

#endif
