/* A phase that holds two kinds of occurrences must be told, and one whose occurrences just vary must not: the first is
 * a finding, and a false one teaches to read past it. Shown on durations made for each case, on many random ones, and on
 * benchmarks of which it is known.
 */
#include <math.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/base/mem.h"
#include "core/method/figures/figures.h"
#include "core/formats/api/load.h"
#include "gen.h"
#include "tap.h"

#define MOST 400

/* From 0 to 1, in the shape of a bell. */
static double bell(uint64_t *state)
{
	double sum = 0;

	for (int i = 0; i < 6; i++)
		sum += gen_below(state, 1000) / 6e3;
	return sum;
}

static void two_kinds(void)
{
	double d[60];
	struct phase_modes u;

	for (int i = 0; i < 60; i++)
		d[i] = (i % 3 ? 3e-3 : 6e-3) * (1 + 0.01 * (i % 5));
	u = modes_of(d, 60);
	ok(u.count[0] == 40 && u.count[1] == 20, "3 ms and 6 ms are two kinds");
	is_double(u.median[0], 3.06e-3, 1e-9, "how long the short ones last");
	is_double(u.median[1], 6.12e-3, 1e-9, "and the long ones");
	d[7] = 4e-3;
	d[8] = 1;
	u = modes_of(d, 60);
	ok(u.count[0] + u.count[1] == 60 && u.count[1], "one between them, and one far off, change nothing");
	for (int i = 0; i < 60; i++)
		d[i] = i == 0 ? 0 : i % 2 ? 3e-3 : 6e-3;
	u = modes_of(d, 60);
	ok(u.count[0] == 30 && u.count[1] == 29, "nor does the first of the run, which takes no time");
}

static void one_kind(void)
{
	double d[60] = {0};

	ok(!modes_of(d, 0).count[0] && !modes_of(d, 60).count[0], "nothing, and no time");
	for (int i = 0; i < 60; i++)
		d[i] = 1e-3;
	ok(!modes_of(d, 60).count[0], "all equal");
	for (int i = 0; i < 60; i++)
		d[i] = 1e-3 * (1 + i);
	ok(!modes_of(d, 60).count[0], "longer and longer");
	for (int i = 0; i < 60; i++)
		d[i] = i < 56 ? 1e-3 : 9e-3;
	ok(!modes_of(d, 60).count[0], "a few that take longer");
	for (int i = 0; i < 60; i++)
		d[i] = i % 2 ? 1e-3 : 1.1e-3;
	ok(!modes_of(d, 60).count[0], "a tenth longer");
	for (int i = 0; i < 9; i++)
		d[i] = i % 2 ? 1e-3 : 3e-3;
	ok(!modes_of(d, 9).count[0], "too few to say");
}

static void random_ones(void)
{
	uint32_t alarms = 0, missed = 0;

	for (uint64_t seed = 1; seed <= 2000; seed++) {
		uint64_t state = seed;
		uint32_t n = 20 + gen_below(&state, MOST - 20), parts = 3 + gen_below(&state, 5);
		double d[MOST], wide = 0.05 + gen_below(&state, 100) / 20.0, tail = 1 + gen_below(&state, 30);

		/* A bell of any width, drifting, with a tail. */
		for (uint32_t i = 0; i < n; i++)
			d[i] = 1e-3 * exp(wide * bell(&state) + wide * i / n / 4) * (i % 20 ? 1 : tail);
		alarms += modes_of(d, n).count[0] > 0;
		/* Two narrow ones. */
		for (uint32_t i = 0; i < n; i++)
			d[i] = 1e-3 * exp(0.3 * bell(&state) + (i % parts ? 0 : 0.8));
		missed += modes_of(d, n).count[1] != (n + parts - 1) / parts && n / parts >= 5;
	}
	is_int(alarms, 0, "no alarm where there is one kind");
	is_int(missed, 0, "two kinds are found");
}

/* The kinds of a phase of a trace; of all its phases with id 0: how many have two. */
static uint32_t kinds_in(const char *path, uint32_t id, struct phase_modes *u)
{
	struct settings settings;
	struct trace *t;
	struct analysis *a;
	struct err e = {0};
	uint32_t found = 0;

	settings_init(&settings);
	trace_load(&t, &path, 1, NULL, NULL, &e);
	if (!t || analysis_new(&a, t, &settings, NULL, ANALYSIS_PHASES, NULL, &e))
		bail_out("%s", e.text);
	for (uint32_t i = id ? id : 1; i <= (id ? id : a->phases->count); i++) {
		if (phase_modes_find(u, a->clockwork, a->phases, i, &e))
			bail_out("%s", e.text);
		found += u->count[0] > 0;
	}
	mem_fail_once(0);
	ok(phase_modes_find(u, a->clockwork, a->phases, id ? id : 1, &e) == ERR_MEMORY && e.text[0], "%s: without memory it says so", path);
	mem_fail_after(-1);
	if (phase_modes_find(u, a->clockwork, a->phases, id ? id : 1, &e))
		bail_out("%s", e.text);
	analysis_unref(a);
	trace_free(t);
	return found;
}

static void traces(void)
{
	struct phase_modes u;

	kinds_in("sample-traces/latesender.4.clog2", 1, &u);
	ok(u.count[0] == 10 && u.count[1] == 10 && fabs(u.median[0] - 0.020) < 0.001 && fabs(u.median[1] - 0.025) < 0.001,
	   "a program that sends late by turns: 10 of 20 ms, 10 of 25 ms");
	is_int(kinds_in("sample-traces/cg.S.4.clog2", 0, &u), 0, "CG has none");
	is_int(kinds_in("sample-traces/coll.6.clog2", 0, &u), 0, "collectives in a row have none");
}

int main(void)
{
	two_kinds();
	one_kind();
	random_ones();
	traces();
	return done_testing();
}
