#include "pingpong_plan.h"

#include <math.h>
#include <string.h>

#define PRECISE 0.02        /* half width over mean */
#define RESOLUTIONS 100     /* that a repetition has to last */
#define OFF 0.05            /* of a point from the line through its neighbours */
#define GAP 64              /* bytes: nothing is measured within */
#define SEED UINT64_C(0x9e3779b97f4a7c15)

static void add_size(uint64_t *sizes, uint32_t *count, uint64_t bytes)
{
	if (!*count || sizes[*count - 1] < bytes)
		sizes[(*count)++] = bytes;
}

uint32_t pingpong_sizes(uint64_t low, uint64_t high, uint64_t sizes[PINGPONG_SIZES])
{
	uint32_t count = 0;

	add_size(sizes, &count, low);
	for (uint64_t power = 1; power <= high && power <= PINGPONG_LIMIT; power *= 2) {
		if (power >= low)
			add_size(sizes, &count, power);
		if (power > 1 && power / 2 * 3 >= low && power / 2 * 3 <= high)
			add_size(sizes, &count, power / 2 * 3);
	}
	add_size(sizes, &count, high);
	return count;
}

/* The same order everywhere and always: Fisher and Yates' shuffle by Marsaglia's xorshift. */
static void shuffle(uint64_t *sizes, uint32_t count)
{
	uint64_t state = SEED;

	for (uint32_t i = count; i > 1; i--) {
		uint32_t k;
		uint64_t size = sizes[i - 1];

		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		k = (uint32_t)(state % i);
		sizes[i - 1] = sizes[k];
		sizes[k] = size;
	}
}

uint32_t pingpong_batch(double seconds, double resolution)
{
	double needed = RESOLUTIONS * resolution;

	if (!(seconds < needed))
		return 1;
	return seconds * PINGPONG_BATCH > needed ? (uint32_t)ceil(needed / seconds) : PINGPONG_BATCH;
}

static double least(const double *v, uint32_t n)
{
	double m = v[0];

	for (uint32_t i = 1; i < n; i++)
		m = fmin(m, v[i]);
	return m;
}

static void pingpong_measure_point(struct pingpong_point *p, uint64_t bytes, double share, double resolution, const struct pingpong_bench *b)
{
	double warm[PINGPONG_WARM], begun = b->now(b->arg);
	struct repetitions_mean m;

	p->bytes = bytes;
	b->repeat(b->arg, bytes, 1, PINGPONG_WARM, warm);
	p->batch = pingpong_batch(least(warm, PINGPONG_WARM), resolution);
	for (p->count = 0;;) {
		b->repeat(b->arg, bytes, p->batch, PINGPONG_LEAST, p->seconds + p->count);
		p->count += PINGPONG_LEAST;
		m = repetitions_mean(p->seconds, p->count);
		p->mean = m.mean;
		if (m.half_width <= PRECISE * m.mean || p->count + PINGPONG_LEAST > REPETITIONS_MOST || b->now(b->arg) - begun >= share)
			return;
	}
}

/* Where the size belongs; what is behind makes way. */
static struct pingpong_point *insert(struct pingpong_series *s, uint64_t bytes)
{
	uint32_t i = s->count;

	while (i && s->point[i - 1].bytes > bytes)
		i--;
	memmove(s->point + i + 1, s->point + i, (s->count - i) * sizeof *s->point);
	s->count++;
	return &s->point[i];
}

bool pingpong_refine(const struct pingpong_series *s, uint64_t *bytes)
{
	double worst = OFF;
	bool found = false;

	for (uint32_t i = 1; i + 1 < s->count; i++) {
		const struct pingpong_point *a = &s->point[i - 1], *p = a + 1, *b = a + 2;
		uint64_t left = p->bytes - a->bytes, right = b->bytes - p->bytes;
		double line = a->mean + (b->mean - a->mean) * (double)left / (double)(left + right), off = fabs(p->mean - line) / p->mean;

		if (!(off > worst) || (left > right ? left : right) <= GAP)
			continue;
		worst = off;
		*bytes = left > right ? a->bytes + left / 2 : p->bytes + right / 2;
		found = true;
	}
	return found;
}

void pingpong_run(struct pingpong_series *s, const uint64_t *sizes, uint32_t count, const struct pingpong_plan *plan,
		  const struct pingpong_bench *bench)
{
	double end = bench->now(bench->arg) + plan->seconds;
	uint64_t order[PINGPONG_SIZES], bytes;
	uint32_t left = count + (plan->refine ? PINGPONG_REFINED : 0);

	s->count = 0;
	memcpy(order, sizes, count * sizeof *order);
	shuffle(order, count);
	for (uint32_t i = 0; i < count; i++, left--)
		pingpong_measure_point(insert(s, order[i]), order[i], (end - bench->now(bench->arg)) / left, plan->resolution, bench);
	for (; left && pingpong_refine(s, &bytes); left--)
		pingpong_measure_point(insert(s, bytes), bytes, (end - bench->now(bench->arg)) / left, plan->resolution, bench);
}
