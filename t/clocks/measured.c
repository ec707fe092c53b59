/* What exchanges of measured clocks say: bounds hold the truth that the exchanges were made by, also where one
 * direction is slow; an independent measurement notices a clock that has stepped since; the answer's text is read whole
 * or not at all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/clocks/measured/measured.h"
#include "gen.h"
#include "tap.h"

#define UNITS 5
#define SAMPLES 20
#define BURST 30
#define SECONDS 10.0

/* Made-up clocks: what a unit's shows, against the true time, and how long its messages take. */
struct made {
	double offset[UNITS], rate[UNITS];
	double step;             /* of unit 1's clock, just before it is verified */
	double one_way;          /* s more on the way to the parent */
	bool tree;
};

static double shown(const struct made *c, uint32_t unit, double t)
{
	return t + c->offset[unit] + c->rate[unit] * t + (unit == 1 && t > SECONDS + 1 ? c->step : 0);
}

static double trip(uint64_t *seed)
{
	return 1e-6 + (gen_below(seed, 8) ? 0 : 20e-6) + gen_below(seed, 1000) * 1e-9;
}

static uint32_t parent_of(const struct made *c, uint32_t unit)
{
	uint32_t top = 1;

	while (2 * top <= unit)
		top *= 2;
	return c->tree ? unit - top : 0;
}

/* The answer of a probe; to be freed. */
static char *answer(const struct made *c, uint64_t seed, size_t *size)
{
	char *text;
	FILE *f = open_memstream(&text, size);
	unsigned long lines = 1;

	fprintf(f, "something else\npas2p-probe run 1 monotonic %s %g 1e9 %d %d\n", c->tree ? "tree" : "star", SECONDS, SAMPLES, BURST);
	for (uint32_t u = 0; u < UNITS; u++, lines += 2)
		fprintf(f, "pas2p-probe unit %u 1 %lld 1e-5 2.1e9 3 1 0 - - - tsc node%u\npas2p-probe clock clock_gettime 1e-9 3e-8 -\n", u * 2,
			u * 1000000000000LL - 5, u);
	for (uint32_t u = 1; u < UNITS; u++, lines++)
		fprintf(f, "pas2p-probe link %u %u\n", parent_of(c, u), u);
	for (uint32_t u = 1; u < UNITS; u++)
		for (int s = 0; s <= SAMPLES; s++)
			for (int i = 0; i < BURST; i++, lines++) {
				double t = (s == SAMPLES ? 1.5 * SECONDS : SECONDS * s / (SAMPLES - 1)) + 1e-3 * u + 50e-6 * i;
				double there = t + trip(&seed) + c->one_way, back = there + 1e-7, end = back + trip(&seed);
				uint32_t p = parent_of(c, u);

				fprintf(f, "[1,0]<stdout>:pas2p-probe x %u ", u - 1);
				fprintf(f, s == SAMPLES ? "verify" : "%d", s);
				fprintf(f, " %.3f %.3f %.3f %.3f\n", shown(c, u, t) * 1e9, shown(c, p, there) * 1e9, shown(c, p, back) * 1e9,
					shown(c, u, end) * 1e9);
			}
	fprintf(f, "pas2p-probe end %lu\n", lines);
	fclose(f);
	return text;
}

static void solve(struct clock_measured *m, const struct made *c, uint64_t seed)
{
	size_t size;
	char *text = answer(c, seed, &size);
	struct err e;

	if (clock_answer_read(m, text, size, &e) || clock_measured_solve(m, NULL, &e))
		bail_out("%s", e.text);
	free(text);
}

/* What must be added to the unit's clock when the reference's shows 0, and how that grows. */
static double true_rate(const struct made *c, uint32_t u)
{
	return (c->rate[0] - c->rate[u]) / (1 + c->rate[0]);
}

static double true_offset(const struct made *c, uint32_t u)
{
	double t = -c->offset[0] / (1 + c->rate[0]);

	return -shown(c, u, t) - (double)u * 1000; /* zeros are so far apart */
}

static bool holds(const struct made *c, const struct clock_measured *m, double most)
{
	for (uint32_t u = 1; u < UNITS; u++) {
		const struct clock_unit *unit = &m->unit[u];
		double offset = true_offset(c, u), rate = true_rate(c, u), slack = 1e-10;

		if (!(unit->low - slack <= offset && offset <= unit->high + slack && unit->high - unit->low < most &&
		      unit->rate_low - 1e-12 <= rate && rate <= unit->rate_high + 1e-12)) {
			diag("unit %u: %.12g in [%.12g, %.12g], rate %.12g in [%.12g, %.12g]", u, offset, unit->low, unit->high, rate,
			     unit->rate_low, unit->rate_high);
			return false;
		}
	}
	return true;
}

static void truth_is_inside(void)
{
	uint64_t seed = 7;

	for (int i = 0; i < 20; i++) {
		struct made c = {.tree = i % 2};
		struct clock_measured m;

		for (uint32_t u = 0; u < UNITS; u++) {
			c.offset[u] = ((double)gen_below(&seed, 2000000) - 1e6) * 1e-6;
			c.rate[u] = ((double)gen_below(&seed, 20000) - 1e4) * 1e-8;
		}
		solve(&m, &c, seed + (uint64_t)i);
		ok(holds(&c, &m, 20e-6) && m.misfit == 0, "%s %d: bounds hold offsets and rates", c.tree ? "tree" : "star", i);
		ok(m.verified && m.error_maximum < 2e-6, "%d: what is measured later agrees, error %.3g s", i, m.error_maximum);
		is_int(m.windows, 1, "%d: one line fits", i);
		clock_measured_release(&m);
	}
}

/* A network that is slower one way fools the estimate by half of it, never the bounds. */
static void one_direction(void)
{
	struct made c = {.offset = {0, 5e-3, -3e-3, 1, 2}, .one_way = 100e-6};
	struct clock_measured m;

	solve(&m, &c, 3);
	ok(holds(&c, &m, 120e-6), "one direction is slow: bounds hold all the same");
	is_double(m.unit[1].offset - true_offset(&c, 1), 50e-6, 2e-6, "the estimate is off by half of the delay");
	ok(m.link[0].minimum > 50e-6 && m.link[0].minimum <= m.link[0].median && m.link[0].median <= m.link[0].p90 &&
	   m.link[0].p90 <= m.link[0].p99 && m.link[0].p99 <= m.link[0].maximum, "half round trips in order");
	clock_measured_release(&m);
}

/* 10 s of exchanges with some width: the rate is as sure as both widths over the time (IP's equation 4). */
static void rate_is_as_sure(void)
{
	struct made c = {.rate = {0, 20e-6, 0, -50e-6, 0}};
	struct clock_measured m;
	double expected;

	solve(&m, &c, 11);
	ok(m.link[0].left_out > 0 && m.link[0].left_out < m.link[0].exchanges / 2 && m.link[0].mean < 2 * m.link[0].minimum,
	   "slow exchanges are left out of the mean");
	is_u64(m.link[0].exchanges, (SAMPLES + 1) * BURST, "but counted");
	expected = 2 * (2 * m.link[0].minimum) / SECONDS;
	ok(m.unit[1].rate_high - m.unit[1].rate_low < 2 * expected && m.unit[1].rate_high - m.unit[1].rate_low > expected / 2,
	   "the rate is known to %.3g, widths say %.3g", m.unit[1].rate_high - m.unit[1].rate_low, expected);
	clock_measured_release(&m);
}

static void step_is_noticed(void)
{
	struct made c = {.offset = {0, 5e-3, -3e-3, 1, 2}, .step = 100e-6};
	struct clock_measured m;

	solve(&m, &c, 5);
	ok(!m.verified && !m.unit[1].agrees, "a clock that has stepped since does not agree");
	ok(m.unit[0].agrees && m.unit[2].agrees && m.unit[3].agrees && m.unit[4].agrees, "the others do");
	is_double(m.unit[1].error, 100e-6, 3e-6, "and the error is the step");
	clock_measured_release(&m);
}

/* Half an answer, two of them, one of nonsense: nothing but a sentence. */
static void damage(void)
{
	struct made c = {0};
	struct clock_measured m;
	struct err e;
	size_t size;
	char *text = answer(&c, 1, &size), *room = malloc(size + 1);
	unsigned taken = 0;
	char odd[] = "pas2p-probe run 2 monotonic star 1 1 1 1\n", none[] = "hello\n";
	char loose[] = "pas2p-probe run 1 monotonic star 1 1 1 1\npas2p-probe link 1 7\npas2p-probe end 2\n";

	for (size_t n = 0; n < size; n += 997) {
		memcpy(room, text, n);
		room[n] = '\0';
		if (!clock_answer_read(&m, room, n, &e)) {
			taken++;
			clock_measured_release(&m);
		}
	}
	is_int(taken, 0, "half an answer is none");
	is_int(clock_answer_read(&m, odd, strlen(odd), &e), ERR_FORMAT, "nor one of another version");
	is_int(clock_answer_read(&m, loose, strlen(loose), &e), ERR_FORMAT, "nor one with a link to nobody");
	is_int(clock_answer_read(&m, none, strlen(none), &e), ERR_FORMAT, "nor nothing");
	is_str(e.text, "no process sent a measurement: does the launcher start MPI programs here?", "which is said");
	for (long n = 0;; n++) {
		enum err_code code;
		long live = mem_live();

		memcpy(room, text, size + 1);
		mem_fail_after(n);
		code = clock_answer_read(&m, room, size, &e);
		if (!code)
			code = clock_measured_solve(&m, NULL, &e);
		mem_fail_after(-1);
		clock_measured_release(&m);
		if (code != ERR_MEMORY || mem_live() != live) {
			ok(!code && n > 20 && mem_live() == live, "without memory there is an error and nothing is left, %ld times", n);
			break;
		}
	}
	free(text);
	free(room);
}

int main(void)
{
	truth_is_inside();
	one_direction();
	rate_is_as_sure();
	step_is_noticed();
	damage();
	return done_testing();
}
