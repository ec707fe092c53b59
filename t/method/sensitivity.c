/* Sensitivity: what the strip under the knobs shows must be what the analysis says at each of its thresholds, or
 * the plateau that a person sees is not there when they go to it. So every point is compared with an analysis made
 * from nothing. Points come coarse to fine, each once; a stopped run has told only right ones; and a kept curve may be
 * shown again exactly as long as its key stands: settings in which the key is equal give the same curve.
 */
#include <math.h>
#include <string.h>

#include "gen.h"
#include "core/method/analysis/analysis.h"
#include "tap.h"

#define N 17

static struct err err;
static const enum setting_id knobs[] = {SETTING_volume, SETTING_compute, SETTING_events, SETTING_relevance};
#define KNOBS (sizeof knobs / sizeof *knobs)

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

struct curve {
	struct sensitivity_point p[64];
	uint32_t order[64];
	uint32_t told, most; /* stop after so many; 0: never */
};

static void take(void *arg, uint32_t i, const struct sensitivity_point *p)
{
	struct curve *c = arg;

	c->order[c->told++] = i;
	c->p[i] = *p;
}

static bool stop(void *arg)
{
	const struct curve *c = arg;

	return c->most && c->told >= c->most;
}

static struct analysis *analyse(const struct trace *t, const struct settings *s)
{
	struct analysis *a;

	must(analysis_new(&a, t, s, NULL, ANALYSIS_PHASES, NULL, &err));
	return a;
}

/* What is not defined is so in both. */
static bool same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool right(const struct trace *t, const struct settings *s, enum setting_id knob,
		  const struct sensitivity_point *p)
{
	struct settings at = *s;
	struct analysis *a;
	bool good;

	settings_set_number(&at, knob, p->value);
	a = analyse(t, &at);
	good = p->phases == a->phases->count && p->relevant == a->figures->relevant &&
	       same(p->coverage, a->figures->coverage) && same(p->pete, a->figures->pete) &&
	       (same(p->set_share, a->figures->set) ||
		(p->set_share * a->figures->aet >= a->figures->set * (1 - 1e-12) &&
		 p->set_share * a->figures->aet <= a->figures->set * (1 + 1e-12)));
	analysis_unref(a);
	return good;
}

static void points(void)
{
	uint32_t bad = 0, kinds = 0, last = 0;

	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct trace *t = gen_random(seed, seed % 2 ? GEN_LOOP : GEN_WILD);
		struct settings s;
		struct analysis *a;

		gen_settings(seed, &s);
		a = analyse(t, &s);
		for (size_t k = 0; k < KNOBS; k++) {
			struct curve c = {.told = 0};

			must(sensitivity_run(knobs[k], N, a, take, &c, NULL, &err));
			bad += c.told != N;
			for (uint32_t i = 0; i < N; i++) {
				bad += c.p[i].value != sensitivity_value(knobs[k], i, N) ||
				       !right(t, &s, knobs[k], &c.p[i]);
				kinds += c.p[i].phases != last;
				last = c.p[i].phases;
			}
		}
		analysis_unref(a);
		trace_free(t);
	}
	is_int(bad, 0, "every point is what an analysis from nothing says");
	ok(kinds > 200, "and they are not all one (%u changes)", kinds);
}

static void order(void)
{
	static const uint32_t want[] = {0, 8, 4, 2, 6, 1, 3, 5, 7};
	struct trace *t = gen_cg(3);
	struct settings s;
	struct analysis *a;
	uint32_t bad = 0;

	settings_init(&s);
	a = analyse(t, &s);
	for (uint32_t n = 2; n <= 64; n++) {
		struct curve c = {.told = 0};
		uint64_t seen = 0;

		must(sensitivity_run(SETTING_relevance, n, a, take, &c, NULL, &err));
		for (uint32_t i = 0; i < c.told; i++)
			seen |= 1ull << c.order[i];
		bad += c.told != n || seen != (n < 64 ? (1ull << n) - 1 : ~0ull) || c.order[1] != n - 1;
		if (n == 9)
			is_mem(c.order, want, sizeof want, "nine points come coarse to fine");
	}
	is_int(bad, 0, "each number of points: each point once, the ends first");
	is_int(sensitivity_run(SETTING_order, 9, a, take, NULL, NULL, &err), ERR_USAGE, "a choice has no range");
	is_int(sensitivity_run(SETTING_volume, 1, a, take, NULL, NULL, &err), ERR_USAGE, "one point is no range");
	analysis_unref(a);
	trace_free(t);
}

static void stops(void)
{
	struct trace *t = gen_random(10, GEN_LOOP);
	struct settings s;
	struct analysis *a;
	uint32_t bad = 0;

	settings_init(&s);
	a = analyse(t, &s);
	for (uint32_t most = 1; most < N; most++) {
		struct curve c = {.most = most};
		struct progress progress = {.stopped = stop, .arg = &c};

		bad += sensitivity_run(SETTING_volume, N, a, take, &c, &progress, &err) != ERR_CANCELLED || c.told != most;
		for (uint32_t i = 0; i < c.told; i++)
			bad += !right(t, &s, SETTING_volume, &c.p[c.order[i]]);
	}
	is_int(bad, 0, "stopped after any number of points, those told are right");
	bad = 0;
	for (long n = 0; n < 200; n++) {
		struct curve c = {.told = 0};
		enum err_code code;

		mem_fail_after(n);
		code = sensitivity_run(SETTING_volume, 3, a, take, &c, NULL, &err);
		mem_fail_after(-1);
		bad += code != ERR_MEMORY && (code != ERR_OK || c.told != 3);
		if (code == ERR_OK)
			break;
	}
	is_int(bad, 0, "without memory it says so");
	analysis_unref(a);
	trace_free(t);
}

static void scale(void)
{
	static const enum setting_id others[] = {SETTING_order, SETTING_warmup_sends};
	uint32_t bad = 0;
	struct settings s;

	settings_init(&s);
	for (size_t k = 0; k < KNOBS; k++) {
		bad += !sensitivity_has(knobs[k]);
		for (uint32_t i = 0; i < 41; i++) {
			double v = sensitivity_value(knobs[k], i, 41);

			bad += v < 0 || v > 1;
			bad += i && v <= sensitivity_value(knobs[k], i - 1, 41);
		}
	}
	is_int(bad, 0, "values rise");
	ok(!sensitivity_has(others[0]) && !sensitivity_has(others[1]), "other settings have none");
	ok(sensitivity_value(SETTING_volume, 20, 41) == 0.05 && s.volume == 0.05,
	   "the default, 5 %%, is in the middle");
	ok(sensitivity_value(SETTING_events, 40, 41) == 1 && sensitivity_value(SETTING_events, 0, 41) == 0.5,
	   "events go from half to all");
}

/* Change each setting in turn: where the key stands, so must the curve; where it moves, some curve must. */
static void keys(void)
{
	uint32_t bad = 0, moved[SETTING_COUNT] = {0}, kept[SETTING_COUNT] = {0};

	for (uint64_t seed = 1; seed <= 90; seed++) {
		struct trace *t = gen_random(seed, seed % 3 ? GEN_LOOP : GEN_CAUSAL);
		enum setting_id knob = knobs[seed % KNOBS];
		struct curve c = {.told = 0};
		struct settings s, key;
		struct analysis *a;

		gen_settings(seed, &s);
		a = analyse(t, &s);
		key = sensitivity_key(&s, knob);
		must(sensitivity_run(knob, 5, a, take, &c, NULL, &err));
		for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
			struct settings other = s, other_key;
			struct curve d = {.told = 0};
			struct analysis *b;
			bool as_before;

			settings_set_number(&other, id, settings_number(&s, id) > 0 ? 0 : setting_info(id)->max);
			if (id == SETTING_windows)
				other.sample_seconds = 0;
			if (id == SETTING_sample_seconds)
				other.windows = 0;
			other_key = sensitivity_key(&other, knob);
			b = analyse(t, &other);
			must(sensitivity_run(knob, 5, b, take, &d, NULL, &err));
			as_before = true;
			for (uint32_t i = 0; i < 5; i++)
				as_before = as_before && c.p[i].phases == d.p[i].phases && c.p[i].relevant == d.p[i].relevant &&
					    same(c.p[i].coverage, d.p[i].coverage) && same(c.p[i].pete, d.p[i].pete);
			if (settings_equal(&key, &other_key))
				kept[id] += as_before, bad += !as_before;
			else
				moved[id] += !as_before;
			analysis_unref(b);
		}
		analysis_unref(a);
		trace_free(t);
	}
	is_int(bad, 0, "equal keys, equal curves");
	ok(kept[SETTING_warmup_sends] == 90 && kept[SETTING_representative] == 90 && kept[SETTING_compute] > 20 &&
		   kept[SETTING_events] > 20,
	   "what cannot change a curve is not in its key");
	ok(moved[SETTING_order] > 5 && moved[SETTING_similarity] > 5 && moved[SETTING_collectives] > 5 &&
		   moved[SETTING_absent] > 0 && moved[SETTING_volume] > 0 && moved[SETTING_phase_time] > 5,
	   "what can is");
}

int main(void)
{
	points();
	order();
	stops();
	scale();
	keys();
	return done_testing();
}
