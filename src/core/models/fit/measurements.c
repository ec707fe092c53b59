#include "measurements.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/outliers.h"
#include "core/base/text.h"

#define ENOUGH 5        /* repetitions from which on some may be dropped */
#define LEAST_REACH 0.05 /* of the median: closer to it nothing stands out */

/* ---- rows ---- */

enum err_code measurements_init(struct measurements *m, const char *const *parameters, uint32_t count, struct err *e)
{
	bool failed;

	*m = (struct measurements){.parameters = count};
	arena_init(&m->names);
	m->parameter = mem_zero(count, sizeof *m->parameter);
	m->by_name = map_new();
	failed = !m->parameter || !m->by_name;
	for (uint32_t i = 0; !failed && i < count; i++) {
		m->parameter[i] = text_keep_safe(&m->names, parameters[i], SIZE_MAX);
		failed = !m->parameter[i];
	}
	if (!failed)
		return ERR_OK;
	measurements_release(m);
	return err_memory(e, "the measurements");
}

void measurements_release(struct measurements *m)
{
	arena_release(&m->names);
	mem_free(m->parameter);
	mem_free(m->group);
	map_free(m->by_name);
	mem_free(m->of);
	mem_free(m->at);
	mem_free(m->value);
	*m = (struct measurements){0};
}

/* The group of a name, made where it is new; UINT32_MAX: no memory. */
static uint32_t group_of(struct measurements *m, const char *name)
{
	uint32_t *place = map_at(m->by_name, hash_text(1, name), hash_text(2, name));
	const char **moved;

	if (!place)
		return UINT32_MAX;
	if (*place)
		return *place - 1;
	moved = mem_grow(m->group, m->groups, &m->group_cap, sizeof *m->group);
	if (!moved)
		return UINT32_MAX;
	m->group = moved;
	m->group[m->groups] = text_keep_safe(&m->names, name, SIZE_MAX);
	if (!m->group[m->groups])
		return UINT32_MAX;
	*place = ++m->groups;
	return m->groups - 1;
}

/* Room for a row more in all columns. */
static bool more_rows(struct measurements *m)
{
	size_t cap = m->row_cap ? 2 * m->row_cap : 64;
	void *of, *at, *value;

	if (m->rows < m->row_cap)
		return true;
	of = mem_resize(m->of, cap, sizeof *m->of);
	if (of)
		m->of = of;
	at = of ? mem_resize(m->at, cap * (m->parameters ? m->parameters : 1), sizeof *m->at) : NULL;
	if (at)
		m->at = at;
	value = at ? mem_resize(m->value, cap, sizeof *m->value) : NULL;
	if (!value)
		return false;
	m->value = value;
	m->row_cap = cap;
	return true;
}

enum err_code measurements_add(struct measurements *m, const char *group, const double *at, double value, struct err *e)
{
	uint32_t of;

	for (uint32_t i = 0; i < m->parameters; i++)
		if (!isfinite(at[i]))
			return err_set(e, ERR_FORMAT, "the parameter %s is not a finite number", m->parameter[i]);
	if (!isfinite(value))
		return err_set(e, ERR_FORMAT, "the measured value is not a finite number");
	if (m->rows == UINT32_MAX)
		return err_set(e, ERR_LIMIT, "more than %u measurements", UINT32_MAX);
	of = group_of(m, group);
	if (of == UINT32_MAX || !more_rows(m))
		return err_memory(e, "the measurements");
	m->of[m->rows] = of;
	for (uint32_t i = 0; i < m->parameters; i++)
		m->at[m->rows * m->parameters + i] = at[i] + 0.0; /* -0 is 0 */
	m->value[m->rows++] = value + 0.0;
	return ERR_OK;
}

/* ---- points ---- */

/* By group, then parameters, then what was measured: repetitions stand together, and the order of the file does not
 * matter. */
static int by_point(const void *a, const void *b, void *arg)
{
	const struct measurements *m = arg;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

	if (m->of[i] != m->of[j])
		return m->of[i] < m->of[j] ? -1 : 1;
	for (uint32_t k = 0; k < m->parameters; k++) {
		double x = m->at[(size_t)i * m->parameters + k], y = m->at[(size_t)j * m->parameters + k];

		if (x != y)
			return x < y ? -1 : 1;
	}
	return m->value[i] < m->value[j] ? -1 : m->value[i] > m->value[j];
}

static bool same_point(const struct measurements *m, uint32_t i, uint32_t j)
{
	for (uint32_t k = 0; k < m->parameters; k++)
		if (m->at[(size_t)i * m->parameters + k] != m->at[(size_t)j * m->parameters + k])
			return false;
	return true;
}

/* Those of v, ascending, that do not stand out: [*from, *to). */
static enum err_code values_keep_usual(const double *v, uint32_t n, uint32_t *from, uint32_t *to, struct err *e)
{
	struct outlier_bounds b;
	double reach;
	enum err_code code;

	*from = 0;
	*to = n;
	if (n < ENOUGH)
		return ERR_OK;
	code = outlier_bounds_of(&b, v, n, e);
	if (code)
		return code;
	reach = fmax(b.high - b.median, LEAST_REACH * fabs(b.median));
	while (*from < n && fabs(v[*from] - b.median) > reach)
		++*from;
	while (*to > *from && fabs(v[*to - 1] - b.median) > reach)
		--*to;
	return ERR_OK;
}

static double measured_value_of(const double *v, uint32_t n, enum measured_value which)
{
	long double sum = 0;

	if (which == VALUE_MIN)
		return v[0];
	if (which == VALUE_MEDIAN)
		return v[(n - 1) / 2] / 2 + v[n / 2] / 2;
	for (uint32_t i = 0; i < n; i++)
		sum += v[i];
	return (double)(sum / n);
}

/* What a set is while it is made. */
struct set_making {
	double *at, *value, *low, *high;
	uint32_t *kept;
	const char **parameter;
	double *sorted;          /* the repetitions of a point */
};

static bool making_room(struct set_making *x, struct arena *a, uint32_t rows, uint32_t parameters)
{
	x->at = arena_alloc(a, (size_t)rows * (parameters ? parameters : 1) * sizeof *x->at);
	x->value = arena_alloc(a, rows * sizeof *x->value);
	x->low = arena_alloc(a, rows * sizeof *x->low);
	x->high = arena_alloc(a, rows * sizeof *x->high);
	x->kept = arena_alloc(a, rows * sizeof *x->kept);
	x->parameter = arena_alloc(a, (parameters ? parameters : 1) * sizeof *x->parameter);
	x->sorted = mem_alloc(rows, sizeof *x->sorted);
	return x->at && x->value && x->low && x->high && x->kept && x->parameter && x->sorted;
}

static bool varies(const struct measurements *m, const uint32_t *row, uint32_t rows, uint32_t parameter)
{
	for (uint32_t i = 1; i < rows; i++)
		if (m->at[(size_t)row[i] * m->parameters + parameter] != m->at[(size_t)row[0] * m->parameters + parameter])
			return true;
	return false;
}

/* The rows of a group, in order, as points. */
static enum err_code make_set(const struct measurements *m, const uint32_t *row, uint32_t rows, enum measured_value which, struct arena *a,
			      struct measured_set *s, struct err *e)
{
	struct set_making x = {0};
	uint32_t *column = mem_alloc(m->parameters, sizeof *column); /* those that vary */
	enum err_code code = ERR_OK;

	*s = (struct measured_set){.name = m->group[m->of[row[0]]], .measurements = rows};
	for (uint32_t k = 0; column && k < m->parameters; k++)
		if (varies(m, row, rows, k))
			column[s->parameters++] = k;
	if (!column || !making_room(&x, a, rows, s->parameters))
		code = err_memory(e, "the points of the measurements");
	for (uint32_t k = 0; !code && k < s->parameters; k++)
		x.parameter[k] = m->parameter[column[k]];
	for (uint32_t i = 0, next; !code && i < rows; i = next) {
		uint32_t p = s->points, from, to;

		for (next = i; next < rows && same_point(m, row[i], row[next]); next++)
			x.sorted[next - i] = m->value[row[next]];
		code = values_keep_usual(x.sorted, next - i, &from, &to, e);
		if (code)
			break;
		for (uint32_t k = 0; k < s->parameters; k++)
			x.at[(size_t)p * s->parameters + k] = m->at[(size_t)row[i] * m->parameters + column[k]];
		x.value[p] = measured_value_of(x.sorted + from, to - from, which);
		x.low[p] = x.sorted[from];
		x.high[p] = x.sorted[to - 1];
		x.kept[p] = to - from;
		s->dropped += next - i - (to - from);
		s->points++;
	}
	s->parameter = x.parameter;
	s->at = x.at;
	s->value = x.value;
	s->low = x.low;
	s->high = x.high;
	s->kept = x.kept;
	mem_free(x.sorted);
	mem_free(column);
	return code;
}

enum err_code measurements_sets(const struct measurements *m, enum measured_value value, struct measured_sets *sets, struct err *e)
{
	uint32_t *row = mem_alloc(m->rows, sizeof *row);
	enum err_code code = ERR_OK;
	uint32_t n = (uint32_t)m->rows;

	*sets = (struct measured_sets){0};
	arena_init(&sets->arena);
	sets->set = arena_alloc(&sets->arena, (m->groups ? m->groups : 1) * sizeof *sets->set);
	if (!row || !sets->set)
		code = err_memory(e, "the points of the measurements");
	for (uint32_t i = 0; !code && i < n; i++)
		row[i] = i;
	if (!code && n)
		qsort_r(row, n, sizeof *row, by_point, (void *)(uintptr_t)m);
	for (uint32_t i = 0, next; !code && i < n; i = next) {
		for (next = i + 1; next < n && m->of[row[next]] == m->of[row[i]]; next++)
			;
		code = make_set(m, row + i, next - i, value, &sets->arena, &sets->set[sets->count], e);
		sets->count += !code;
	}
	mem_free(row);
	if (code)
		measured_sets_release(sets);
	return code;
}

void measured_sets_release(struct measured_sets *sets)
{
	arena_release(&sets->arena);
	*sets = (struct measured_sets){0};
}
