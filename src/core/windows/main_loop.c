#include "main_loop.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/base/outliers.h"

#define LEAST_SHARE 0.5
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

static enum err_code measure(struct main_loop *m, const double *u, struct err *e)
{
	uint32_t n = m->iterations;
	struct outlier_bounds bounds;
	double sum = 0, squares = 0;
	enum err_code code;

	m->seconds = mem_alloc(n, sizeof *m->seconds);
	m->outliers = mem_alloc(n, sizeof *m->outliers);
	if (!m->seconds || !m->outliers)
		return err_memory(e, "the iterations of the main loop");
	for (uint32_t i = 0; i < n; i++) {
		m->seconds[i] = u[m->to[i]] - u[m->from[i]];
		sum += m->seconds[i];
	}
	m->mean = sum / n;
	for (uint32_t i = 0; i < n; i++)
		squares += (m->seconds[i] - m->mean) * (m->seconds[i] - m->mean);
	m->deviation = sqrt(squares / n);
	code = outlier_bounds_of(&bounds, m->seconds, n, e);
	if (code)
		return code;
	m->median = bounds.median;
	bounds.low -= LOOPS_SLACK;
	bounds.high += LOOPS_SLACK;
	for (uint32_t i = 0; i < n; i++)
		if (outlier_is(&bounds, m->seconds[i]))
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
