/* Windows decide what a signature measures and how far its prediction is to be trusted, so the figures of a small run
 * that were worked out by hand must come out of it to the last digit given: where windows lie, what they hold, what
 * that says, and how surely.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/outliers.h"
#include "core/method/windows/windows.h"
#include "tap.h"
#include "window_case.h"

#define N 12
static const uint32_t phase[N] = {1, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2};
static const double duration[N] = {1, 2, .5, 2, .7, 3, .5, 2, .6, 2, .5, 2};

static void near(double got, double want, double within, const char *what)
{
	if (!ok(fabs(got - want) <= within, "%s is %.9g", what, want))
		diag("got %.12g", got);
}

static void student(void)
{
	static const struct { uint32_t df; double t; } known[] = {{1, 12.7062}, {2, 4.3027}, {3, 3.1824}, {4, 2.7764}, {7, 2.3646},
								  {11, 2.2010}, {31, 2.0395}};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		ok(fabs(student_quantile(known[i].df) - known[i].t) < 0.00006, "t of %u degrees is %.4f", known[i].df, known[i].t);
	near(student_quantile(1), tan(3.14159265358979 * 0.475), 1e-6, "t of one degree, which is a tangent,");
	near(student_quantile(1000), student_quantile(1001), 1e-5, "where one formula takes over from the other, t");
	ok(student_quantile(1000) > student_quantile(1001), "and goes on falling");
	near(student_quantile(1000000), 1.959966, 1e-6, "t of a million");
}

static void usual(struct settings *s, uint32_t windows, double seconds)
{
	settings_init(s);
	s->relevance = 0;
	s->warmup_sends = 0;
	s->warmup_seconds = 0;
	s->windows = windows;
	s->window_seconds = seconds;
	s->window_align = WINDOW_ALIGN_NONE;
}

static struct windows *place(struct window_case *c, const struct settings *s)
{
	struct windows *w = NULL;
	struct err e = {0};

	window_case_init(c, N, phase, duration, 1, s);
	if (windows_new(&w, c->clockwork, &c->phases, c->figures, s, NULL, &e))
		bail_out("no windows: %s", e.text);
	return w;
}

static void done(struct window_case *c, struct windows *w)
{
	windows_free(w);
	window_case_release(c);
}

static void list_is(const struct windows *w, const char *want, const char *what)
{
	char got[256] = "";

	for (uint32_t i = 0; i < w->count; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s%u-%u", i ? " " : "", w->list[i].extra ? "+" : "",
			 w->list[i].first + 1, w->list[i].end);
	is_str(got, want, "%s", what);
}

static void three_windows(void)
{
	struct settings s;
	struct window_case c;
	struct windows *w;

	usual(&s, 3, 2.6);
	w = place(&c, &s);
	list_is(w, "+1-1 2-4 6-6 10-12", "three windows, and one for the phase that none of them holds");
	is_int(w->candidate, 12, "the twelfth candidate");
	near(w->offset, 0.5390625, 1e-12, "its offset");
	near(w->misfit, 0.029762, 5e-7, "its misfit");
	near(w->spread, 0.0566027, 5e-8, "the spread");
	near(w->measured, 13, 1e-9, "what is measured");
	near(w->replay, 16.8, 1e-9, "the replay");
	near(w->estimate.phase[0].time, 1, 1e-9, "the time of phase 1");
	near(w->estimate.phase[1].time, 2.2, 1e-9, "of phase 2");
	near(w->estimate.phase[1].se, 0.222222, 5e-7, "its se");
	is_int(w->estimate.phase[1].occurrences, 5, "of five occurrences");
	is_int(w->estimate.phase[1].in_windows, 3, "in three windows");
	near(w->estimate.phase[2].time, 0.5, 1e-9, "the time of phase 3");
	near(w->estimate.phase[2].se, 0, 1e-12, "its se");
	is_int(w->estimate.phase[2].occurrences, 2, "of two occurrences");
	is_int(w->estimate.phase[2].in_windows, 2, "in two windows");
	ok(w->estimate.phase[0].extra && isnan(w->estimate.phase[0].se) && !w->estimate.phase[0].in_windows, "phase 1 is extra");
	near(w->estimate.pet, 16.7, 1e-9, "PET");
	near(w->estimate.pet_scaled, 16.7, 1e-9, "scaled PET");
	near(w->estimate.se, 0.712697, 5e-7, "se");
	near(w->estimate.half, 3.06649, 5e-6, "half");
	near(w->estimate.low, 13.6335, 5e-5, "the interval's lower end");
	near(w->estimate.high, 19.7665, 5e-5, "its upper end");
	is_int(w->left_count, 0, "nothing is left");
	done(&c, w);
}

static void left_and_span(void)
{
	struct settings s;
	struct window_case c;
	struct windows *w;

	usual(&s, 3, 2.6);
	s.window_rare = 0.02;
	w = place(&c, &s);
	ok(w->left_count == 1 && w->left[0] == 1, "too long for its share, phase 1 is left");
	list_is(w, "2-4 6-6 10-12", "and has no window");
	near(w->coverage, 0.940476, 5e-7, "coverage");
	near(w->misfit, 0.0316456, 5e-8, "misfit");
	near(w->estimate.pet, 15.7, 1e-9, "PET");
	near(w->estimate.pet_scaled, 16.6937, 5e-5, "scaled PET");
	near(w->estimate.se, 0.757804, 5e-7, "se");
	near(w->estimate.half, 3.26057, 5e-6, "half");
	ok(!w->estimate.phase[0].measured && isnan(w->estimate.phase[0].time), "it has no time");
	done(&c, w);
	usual(&s, 3, 2.6);
	s.window_span = 0.5;
	w = place(&c, &s);
	is_int(w->candidate, 1, "over half of the run the first candidate");
	list_is(w, "+1-1 2-2 3-5 6-6", "windows in its first half");
	near(w->estimate.pet, 18, 1e-9, "PET");
	near(w->misfit, 0.0714286, 5e-8, "misfit");
	near(w->estimate.half, 6.15688, 5e-6, "half");
	done(&c, w);
}

static void long_and_short(void)
{
	struct settings s;
	struct window_case c;
	struct windows *w;

	usual(&s, 3, 100);
	w = place(&c, &s);
	list_is(w, "1-5 6-8 9-12", "windows longer than the run are all of it");
	is_int(w->candidate, 1, "whichever candidate");
	near(w->estimate.pet, 16.8, 1e-9, "PET is what was traced");
	near(w->misfit, 0, 1e-12, "misfit");
	near(w->estimate.half, 0, 1e-12, "half");
	done(&c, w);
	usual(&s, 2, 1);
	w = place(&c, &s);
	is_int(w->candidate, 12, "two windows: candidate");
	list_is(w, "+1-1 3-4 9-10", "they lie");
	near(w->estimate.pet, 15.75, 1e-9, "PET");
	near(w->spread, 0.101665, 5e-7, "spread");
	near(w->estimate.phase[2].se, 0.05, 1e-9, "se of phase 3");
	ok(isnan(w->estimate.se) && isnan(w->estimate.half) && isnan(w->estimate.low), "two windows give no interval");
	ok(windows_gap(w) != NULL, "and it is said why");
	done(&c, w);
}

static void iterations(void)
{
	struct settings s;
	struct window_case c;
	struct windows *w;

	usual(&s, 3, 2.6);
	s.window_align = WINDOW_ALIGN_ITERATIONS;
	w = place(&c, &s);
	is_int(w->main_iterations, 5, "the main loop has five iterations");
	near(w->main_mean, 2.76, 1e-9, "their mean");
	near(w->main_share, 0.821429, 5e-7, "their share");
	is_int(w->main_group, 1, "one a window");
	is_int(w->candidate, 39, "the candidate");
	ok(isnan(w->offset), "which has no offset");
	list_is(w, "+1-1 4-5 6-7 10-11", "windows that follow iterations");
	near(w->misfit, 0.0615079, 5e-8, "misfit");
	near(w->spread, 0.0699163, 5e-8, "spread");
	near(w->measured, 9.7, 1e-9, "what is measured");
	near(w->replay, 14.8, 1e-9, "the replay");
	near(w->estimate.phase[0].time, 1, 1e-9, "the time of phase 1");
	near(w->estimate.phase[1].time, 7.0 / 3, 1e-9, "of phase 2");
	near(w->estimate.phase[1].se, 1.0 / 3, 1e-9, "its se");
	near(w->estimate.phase[2].time, 0.566667, 5e-7, "the time of phase 3");
	near(w->estimate.phase[2].se, 0.0666667, 5e-8, "its se");
	near(w->estimate.pet, 17.8333, 5e-5, "PET");
	near(w->estimate.se, 1.28869, 5e-6, "se");
	near(w->estimate.half, 5.54477, 5e-6, "half");
	done(&c, w);
}

int main(void)
{
	student();
	three_windows();
	left_and_span();
	long_and_short();
	iterations();
	return done_testing();
}
