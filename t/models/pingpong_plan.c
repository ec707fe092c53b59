/* The ping-pong's logic by itself (docs/internals/model-rules.md, "Measuring messages"): sizes, batches, when a size is
 * known well enough, what is refined. The clock and the messages are made up here, so that what must come out is known.
 * */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/models/machine/pingpong_plan.h"
#include "tap.h"

/* A network whose messages take a + b bytes, twice that from `jump` on, with a spread that repeats. */
struct fake {
	double time;         /* of the clock */
	double a, b, spread;
	uint64_t jump;
	uint32_t every;      /* so many of the calls return something far off; 0: none */
	uint32_t calls, warm, repetitions, batches;
	uint64_t order[256];
	uint32_t orders;
};

static double now(void *arg)
{
	return ((struct fake *)arg)->time;
}

static double takes(const struct fake *f, uint64_t bytes)
{
	return (f->a + f->b * (double)bytes) * (f->jump && bytes >= f->jump ? 2 : 1);
}

static void repeat(void *arg, uint64_t bytes, uint32_t batch, uint32_t count, double *seconds)
{
	struct fake *f = arg;

	if (!f->orders || f->order[f->orders - 1] != bytes)
		f->order[f->orders++] = bytes;
	for (uint32_t i = 0; i < count; i++) {
		f->calls++;
		seconds[i] = takes(f, bytes) * (1 + f->spread * ((int)(f->calls % 3) - 1));
		if (f->every && f->calls % f->every == 0)
			seconds[i] *= 10;
		f->time += seconds[i] * batch;
	}
	f->batches += batch > 1;
}

static const struct pingpong_bench *bench_of(struct fake *f)
{
	static struct pingpong_bench b;

	b = (struct pingpong_bench){repeat, now, f};
	return &b;
}

static void test_sizes(void)
{
	uint64_t s[PINGPONG_SIZES];
	static const uint64_t begin[] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
	uint32_t n = pingpong_sizes(0, PINGPONG_LARGEST, s);

	is_int(n, 1 + 23 + 21, "0, 23 powers of two, 21 between them");
	is_mem(s, begin, sizeof begin, "how they begin");
	is_u64(s[n - 1], 4 << 20, "and end");
	is_u64(s[n - 2], 3 << 20, "before that");
	n = pingpong_sizes(100, 1000, s);
	is_int(n, 8, "both ends are measured");
	ok(s[0] == 100 && s[1] == 128 && s[2] == 192 && s[6] == 768 && s[7] == 1000, "100 128 192 ... 768 1000");
	is_int(pingpong_sizes(7, 7, s), 1, "one size");
	is_int(pingpong_sizes(0, 0, s), 1, "only 0");
	ok(pingpong_sizes(5, PINGPONG_LIMIT - 1, s) <= PINGPONG_SIZES, "all of them have room");
	ok(pingpong_sizes(0, PINGPONG_LIMIT, s) <= PINGPONG_SIZES, "all of them have room");
}

static void test_batches(void)
{
	is_int(pingpong_batch(1e-6, 1e-9), 1, "long enough alone");
	is_int(pingpong_batch(1.001e-7, 1e-9), 1, "just long enough");
	is_int(pingpong_batch(3e-8, 1e-9), 4, "a hundred resolutions together");
	is_int(pingpong_batch(0, 1e-9), PINGPONG_BATCH, "what takes no time");
	is_int(pingpong_batch(1e-15, 1e-9), PINGPONG_BATCH, "there is a limit");
}

static void test_mean(void)
{
	double v[] = {1, 1, 1, 1, 1, 9}, w[] = {1.00, 1.04, 0.96, 1.00, 1.00}, x[] = {1, 2, 3, 100};
	struct repetitions_mean m = repetitions_mean(v, 6);

	ok(m.kept == 5 && m.mean == 1 && m.half_width == 0, "9 of 1 1 1 1 1 9 goes");
	m = repetitions_mean(w, 5);
	is_int(m.kept, 5, "nothing of 1.00 1.04 0.96 1.00 1.00");
	is_double(m.half_width, 2.776445105 * sqrt(0.0032 / 4 / 5), 1e-9, "Student's interval");
	is_int(repetitions_mean(x, 4).kept, 4, "fewer than five are kept");
	m = repetitions_mean(v, 1);
	ok(m.mean == 1 && isnan(m.half_width), "one alone says nothing of how sure it is");
	m = repetitions_mean(x, 2);
	is_double(m.half_width, 12.70620474 * 0.5, 1e-6, "two");
	for (uint32_t n = 4; n <= 101; n += 97) { /* 3 and 100 degrees of freedom */
		double y[101];

		for (uint32_t i = 0; i < n; i++)
			y[i] = 1 + (i % 2 ? 1e-3 : -1e-3);
		m = repetitions_mean(y, n);
		is_double(m.half_width / sqrt(1e-6 * (n - (n % 2 ? 1.0 / n : 0)) / (n - 1) / n), n == 4 ? 3.182446 : 1.983972, 1e-6, "%u values", n);
	}
}

static void test_stopping(void)
{
	static struct pingpong_series s;
	const struct pingpong_plan plan = {.resolution = 1e-9, .seconds = 1e9}, hasty = {.resolution = 1e-9, .seconds = 1e-9};
	uint64_t sizes[] = {8};
	struct fake steady = {.a = 1e-6}, wild = {.a = 1e-6, .spread = 0.9}, late = {.a = 1e-6, .spread = 0.9}, hit = {.a = 1e-6, .every = 7};
	struct fake quick = {.a = 3e-8};

	pingpong_run(&s, sizes, 1, &plan, bench_of(&steady));
	ok(s.count == 1 && s.point[0].count == PINGPONG_LEAST && steady.calls == PINGPONG_WARM + PINGPONG_LEAST, "what is steady: the least");
	is_double(s.point[0].mean, 1e-6, 1e-15, "its mean");
	pingpong_run(&s, sizes, 1, &plan, bench_of(&wild));
	is_int(s.point[0].count, REPETITIONS_MOST, "what is not: the most");
	pingpong_run(&s, sizes, 1, &hasty, bench_of(&late));
	is_int(s.point[0].count, PINGPONG_LEAST, "or as many as there is time for");
	pingpong_run(&s, sizes, 1, &plan, bench_of(&hit));
	ok(s.point[0].count == PINGPONG_LEAST && fabs(s.point[0].mean - 1e-6) < 1e-15, "interruptions do not count, whatever they take");
	is_int(steady.batches, 0, "1000 resolutions: no batches");
	pingpong_run(&s, sizes, 1, &plan, bench_of(&quick));
	ok(quick.batches == 1 && s.point[0].batch == 4, "30 resolutions: batches of 4");
}

static void test_order(void)
{
	static struct pingpong_series s;
	const struct pingpong_plan plan = {.resolution = 1e-9, .seconds = 1};
	struct fake f = {.a = 1e-6, .b = 1e-9}, g = f;
	uint64_t sizes[PINGPONG_SIZES];
	uint32_t n = pingpong_sizes(0, PINGPONG_LARGEST, sizes), rising = 0;

	pingpong_run(&s, sizes, n, &plan, bench_of(&f));
	pingpong_run(&s, sizes, n, &plan, bench_of(&g));
	is_int(f.orders, (int)n, "each size once");
	is_mem(f.order, g.order, n * sizeof *f.order, "in the same order each time");
	for (uint32_t i = 1; i < n; i++)
		rising += f.order[i] > f.order[i - 1];
	ok(rising > n / 4 && rising < n * 3 / 4, "which is neither rising nor falling (%u of %u rise)", rising, n);
	is_int(s.count, (int)n, "nothing is refined unless asked for");
	for (uint32_t i = 1; i < n; i++)
		if (s.point[i].bytes <= s.point[i - 1].bytes)
			ok(false, "point %u is not in order", i);
}

static void test_refinement(void)
{
	static struct pingpong_series s;
	const struct pingpong_plan plan = {.refine = true, .resolution = 1e-9, .seconds = 100};
	struct fake line = {.a = 1e-6, .b = 1e-9}, jump = {.a = 1e-6, .b = 1e-9, .jump = 5000};
	uint64_t sizes[PINGPONG_SIZES], bytes, below = 0, above = UINT64_MAX;
	uint32_t n = pingpong_sizes(0, PINGPONG_LARGEST, sizes);

	pingpong_run(&s, sizes, n, &plan, bench_of(&line));
	is_int(s.count, (int)n, "a straight line needs nothing");
	pingpong_run(&s, sizes, n, &plan, bench_of(&jump));
	ok(s.count > n && s.count <= n + PINGPONG_REFINED, "a jump does: %u sizes more", s.count - n);
	for (uint32_t i = 0; i < s.count; i++) {
		if (s.point[i].bytes < 5000)
			below = s.point[i].bytes;
		else if (above == UINT64_MAX)
			above = s.point[i].bytes;
	}
	ok(above - below <= 64, "it lies within 64 bytes: %llu to %llu", (unsigned long long)below, (unsigned long long)above);
	ok(!pingpong_refine(&s, &bytes) || s.count == n + PINGPONG_REFINED, "then it is enough");

	s.count = 3;
	for (int i = 0; i < 3; i++)
		s.point[i] = (struct pingpong_point){.bytes = (uint64_t[]){0, 100, 1000}[i], .mean = (double[]){1, 2, 2}[i]};
	ok(pingpong_refine(&s, &bytes) && bytes == 550, "the middle of the wider side");
	s.point[2].bytes = 164;
	s.point[0].bytes = 36;
	ok(!pingpong_refine(&s, &bytes), "64 bytes are near enough");
	s.point[0].bytes = 35;
	ok(pingpong_refine(&s, &bytes) && bytes == 67, "65 are not");
	s.point[1].mean = 1.55;
	ok(!pingpong_refine(&s, &bytes), "5 %% off is on the line");
}

int main(void)
{
	test_sizes();
	test_batches();
	test_mean();
	test_stopping();
	test_order();
	test_refinement();
	return done_testing();
}
