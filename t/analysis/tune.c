/* Tune: what the frontier says of settings must be what the analysis says with them; no point may be worse than another
 * in all respects; the search must find at least what a person found by hand; stopping it keeps what was found; and it
 * does not depend on chance.
 */
#include <math.h>
#include <string.h>

#include "gen.h"
#include "core/analysis/tune.h"
#include "core/documents/table.h"
#include "core/formats/load.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

static struct analysis *analyse(const struct trace *t, const struct settings *s)
{
	struct analysis *a;

	must(analysis_new(&a, t, s, NULL, ANALYSIS_PHASES, NULL, &err));
	return a;
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

/* Of one point, by an analysis from nothing. */
static bool right(const struct trace *t, const struct tune_point *p)
{
	struct analysis *a = analyse(t, &p->settings);
	struct table_measure m;
	bool ok;

	must(analysis_measure(&m, a, NULL, &err));
	ok = p->phases == a->phases->count && p->relevant == a->figures->relevant && near(p->coverage, a->figures->coverage) &&
	     near(p->pete, a->figures->pete) && near(p->set, a->figures->set) && near(p->off, m.off);
	if (!ok)
		diag("volume %g events %g compute %g relevance %g: %u %u, %u %u, %.9g %.9g, off %.9g %.9g", p->settings.volume, p->settings.events,
		     p->settings.compute, p->settings.relevance, p->phases, a->phases->count, p->relevant, a->figures->relevant, p->coverage,
		     a->figures->coverage, p->off, m.off);
	analysis_unref(a);
	return ok;
}

static uint32_t wrong_points(const struct trace *t, const struct tune *tune)
{
	uint32_t wrong = 0;

	for (uint32_t i = 0; i < tune->count; i++)
		wrong += !right(t, &tune->points[i]);
	return wrong;
}

/* Points that another one beats clearly, in all three respects. */
static uint32_t beaten(const struct tune *tune)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < tune->count; i++)
		for (uint32_t j = 0; j < tune->count; j++) {
			const struct tune_point *p = &tune->points[i], *q = &tune->points[j];

			n += q->relevant < p->relevant && q->pete < p->pete - 0.01 && q->off < p->off - 0.05;
		}
	return n;
}

/* Some point is no worse than what these settings give, by what counts as equal. */
static bool found(const struct trace *t, const struct tune *tune, const struct settings *s)
{
	struct analysis *a = analyse(t, s);
	struct table_measure m;
	bool ok = false;

	must(analysis_measure(&m, a, NULL, &err));
	for (uint32_t i = 0; i < tune->count; i++) {
		const struct tune_point *p = &tune->points[i];

		ok |= p->relevant <= 1.15 * a->figures->relevant && p->pete <= a->figures->pete + 0.01 && p->off <= m.off + 0.05;
	}
	if (!ok)
		diag("%u relevant, coverage %g, off %g", a->figures->relevant, a->figures->coverage, m.off);
	analysis_unref(a);
	return ok;
}

struct watch {
	uint32_t told, most;
	bool sorted, fewer;
	uint32_t tried;
};

static void better(void *arg, const struct tune *tune)
{
	struct watch *w = arg;

	w->told++;
	w->fewer |= tune->tried < w->tried;
	w->tried = tune->tried;
	for (uint32_t i = 1; i < tune->count; i++)
		w->sorted &= tune->points[i - 1].relevant <= tune->points[i].relevant;
}

static bool stop(void *arg)
{
	const struct watch *w = arg;

	return w->most && w->told >= w->most;
}

static bool same_tune(const struct tune *a, const struct tune *b)
{
	if (a->count != b->count || a->best != b->best || a->tried != b->tried)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (!settings_equal(&a->points[i].settings, &b->points[i].settings) || a->points[i].off != b->points[i].off)
			return false;
	return true;
}

static void on_trace(const char *name, const struct trace *t, const struct settings *s)
{
	struct analysis *a = analyse(t, s);
	struct watch w = {.sorted = true}, half = {.most = 1};
	struct job job = {.stopped = stop, .arg = &half};
	struct tune tune, again;

	must(tune_run(&tune, a, better, &w, NULL, &err));
	ok(tune.count && tune.tried == tune.searches && tune.best < tune.count, "%s: %u searches, %u points", name, tune.searches, tune.count);
	is_int(wrong_points(t, &tune), 0, "%s: each is what the analysis says", name);
	is_int(beaten(&tune), 0, "%s: none is clearly worse than another", name);
	ok(found(t, &tune, s), "%s: nor worse than the settings to start from", name);
	ok(w.told && w.sorted && !w.fewer, "%s: told as it grows, in order", name);
	must(tune_run(&again, a, NULL, NULL, NULL, &err));
	ok(same_tune(&tune, &again), "%s: the same again", name);
	tune_release(&again);
	is_int(tune_run(&again, a, better, &half, &job, &err), ERR_CANCELLED, "%s: it can be stopped", name);
	ok(again.count && again.tried < again.searches && !wrong_points(t, &again), "%s: and what was found by then is right", name);
	tune_release(&again);
	tune_release(&tune);
	analysis_unref(a);
}

/* What was found by hand on a trace of SMG (4 processes, 101 264 events), one knob after the other. */
static void by_hand(const char *path)
{
	struct trace *t;
	struct settings s;
	struct analysis *a;
	struct tune tune;
	const struct tune_point *widest = NULL;

	if (trace_load(&t, &path, 1, NULL, NULL, &err))
		return;
	settings_init(&s);
	a = analyse(t, &s);
	must(tune_run(&tune, a, NULL, NULL, NULL, &err));
	for (uint32_t i = 0; i < tune.count; i++) {
		const struct tune_point *p = &tune.points[i];

		if (!widest || p->coverage > widest->coverage)
			widest = p;
		diag("%3u of %3u phases, coverage %.3f, off %.3f: volume %g events %g relevance %g%s", p->relevant, p->phases, p->coverage, p->off,
		     p->settings.volume, p->settings.events, p->settings.relevance, i == tune.best ? " *" : "");
	}
	s.relevance = 0.001;
	diag("%u of %u searches", tune.tried, tune.searches);
	ok(found(t, &tune, &s), "relevance 0.1 %%");
	s.events = 0.65;
	ok(found(t, &tune, &s), "and events 65 %%");
	s.volume = 0.15;
	ok(found(t, &tune, &s), "and volume 15 %%");
	tune_release(&tune);
	analysis_unref(a);
	trace_free(t);
}

int main(int argc, char **argv)
{
	static const char *const samples[] = {"sample-traces/cg.S.4.clog2", "sample-traces/thesis-smg.4.clog2", "sample-traces/ft.S.4.clog2"};
	struct settings s;

	if (argc > 1) {
		by_hand(argv[1]);
		return done_testing();
	}
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		struct trace *t;

		must(trace_load(&t, &samples[i], 1, NULL, NULL, &err));
		settings_init(&s);
		on_trace(samples[i], t, &s);
		s.similarity = SIMILARITY_BBP;
		on_trace(samples[i], t, &s);
		trace_free(t);
	}
	return done_testing();
}
