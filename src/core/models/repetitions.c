#include "repetitions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"

#define JUDGED 5            /* fewer are all kept */
#define DIFFERENCES 7.413   /* 5 x 1.4826 */
#define FLOOR 0.05

static double median(double *v, uint32_t n)
{
	qsort(v, n, sizeof *v, order_double);
	return n % 2 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}

/* The 97.5 % quantile of Student's distribution: a series around the normal one's, within 0.2 % from 3 degrees of freedom on. */
static double student(uint32_t degrees)
{
	const double z = 1.959963984540054, n = degrees, z2 = z * z;

	if (degrees == 1)
		return 12.706204736174704;
	if (degrees == 2)
		return 4.302652729749464;
	return z * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
		    (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n) +
		    ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / (92160 * n * n * n * n));
}

struct repetitions_mean repetitions_mean(const double *value, uint32_t count)
{
	struct repetitions_mean m = {0, NAN, NAN};
	double work[REPETITIONS_MOST], middle = 0, far = INFINITY, sum = 0, squares = 0;

	if (count > REPETITIONS_MOST)
		count = REPETITIONS_MOST;
	if (count >= JUDGED) {
		memcpy(work, value, count * sizeof *work);
		middle = median(work, count);
		for (uint32_t i = 0; i < count; i++)
			work[i] = fabs(value[i] - middle);
		far = fmax(DIFFERENCES * median(work, count), FLOOR * fabs(middle));
	}
	for (uint32_t i = 0; i < count; i++)
		if (fabs(value[i] - middle) <= far) {
			m.kept++;
			sum += value[i];
		}
	if (m.kept)
		m.mean = sum / m.kept;
	for (uint32_t i = 0; i < count; i++)
		if (fabs(value[i] - middle) <= far)
			squares += (value[i] - m.mean) * (value[i] - m.mean);
	if (m.kept > 1)
		m.half_width = student(m.kept - 1) * sqrt(squares / (m.kept - 1) / m.kept);
	return m;
}
