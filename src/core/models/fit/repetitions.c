#include "fit.h"

#include <math.h>

#include "core/base/outliers.h"

#define JUDGED 5            /* fewer are all kept */
#define FLOOR 0.05          /* of the median: nothing nearer stands out */

/* How far from the middle one may be. What cannot be judged for lack of memory is kept. */
static double reach_of(const double *value, uint32_t count, double *middle)
{
	struct outlier_bounds b;
	struct err e;

	*middle = 0;
	if (count < JUDGED || outlier_bounds_of(&b, value, count, &e))
		return INFINITY;
	*middle = b.median;
	return fmax(b.high - b.median, FLOOR * fabs(b.median));
}

struct repetitions_mean repetitions_mean(const double *value, uint32_t count)
{
	struct repetitions_mean m = {0, NAN, NAN};
	double middle, sum = 0, squares = 0, reach = reach_of(value, count, &middle);

	for (uint32_t i = 0; i < count; i++)
		if (fabs(value[i] - middle) <= reach) {
			m.kept++;
			sum += value[i];
		}
	if (m.kept)
		m.mean = sum / m.kept;
	for (uint32_t i = 0; i < count; i++)
		if (fabs(value[i] - middle) <= reach)
			squares += (value[i] - m.mean) * (value[i] - m.mean);
	if (m.kept > 1)
		m.half_width = student_quantile(m.kept - 1) * sqrt(squares / (m.kept - 1) / m.kept);
	return m;
}
