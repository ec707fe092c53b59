#include "measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clocks/bounds/bounds.h"
#include "core/base/order.h"

#define MOMENT 1e-6 /* s: the stretch that a verification is taken to be at */

void clock_measured_release(struct clock_measured *m)
{
	mem_free(m->unit);
	mem_free(m->link);
	mem_free(m->exchange);
	*m = (struct clock_measured){0};
}

/* A unit's clock against the reference's: offset = at zero + rate * time. */
struct unit_line {
	double offset, rate;
};

static double reference_time(const struct unit_line *l, double t)
{
	return (t + l->offset) / (1 - l->rate);
}

/* ---- exchanges as points ---- */

struct points {
	const struct clock_measured *m;
	uint32_t only;           /* one link, its units numbered 0 and 1; otherwise all */
	bool verification;
	const struct unit_line *line; /* verification: stamps are mapped by them, and all of one moment */
	double moment;
};
#define ALL_LINKS UINT32_MAX

static bool takes(const struct points *p, const struct clock_exchange *x)
{
	return (p->only == ALL_LINKS || p->only == x->link) && p->verification == (x->sample == CLOCK_VERIFIES);
}

static bool exchange_add_points(const struct points *p, const struct clock_exchange *x, uint32_t pair, clock_point_add *add, void *to)
{
	const struct clock_link *l = &p->m->link[x->link];
	bool alone = p->only != ALL_LINKS;
	struct clock_point most = {pair, alone ? 0 : l->parent, alone ? 1 : l->child, false, x->t1, x->t2 - x->t1};
	struct clock_point least = {pair, most.p, most.q, true, x->t4, x->t3 - x->t4};

	if (p->line) {
		const struct unit_line *parent = &p->line[l->parent], *child = &p->line[l->child];

		most.y = reference_time(parent, x->t2) - reference_time(child, x->t1);
		least.y = reference_time(parent, x->t3) - reference_time(child, x->t4);
		most.x = least.x = p->moment;
	}
	return add(to, &most) && add(to, &least);
}

static enum err_code visit(const void *arg, const struct clock_share *share, clock_point_add *add, void *to, struct err *e)
{
	const struct points *p = arg;
	uint32_t pairs = 0, last = ALL_LINKS;

	if (parallel_stopped(share->stop, share->part))
		return err_set(e, ERR_CANCELLED, "stopped while comparing clocks");
	for (size_t i = 0; i < p->m->exchange_count; i++) {
		const struct clock_exchange *x = &p->m->exchange[i];

		if (!takes(p, x))
			continue;
		if (x->link != last)
			pairs++;
		last = x->link;
		if (!exchange_add_points(p, x, pairs - 1, add, to))
			return err_memory(e, "the bounds of clocks");
	}
	return ERR_OK;
}

static enum err_code bounds(struct clock_bounds **b, const struct points *p, double start, double end, uint32_t windows,
			    const struct progress *progress, struct err *e)
{
	const struct clock_source s = {visit, p, p->only == ALL_LINKS ? p->m->unit_count : 2, start, end, fmax(fabs(start), fabs(end)), 1, NULL};

	return clock_bounds_from(b, &s, &(struct clock_options){.windows = windows}, progress, e);
}

/* ---- links ---- */

ORDER_BY(by_link, struct clock_exchange, UP(link) UP(t1))

/* The smallest of which at least this part of all is no larger. */
static double share_of(const double *half, size_t n, double part)
{
	size_t k = (size_t)ceil(part * (double)n);

	return half[k ? k - 1 : 0];
}

static void link_figures(struct clock_link *l, double *half, size_t n)
{
	double sum = 0;

	l->exchanges = n;
	l->minimum = l->mean = l->median = l->p90 = l->p99 = l->maximum = NAN;
	if (!n)
		return;
	SORT(half, n, order_double);
	for (size_t i = 0; i < n; i++) {
		if (half[i] > 2 * half[0])
			l->left_out++;
		else
			sum += half[i];
	}
	l->minimum = half[0];
	l->mean = n > l->left_out ? sum / (double)(n - l->left_out) : half[0];
	l->median = share_of(half, n, 0.5);
	l->p90 = share_of(half, n, 0.9);
	l->p99 = share_of(half, n, 0.99);
	l->maximum = half[n - 1];
}

static enum err_code solve_links(struct clock_measured *m, struct err *e)
{
	double *half = mem_alloc(m->exchange_count, sizeof *half);
	size_t at = 0;

	if (!half)
		return err_memory(e, "the round trips");
	for (uint32_t k = 0; k < m->link_count; k++) {
		size_t n = 0;

		for (; at < m->exchange_count && m->exchange[at].link == k; at++) {
			const struct clock_exchange *x = &m->exchange[at];

			half[n++] = ((x->t4 - x->t1) - (x->t3 - x->t2)) / 2;
		}
		link_figures(&m->link[k], half, n);
	}
	mem_free(half);
	return ERR_OK;
}

/* ---- units ---- */

static void take_bounds(struct clock_measured *m, const struct clock_bounds *b, struct unit_line *line)
{
	m->windows = b->windows;
	m->misfit = b->misfit;
	for (uint32_t u = 0; u < m->unit_count; u++) {
		struct clock_unit *unit = &m->unit[u];
		double apart = (double)(m->unit[0].zero - unit->zero) * 1e-9;
		size_t at = (size_t)u * b->borders;

		unit->component = b->component[u];
		unit->offset = b->offset[at] + apart;
		unit->low = b->low[at] + apart;
		unit->high = b->high[at] + apart;
		unit->rate = b->rate[u];
		unit->rate_low = b->rate_low[u];
		unit->rate_high = b->rate_high[u];
		unit->deviation_rms = unit->deviation_largest = 0;
		unit->windows = 1;
		line[u] = (struct unit_line){b->offset[at] - b->rate[u] * b->start, b->rate[u]};
	}
}

/* The middle of what a burst leaves, for each sample of a link. */
static void solve_deviation(struct clock_measured *m, const struct unit_line *line)
{
	size_t at = 0;

	while (at < m->exchange_count) {
		uint32_t k = m->exchange[at].link;
		const struct clock_link *l = &m->link[k];
		struct clock_unit *unit = &m->unit[l->child];
		double sum = 0, samples = 0;

		while (at < m->exchange_count && m->exchange[at].link == k) {
			uint32_t sample = m->exchange[at].sample;
			double low = -INFINITY, high = INFINITY, middle;

			for (; at < m->exchange_count && m->exchange[at].link == k && m->exchange[at].sample == sample; at++) {
				const struct clock_exchange *x = &m->exchange[at];

				high = fmin(high, reference_time(&line[l->parent], x->t2) - reference_time(&line[l->child], x->t1));
				low = fmax(low, reference_time(&line[l->parent], x->t3) - reference_time(&line[l->child], x->t4));
			}
			if (sample == CLOCK_VERIFIES)
				continue;
			middle = low / 2 + high / 2;
			sum += middle * middle;
			samples++;
			unit->deviation_largest = fmax(unit->deviation_largest, fabs(middle));
		}
		if (samples > 0)
			unit->deviation_rms = sqrt(sum / samples);
	}
}

static enum err_code solve_windows(struct clock_measured *m, double end, const struct progress *progress, struct err *e)
{
	for (uint32_t k = 0; k + 1 < m->unit_count && k < m->link_count; k++) {
		const struct points p = {.m = m, .only = k};
		struct clock_bounds *b;

		if (bounds(&b, &p, 0, end, CLOCK_WINDOWS, progress, e))
			return e->code;
		m->unit[m->link[k].child].windows = b->windows;
		clock_bounds_free(b);
	}
	return ERR_OK;
}

/* What the samples say of the time at which it was verified, against what was measured then. */
static enum err_code verify(struct clock_measured *m, double moment, struct unit_line *line, const struct progress *progress, struct err *e)
{
	const struct points before = {.m = m, .only = ALL_LINKS};
	const struct points after = {.m = m, .only = ALL_LINKS, .verification = true, .line = line, .moment = moment};
	struct clock_bounds *predicted = NULL, *found = NULL;

	if (bounds(&predicted, &before, 0, moment, 1, progress, e))
		return e->code;
	for (uint32_t u = 0; u < m->unit_count; u++)
		line[u] = (struct unit_line){predicted->offset[2 * u], predicted->rate[u]};
	if (bounds(&found, &after, moment, moment + MOMENT, 1, progress, e)) {
		clock_bounds_free(predicted);
		return e->code;
	}
	m->verified = true;
	for (uint32_t u = 0; u < m->unit_count; u++) {
		struct clock_unit *unit = &m->unit[u];
		double offset = predicted->offset[2 * u + 1], low = offset + found->low[2 * u], high = offset + found->high[2 * u];
		double apart = (double)(m->unit[0].zero - unit->zero) * 1e-9;

		unit->error = u ? fabs(found->low[2 * u] / 2 + found->high[2 * u] / 2) : 0;
		unit->agrees = low <= predicted->high[2 * u + 1] && high >= predicted->low[2 * u + 1];
		unit->verified_low = low + apart;
		unit->verified_high = high + apart;
		m->verified &= unit->agrees;
	}
	clock_bounds_free(predicted);
	clock_bounds_free(found);
	return ERR_OK;
}

static void take_errors(struct clock_measured *m)
{
	double sum = 0;

	m->error_minimum = m->error_maximum = m->error_mean = NAN;
	for (uint32_t u = 1; u < m->unit_count; u++) {
		m->error_minimum = fmin(m->error_minimum, m->unit[u].error); /* a NAN gives way */
		m->error_maximum = fmax(m->error_maximum, m->unit[u].error);
		sum += m->unit[u].error;
	}
	if (m->unit_count > 1)
		m->error_mean = sum / (m->unit_count - 1);
}

enum err_code clock_measured_solve(struct clock_measured *m, const struct progress *progress, struct err *e)
{
	const struct points all = {.m = m, .only = ALL_LINKS};
	struct unit_line *line = mem_zero(m->unit_count, sizeof *line);
	struct clock_bounds *b = NULL;
	double end = m->seconds, moment = 0;
	enum err_code code;

	if (!line)
		return err_memory(e, "the bounds of clocks");
	SORT(m->exchange, m->exchange_count, by_link);
	for (size_t i = 0; i < m->exchange_count; i++) { /* by the reference's clock, where it takes part */
		const struct clock_exchange *x = &m->exchange[i];

		if (m->link[x->link].parent != 0)
			continue;
		if (x->sample == CLOCK_VERIFIES)
			moment = fmax(moment, x->t3);
		else
			end = fmax(end, x->t3);
	}
	code = solve_links(m, e);
	if (!code)
		code = bounds(&b, &all, 0, end, CLOCK_WINDOWS, progress, e);
	if (!code) {
		take_bounds(m, b, line);
		solve_deviation(m, line);
		code = solve_windows(m, end, progress, e);
	}
	clock_bounds_free(b);
	if (!code)
		code = verify(m, fmax(moment, end + MOMENT), line, progress, e);
	if (!code)
		take_errors(m);
	mem_free(line);
	return code;
}
