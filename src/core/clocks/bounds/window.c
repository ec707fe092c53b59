#include "bounds_int.h"

#include <math.h>

#include "bounds.h"
#include "core/base/mem.h"

#define NANOSECOND 1e-9
#define LOOSEN 1e-7 /* s: what pairs give way by where a cycle has no solution, doubled until it has */
#define WIDE 2e-4   /* s/s: estimates of rates that are known no better look at likely ones only */

/* Of the four things that bounds are of. */
enum what { START, END, MIDDLE, RISE, WHATS };

struct solving {
	struct clock_window *w;
	const struct clock_graph *g;
	const struct pair_hulls *hulls;
	const uint32_t *root;
	struct clock_range *pair[WHATS];    /* per pair */
	struct clock_range *process[WHATS]; /* per process */
	struct clock_range *likely[2];      /* middle and rise, from likely rates */
};

static void pair_bounds_keep(struct solving *s, uint32_t k, const struct pair_bounds *b)
{
	s->pair[START][k] = b->start;
	s->pair[END][k] = b->end;
	s->pair[MIDDLE][k] = b->middle;
	s->pair[RISE][k] = b->rise;
}

/* A pair that no line fits gives way until one does. */
static void bound_pair(struct solving *s, uint32_t k)
{
	struct clock_window *w = s->w;
	struct pair_bounds b = pair_bounds_of(&s->hulls[k], w->from, w->to, CLOCK_RATE, 0);

	if (b.crossing > w->tolerance) {
		w->forced++;
		w->misfit = fmax(w->misfit, b.crossing);
	}
	if (b.crossing > 0)
		b = pair_bounds_of(&s->hulls[k], w->from, w->to, CLOCK_RATE, b.crossing / 2 + NANOSECOND);
	pair_bounds_keep(s, k, &b);
}

static void bound_likely(struct solving *s, uint32_t k)
{
	struct pair_bounds b = pair_bounds_of(&s->hulls[k], s->w->from, s->w->to, CLOCK_LIKELY, 0);

	if (b.crossing > 0)
		return; /* what is there already stands */
	s->pair[MIDDLE][k] = b.middle;
	s->pair[RISE][k] = b.rise;
}

static void loosen(struct solving *s, double by)
{
	for (int what = 0; what < WHATS; what++)
		for (uint32_t k = 0; k < s->g->pair_count; k++) {
			struct clock_range *r = &s->pair[what][k];

			r->low -= what == RISE ? 2 * by : by;
			r->high += what == RISE ? 2 * by : by;
		}
}

static enum err_code close_all(struct solving *s, bool *closed, struct err *e)
{
	enum err_code code = ERR_OK;

	*closed = true;
	for (int what = 0; !code && *closed && what < WHATS; what++)
		code = clock_closure(s->process[what], closed, s->g, s->pair[what], s->root, e);
	return code;
}

static enum err_code close_loosely(struct solving *s, struct err *e)
{
	bool closed;
	enum err_code code = close_all(s, &closed, e);
	double by = LOOSEN, all = 0;

	if (!code && !closed)
		s->w->forced++;
	for (; !code && !closed; by *= 2) {
		loosen(s, by);
		all += by;
		s->w->misfit = fmax(s->w->misfit, all);
		code = close_all(s, &closed, e);
	}
	return code;
}

static double centre(struct clock_range r)
{
	if (isfinite(r.low) && isfinite(r.high))
		return r.low / 2 + r.high / 2;
	return isfinite(r.low) ? r.low : isfinite(r.high) ? r.high : 0;
}

static double within(double x, struct clock_range r)
{
	return x < r.low ? r.low : x > r.high ? r.high : x;
}

/* A rise is cut with what start and end imply, and with what a clock can do. */
static struct clock_range cut_rise(const struct solving *s, uint32_t i)
{
	double most = CLOCK_RATE * (s->w->to - s->w->from);
	struct clock_range r = s->process[RISE][i], start = s->process[START][i], end = s->process[END][i];

	r.low = fmax(fmax(r.low, end.low - start.high), -most);
	r.high = fmin(fmin(r.high, end.high - start.low), most);
	if (r.low > r.high) /* where pairs had to give way */
		r.low = r.high = r.low / 2 + r.high / 2;
	return r;
}

static bool any_wide(const struct solving *s, const struct clock_left *left)
{
	double wide = WIDE * (s->w->to - s->w->from);

	for (uint32_t i = 0; i < s->g->process_count; i++)
		if (left[i].rise.high - left[i].rise.low > wide)
			return true;
	return false;
}

static enum err_code find_likely(struct solving *s, bool *found, struct err *e)
{
	enum err_code code;

	for (uint32_t k = 0; k < s->g->pair_count; k++)
		bound_likely(s, k);
	code = clock_closure(s->likely[0], found, s->g, s->pair[MIDDLE], s->root, e);
	if (!code && *found)
		code = clock_closure(s->likely[1], found, s->g, s->pair[RISE], s->root, e);
	return code;
}

static enum err_code estimate(struct solving *s, struct clock_left *left, struct err *e)
{
	double wide = WIDE * (s->w->to - s->w->from);
	bool likely = false;
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; i < s->g->process_count; i++)
		left[i] = (struct clock_left){.start = s->process[START][i], .end = s->process[END][i], .rise = cut_rise(s, i)};
	if (any_wide(s, left))
		code = find_likely(s, &likely, e);
	for (uint32_t i = 0; !code && i < s->g->process_count; i++) {
		struct clock_left *l = &left[i];
		bool guided = likely && l->rise.high - l->rise.low > wide;
		double middle = centre(guided ? s->likely[0][i] : s->process[MIDDLE][i]);
		double rise = centre(guided ? s->likely[1][i] : l->rise);

		l->bound = isfinite(s->process[MIDDLE][i].low) || isfinite(s->process[MIDDLE][i].high);
		l->start_estimate = within(middle - rise / 2, l->start);
		l->end_estimate = within(middle + rise / 2, l->end);
	}
	return code;
}

enum err_code clock_window_solve(struct clock_window *w, struct clock_left *left, const struct clock_graph *g,
				 const struct pair_hulls *hulls, const uint32_t *root, struct err *e)
{
	struct solving s = {.w = w, .g = g, .hulls = hulls, .root = root};
	struct clock_range *pairs = mem_alloc(WHATS * (size_t)g->pair_count, sizeof *pairs);
	struct clock_range *processes = mem_alloc((WHATS + 2) * (size_t)g->process_count, sizeof *processes);
	enum err_code code = pairs && processes ? ERR_OK : err_memory(e, "the bounds of clocks");

	w->forced = 0;
	w->misfit = 0;
	for (int what = 0; !code && what < WHATS; what++) {
		s.pair[what] = pairs + (size_t)what * g->pair_count;
		s.process[what] = processes + (size_t)what * g->process_count;
	}
	for (int i = 0; !code && i < 2; i++)
		s.likely[i] = processes + (size_t)(WHATS + i) * g->process_count;
	for (uint32_t k = 0; !code && k < g->pair_count; k++)
		bound_pair(&s, k);
	if (!code)
		code = close_loosely(&s, e);
	if (!code)
		code = estimate(&s, left, e);
	mem_free(pairs);
	mem_free(processes);
	return code;
}
