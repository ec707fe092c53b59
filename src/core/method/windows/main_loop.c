#include "windows.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/base/outliers.h"

#define LEAST_SHARE 0.5
#define RAREST (1.0 / 256) /* of the ticks: the phases that are left out first ... */
#define RARE (1.0 / 16)    /* ... and last */
#define NONE UINT32_MAX

/* --- which loop --- */

enum { WITHIN = 1, FITS = 2 }; /* inside a loop that fits; fits */

/* What is around a loop comes behind it. */
static void loops_mark_fitting(const struct fold *f, const double *ticks, double least, uint8_t *marks)
{
	for (uint32_t k = f->loop_count; k-- > 0; ) {
		const struct fold_loop *l = &f->loops[k];

		if (l->count >= LOOPS_ITERATIONS && ticks[k] >= least)
			marks[k] |= FITS;
		for (uint32_t i = 0; marks[k] && i < l->length; i++)
			if (fold_is_loop(f, f->symbols[l->body + i]))
				marks[f->symbols[l->body + i] - f->id_count] |= WITHIN;
	}
}

/* The largest of the loops that fit and are outermost, or of all with enough iterations. */
static uint32_t loops_find_largest(const struct folding *f, const double *ticks, const uint8_t *marks)
{
	uint32_t best = NONE;

	for (uint32_t i = 0; i < f->fold->loop_count; i++) {
		uint32_t k = f->order[i];

		if (marks ? marks[k] != FITS : folding_iterations(f, k) < LOOPS_ITERATIONS)
			continue;
		if (!f->exact && f->fold->loops[k].unfolded == 1)
			continue;
		if (best == NONE || ticks[k] > ticks[best])
			best = k;
	}
	return best;
}

/* The main loop of a folding, NONE if there is none: with at least half of `whole`, or any. */
static enum err_code main_loop_choose(uint32_t *best, const struct folding *f, const double *tick, double whole, bool any, struct err *e)
{
	uint32_t loops = f->fold->loop_count;
	double *ticks = mem_alloc(loops, sizeof *ticks);
	uint8_t *marks = mem_zero(loops, sizeof *marks);
	enum err_code code = ticks && marks ? ERR_OK : err_memory(e, "the main loop");

	*best = NONE;
	if (!code) {
		for (uint32_t k = 0; k < loops; k++)
			ticks[k] = folding_length(f, k, tick);
		loops_mark_fitting(f->fold, ticks, LEAST_SHARE * whole, marks);
		*best = loops_find_largest(f, ticks, any ? NULL : marks);
	}
	mem_free(ticks);
	mem_free(marks);
	return code;
}

/* Leave out rare phases, more and more of them, until a loop fits. */
static enum err_code choose_without_rare(struct folding **out, uint32_t *best, const struct phases *p, const double *tick, double whole,
					 const struct progress *progress, struct err *e)
{
	double *covers = mem_zero(p->count, sizeof *covers);
	bool *keep = mem_alloc(p->count, sizeof *keep);
	uint32_t kept = p->count, was;
	enum err_code code = covers && keep ? ERR_OK : err_memory(e, "the main loop");

	*out = NULL;
	*best = NONE;
	for (uint32_t i = 0; !code && i < p->occurrence_count; i++)
		covers[p->occurrences[i].phase - 1] += tick[i + 1] - tick[i];
	for (double rare = RAREST; !code && *best == NONE && kept > 1 && rare <= RARE; rare *= 2) {
		was = kept;
		kept = 0;
		for (uint32_t i = 0; i < p->count; i++) {
			keep[i] = covers[i] >= rare * whole;
			kept += keep[i];
		}
		if (kept == was || kept < 2)
			continue;
		folding_free(*out);
		code = folding_new(out, p, keep, progress, e);
		if (!code)
			code = main_loop_choose(best, *out, tick, whole, false, e);
	}
	if (code || *best == NONE) {
		folding_free(*out);
		*out = NULL;
	}
	mem_free(covers);
	mem_free(keep);
	return code;
}

/* --- its iterations --- */

static enum err_code main_loop_measure(struct main_loop *m, const double *u, struct err *e)
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

enum err_code main_loop_init(struct main_loop *out, const struct phases *p, const struct folding *exact, const double *tick,
			     const double *u, double aet, const struct progress *progress, struct err *e)
{
	double whole = tick[p->occurrence_count] - tick[0];
	const struct folding *f = exact;
	uint32_t best;
	enum err_code code;

	*out = (struct main_loop){0};
	if (!(aet > 0))
		return ERR_OK;
	code = main_loop_choose(&best, exact, tick, whole, false, e);
	if (!code && best == NONE) {
		code = choose_without_rare(&out->without_rare, &best, p, tick, whole, progress, e);
		f = out->without_rare ? out->without_rare : exact;
	}
	if (!code && best == NONE)
		code = main_loop_choose(&best, exact, tick, whole, true, e);
	if (!code && best != NONE) {
		out->iterations = (uint32_t)folding_iterations(f, best);
		out->folding = f;
		out->loop = best;
		out->share = folding_length(f, best, u) / aet;
		out->from = f->from + f->first[best];
		out->to = f->to + f->first[best];
		code = main_loop_measure(out, u, e);
	}
	if (code)
		main_loop_release(out);
	return code;
}

void main_loop_release(struct main_loop *m)
{
	folding_free(m->without_rare);
	mem_free(m->seconds);
	mem_free(m->outliers);
	*m = (struct main_loop){0};
}
