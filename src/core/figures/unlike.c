#include "unlike.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/order.h"

#define LEAST 5            /* occurrences of a kind */
#define LEAST_SHARE 0.1    /* of all */
#define LEAST_FACTOR 1.2   /* between the kinds */
#define ENDS 0.05          /* of a kind, at either end, that does not count */

struct part {
	double low, high; /* logarithms */
};

static struct part part_of(const double *seconds, uint32_t n)
{
	uint32_t off = (uint32_t)(ENDS * n);

	return (struct part){log(seconds[off]), log(seconds[n - 1 - off])};
}

/* The split with the least squares within, which is the one with the largest squares between. */
static uint32_t best_split(const double *seconds, uint32_t n, uint32_t least)
{
	double sum = 0, left = 0, most = -1;
	uint32_t best = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += log(seconds[i]);
	for (uint32_t k = 1; k <= n - least; k++) {
		double off;

		left += log(seconds[k - 1]);
		off = left / k - (sum - left) / (n - k);
		if (k >= least && off * off * k * (n - k) > most) {
			most = off * off * k * (n - k);
			best = k;
		}
	}
	return best;
}

struct unlike unlike_of(double *seconds, uint32_t n)
{
	uint32_t least, split;
	struct part low, high;
	double gap;

	qsort(seconds, n, sizeof *seconds, order_double);
	/* The first occurrence of a run often takes no time: nothing lies before its event. */
	for (; n && !(seconds[0] > 0); n--)
		seconds++;
	least = (uint32_t)ceil(LEAST_SHARE * n);
	least = least > LEAST ? least : LEAST;
	if (n < 2 * least)
		return (struct unlike){.count = {0}};
	split = best_split(seconds, n, least);
	low = part_of(seconds, split);
	high = part_of(seconds + split, n - split);
	gap = high.low - low.high;
	if (gap < log(LEAST_FACTOR) || gap <= low.high - low.low || gap <= high.high - high.low)
		return (struct unlike){.count = {0}};
	return (struct unlike){{split, n - split}, {seconds[(split - 1) / 2], seconds[split + (n - split - 1) / 2]}};
}

enum err_code phase_unlike(struct unlike *out, const struct clockwork *c, const struct phases *p, uint32_t id, struct err *e)
{
	uint32_t first = p->phase_first[id - 1], n = p->phase_first[id] - first;
	double *seconds = mem_alloc(n, sizeof *seconds);

	*out = (struct unlike){.count = {0}};
	if (!seconds)
		return err_memory(e, "the durations of a phase");
	for (uint32_t i = 0; i < n; i++)
		seconds[i] = occurrence_time(c, p, p->by_phase[first + i]);
	*out = unlike_of(seconds, n);
	mem_free(seconds);
	return ERR_OK;
}
