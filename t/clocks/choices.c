/* What the bounds of clocks choose if there is a choice: how a pair gives way, which rates are likely, how many
 * windows, and whom of the collectives to trust. Each by points or a run that is small enough for the right answer to
 * be known. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "clock_case.h"
#include "gen_script.h"
#include "tap.h"

#define MOST 1300
#define US 1e-6

static struct err err;

/* ---- points ---- */

struct points {
	struct clock_point list[MOST];
	uint32_t count, pairs, processes, reference;
	double end;
};

/* At q's stamp x, what must be added to it to get p's lies within low and high; NAN: nothing says so. */
static void between(struct points *t, uint32_t p, uint32_t q, double x, double low, double high)
{
	uint32_t pair = t->pairs;

	for (uint32_t i = 0; i < t->count; i++)
		if (t->list[i].p == p && t->list[i].q == q)
			pair = t->list[i].pair;
	if (pair == t->pairs)
		t->pairs++;
	if (!isnan(low))
		t->list[t->count++] = (struct clock_point){pair, p, q, true, x, low};
	if (!isnan(high))
		t->list[t->count++] = (struct clock_point){pair, p, q, false, x, high};
}

static enum err_code tell(const void *arg, const struct clock_share *share, clock_point_add *add, void *to, struct err *e)
{
	const struct points *t = arg;

	(void)share;
	for (uint32_t i = 0; i < t->count; i++)
		if (!add(to, &t->list[i]))
			return err_memory(e, "the points");
	return ERR_OK;
}

static struct clock_bounds *solve(const struct points *t, uint32_t windows)
{
	const struct clock_source source = {tell, t, t->processes, 0, t->end, t->end, 1, NULL};
	const struct clock_options o = {.windows = windows, .reference = t->reference};
	struct clock_bounds *b = NULL;

	if (clock_bounds_from(&b, &source, &o, NULL, &err))
		bail_out("%s", err.text);
	return b;
}

/* A pair that no line fits gives way by half of the crossing, and 1 ns: from both sides. */
static void gives_way(void)
{
	struct points t = {.processes = 2, .end = 100};
	struct clock_bounds *b;

	between(&t, 0, 1, 0, 0, NAN);
	between(&t, 0, 1, 50, NAN, -1e-3);
	between(&t, 0, 1, 100, 0, NAN);
	b = solve(&t, 1);
	is_u64(b->forced, 1, "a pair that no line fits is forced");
	is_double(b->misfit, 1e-3, 1e-9, "by the crossing");
	for (uint32_t k = 0; k < 2; k++) {
		is_double(b->offset[2 + k], -.5e-3, 5e-9, "its line is in the middle");
		ok(b->low[2 + k] > -.5e-3 - 5e-9 && b->low[2 + k] < -.5e-3 && b->high[2 + k] > -.5e-3 && b->high[2 + k] < -.5e-3 + 5e-9,
		   "bounded by what it gave way by");
	}
	clock_bounds_free(b);

	/* By less than stamps are rounded by: it is not forced. */
	t = (struct points){.processes = 2, .end = 100};
	between(&t, 0, 1, 0, 0, NAN);
	between(&t, 0, 1, 50, NAN, -.5e-9);
	between(&t, 0, 1, 100, 0, NAN);
	b = solve(&t, 1);
	is_u64(b->forced, 0, "crossing by what rounding makes is none");
	is_double(b->misfit, 0, 0, "and no misfit");
	ok(fabs(b->low[2]) < 5e-9 && fabs(b->high[2]) < 5e-9, "it has bounds");
	clock_bounds_free(b);
}

/* Three clocks each pair of which has a line, but not all three. */
static void cycle(void)
{
	struct points t = {.processes = 3, .end = 10};
	struct clock_bounds *b;

	for (int x = 0; x <= 10; x += 10) {
		between(&t, 0, 1, x, 0, 2 * US);
		between(&t, 0, 2, x, 0, 2 * US);
		between(&t, 1, 2, x, 50 * US, 60 * US);
	}
	b = solve(&t, 1);
	is_u64(b->forced, 1, "a cycle that does not close is forced once");
	ok(b->misfit > 16 * US && b->misfit < 64 * US, "all pairs give way till it does: %g", b->misfit);
	ok(isfinite(b->low[2]) && isfinite(b->high[2]) && b->low[2] <= b->high[2], "and bounds are whole");
	ok(b->rate_low[1] <= b->rate_high[1] && b->rate_low[2] <= b->rate_high[2], "those of the rate, too");
	clock_bounds_free(b);
}

/* Estimates of rates that are known no better than to 200 ppm look at those up to 100 ppm; others at all. Bounds never
 * do. */
static void likely(void)
{
	struct points t = {.processes = 2, .end = 10};
	struct clock_bounds *b;

	between(&t, 0, 1, 0, 0, US);
	between(&t, 0, 1, 10, NAN, 8e-3);
	b = solve(&t, 1);
	is_double(b->rate[1], 0, 1e-7, "a rate that is hardly known is estimated as a likely one");
	is_double(b->rate_low[1], -1e-3, 1e-8, "its bounds are what a clock can do");
	is_double(b->rate_high[1], .8e-3, 1e-8, "or messages say");
	clock_bounds_free(b);

	t = (struct points){.processes = 2, .end = 10};
	between(&t, 0, 1, 0, 0, US);
	between(&t, 0, 1, 10, 1e-3, 2.6e-3);
	b = solve(&t, 1);
	is_double(b->rate[1], 180e-6, 1e-6, "one that is known to 160 ppm is in the middle");
	is_double(b->rate_low[1], 100e-6, 1e-6, "of its bounds");
	is_double(b->rate_high[1], 260e-6, 1e-6, "both");
	clock_bounds_free(b);

	t = (struct points){.processes = 2, .end = 10};
	between(&t, 0, 1, 0, 0, US);
	between(&t, 0, 1, 10, 1.5e-3, NAN);
	b = solve(&t, 1);
	is_double(b->rate[1], 575e-6, 1e-6, "one that cannot be likely is in the middle of what it can be");
	is_double(b->rate_low[1], 150e-6, 1e-6, "from what messages say");
	clock_bounds_free(b);

	/* Processes 1 and 2 are known to be 190 to 210 ppm apart, the reference's distance from them is not known. */
	t = (struct points){.processes = 3, .end = 10};
	between(&t, 0, 1, 0, -US, US);
	between(&t, 0, 1, 10, NAN, 6e-3);
	between(&t, 0, 2, 0, -US, US);
	between(&t, 1, 2, 0, -5 * US, 5 * US);
	between(&t, 1, 2, 10, 1.9e-3, 2.1e-3);
	b = solve(&t, 1);
	is_double(b->rate[1], -95e-6, 1e-6, "a pair that has no likely line keeps its own: one clock is slow");
	is_double(b->rate[2], 95e-6, 1e-6, "the other fast");
	is_double(b->rate_high[1], 600e-6, 1e-6, "messages bound the one");
	is_double(b->rate_high[2], 810e-6, 1e-6, "and through it the other");
	ok(b->rate_low[1] <= -1e-3 && b->rate_low[1] > -1.1e-3, "what clocks can do, against the coarse map, bounds it below");
	is_double(b->rate_low[2] - b->rate_low[1], 190e-6, 1e-6, "and the other through it");
	clock_bounds_free(b);
}

/* Up and down by 400 ppm, so often that so many windows are needed. */
static void wave(struct points *t, uint32_t segments)
{
	double each = t->end / segments;

	for (uint32_t i = 0; i < 500; i++) {
		double x = t->end * (i + .5) / 500, at = fmod(x, 2 * each), y = 400e-6 * (at < each ? at : 2 * each - at);

		between(t, 0, 1, x, y - US, y + US);
	}
}

static void windows(void)
{
	static const struct {
		uint32_t segments, most, least_wanted, most_wanted;
		bool fits;
	} cases[] = {{1, 64, 1, 1, true}, {2, 64, 2, 2, true}, {8, 64, 8, 8, true}, {8, 8, 8, 8, true}, {8, 9, 8, 8, true}, {8, 7, 1, 4, false},
		     {8, 4, 1, 4, false}, {8, 2, 1, 2, false}, {8, 1, 1, 1, false}, {100, 1000, 1, 64, false}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct points t = {.processes = 2, .end = 1000};
		struct clock_bounds *b;

		wave(&t, cases[i].segments);
		b = solve(&t, cases[i].most);
		ok(b->windows >= cases[i].least_wanted && b->windows <= cases[i].most_wanted && !b->forced == cases[i].fits &&
		   !(b->misfit > 0) == cases[i].fits,
		   "a clock of %u lines in %u windows of %u: %u forced", cases[i].segments, b->windows, cases[i].most, b->forced);
		is_u64(b->borders, 2 * b->windows, "each with two borders");
		is_double(b->at[b->borders - 1], 1000, 0, "the last at the end");
		ok(b->windows > 1 ? isnan(b->rate_low[1]) && isnan(b->rate_high[1]) : b->rate_low[1] <= b->rate[1] && b->rate[1] <= b->rate_high[1],
		   "one line has bounds of its rate, several have none");
		clock_bounds_free(b);
	}
}

/* What happens at the very end is of the last window, and of no other pair. */
static void at_the_end(void)
{
	struct points t = {.processes = 3, .end = 1000, .reference = 1};
	struct clock_bounds *b;

	wave(&t, 2);
	between(&t, 0, 1, 1000, -US, US);
	for (uint32_t i = 0; i <= 100; i++)
		between(&t, 1, 2, 10 * i, -US, US);
	b = solve(&t, 64);
	is_u64(b->windows, 2, "a point at the end is of the last window");
	is_u64(b->forced, 0, "and fits there");
	ok(b->low[2 * b->borders] > -2 * US && b->high[2 * b->borders] < 2 * US, "another clock is bound as before");
	clock_bounds_free(b);
}

/* Stamps of 10^7 s have steps of 1.9 ns: what crosses by two of them fits, also where the run began at 0. */
static void coarse_stamps(void)
{
	struct gen_script *g = gen_script_new(2, &(struct gen_script_options){0});
	double at = 1e7, step = nextafter(at, INFINITY) - at;
	struct clock_case c;

	script_solo(g, 0, 0);
	for (int i = 0; i < 3; i++) {
		script_sent(g, 0, at + 4 * i, 1, 0, 8);
		script_received(g, 1, at + 4 * i - step, 0, 0, 8);
		script_sent(g, 1, at + 4 * i + 2, 0, 0, 8);
		script_received(g, 0, at + 4 * i + 2 - step, 1, 0, 8);
	}
	clock_case_write("run.clog2", gen_script_bytes(g));
	c = clock_case_open("run.clog2", 0);
	is_u64(c.bounds->windows, 1, "what rounding of large stamps makes is no crossing: one line does");
	is_u64(c.bounds->forced, 0, "and no pair is forced");
	is_double(c.bounds->misfit, 0, 0, "nor a misfit");
	clock_case_close(&c);
}

/* ---- whom to trust ---- */

/* Two processes talk so many times in 10 s; process 1's clock goes ahead by `step` at 5 s; at 2.4 s a collective that
 * process 0 leaves `early` seconds before 1 begins. */
static struct clock_case run(uint32_t exchanges, double step, double early, const char *op)
{
	struct gen_script *g = gen_script_new(2, &(struct gen_script_options){0});
	bool done = false;

	for (uint32_t i = 0; i <= exchanges; i++) {
		double t = 10.0 * i / exchanges, add = t > 5 ? step : 0;

		if (t > 2.4 && !done) {
			script_during(g, 0, 2.4, 2.4 + 20 * US, op);
			script_during(g, 1, 2.4 + 20 * US + early, 2.4 + 40 * US + early, op);
			done = true;
		}
		script_sent(g, 0, t, 1, 0, 8);
		script_received(g, 1, t + add + 10 * US, 0, 0, 8);
		script_sent(g, 1, t + add + 20 * US, 0, 0, 8);
		script_received(g, 0, t + 30 * US, 1, 0, 8);
	}
	clock_case_write("run.clog2", gen_script_bytes(g));
	return clock_case_open("run.clog2", 0);
}

static void trusts(uint32_t exchanges, double step, double early, const char *op, bool barriers, uint32_t windows, bool fits, const char *name)
{
	struct clock_case c = run(exchanges, step, early, op);

	is_u64(c.bounds->barriers, barriers, "%s: %s are trusted", name, barriers ? "barriers" : "all");
	is_u64(c.bounds->windows, windows, "%s: so many windows", name);
	is_u64(c.bounds->forced == 0, fits, "%s: %s", name, fits ? "all fits" : "not all fits");
	clock_case_close(&c);
}

/* ---- each window's line goes into the times ---- */

#define DRIFT 50e-6

/* Process 1's clock at the true time t: it drifts, and is set at 5 s. */
static double shown(double t, double step)
{
	return t * (1 + DRIFT) + (t > 5 ? step : 0);
}

/* A record that the clock never showed may be anywhere between those around it: `at` is where. */
static void linear(double step, const double *odd, size_t n, const char *name)
{
	struct gen_script *g = gen_script_new(2, &(struct gen_script_options){0});
	struct clock_correction *fixed;
	struct clock_case c;
	uint32_t bad = 0, seen = 0;
	double truth[1000], last = -1;
	size_t at = 0;

	for (uint32_t i = 0; i <= 401; i++) {
		double t = 10.0 * i / 401;

		for (size_t k = 0; i == 201 && k < n; k++) {
			script_solo(g, 1, odd[2 * k]);
			truth[at++] = odd[2 * k + 1];
		}
		script_sent(g, 0, t, 1, 0, 8);
		script_received(g, 1, shown(t + 10 * US, step), 0, 0, 8);
		script_sent(g, 1, shown(t + 20 * US, step), 0, 0, 8);
		script_received(g, 0, t + 30 * US, 1, 0, 8);
		truth[at++] = t + 10 * US;
		truth[at++] = t + 20 * US;
	}
	clock_case_write("run.clog2", gen_script_bytes(g));
	c = clock_case_open("run.clog2", 0);
	is_u64(c.bounds->windows, 2, "%s: two windows", name);
	if (clock_correction_new(&fixed, &c.points, c.bounds, &(struct clock_correct_options){CLOCK_LINEAR, .01}, NULL, &err))
		bail_out("%s", err.text);
	for (size_t i = fixed->first[1]; i < fixed->first[2]; i++, seen++) {
		bad += seen < at && !(fabs(fixed->time[i] - truth[seen]) < 40 * US);
		bad += fixed->time[i] < last;
		last = fixed->time[i];
	}
	is_u64(seen, at, "%s: all records", name);
	is_u64(bad, 0, "%s: are where they were, in order", name);
	clock_correction_free(fixed);
	clock_case_close(&c);
}

static void lines(void)
{
	/* Set forward by 10 ms: a stamp between is of the old line, but not beyond the border. */
	static const double between[] = {5.005, 5.000015};
	/* Set back: the first half of what was shown twice is of the old line, the other of the new. */
	const double twice[] = {4.992, 4.992 / (1 + DRIFT), 4.998, (4.998 + 1e-2) / (1 + DRIFT)};

	linear(1e-2, between, 1, "a clock that was set forward");
	linear(-1e-2, twice, 2, "one that was set back");
}

/* The coarser of two clocks loosens what they say of each other; what a process sends itself says nothing. */
static void coarser(void)
{
	struct clock_case c = run(20, 0, -15 * US, "MPI_Barrier");
	const struct clock_options o = {.windows = 1};
	struct gen_script *g = gen_script_new(2, &(struct gen_script_options){0});

	for (uint32_t p = 0; p < 2; p++) {
		struct clock_bounds *b;

		c.times->resolution[p] = 3 * US;
		c.times->resolution[1 - p] = US;
		if (clock_bounds_new(&b, c.times, &o, NULL, &err))
			bail_out("%s", err.text);
		is_double(b->low[2], c.bounds->low[2] - 3 * US, 1e-7, "process %u's clock is coarse: low", p);
		is_double(b->high[3], c.bounds->high[3] + 3 * US, 1e-7, "process %u's clock is coarse: high", p);
		clock_bounds_free(b);
	}
	clock_case_close(&c);
	script_received(g, 0, 1, 0, 0, 8);
	script_sent(g, 0, 2, 0, 0, 8);
	script_solo(g, 1, 1);
	clock_case_write("run.clog2", gen_script_bytes(g));
	c = clock_case_open("run.clog2", 0);
	is_u64(clock_case_violations(&c), 1, "a message to oneself counts");
	is_u64(c.bounds->pair_count, 0, "but bounds nothing");
	clock_case_close(&c);
}

int main(void)
{
	char folder[] = "/tmp/pas2p-choices-XXXXXX";

	gives_way();
	cycle();
	likely();
	windows();
	at_the_end();
	if (!mkdtemp(folder) || chdir(folder))
		bail_out("no folder for the test");
	coarse_stamps();
	trusts(400, 0, -15 * US, "MPI_Allreduce", false, 1, true, "one that holds");
	trusts(400, 0, 1e-3, "MPI_Allreduce", true, 1, true, "one that holds nobody");
	trusts(10, 0, 1e-3, "MPI_Allreduce", true, 1, true, "one that would need windows");
	trusts(400, 1e-2, -15 * US, "MPI_Allreduce", false, 2, true, "one that holds, by a clock that steps");
	trusts(400, 1e-2, 1e-3, "MPI_Allreduce", true, 2, true, "one that holds nobody, by a clock that steps");
	trusts(400, 0, 1e-3, "MPI_Barrier", false, 1, false, "a barrier");
	lines();
	coarser();
	unlink("run.clog2");
	rmdir(folder);
	return done_testing();
}
