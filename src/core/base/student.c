#include "student.h"

#include <math.h>

/* A time below which 97.5 % of Student's distribution lie: of the share between -t and t there is a finite sum. */
static double share_within(double t, uint32_t df)
{
	const double pi = 3.14159265358979323846;
	double angle = atan(t / sqrt(df)), c = cos(angle), term = df % 2 ? c : 1, sum = 0;

	for (uint32_t k = df % 2 ? 3 : 2; k <= df; k += 2) {
		sum += term;
		term *= c * c * (k - 1) / k;
	}
	return df % 2 ? 2 / pi * (angle + sin(angle) * sum) : sin(angle) * sum;
}

/* Far from the normal distribution no more than a few terms: Cornish and Fisher's. */
static double nearly_normal(double n)
{
	const double z = 1.959963984540054, z2 = z * z;

	return z * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
		    (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n));
}

double student_quantile(uint32_t df)
{
	double low = 1.9, high = 13;

	if (df > 1000)
		return nearly_normal(df);
	for (int i = 0; i < 60; i++) {
		double mid = (low + high) / 2;

		if (share_within(mid, df) < 0.95)
			low = mid;
		else
			high = mid;
	}
	return (low + high) / 2;
}
