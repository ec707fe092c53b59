#include "machine_batches.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/order.h"

uint64_t batch_length(double (*once)(void *arg, uint64_t n), void *arg, double seconds)
{
	uint64_t n = 1;
	double took = once(arg, n);

	while (took < seconds / 4 && n < UINT64_C(1) << 40) {
		n *= 2;
		took = once(arg, n);
	}
	n = took > 0 ? (uint64_t)((double)n * seconds / took) : n;
	return n ? n : 1;
}

void batches_sort(double value[BATCHES_COUNTED])
{
	qsort(value, BATCHES_COUNTED, sizeof *value, order_double);
}

double batches_quantile(const double value[BATCHES_COUNTED], double q)
{
	double at = q * (BATCHES_COUNTED - 1), below = floor(at);
	int i = (int)below;

	return i + 1 < BATCHES_COUNTED ? value[i] + (at - below) * (value[i + 1] - value[i]) : value[i];
}
