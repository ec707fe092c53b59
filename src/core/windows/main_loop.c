#include "main_loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

#define LEAST_SHARE 0.5
#define OUTLIER (5 * 1.4826) /* 1.4826 median distances are one standard deviation where times are normal */
#define NONE UINT32_MAX

/* --- which loop --- */

enum { WITHIN = 1, FITS = 2 }; /* inside a loop that fits; fits */

/* What is around a loop comes behind it. */
static void mark(const struct fold *f, const double *seconds, double aet, uint8_t *marks)
{
	for (uint32_t k = f->loop_count; k-- > 0; ) {
		const struct fold_loop *l = &f->loops[k];

		if (l->count >= LOOPS_ITERATIONS && seconds[k] >= LEAST_SHARE * aet - LOOPS_SLACK)
			marks[k] |= FITS;
		for (uint32_t i = 0; marks[k] && i < l->length; i++)
			if (fold_is_loop(f, f->symbols[l->body + i]))
				marks[f->symbols[l->body + i] - f->id_count] |= WITHIN;
	}
}

/* The largest share of the loops that fit and are outermost, or of all with enough iterations. */
static uint32_t largest(const struct folding *f, const double *seconds, const uint8_t *marks)
{
	uint32_t best = NONE;

	for (uint32_t i = 0; i < f->fold->loop_count; i++) {
		uint32_t k = f->order[i];

		if (marks ? marks[k] != FITS : folding_iterations(f, k) < LOOPS_ITERATIONS)
			continue;
		if (best == NONE || seconds[k] > seconds[best] + LOOPS_SLACK)
			best = k;
	}
	return best;
}

/* --- its iterations --- */

static int compare_numbers(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Sorts them. */
static double median(double *list, uint32_t n)
{
	qsort(list, n, sizeof *list, compare_numbers);
	return n % 2 ? list[n / 2] : (list[n / 2 - 1] + list[n / 2]) / 2;
}

static enum err_code measure(struct main_loop *m, const double *u, struct err *e)
{
	uint32_t n = m->iterations;
	double *sorted = mem_alloc(n, sizeof *sorted), sum = 0, squares = 0, reach;

	m->seconds = mem_alloc(n, sizeof *m->seconds);
	m->outliers = mem_alloc(n, sizeof *m->outliers);
	if (!sorted || !m->seconds || !m->outliers) {
		mem_free(sorted);
		return err_memory(e, "the iterations of the main loop");
	}
	for (uint32_t i = 0; i < n; i++) {
		m->seconds[i] = u[m->to[i]] - u[m->from[i]];
		sum += m->seconds[i];
	}
	m->mean = sum / n;
	for (uint32_t i = 0; i < n; i++)
		squares += (m->seconds[i] - m->mean) * (m->seconds[i] - m->mean);
	m->deviation = sqrt(squares / n);
	memcpy(sorted, m->seconds, n * sizeof *sorted);
	m->median = median(sorted, n);
	for (uint32_t i = 0; i < n; i++)
		sorted[i] = fabs(m->seconds[i] - m->median);
	reach = OUTLIER * median(sorted, n) + LOOPS_SLACK;
	mem_free(sorted);
	for (uint32_t i = 0; i < n; i++)
		if (fabs(m->seconds[i] - m->median) > reach)
			m->outliers[m->outlier_count++] = i;
	return ERR_OK;
}

enum err_code main_loop_init(struct main_loop *out, const struct folding *f, const double *u, double aet, struct err *e)
{
	uint32_t loops = f->fold->loop_count, best = NONE;
	double *seconds;
	uint8_t *marks;
	enum err_code code = ERR_OK;

	*out = (struct main_loop){0};
	if (!(aet > 0))
		return ERR_OK;
	seconds = mem_alloc(loops, sizeof *seconds);
	marks = mem_zero(loops, sizeof *marks);
	if (seconds && marks) {
		for (uint32_t k = 0; k < loops; k++)
			seconds[k] = folding_seconds(f, k, u);
		mark(f->fold, seconds, aet, marks);
		best = largest(f, seconds, marks);
		if (best == NONE)
			best = largest(f, seconds, NULL);
	} else
		code = err_memory(e, "the main loop");
	if (best != NONE) {
		out->iterations = (uint32_t)folding_iterations(f, best);
		out->loop = best;
		out->share = seconds[best] / aet;
		out->from = f->from + f->first[best];
		out->to = f->to + f->first[best];
		code = measure(out, u, e);
		if (code)
			main_loop_release(out);
	}
	mem_free(seconds);
	mem_free(marks);
	return code;
}

void main_loop_release(struct main_loop *m)
{
	mem_free(m->seconds);
	mem_free(m->outliers);
	*m = (struct main_loop){0};
}
