/* Tune: what a row says of settings must be what the analysis says with them; no point may be worse than another
 * in all respects; the search must find at least what a person found by hand; stopping it keeps what was found; it
 * does not depend on chance; and its rows must be those of all combinations tried one by one, each from nothing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"
#include "core/method/analysis/tune.h"
#include "core/base/mem.h"
#include "core/documents/table.h"
#include "core/formats/api/load.h"
#include "core/lists/lists.h"
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
	struct progress progress = {.stopped = stop, .arg = &half};
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
	is_int(tune_run(&again, a, better, &half, &progress, &err), ERR_CANCELLED, "%s: it can be stopped", name);
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
		diag("%3u of %3u phases, coverage %.3f, off %.3f: volume %g events %g relevance %g order %d absent %d levels %u%s", p->relevant, p->phases, p->coverage, p->off,
		     p->settings.volume, p->settings.events, p->settings.relevance, p->settings.order, p->settings.absent, p->levels, i == tune.best ? " *" : "");
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

/* ---- all combinations, one by one ---- */

#define NAIVE_MOST 20000

static const double to_all[] = {0, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1};
static const double from_half[] = {0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1};
static const double relevances[] = {0.1, 0.05, 0.04, 0.03, 0.02, 0.015, 0.01, 0.008, 0.006, 0.005, 0.004, 0.003, 0.0025, 0.002, 0.0015,
				    0.001, 0.0008, 0.0006, 0.0005};
#define LENGTH(list) (sizeof (list) / sizeof *(list))

struct naive {
	struct tune_point *list;
	size_t count;
	const struct settings *from;
};

/* The values with one more, if it is not among them. */
static size_t with(double *out, const double *values, size_t n, double more)
{
	bool there = false;

	for (size_t i = 0; i < n; i++) {
		out[i] = values[i];
		there |= values[i] == more;
	}
	out[n] = more;
	return n + !there;
}

/* What one combination gives for every relevance. */
static void add_all(struct naive *n, const struct trace *t, struct settings *s)
{
	struct analysis *a = analyse(t, s), *b;
	double levels[LENGTH(relevances) + 1];
	size_t count = with(levels, relevances, LENGTH(relevances), n->from->relevance);

	for (size_t i = 0; i < count; i++) {
		struct table_measure m;

		s->relevance = levels[i];
		must(analysis_new(&b, t, s, a, ANALYSIS_PHASES, NULL, &err));
		must(analysis_measure(&m, b, NULL, &err));
		if (n->count == NAIVE_MOST)
			bail_out("too many combinations");
		if (b->figures->relevant && b->figures->coverage > 0)
			n->list[n->count++] = (struct tune_point){.settings = *s, .phases = b->phases->count, .relevant = b->figures->relevant,
								   .coverage = b->figures->coverage, .pete = b->figures->pete, .set = b->figures->set, .off = m.off};
		analysis_unref(b);
	}
	analysis_unref(a);
}

static double billionths(double x)
{
	return floor(x * 1e9 + 0.5);
}

static int sign(double x)
{
	return (x > 0) - (x < 0);
}

/* Settings that are turned, and how far: order and absent a little more than a threshold that moves a little. */
static double turned(const struct settings *a, const struct settings *b)
{
	double sum = 12 * (a->order != b->order) + 11 * (a->absent != b->absent);
	const double x[] = {a->volume, a->compute, a->events, a->relevance}, y[] = {b->volume, b->compute, b->events, b->relevance};

	for (int i = 0; i < 4; i++)
		sum += x[i] != y[i] ? 10 + fabs(log((y[i] + 0.01) / (x[i] + 0.01))) : 0;
	return sum;
}

/* Negative: p goes first. */
static int nearer(const struct naive *n, const struct tune_point *p, const struct tune_point *q)
{
	double x = turned(n->from, &p->settings), y = turned(n->from, &q->settings);
	const struct settings *a = &p->settings, *b = &q->settings;
	const double order[] = {x - y > 1e-9 || y - x > 1e-9 ? x - y : 0, billionths(p->pete) - billionths(q->pete), b->relevance - a->relevance, a->volume - b->volume,
				a->compute - b->compute, a->events - b->events, a->order - b->order, a->absent - b->absent};

	for (size_t i = 0; i < LENGTH(order); i++)
		if (order[i] != 0)
			return sign(order[i]);
	return 0;
}

static int offered_before(const struct naive *n, const struct tune_point *p, const struct tune_point *q)
{
	const double order[] = {(double)p->relevant - q->relevant, billionths(p->off) - billionths(q->off), billionths(p->pete) - billionths(q->pete)};

	for (size_t i = 0; i < LENGTH(order); i++)
		if (order[i] != 0)
			return sign(order[i]);
	return nearer(n, p, q);
}

static void naive_cell(const struct tune_point *p, int cell[3])
{
	cell[0] = p->relevant < 10 ? (int)p->relevant : (int)(10 + floor(log(p->relevant / 10.0) / log(1.15)));
	cell[1] = (int)floor(billionths(p->pete) / 1e7);
	cell[2] = (int)floor(billionths(p->off) / 5e7);
}

/* Whether q keeps p off the frontier. */
static bool keeps_off(const struct naive *n, const struct tune_point *q, const struct tune_point *p)
{
	int a[3], b[3];

	naive_cell(q, a);
	naive_cell(p, b);
	if (!memcmp(a, b, sizeof a))
		return nearer(n, q, p) < 0;
	return a[0] <= b[0] && a[1] <= b[1] && a[2] <= b[2];
}

/* The rows among the points: to their front, with their levels; how many. */
static size_t naive_rows(struct naive *n)
{
	bool *keep = calloc(n->count + 1, sizeof *keep);
	size_t rows = 0;

	if (!keep)
		bail_out("no memory");
	for (size_t i = 0; i < n->count; i++) {
		keep[i] = true;
		for (size_t k = 0; keep[i] && k < n->count; k++)
			keep[i] = !keeps_off(n, &n->list[k], &n->list[i]);
	}
	for (int level = 0; level < TUNE_LEVELS; level++) {
		struct tune_point *first = NULL;

		for (size_t i = 0; i < n->count; i++)
			if (billionths(n->list[i].coverage) >= billionths((const double[]){0.9, 0.95, 0.98}[level]) && (!first || offered_before(n, &n->list[i], first) < 0))
				first = &n->list[i];
		if (first) {
			first->levels |= 1u << level;
			keep[first - n->list] = true;
		}
	}
	for (size_t i = 0; i < n->count; i++)
		if (keep[i])
			n->list[rows++] = n->list[i];
	free(keep);
	return rows;
}

static bool has_row(const struct tune *tune, const struct tune_point *p)
{
	for (uint32_t i = 0; i < tune->count; i++) {
		const struct tune_point *q = &tune->points[i];

		if (settings_equal(&q->settings, &p->settings))
			return q->phases == p->phases && q->relevant == p->relevant && q->levels == p->levels && near(q->coverage, p->coverage) &&
			       near(q->set, p->set) && near(q->off, p->off);
	}
	diag("missing: %u of %u, coverage %.9g, off %.9g: order %d absent %d volume %g compute %g events %g relevance %g, levels %u", p->relevant, p->phases,
	     p->coverage, p->off, p->settings.order, p->settings.absent, p->settings.volume, p->settings.compute, p->settings.events,
	     p->settings.relevance, p->levels);
	return false;
}

static void one_by_one(const char *name, const struct trace *t, const struct settings *from)
{
	struct naive n = {.list = calloc(NAIVE_MOST, sizeof *n.list), .from = from};
	bool blocks = from->similarity == SIMILARITY_BBP;
	double volume[16], other[16];
	size_t volumes = with(volume, to_all, LENGTH(to_all), from->volume), rows, missing = 0;
	size_t others = blocks ? with(other, to_all, LENGTH(to_all), from->compute) : with(other, from_half, LENGTH(from_half), from->events);
	struct analysis *a = analyse(t, from);
	struct tune tune;

	if (!n.list)
		bail_out("no memory");
	for (int order = 0; order < 2; order++)
		for (int absent = 0; absent < (blocks ? 1 : 2); absent++)
			for (size_t v = 0; v < volumes; v++)
				for (size_t i = 0; i < others; i++) {
					struct settings s = *from;

					s.order = order;
					s.absent = blocks ? from->absent : absent;
					s.volume = volume[v];
					*(blocks ? &s.compute : &s.events) = other[i];
					add_all(&n, t, &s);
				}
	must(tune_run(&tune, a, NULL, NULL, NULL, &err));
	rows = naive_rows(&n);
	for (size_t i = 0; i < rows; i++)
		missing += !has_row(&tune, &n.list[i]);
	ok(!missing && rows == tune.count, "%s: the %zu rows of %zu points are those that all combinations give, tried one by one (%u searches)", name, rows, n.count,
	   tune.searches);
	tune_release(&tune);
	analysis_unref(a);
	free(n.list);
}

/* Levels: each is the first of its rows, or no row reaches it. */
static void levels_of(const char *name, const struct trace *t, const struct settings *s)
{
	struct analysis *a = analyse(t, s);
	uint32_t before = 0;
	struct tune tune;
	bool good = true;

	must(tune_run(&tune, a, NULL, NULL, NULL, &err));
	for (int i = 0; i < TUNE_LEVELS; i++) {
		const struct tune_point *p = tune_at_level(&tune, i), *widest = tune_widest(&tune);

		if (!p)
			good &= widest->coverage < tune_levels[i];
		for (uint32_t k = 0; p && k < tune.count; k++)
			good &= tune.points[k].coverage < tune_levels[i] || tune.points[k].relevant >= p->relevant;
		good &= !p || (p->coverage >= tune_levels[i] - 1e-9 && p->relevant >= before);
		before = p ? p->relevant : before;
	}
	ok(good, "%s: of each level the fewest phases, or no row reaches it", name);
	tune_release(&tune);
	analysis_unref(a);
}

/* Without memory it fails with a sentence, wherever that is, and what it has is freed. */
static void without_memory(void)
{
	struct trace *t = gen_cg(3);
	struct settings s;
	struct analysis *a;
	enum err_code code = ERR_MEMORY;
	long n = 0, live;
	struct tune tune;

	settings_init(&s);
	a = analyse(t, &s);
	live = mem_live();
	for (; code == ERR_MEMORY && n < 4000; n += 7) {
		mem_fail_after(n);
		code = tune_run(&tune, a, NULL, NULL, NULL, &err);
		mem_fail_after(-1);
		tune_release(&tune);
		if (mem_live() != live)
			break;
	}
	ok(n > 7 && (code == ERR_MEMORY || !code) && mem_live() == live, "without memory: a sentence, and nothing is left (%ld)", n);
	analysis_unref(a);
	trace_free(t);
}

/* Irregular partners and sizes, as in SMG; and small ones of every kind. */
static void generated(void)
{
	struct settings s;

	for (uint64_t seed = 1; seed <= 2; seed++) {
		struct trace *t = gen_irregular(seed);

		settings_init(&s);
		levels_of("irregular", t, &s);
		if (seed == 1)
			one_by_one("irregular", t, &s);
		trace_free(t);
	}
	for (uint64_t seed = 1; seed <= 7; seed++) {
		struct trace *t = gen_random(seed, (enum gen_kind)(seed % GEN_KINDS));
		struct analysis *a;
		char name[32];

		gen_settings(seed, &s);
		s.windows = 0;
		s.compute_counter[0] = 0;
		a = analyse(t, &s);
		snprintf(name, sizeof name, "random %d", (int)seed);
		if (a->phases->count && a->figures->aet > 0)
			one_by_one(name, t, &s);
		analysis_unref(a);
		trace_free(t);
	}
}

/* The words of the list's choices and levels are those of the settings and of tune_levels. */
static void words(void)
{
	struct tune_point p = {.relevant = 1};
	const struct tune t = {.points = &p, .count = 1};
	char value[SETTING_NAME_SIZE];

	settings_init(&p.settings);
	for (int i = 0; i < 2; i++) {
		settings_set_number(&p.settings, SETTING_order, i);
		settings_get(&p.settings, SETTING_order, value, sizeof value);
		is_str(tune_columns.column[TUNE_ORDER].value(&t, 0).text, value, "order %s", value);
		settings_set_number(&p.settings, SETTING_absent, i);
		settings_get(&p.settings, SETTING_absent, value, sizeof value);
		is_str(tune_columns.column[TUNE_ABSENT].value(&t, 0).text, value, "absent %s", value);
	}
	ok(tune_columns.column[TUNE_FOR].value(&t, 0).kind == CELL_EMPTY, "a row for no level says none");
	for (p.levels = 1; p.levels < 1u << TUNE_LEVELS; p.levels++) {
		char expected[64];
		size_t n = 0;

		for (int i = 0; i < TUNE_LEVELS; i++)
			if (p.levels & 1u << i)
				n += (size_t)snprintf(expected + n, sizeof expected - n, "%s%.0f", n ? "/" : "", 100 * tune_levels[i]);
		snprintf(expected + n, sizeof expected - n, " %%");
		is_str(tune_columns.column[TUNE_FOR].value(&t, 0).text, expected, "the levels %s", expected);
	}
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
		levels_of(samples[i], t, &s);
		s.similarity = SIMILARITY_BBP;
		on_trace(samples[i], t, &s);
		trace_free(t);
	}
	words();
	generated();
	without_memory();
	return done_testing();
}
