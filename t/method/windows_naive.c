/* Windows against a second implementation that reads like their rules: random runs, of phases in loops with
 * disturbances, phases that occur once, times of many kinds (also such that comparisons are decided by the nanosecond),
 * one process or several, under settings of every kind. Everything that a table says of windows must be the same.
 */
#include <math.h>
#include <string.h>

#include "core/method/windows/windows.h"
#include "gen.h"
#include "naive_windows.h"
#include "tap.h"
#include "window_case.h"

static uint64_t state;

static double real(void)
{
	return gen_below(&state, 1000000) / 1e6;
}

static double random_duration(int kind, uint32_t phase)
{
	switch (kind) {
	case 0: return (1 + gen_below(&state, 16)) / 8.0;
	case 1: return phase * 0.25 + 3.7e-10 * gen_below(&state, 8);
	case 2: return 0.001 * phase * (0.5 + real());
	default: return exp(2 * real()) * (gen_below(&state, 20) ? 1 : 30);
	}
}

/* A body of phases again and again, with something else between from time to time. */
static void random_run(struct naive_run *r, const struct settings *s)
{
	uint32_t body[6], length = 1 + gen_below(&state, 6), phases = 1 + gen_below(&state, 5), at = 0, names[64] = {0};
	int kind = (int)gen_below(&state, 4), noise = (int)gen_below(&state, 20);

	*r = (struct naive_run){.n = 1 + gen_below(&state, 60), .s = s, .processes = gen_below(&state, 2) ? 1 : 1 + gen_below(&state, 4)};
	for (uint32_t i = 0; i < length; i++)
		body[i] = gen_below(&state, phases);
	for (uint32_t k = 1; k <= r->n; k++) {
		uint32_t name = noise && !gen_below(&state, (uint32_t)noise + 2) ? gen_below(&state, 16) : body[at++ % length];

		if (!names[name])
			names[name] = ++r->phases;
		r->phase[k] = names[name];
		for (uint32_t p = 0; p < r->processes; p++)
			r->duration[k][p] = random_duration(kind, r->phase[k]);
	}
}

static void random_settings(struct settings *s)
{
	settings_init(s);
	s->phase_time = (int)gen_below(&state, 2);
	s->representative = (int)gen_below(&state, 3);
	s->relevance = gen_below(&state, 2) ? 0 : 0.1 * real();
	s->windows = 1 + gen_below(&state, gen_below(&state, 4) ? 8 : 80);
	s->window_rare = gen_below(&state, 2) ? 1 : 0.2 * real();
	s->window_span = gen_below(&state, 2) ? 1 : real();
	s->window_align = (int)gen_below(&state, 2);
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static bool same(const struct windows *w, const struct naive_windows *n, const struct naive_run *r, const char **what)
{
	*what = "windows";
	if (w->count != n->count || w->regular != n->regular)
		return false;
	for (uint32_t i = 0; i < w->count; i++)
		if (w->list[i].extra != n->list[i].extra || w->list[i].first + 1 != n->list[i].first ||
		    w->list[i].end != n->list[i].last)
			return false;
	*what = "choice";
	if (w->candidate != n->candidate || !near(w->misfit, n->misfit) || !near(w->spread, n->spread))
		return false;
	if (r->iterations ? !isnan(w->offset) : !near(w->offset, n->offset))
		return false;
	*what = "cost";
	if (!near(w->measured, n->measured) || !near(w->replay, n->replay) || !near(w->coverage, n->coverage))
		return false;
	*what = "prediction";
	if (!near(w->estimate.pet, n->pet) || !near(w->estimate.pet_scaled, n->pet_scaled))
		return false;
	*what = "interval";
	if (n->interval ? !near(w->estimate.se, n->se) || !near(w->estimate.half, n->half) || !near(w->estimate.low, n->low) ||
			  !near(w->estimate.high, n->high)
			: !isnan(w->estimate.se) || !isnan(w->estimate.half))
		return false;
	*what = "phases";
	for (uint32_t id = 1, left = 0; id <= r->phases; id++) {
		const struct phase_estimate *p = &w->estimate.phase[id - 1];
		bool is_left = left < w->left_count && w->left[left] == id;

		left += is_left;
		if (p->measured != n->phase[id].measured || p->extra != n->phase[id].extra || is_left != n->phase[id].left)
			return false;
		if (!p->measured)
			continue;
		if (p->occurrences != n->phase[id].occurrences || p->in_windows != n->phase[id].in_windows ||
		    !near(p->time, n->phase[id].time) || (n->phase[id].has_se ? !near(p->se, n->phase[id].se) : !isnan(p->se)))
			return false;
	}
	return true;
}

/* The loop that windows follow is found by the core, whose finding has tests of its own. */
static void give_loop(struct naive_run *r, const struct window_case *c, const struct settings *s)
{
	struct loop_iterations loop = {0};
	struct window_run run;
	struct err e;

	r->iterations = 0;
	if (s->window_align != WINDOW_ALIGN_ITERATIONS || window_run_init(&run, c->clockwork, &c->phases, c->figures, s, NULL, &e))
		return;
	if (!loops_main(&loop, &c->phases, run.is_relevant, run.u, run.aet, s->window_seconds, NULL, &e)) {
		r->iterations = loop.count;
		r->loop_mean = loop.mean;
		for (uint32_t i = 0; i < loop.count; i++) {
			r->from[i + 1] = loop.from[i] + 1;
			r->to[i + 1] = loop.to[i] + 1;
		}
		loop_iterations_release(&loop);
	}
	window_run_release(&run);
}

static double total(const struct naive_run *r)
{
	double sum = 0;

	for (uint32_t k = 1; k <= r->n; k++)
		sum += r->duration[k][0];
	return sum;
}

int main(void)
{
	static struct naive_run r;
	static struct naive_windows n;
	static double durations[NAIVE_OCCURRENCES * NAIVE_PROCESSES];
	uint32_t agreed = 0, made = 0, loops = 0, extra = 0, left = 0, intervals = 0, slowest = 0;

	for (uint64_t seed = 1; seed <= 1000; seed++) {
		struct settings s;
		struct window_case c;
		struct windows *w = NULL;
		const char *what = "";
		struct err e = {0};

		state = seed;
		random_settings(&s);
		random_run(&r, &s);
		s.window_seconds = gen_below(&state, 8) ? 2 * real() * total(&r) / s.windows : gen_below(&state, 2) ? 0 : 1000;
		for (uint32_t k = 1; k <= r.n; k++)
			for (uint32_t p = 0; p < r.processes; p++)
				durations[(k - 1) * r.processes + p] = r.duration[k][p];
		window_case_init(&c, r.n, r.phase + 1, durations, r.processes, &s);
		give_loop(&r, &c, &s);
		naive_windows(&n, &r);
		if (!windows_new(&w, c.clockwork, &c.phases, c.figures, &s, NULL, &e)) {
			made++;
			if (same(w, &n, &r, &what))
				agreed++;
			else
				diag("seed %d: %s differ: %u and %u windows, candidates %u and %u, misfits %.12g %.12g", (int)seed, what,
				     w->count, n.count, w->candidate, n.candidate, w->misfit, n.misfit);
			loops += r.iterations > 0;
			extra += w->count > w->regular;
			left += w->left_count > 0;
			intervals += n.interval;
			slowest += s.phase_time == PHASE_TIME_SLOWEST && r.processes > 1;
		}
		windows_free(w);
		window_case_release(&c);
	}
	is_int((int)made, 1000, "1000 random runs have windows");
	is_int((int)agreed, 1000, "which both implementations place and judge alike");
	ok(loops > 80 && extra > 100 && left > 40 && intervals > 300 && slowest > 100,
	   "with loops (%u), extra windows (%u), phases left (%u), intervals (%u), slowest processes (%u)", loops, extra, left, intervals,
	   slowest);
	return done_testing();
}
