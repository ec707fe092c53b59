/* What must hold of windows whatever the run: all of a run measured gives what was traced, with no error left; the
 * interval holds as often as it claims to, over two thousand runs made with noise; steps lead from every entry to its
 * exit; and a run that has nothing to measure says so by figures that are not there. Over several runs the interval is
 * widened by what they differ.
 */
#include <math.h>
#include <stdlib.h>

#include "core/base/outliers.h"
#include "core/method/figures/clockwork.h"
#include "core/method/windows/windows.h"
#include "gen.h"
#include "tap.h"
#include "window_case.h"

static uint64_t state = 7;

static double real(void)
{
	return (gen_below(&state, 1000000) + 0.5) / 1e6;
}

static double normal(void)
{
	return sqrt(-2 * log(real())) * cos(6.283185307179586 * real());
}

static struct windows *place(struct window_case *c, const struct settings *s)
{
	struct windows *w = NULL;
	struct err e = {0};

	if (windows_new(&w, c->clockwork, &c->phases, c->figures, s, NULL, &e))
		bail_out("no windows: %s", e.text);
	return w;
}

static void usual(struct settings *s, uint32_t windows, double seconds)
{
	settings_init(s);
	s->relevance = 0;
	s->windows = windows;
	s->window_seconds = seconds;
	s->window_align = WINDOW_ALIGN_NONE;
}

#define N 300
#define PHASES 4

/* Phases 1 2 3 2 3 ... 4 2 3 ..., each with a mean of its own. */
static void sequence(uint32_t *phase)
{
	for (uint32_t i = 0; i < N; i++)
		phase[i] = i == 0 ? 1 : i % 10 == 9 ? 4 : 2 + i % 2;
}

static void noisy(double *duration, const uint32_t *phase, double sigma)
{
	static const double mean[PHASES] = {1, 0.02, 0.05, 0.2};

	for (uint32_t i = 0; i < N; i++)
		duration[i] = mean[phase[i] - 1] * exp(sigma * normal() - sigma * sigma / 2);
}

static void all_of_it(void)
{
	uint32_t phase[N], exact = 0;
	double duration[N];

	sequence(phase);
	for (uint32_t n = 1; n <= 20; n++) {
		struct window_case c;
		struct settings s;
		struct windows *w;

		usual(&s, n, 86400);
		noisy(duration, phase, 0.5);
		window_case_init(&c, N, phase, duration, 1, &s);
		w = place(&c, &s);
		exact += fabs(w->estimate.pet - c.figures->pet) < 1e-9 && w->misfit == 0 && w->regular == n && w->count == n &&
			 fabs(w->measured - c.figures->aet) < 1e-9 && (n < 3 ? isnan(w->estimate.half) : w->estimate.half == 0);
		windows_free(w);
		window_case_release(&c);
	}
	is_int((int)exact, 20, "windows that hold all of a run give its traced PET, with no misfit and no error");
}

/* Windows from one run's times, measured in another: does the interval hold that run's time? */
static uint32_t interval_holds(uint32_t n, double seconds, double sigma)
{
	uint32_t phase[N], held = 0, runs = 400;
	static double duration[N], other[N];

	sequence(phase);
	for (uint32_t i = 0; i < runs; i++) {
		uint32_t first[128], which[N], weight[PHASES], at = 0;
		double measured[N], aet = 0, regular = 0;
		bool extra[128];
		struct estimate_input in = {.extra = extra, .first = first, .phase = which, .parts = 1, .seconds = measured,
					    .phases = PHASES, .weight = weight};
		struct estimate x;
		struct window_case c;
		struct settings s;
		struct windows *w;
		struct err e;

		usual(&s, n, seconds);
		noisy(duration, phase, sigma);
		noisy(other, phase, sigma);
		other[0] = duration[0]; /* what occurs once has no mean */
		window_case_init(&c, N, phase, duration, 1, &s);
		w = place(&c, &s);
		for (in.windows = 0; in.windows < w->count; in.windows++) {
			extra[in.windows] = w->list[in.windows].extra;
			first[in.windows] = at;
			for (uint32_t k = w->list[in.windows].first; k < w->list[in.windows].end; k++, at++) {
				which[at] = phase[k] - 1;
				measured[at] = other[k];
			}
			regular += extra[in.windows] ? 0 : w->list[in.windows].seconds;
		}
		first[in.windows] = at;
		for (uint32_t p = 0; p < PHASES; p++)
			weight[p] = c.phases.list[p].weight;
		for (uint32_t k = 0; k < N; k++)
			aet += other[k];
		in.coverage = w->coverage;
		in.share = regular / c.figures->aet;
		if (!estimate_init(&x, &in, &e))
			held += x.low <= aet && aet <= x.high;
		estimate_release(&x);
		windows_free(w);
		window_case_release(&c);
	}
	ok(held >= runs * 88 / 100 && held <= runs * 99 / 100, "%u windows of %g s, noise %g: the interval holds in %.1f %%", n, seconds,
	   sigma, 100.0 * held / runs);
	return held;
}

static void several_runs(void)
{
	const bool extra[5] = {false};
	const uint32_t first[6] = {0, 1, 2, 3, 4, 5}, phase[5] = {0}, weight[1] = {100};
	const double seconds[5] = {1, 1.1, 0.9, 1.2, 1.05}, same[3] = {105, 105, 105}, differing[2] = {100, 110};
	const struct estimate_input in = {.windows = 5, .extra = extra, .first = first, .phase = phase, .parts = 1,
					  .seconds = seconds, .phases = 1, .weight = weight, .coverage = 1, .share = 0};
	struct estimate x, one;
	struct err e;
	double se2 = 5, se, df;

	is_int(estimate_init(&one, &in, &e), ERR_OK, "five windows of one phase");
	is_int((int)one.df, 4, "four degrees of freedom");
	ok(fabs(one.pet - 105) < 1e-9 && fabs(one.se - 100 * sqrt(0.0125 / 5)) < 1e-9, "the se of a mean is the usual one");
	is_int(estimate_init(&x, &in, &e), ERR_OK, "the same over three runs");
	estimate_over_runs(&x, same, 3);
	ok(fabs(x.se - one.se) < 1e-12 && x.df == 4, "that do not differ change nothing (df %u)", x.df);
	estimate_release(&x);
	is_int(estimate_init(&x, &in, &e), ERR_OK, "the same over two runs");
	estimate_over_runs(&x, differing, 2);
	se = sqrt(one.se * one.se + se2 * se2);
	df = floor(pow(se, 4) / (pow(one.se, 4) / 4 + pow(se2, 4)));
	ok(fabs(x.se - se) < 1e-9 && x.df == (uint32_t)df, "that differ widen it (df %u)", x.df);
	ok(fabs(x.half - student_quantile(x.df) * se) < 1e-9 && fabs(x.high - x.low - 2 * x.half) < 1e-9, "as their t says");
	estimate_release(&x);
	estimate_release(&one);
}

static void nothing_to_measure(void)
{
	const uint32_t phase[4] = {1, 2, 1, 2};
	const double none[4] = {0}, some[4] = {1, 2, 1, 2};
	struct window_case c;
	struct settings s;
	struct windows *w;

	usual(&s, 3, 0.5);
	window_case_init(&c, 4, phase, none, 1, &s);
	w = place(&c, &s);
	ok(isnan(w->coverage) && isnan(w->estimate.pet) && isnan(w->estimate.pet_scaled) && isnan(w->estimate.half) && w->misfit == 0,
	   "a run without time has no coverage, no prediction and no interval");
	windows_free(w);
	window_case_release(&c);
	window_case_init(&c, 0, phase, some, 1, &s);
	w = place(&c, &s);
	ok(!w->count && isnan(w->coverage) && isnan(w->estimate.pet_scaled), "nor has one without occurrences");
	windows_free(w);
	window_case_release(&c);
	s.relevance = 1;
	s.windows = 4;
	window_case_init(&c, 4, phase, some, 1, &s);
	w = place(&c, &s);
	ok(w->regular == 3 && w->coverage == 0 && w->estimate.pet_scaled == 0 && isnan(w->estimate.half) && w->misfit == 0,
	   "where no phase is relevant coverage is 0, and scaled PET");
	ok(windows_gap(w) != NULL, "and it is said why there is no interval");
	windows_free(w);
	window_case_release(&c);
}

/* Random traces, with phases as they are found: entry plus what the steps call is the exit, for each process. */
static void steps(void)
{
	uint32_t right = 0, windows = 0;

	for (uint64_t seed = 0; seed < 300; seed++) {
		struct trace *t = gen_random(seed, (enum gen_kind)(seed % GEN_KINDS));
		struct logical *l = NULL;
		struct clockwork *c = NULL;
		struct phase_space *space = NULL;
		struct phases *p = NULL;
		struct figures *f = NULL;
		struct windows *w = NULL;
		struct window_steps x;
		struct settings s;
		struct err e;

		usual(&s, 1 + seed % 7, 0.01 * (seed % 11));
		s.window_align = (int)(seed % 2);
		s.phase_time = (int)(seed / 2 % 2);
		if (logical_new(&l, t, ORDER_PAS2P, COLLECTIVES_EVENTS, NULL, &e) || clockwork_new(&c, l, SIMILARITY_PHASE, NULL, &e) ||
		    phase_space_new(&space, l, NULL, &e) || phases_search(&p, space, &s, NULL, &e) ||
		    figures_new(&f, c, p, &s, NULL, &e) || windows_new(&w, c, p, f, &s, NULL, &e) ||
		    window_steps_init(&x, w, c, p, NULL, &e))
			bail_out("no steps of seed %d: %s", (int)seed, e.text);
		for (uint32_t i = 0; i < w->count; i++, windows++) {
			bool all = true;

			for (uint32_t q = 0; q < t->process_count; q++) {
				uint32_t sends = logical_sends_before(l, q, p->occurrences[w->list[i].first].first), occurrences = 0;

				for (uint32_t k = x.first[i]; k < x.first[i + 1]; k++) {
					sends += x.step[k].times * x.sends[(size_t)x.step[k].pattern * x.processes + q];
					occurrences += x.step[k].times;
				}
				all = all && sends == logical_sends_before(l, q, occurrence_exit(c, p, w->list[i].end - 1)) &&
				      occurrences == w->list[i].end - w->list[i].first;
			}
			right += all;
		}
		window_steps_release(&x);
		windows_free(w);
		figures_free(f);
		phases_free(p);
		phase_space_free(space);
		clockwork_free(c);
		logical_unref(l);
		trace_free(t);
	}
	ok(right == windows && windows > 300, "of %u windows of random traces the steps lead from entry to exit", windows);
}

int main(void)
{
	uint32_t held;

	all_of_it();
	held = interval_holds(3, 1.5, 0.5);
	held += interval_holds(5, 1, 0.3);
	held += interval_holds(8, 0.5, 0.5);
	held += interval_holds(12, 0.5, 0.8);
	held += interval_holds(20, 0.3, 0.5);
	ok(held >= 1800 && held <= 1960, "of all 2000 in %.1f %%", held / 20.0);
	several_runs();
	nothing_to_measure();
	steps();
	return done_testing();
}
