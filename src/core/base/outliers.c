#include "outliers.h"

#include <math.h>
#include <stdlib.h>

#include "mem.h"
#include "order.h"

#define REACH (5 * 1.4826) /* 1.4826 median differences are one standard deviation where figures are normal */

static double median_of_sorted(const double *list, uint32_t n)
{
	return n % 2 ? list[n / 2] : list[n / 2 - 1] / 2 + list[n / 2] / 2;
}

/* Two of infinity do not differ. */
static double difference(double a, double b)
{
	return a == b ? 0 : fabs(a - b);
}

enum err_code outlier_bounds_of(struct outlier_bounds *out, const double *figure, uint32_t count, struct err *e)
{
	double *list, reach;
	uint32_t n = 0;

	*out = (struct outlier_bounds){NAN, NAN, NAN};
	list = mem_alloc(count, sizeof *list);
	if (!list)
		return err_memory(e, "the median of a list");
	for (uint32_t i = 0; i < count; i++)
		if (!isnan(figure[i]))
			list[n++] = figure[i];
	if (n) {
		qsort(list, n, sizeof *list, order_double);
		out->median = median_of_sorted(list, n);
		for (uint32_t i = 0; i < n; i++)
			list[i] = difference(list[i], out->median);
		qsort(list, n, sizeof *list, order_double);
		reach = REACH * median_of_sorted(list, n);
		out->low = out->median - reach;
		out->high = out->median + reach;
	}
	mem_free(list);
	return ERR_OK;
}
