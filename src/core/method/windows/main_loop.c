#include "windows.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/base/outliers.h"

#define LEAST_SHARE 0.5
#define NONE UINT32_MAX

/* --- which loop --- */

enum { WITHIN = 1, FITS = 2 }; /* inside a loop that fits; fits */

/* What is around a loop comes behind it. */
static void loops_mark_fitting(const struct fold *f, const double *sizes, double least, uint8_t *marks)
{
	for (uint32_t k = f->loop_count; k-- > 0; ) {
		const struct fold_loop *l = &f->loops[k];

		if (l->count >= LOOPS_ITERATIONS && sizes[k] >= least)
			marks[k] |= FITS;
		for (uint32_t i = 0; marks[k] && i < l->length; i++)
			if (fold_is_loop(f, f->symbols[l->body + i]))
				marks[f->symbols[l->body + i] - f->id_count] |= WITHIN;
	}
}

static bool loop_repeats_one(const struct folding *f, uint32_t loop)
{
	return f->fold->loops[loop].unfolded == 1;
}

/* The largest of the loops that fit and are outermost, or of all with enough iterations. */
static uint32_t loops_find_largest(const struct folding *f, const double *sizes, const uint8_t *marks)
{
	uint32_t best = NONE;

	for (uint32_t i = 0; i < f->fold->loop_count; i++) {
		uint32_t k = f->order[i];
		bool one = marks && loop_repeats_one(f, k), best_one = marks && best != NONE && loop_repeats_one(f, best);

		if (marks ? marks[k] != FITS : folding_iterations(f, k) < LOOPS_ITERATIONS)
			continue;
		if (best == NONE || (one == best_one ? sizes[k] > sizes[best] : best_one))
			best = k;
	}
	return best;
}

enum err_code main_loop_choose(uint32_t *loop, const struct folding *f, const double *at, double whole, bool any, struct err *e)
{
	uint32_t loops = f->fold->loop_count;
	double *sizes = mem_alloc(loops, sizeof *sizes);
	uint8_t *marks = mem_zero(loops, sizeof *marks);
	enum err_code code = sizes && marks ? ERR_OK : err_memory(e, "the main loop");

	*loop = NONE;
	if (!code) {
		for (uint32_t k = 0; k < loops; k++)
			sizes[k] = folding_length(f, k, at);
		loops_mark_fitting(f->fold, sizes, LEAST_SHARE * whole, marks);
		*loop = loops_find_largest(f, sizes, any ? NULL : marks);
	}
	mem_free(sizes);
	mem_free(marks);
	return code;
}

static enum err_code main_loop_fold(struct main_loop *m, const struct main_loop_run *r, struct err *e)
{
	const struct folding *f = r->exact;
	double whole = r->tick[f->fold->length] - r->tick[0];
	uint32_t best;
	enum err_code code = main_loop_choose(&best, f, r->tick, whole, false, e);

	if (!code && best == NONE)
		code = main_loop_choose(&best, f, r->tick, whole, true, e);
	if (code || best == NONE)
		return code;
	m->iterations = (uint32_t)folding_iterations(f, best);
	m->fold = f->fold;
	m->loop = best;
	m->from = f->from + f->first[best];
	m->to = f->to + f->first[best];
	return ERR_OK;
}

/* --- its iterations --- */

static enum err_code main_loop_measure(struct main_loop *m, const double *u, double aet, struct err *e)
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
	m->share = sum / aet;
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

enum err_code main_loop_init(struct main_loop *out, const struct main_loop_run *r, const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	*out = (struct main_loop){0};
	if (!(r->aet > 0))
		return ERR_OK;
	if (r->patterns)
		code = main_loop_read(out, r, progress, e);
	if (!code && !out->iterations)
		code = main_loop_fold(out, r, e);
	if (!code && out->iterations)
		code = main_loop_measure(out, r->u, r->aet, e);
	if (code)
		main_loop_release(out);
	return code;
}

void main_loop_release(struct main_loop *m)
{
	mem_free(m->seconds);
	mem_free(m->outliers);
	mem_free(m->drawn);
	*m = (struct main_loop){0};
}
