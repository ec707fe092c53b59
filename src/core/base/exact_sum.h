/* Sums of doubles that are the same to the last bit whatever the order of additions, and however the numbers are shared
 * out (docs/internals/scale.md 3).
 *
 *     struct exact_unit u = exact_unit(most, count);         no number is above most, and no sum has more than `count` of them
 *     struct exact_sum s = {0};
 *     exact_add(&u, &s, v);                                  as often as there are numbers
 *     exact_store(&s, total);                                two uint64_t, the low one first
 *     exact_plus(total, other);                              totals add up, modulo 2^128: there may be many more of these than `count`
 *     v = exact_double(&u, total);
 *
 * Numbers are added up as whole multiples of a unit, a power of two that is at most 2^-91 x most x count. What is cut
 * off each is less than one unit: of 2^32 numbers together less than 2^-59 x most x count, where a sum of doubles that
 * comes near most x count is rounded to 2^-53 of that. A number that is above most counts as most, one that is none as
 * 0.
 */
#ifndef PAS2P_EXACT_SUM_H
#define PAS2P_EXACT_SUM_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

struct exact_unit {
	double most, scale, back; /* scale: of the whole part; back: the unit */
};

struct exact_sum {
	int64_t whole, rest;
};

#define EXACT_REST 4294967296.0 /* units in one of the whole part: 2^32 */

static inline double exact_power(int exponent) /* 2^exponent, -1022 to 1023 */
{
	uint64_t bits = (uint64_t)(exponent + 1023) << 52;
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

static inline struct exact_unit exact_unit(double most, uint32_t count)
{
	int most_bits, scale;
	uint64_t bits;

	most = isfinite(most) ? fabs(most) : DBL_MAX;
	memcpy(&bits, &most, sizeof bits);
	most_bits = (int)(bits >> 52) - 1022; /* most < 2^most_bits */
	scale = 61 - most_bits - (count ? 32 - __builtin_clz(count) : 0);
	if (scale > 900)
		scale = 900; /* what is lost then is no time that anything took */
	return (struct exact_unit){most, exact_power(scale), exact_power(-scale - 32)};
}

static inline void exact_add(const struct exact_unit *u, struct exact_sum *s, double v)
{
	int64_t whole;

	if (__builtin_expect(!(fabs(v) <= u->most), 0))
		v = v > 0 ? u->most : v < 0 ? -u->most : 0;
	v *= u->scale;
	whole = (int64_t)v;
	s->whole += whole;
	s->rest += (int64_t)((v - (double)whole) * EXACT_REST);
}

static inline void exact_plus(uint64_t total[2], const uint64_t more[2])
{
	total[0] += more[0];
	total[1] += more[1] + (total[0] < more[0]);
}

static inline void exact_store(const struct exact_sum *s, uint64_t total[2])
{
	const uint64_t rest[2] = {(uint64_t)s->rest, s->rest < 0 ? UINT64_MAX : 0};

	total[0] = (uint64_t)s->whole << 32;
	total[1] = (uint64_t)(s->whole >> 32);
	exact_plus(total, rest);
}

static inline double exact_double(const struct exact_unit *u, const uint64_t total[2])
{
	uint64_t low = total[0], high = total[1];
	double sign = 1;

	if (high >> 63) {
		sign = -1;
		low = 0 - low;
		high = ~high + !low;
	}
	return sign * ((double)high * 0x1p64 + (double)low) * u->back;
}

#endif
