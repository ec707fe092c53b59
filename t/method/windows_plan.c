/* A plan says what a signature will cost before an hour is spent on one, and takes the choice out of a person's hands;
 * so the plan of a small run that was worked out by hand must come out whole, and where nothing fits it must be said
 * what would.
 */
#include <math.h>
#include <string.h>

#include "core/method/windows/planner.h"
#include "tap.h"
#include "window_case.h"

#define N 12
static const uint32_t phase[N] = {1, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2};
static const double duration[N] = {1, 2, .5, 2, .7, 3, .5, 2, .6, 2, .5, 2};

static struct plan *planned(uint32_t n, const double *durations, double share, double overhead, enum window_align align)
{
	const struct plan_budget budget = {share, overhead};
	struct window_case c;
	struct settings s;
	struct plan *p = NULL;
	struct err e = {0};

	settings_init(&s);
	s.relevance = 0;
	s.warmup_seconds = overhead;
	s.window_align = (int)align;
	window_case_init(&c, n, phase, durations, 1, &s);
	if (plan_new(&p, c.clockwork, &c.phases, c.figures, &s, &budget, NULL, &e))
		bail_out("no plan: %s", e.text);
	window_case_release(&c);
	return p;
}

static void near(double got, double want, double within, const char *what)
{
	if (!ok(fabs(got - want) <= within, "%s is %.9g", what, want))
		diag("got %.12g", got);
}

static void vector(enum window_align align)
{
	static const struct { uint32_t windows; double seconds; } frontier[] = {{3, 0.1}, {5, 1}, {8, 0.3}, {8, 1}};
	struct plan *p = planned(N, duration, 0.9, 0.1, align);
	const struct plan_candidate *c = p->choice < 0 ? NULL : &p->candidate[p->choice];
	char text[PLAN_TEXT];
	size_t on = 0;

	is_int(p->count, 38, "38 designs take at most half of the run");
	near(p->least, 5.0, 1e-9, "the least cost");
	if (ok(c != NULL, "there is a choice")) {
		is_int(c->windows, 8, "of eight windows");
		near(c->seconds, 0.3, 1e-12, "each of");
		near(c->cost, 9.4, 1e-9, "its cost");
		near(c->spread, 0.0733085, 5e-8, "its spread");
		near(c->half, 0.0232630, 5e-8, "its half, of the run time,");
		near(c->cost_share, 9.4 / 16.8, 1e-9, "its cost's share");
		ok(c->fits && c->frontier, "it fits, and is on the frontier");
	}
	for (uint32_t i = 0; i < p->count; i++)
		if (p->candidate[i].frontier) {
			ok(on < 4 && p->candidate[i].windows == frontier[on].windows && p->candidate[i].seconds == frontier[on].seconds,
			   "%u x %g is on the frontier", p->candidate[i].windows, p->candidate[i].seconds);
			on++;
		}
	is_int((int)on, 4, "as are four");
	near(p->rare, 0.225, 1e-12, "the budget's share for rare phases");
	is_str(plan_gap(p, text), "", "nothing is missing");
	plan_free(p);
}

static void too_small(void)
{
	double none[N] = {0};
	struct plan *p = planned(N, duration, 0.1, 0.1, WINDOW_ALIGN_NONE);
	char text[PLAN_TEXT];

	is_int(p->choice, -1, "a tenth of the run buys nothing");
	is_str(plan_gap(p, text), "no signature fits into 10 % of the run time (1.680 s); the cheapest costs 3.100 s, 18.5 % of the run time", "and it is said");
	plan_free(p);
	p = planned(N, duration, 0.02, 5, WINDOW_ALIGN_NONE);
	ok(strstr(plan_gap(p, text), "no signature fits into 2 % of the run time (336 ms); the cheapest costs ") == text,
	   "where checkpoints take long, the program is cheaper: %s", text);
	plan_free(p);
	p = planned(N, none, 0.02, 0.1, WINDOW_ALIGN_NONE);
	ok(p->choice == -1 && !p->count && isnan(p->least), "a run without time has no designs");
	ok(strstr(plan_gap(p, text), "run time is unknown") != NULL, "and it is said why: %s", text);
	plan_free(p);
	p = planned(0, none, 0.02, 0.1, WINDOW_ALIGN_ITERATIONS);
	ok(p->choice == -1 && !p->count && *plan_gap(p, text), "nor has one without occurrences");
	plan_free(p);
	p = planned(N, duration, 0.45, 0.1, WINDOW_ALIGN_NONE);
	if (ok(p->choice >= 0, "a middling budget buys something"))
		ok(p->candidate[p->choice].fits, "that fits");
	plan_free(p);
}

/* With fewer than five windows only where no other design fits. */
static void few_windows(void)
{
	struct plan *p = planned(N, duration, 0.33, 0.1, WINDOW_ALIGN_NONE);
	bool five = false;

	for (uint32_t i = 0; i < p->count; i++)
		five = five || (p->candidate[i].fits && p->candidate[i].windows >= 5);
	ok(p->choice >= 0 && (p->candidate[p->choice].windows >= 5) == five, "three windows are a last resort");
	plan_free(p);
}

static void taken_over(void)
{
	struct plan *p = planned(N, duration, 0.9, 0.1, WINDOW_ALIGN_NONE);
	struct settings s;

	settings_init(&s);
	plan_apply(p, &s);
	ok(s.windows == 8 && s.window_seconds == 0.3 && s.window_rare == p->rare, "a choice becomes settings");
	plan_free(p);
}

static bool at_once(void *arg)
{
	return ++*(int *)arg > 3;
}

static void stopped(void)
{
	const struct plan_budget budget = {0.9, 0.1};
	int polls = 0;
	const struct progress progress = {.stopped = at_once, .arg = &polls};
	struct window_case c;
	struct settings s;
	struct plan *p;
	struct err e = {0};

	settings_init(&s);
	window_case_init(&c, N, phase, duration, 1, &s);
	is_int(plan_new(&p, c.clockwork, &c.phases, c.figures, &s, &budget, &progress, &e), ERR_CANCELLED, "a plan can be stopped");
	ok(!p, "and then there is none");
	window_case_release(&c);
}

int main(void)
{
	vector(WINDOW_ALIGN_NONE);
	vector(WINDOW_ALIGN_ITERATIONS);
	too_small();
	few_windows();
	taken_over();
	stopped();
	return done_testing();
}
