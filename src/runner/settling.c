#include "runner_int.h"

#include <math.h>
#include <stddef.h>

#define MUCH 1.1
#define WINDOWS_LEAST 5

/* What occurrences [from, to) took over what their phases take; NAN if these take nothing. */
static double quotient(const struct estimate_input *in, const struct estimate *x, uint32_t from, uint32_t to)
{
	double took = 0, expected = 0;

	for (uint32_t i = from; i < to; i++) {
		double sum = 0;

		if (in->phase[i] >= in->phases || !x->phase[in->phase[i]].measured)
			continue;
		for (uint32_t part = 0; part < in->parts; part++)
			sum += in->seconds[(size_t)i * in->parts + part];
		took += sum / in->parts;
		expected += x->phase[in->phase[i]].time;
	}
	return expected > 0 ? took / expected : NAN;
}

struct settling settling_look(const struct estimate_input *in, const struct estimate *x)
{
	struct settling s = {.ratio = NAN};
	double first = 0, second = 0;

	for (uint32_t w = 0; w < in->windows; w++) {
		uint32_t from = in->first[w], to = in->first[w + 1], middle = from + (to - from) / 2;
		double a, b;

		if (in->extra[w])
			continue;
		a = quotient(in, x, from, middle);
		b = quotient(in, x, middle, to);
		if (isnan(a) || isnan(b))
			continue;
		first += a;
		second += b;
		s.windows++;
		s.slower += a > b;
	}
	if (s.windows && second > 0)
		s.ratio = first / second;
	s.late = s.windows >= WINDOWS_LEAST && s.ratio > MUCH && s.slower + 1 >= s.windows;
	return s;
}
