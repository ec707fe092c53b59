#include "figures.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/order.h"

#define LEAST 5            /* occurrences of a kind */
#define LEAST_SHARE 0.1    /* of all */
#define LEAST_FACTOR 1.2   /* between the kinds */
#define ENDS 0.05          /* of a kind, at either end, that does not count */

struct spread {
	double least, most; /* logarithms */
};

static struct spread spread_of(const double *seconds, uint32_t n)
{
	uint32_t off = (uint32_t)(ENDS * n);

	return (struct spread){log(seconds[off]), log(seconds[n - 1 - off])};
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

struct phase_modes modes_of(double *seconds, uint32_t n)
{
	uint32_t least, split;
	struct spread brief, lengthy;
	double gap;

	SORT(seconds, n, order_double);
	/* The first occurrence of a run often takes no time: nothing lies before its event. */
	for (; n && !(seconds[0] > 0); n--)
		seconds++;
	least = (uint32_t)ceil(LEAST_SHARE * n);
	least = least > LEAST ? least : LEAST;
	if (n < 2 * least)
		return (struct phase_modes){.count = {0}};
	split = best_split(seconds, n, least);
	brief = spread_of(seconds, split);
	lengthy = spread_of(seconds + split, n - split);
	gap = lengthy.least - brief.most;
	if (gap < log(LEAST_FACTOR) || gap <= brief.most - brief.least || gap <= lengthy.most - lengthy.least)
		return (struct phase_modes){.count = {0}};
	return (struct phase_modes){{split, n - split}, {seconds[(split - 1) / 2], seconds[split + (n - split - 1) / 2]}};
}

enum err_code phase_modes_find(struct phase_modes *out, const struct clockwork *c, const struct phases *p, uint32_t id, struct err *e)
{
	uint32_t first = p->phase_first[id - 1], n = p->phase_first[id] - first;
	double *seconds = mem_alloc(n, sizeof *seconds);

	*out = (struct phase_modes){.count = {0}};
	if (!seconds)
		return err_memory(e, "the durations of a phase");
	for (uint32_t i = 0; i < n; i++)
		seconds[i] = occurrence_time(c, p, p->by_phase[first + i]);
	*out = modes_of(seconds, n);
	mem_free(seconds);
	return ERR_OK;
}
