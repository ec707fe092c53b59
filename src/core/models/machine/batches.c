#include "machine_int.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/order.h"

#define TRIES 3

static double least_of_tries(double (*once)(void *arg, uint64_t n), void *arg, uint64_t n, double enough)
{
	double took = once(arg, n);

	for (int i = 1; i < TRIES && took >= enough; i++)
		took = fmin(took, once(arg, n));
	return took;
}

uint64_t batch_length(double (*once)(void *arg, uint64_t n), void *arg, double seconds)
{
	uint64_t n = 1;
	double took = least_of_tries(once, arg, n, seconds / 4);

	while (took < seconds / 4 && n < UINT64_C(1) << 40) {
		n *= 2;
		took = least_of_tries(once, arg, n, seconds / 4);
	}
	n = took > 0 ? (uint64_t)((double)n * seconds / took) : n;
	return n ? n : 1;
}

void batches_sort(double value[BATCHES_COUNTED])
{
	SORT(value, BATCHES_COUNTED, order_double);
}

double batches_quantile(const double value[BATCHES_COUNTED], double q)
{
	double at = q * (BATCHES_COUNTED - 1), below = floor(at);
	int i = (int)below;

	return i + 1 < BATCHES_COUNTED ? value[i] + (at - below) * (value[i + 1] - value[i]) : value[i];
}

double batches_operation(const struct batch_loops *b, double q)
{
	return (batches_quantile(b->longer, q) - batches_quantile(b->shorter, BATCHES_LOWER)) / b->operations;
}

struct machine_range batches_range(const struct batch_loops *independent, const struct batch_loops *dependent, double cycle)
{
	double low = fmax(batches_operation(independent, BATCHES_LOWER), cycle / BATCHES_ISSUE);

	return (struct machine_range){low, fmax(low, batches_operation(dependent, BATCHES_UPPER))};
}
