/* Speedup, efficiency, serial fraction and computation scaling of a series of runs: the figures that people put into
 * papers. They must be the formulas' (docs/reference/metrics.md, "Scaling runs"), the reference must be the run that a
 * person would take, and what nobody measured must be absent: a speedup against one process that never ran would be
 * made up.
 */
#include <math.h>

#include "core/reports/reports.h"
#include "gen.h"
#include "tap.h"

#define NEAR 1e-7

static struct scaling_run run(uint32_t processes, double runtime, double useful)
{
	struct scaling_run r = {.processes = processes, .runtime = runtime, .useful = useful};

	r.parallel_efficiency = useful / (processes * runtime);
	return r;
}

static void strong(void)
{
	struct scaling_run r[] = {run(1, 100, 90), run(2, 52, 95), run(4, 28, 100)};

	is_u64(scaling_fill(r, 3, SCALING_STRONG, NAN), 0, "the reference is the run with the fewest processes");
	is_double(r[0].speedup, 1, NEAR, "strong: the reference's speedup");
	is_double(r[1].speedup, 1.9230769, NEAR, "strong: speedup on 2");
	is_double(r[2].speedup, 3.5714286, NEAR, "strong: speedup on 4");
	is_double(r[1].efficiency, .9615385, NEAR, "strong: efficiency on 2");
	is_double(r[2].efficiency, .8928571, NEAR, "strong: efficiency on 4");
	ok(isnan(r[0].serial_fraction), "the reference says nothing of a serial fraction");
	is_double(r[1].serial_fraction, .04, NEAR, "strong: serial fraction on 2");
	is_double(r[2].serial_fraction, .04, NEAR, "strong: serial fraction on 4");
	is_double(r[2].computation_scaling, .9, NEAR, "strong: computation scaling");
	is_double(r[2].global_efficiency, .9 * 100 / 112, NEAR, "strong: global efficiency");
}

static void weak(void)
{
	struct scaling_run r[] = {run(2, 100, 180), run(8, 125, 720)};

	is_u64(scaling_fill(r, 2, SCALING_WEAK, NAN), 0, "weak: the reference");
	is_double(r[1].speedup, 3.2, NEAR, "weak: speedup");
	is_double(r[1].efficiency, .8, NEAR, "weak: efficiency");
	is_double(r[1].serial_fraction, .2666667, NEAR, "weak: serial fraction");
	is_double(r[1].computation_scaling, 1, NEAR, "weak: computation scaling, equal useful time per process");
}

static void superlinear(void)
{
	struct scaling_run r[] = {run(1, 100, 90), run(2, 40, 70)};

	scaling_fill(r, 2, SCALING_STRONG, NAN);
	is_double(r[1].speedup, 2.5, NEAR, "superlinear: speedup");
	is_double(r[1].serial_fraction, -.2, NEAR, "superlinear: a serial fraction below 0 is shown");
}

static void references(void)
{
	struct scaling_run ties[] = {run(2, 50, 90), run(2, 40, 70), run(2, 40, 71), run(4, 30, 80)};
	struct scaling_run one[] = {run(1, 10, 9)}, several[] = {run(4, 10, 30)}, blind[] = {run(1, NAN, NAN), run(4, 10, 30)};
	struct scaling_run five[] = {run(2, 70, 90), run(2, 40, 70), run(2, 60, 71), run(2, 50, 80), run(2, 45, 80), run(2, NAN, NAN),
				     run(4, 30, 80)};
	struct scaling_run even[] = {run(2, 50, 90), run(2, 40, 70)};
	char text[SCALING_TEXT];
	struct scaling_run twins[] = {run(4, 10, 30), run(4, 20, 30)};

	is_u64(scaling_fill(ties, 4, SCALING_STRONG, NAN), 1, "of as many processes the median, then the first");
	is_double(ties[0].speedup, .8, NEAR, "another run of as many processes may be slower");
	ok(isnan(ties[0].serial_fraction), "which says nothing of a serial fraction");
	is_u64(scaling_fill(five, 7, SCALING_STRONG, NAN), 3, "of runs of one configuration the median, not the shortest");
	ok(five[0].equals == 5 && five[0].median == 50 && five[0].least == 40 && five[0].most == 70, "whose times are said");
	is_str(scaling_equals_text(&five[4], text), "5 runs on 2 processes: median 50.00 s, 40.00 s to 70.00 s", "in a sentence");
	is_str(scaling_equals_text(&five[6], text), "", "of one run there is nothing to say");
	is_u64(scaling_fill(even, 2, SCALING_STRONG, NAN), 1, "of two the shorter");
	is_double(even[0].median, 45, 0, "whose median lies between them");
	is_u64(scaling_fill(one, 1, SCALING_STRONG, NAN), 0, "a single run of one process is its own reference");
	is_double(one[0].speedup, 1, NEAR, "its speedup");
	is_u64(scaling_fill(several, 1, SCALING_STRONG, NAN), NO_RUN, "a single run of several is not");
	ok(isnan(several[0].speedup) && isnan(several[0].efficiency) && isnan(several[0].computation_scaling) &&
	   isnan(several[0].global_efficiency), "so nothing is known of how it scales");
	is_u64(scaling_fill(blind, 2, SCALING_STRONG, NAN), NO_RUN, "a run without a time does not count");
	ok(isnan(blind[0].speedup), "and has no speedup");
	is_u64(scaling_fill(twins, 2, SCALING_STRONG, NAN), 0, "two runs of as many processes are compared");
}

static void serial(void)
{
	struct scaling_run r[] = {run(4, 30, 90)}, known[] = {run(1, 100, 90), run(4, 30, 100)};

	is_u64(scaling_fill(r, 1, SCALING_STRONG, 90), NO_RUN, "a serial time is no run");
	is_double(r[0].speedup, 3, NEAR, "but speedups are counted from it");
	is_double(r[0].efficiency, .75, NEAR, "and efficiencies");
	is_double(r[0].serial_fraction, (1. / 3 - .25) / .75, NEAR, "and serial fractions");
	ok(isnan(r[0].computation_scaling), "computation scaling needs a traced run");
	scaling_fill(known, 2, SCALING_STRONG, 60);
	is_double(known[0].speedup, .6, NEAR, "the traced run on one process may be slower than the best sequential program");
	is_double(known[1].computation_scaling, .9, NEAR, "computation scaling is the traced reference's");
}

static void unknown(void)
{
	struct scaling_run r[] = {run(1, 100, NAN), run(2, 52, NAN)};

	scaling_fill(r, 2, SCALING_STRONG, NAN);
	is_double(r[1].speedup, 1.9230769, NEAR, "without MPI calls in the trace: times are enough for speedups");
	ok(isnan(r[1].computation_scaling) && isnan(r[1].global_efficiency), "but computation scaling is not known");
}

static void order(void)
{
	const uint32_t processes[] = {8, 2, 4, 2, 8, 1};
	const uint32_t want[] = {5, 1, 3, 2, 0, 4};
	uint32_t got[6];

	scaling_order(processes, 6, got);
	is_mem(got, want, sizeof want, "by processes, then as given");
}

static void identities(void)
{
	uint64_t seed = 7;
	unsigned bad = 0;

	/* In order of processes, as they must be. */
	for (int i = 0; i < 2000; i++) {
		enum scaling_kind kind = i % 2 ? SCALING_WEAK : SCALING_STRONG;
		struct scaling_run r[6];
		uint32_t n = 2 + gen_below(&seed, 5), reference;

		for (uint32_t k = 0; k < n; k++)
			r[k] = run((k ? r[k - 1].processes : 1) + gen_below(&seed, 12), 1 + gen_below(&seed, 1000) / 7., 1 + gen_below(&seed, 100) / 3.);
		reference = scaling_fill(r, n, kind, NAN);
		for (uint32_t k = 0; k < n; k++) {
			double k_times = (double)r[k].processes / r[reference].processes, f = r[k].serial_fraction;
			double amdahl = kind == SCALING_WEAK ? k_times - f * (k_times - 1) : 1 / (f + (1 - f) / k_times);

			bad += !(fabs(r[k].global_efficiency - r[reference].parallel_efficiency * r[k].efficiency) < 1e-9);
			bad += k_times > 1 && !(fabs(amdahl / r[k].speedup - 1) < 1e-9);
			bad += r[k].processes < r[reference].processes;
		}
	}
	is_int(bad, 0, "global efficiency = the reference's parallel efficiency x efficiency; Amdahl and Gustafson give the speedup back");
}

int main(void)
{
	strong();
	weak();
	superlinear();
	references();
	serial();
	unknown();
	order();
	identities();
	return done_testing();
}
