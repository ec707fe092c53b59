#include "outliers.h"

#include <math.h>
#include <string.h>

#include "mem.h"
#include "order.h"

#define REACH (5 * 1.4826) /* 1.4826 median differences are one standard deviation where figures are normal */

/* The one with k smaller ones before it. */
static uint64_t key_at(const uint64_t *key, uint32_t n, uint32_t k)
{
	uint64_t known = 0, mask = 0;

	for (int shift = 56; shift >= 0; shift -= 8) {
		uint32_t count[256] = {0}, digit = 0;

		for (uint32_t i = 0; i < n; i++)
			if ((key[i] & mask) == known)
				count[key[i] >> shift & 255]++;
		while (k >= count[digit])
			k -= count[digit++];
		known |= (uint64_t)digit << shift;
		mask |= UINT64_C(255) << shift;
	}
	return known;
}

static double median_of(const uint64_t *key, uint32_t n)
{
	uint64_t upper = key_at(key, n, n / 2), below = 0;
	uint32_t less = 0;

	if (n % 2)
		return order_key_number(upper);
	for (uint32_t i = 0; i < n; i++)
		if (key[i] < upper) {
			less++;
			below = key[i] > below ? key[i] : below;
		}
	return order_key_number(less == n / 2 ? below : upper) / 2 + order_key_number(upper) / 2;
}

/* Two of infinity do not differ. */
static double difference(double a, double b)
{
	return a == b ? 0 : fabs(a - b);
}

enum err_code outlier_bounds_of(struct outlier_bounds *out, const double *figure, uint32_t count, struct err *e)
{
	uint64_t *key;
	double reach;
	uint32_t n = 0;

	*out = (struct outlier_bounds){NAN, NAN, NAN};
	key = mem_alloc(count, sizeof *key);
	if (!key)
		return err_memory(e, "the median of a list");
	for (uint32_t i = 0; i < count; i++)
		if (!isnan(figure[i]))
			key[n++] = order_key(figure[i]);
	if (n) {
		out->median = median_of(key, n);
		for (uint32_t i = 0; i < n; i++)
			key[i] = order_key(difference(order_key_number(key[i]), out->median));
		reach = REACH * median_of(key, n);
		out->low = out->median - reach;
		out->high = out->median + reach;
	}
	mem_free(key);
	return ERR_OK;
}

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
