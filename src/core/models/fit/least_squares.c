#include "fit_int.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/outliers.h"

#define SINGULAR 1e-10

enum err_code least_squares_init(struct least_squares *s, uint32_t rows, uint32_t most, struct err *e)
{
	*s = (struct least_squares){.rows = rows};
	s->q = mem_alloc((size_t)rows * most, sizeof *s->q);
	s->leverage = mem_alloc((size_t)rows * most, sizeof *s->leverage);
	if (s->q && s->leverage)
		return ERR_OK;
	least_squares_release(s);
	return err_memory(e, "a fit");
}

void least_squares_release(struct least_squares *s)
{
	mem_free(s->q);
	mem_free(s->leverage);
	*s = (struct least_squares){0};
}

static double vector_dot(const double *a, const double *b, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Euclidean, without overflow on the way. NAN: not all are finite, or all are 0. */
static double norm_of(const double *v, uint32_t n)
{
	double most = 0, sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (!isfinite(v[i]))
			return NAN;
		most = fmax(most, fabs(v[i]));
	}
	if (most < 1e-300)
		return NAN;
	for (uint32_t i = 0; i < n; i++)
		sum += v[i] / most * (v[i] / most);
	return most * sqrt(sum);
}

bool least_squares_push(struct least_squares *s, const double *column)
{
	uint32_t n = s->rows, k = s->columns;
	double *q = s->q + (size_t)k * n, *leverage = s->leverage + (size_t)k * n;
	const double *before = leverage - n;
	double norm = norm_of(column, n), rest;

	if (!isfinite(norm))
		return false;
	for (uint32_t i = 0; i < n; i++)
		q[i] = column[i] / norm;
	for (uint32_t j = 0; j < k; j++)
		s->r[j][k] = 0;
	/* Twice: what rounding leaves of the others the first time goes the second. */
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t j = 0; j < k; j++) {
			const double *other = s->q + (size_t)j * n;
			double along = vector_dot(other, q, n);

			s->r[j][k] += along;
			for (uint32_t i = 0; i < n; i++)
				q[i] -= along * other[i];
		}
	}
	rest = sqrt(vector_dot(q, q, n));
	if (rest < SINGULAR)
		return false;
	s->r[k][k] = rest;
	s->norm[k] = norm;
	for (uint32_t i = 0; i < n; i++) {
		q[i] /= rest;
		leverage[i] = q[i] * q[i] + (k ? before[i] : 0);
	}
	s->columns++;
	return true;
}

double least_squares_solve(const struct least_squares *s, const double *y, double *coefficient, double *residual)
{
	uint32_t n = s->rows, k = s->columns;
	double along[LEAST_SQUARES_COLUMNS] = {0};

	memcpy(residual, y, n * sizeof *y);
	for (uint32_t j = 0; j < k; j++) {
		const double *q = s->q + (size_t)j * n;

		along[j] = vector_dot(q, residual, n);
		for (uint32_t i = 0; i < n; i++)
			residual[i] -= along[j] * q[i];
	}
	for (uint32_t j = k; j-- > 0;) {
		double v = along[j];

		for (uint32_t a = j + 1; a < k; a++)
			v -= s->r[j][a] * coefficient[a];
		coefficient[j] = v / s->r[j][j];
	}
	for (uint32_t j = 0; j < k; j++)
		coefficient[j] /= s->norm[j];
	return vector_dot(residual, residual, n);
}

void least_squares_half_widths(const struct least_squares *s, double rss, double *half)
{
	uint32_t k = s->columns;
	double inverse[LEAST_SQUARES_COLUMNS][LEAST_SQUARES_COLUMNS], spread;

	for (uint32_t i = 0; i < k; i++)
		half[i] = NAN;
	if (s->rows <= k)
		return;
	spread = student_quantile(s->rows - k) * sqrt(rss / (s->rows - k));
	/* The inverse of R, column by column; the wanted entries are the squares of its rows. */
	for (uint32_t c = 0; c < k; c++) {
		for (uint32_t i = k; i-- > 0;) {
			double v = i == c;

			for (uint32_t a = i + 1; a < k; a++)
				v -= s->r[i][a] * inverse[a][c];
			inverse[i][c] = v / s->r[i][i];
		}
	}
	for (uint32_t i = 0; i < k; i++)
		half[i] = spread * sqrt(vector_dot(inverse[i], inverse[i], k)) / s->norm[i];
}
