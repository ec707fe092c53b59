#include "figures_int.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/order.h"
/* How far apart two groups must be, in standard deviations within them, to be called two: any cut of times of one speed
 * leaves groups 2.7 (normal) to 3.5 (even) apart; few of them may look further apart by chance. Found by simulation,
 * and held to by a test. */
static double far_apart(uint32_t n)
{
	return 4.5 + 60.0 / n;
}

#define LEAST 8        /* occurrences */
#define APART 1.1      /* slow / fast */

/* Speeds differ by factors, so it is logarithms that are grouped. What is no time at all is taken for very short. */
static double log_time(double time, double largest)
{
	return log(fmax(time, largest * 1e-6));
}

struct two_humps two_humps(const double *times, uint32_t n)
{
	struct two_humps h = {0};
	double all = 0, squares = 0, low = 0, low_squares = 0, best = INFINITY, apart = 0, largest, middle;
	uint32_t least = n / 10 > 2 ? (n + 9) / 10 : 2;

	if (n < LEAST || !(times[n - 1] > 0))
		return h;
	largest = times[n - 1];
	/* About the middle, so that squares of what is nearly equal do not cancel. */
	middle = log_time(times[n / 2], largest);
	for (uint32_t i = 0; i < n; i++) {
		double v = log_time(times[i], largest) - middle;

		all += v;
		squares += v * v;
	}
	/* The cut that leaves the least spread within the groups. */
	for (uint32_t k = 1; k < n; k++) {
		double v = log_time(times[k - 1], largest) - middle, within;

		low += v;
		low_squares += v * v;
		within = low_squares - low * low / k + squares - low_squares - (all - low) * (all - low) / (n - k);
		if (within >= best || times[k - 1] == times[k])
			continue;
		best = within;
		h.fast_count = k;
		apart = ((all - low) / (n - k) - low / k) / sqrt(fmax(within, 1e-12) / (n - 2));
	}
	if (!h.fast_count)
		return h;
	h.slow_count = n - h.fast_count;
	h.cut = times[h.fast_count - 1];
	for (uint32_t i = 0; i < n; i++)
		*(i < h.fast_count ? &h.fast : &h.slow) += times[i];
	h.fast /= h.fast_count;
	h.slow /= h.slow_count;
	/* A best cut that leaves few on one side has found stragglers, not a second speed. */
	h.told = h.fast_count >= least && h.slow_count >= least && apart >= far_apart(n) && h.slow >= APART * h.fast;
	return h;
}

static void summarise(struct phase_series *series, double *times, uint32_t n)
{
	double sum = 0, squares = 0;

	SORT(times, n, order_double);
	for (uint32_t i = 0; i < n; i++)
		sum += times[i];
	series->mean = sum / n;
	for (uint32_t i = 0; i < n; i++)
		squares += (times[i] - series->mean) * (times[i] - series->mean);
	series->deviation = sqrt(squares / n);
	series->min = times[0];
	series->max = times[n - 1];
	series->median = n % 2 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
	series->humps = two_humps(times, n);
}

enum err_code phase_series_init(struct phase_series *series, const struct clockwork *c, const struct phases *p,
				uint32_t id, uint32_t bins, const struct job *job, struct err *e)
{
	uint32_t from = p->phase_first[id - 1], n = p->phase_first[id] - from, ticks = c->l->tick_count;
	double *times = mem_alloc(n, sizeof *times);

	*series = (struct phase_series){.bin = mem_zero(bins, sizeof *series->bin), .bins = bins};
	if (!times || !series->bin) {
		mem_free(times);
		phase_series_release(series);
		return err_memory(e, "the occurrences of a phase");
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t occurrence = p->by_phase[from + i];
		struct series_bin *b = &series->bin[(uint64_t)p->occurrences[occurrence].first * bins / ticks];

		times[i] = occurrence_time(c, p, occurrence);
		b->min = b->count ? fmin(b->min, times[i]) : times[i];
		b->max = b->count ? fmax(b->max, times[i]) : times[i];
		b->mean += times[i];
		b->count++;
		if ((i & 0xfffff) == 0xfffff && job_stopped(job)) {
			mem_free(times);
			phase_series_release(series);
			return err_set(e, ERR_CANCELLED, "stopped while looking at a phase's occurrences");
		}
	}
	for (uint32_t i = 0; i < bins; i++)
		if (series->bin[i].count)
			series->bin[i].mean /= series->bin[i].count;
	summarise(series, times, n);
	mem_free(times);
	return ERR_OK;
}

void phase_series_release(struct phase_series *series)
{
	mem_free(series->bin);
	*series = (struct phase_series){0};
}
