#include "tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/figures/samples.h"

#define RELEVANCE_LEAST 0.0005

/* Dense where most changes; each has the default. */
static const double volumes[] = {0, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2};
static const double computes[] = {0, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2};
static const double shares[] = {0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1};
static const double relevances[] = {0.1, 0.05, 0.04, 0.03, 0.02, 0.015, 0.01, 0.008, 0.006, 0.005, 0.004, 0.003, 0.0025, 0.002, 0.0015,
				    0.001, 0.0008, 0.0006, RELEVANCE_LEAST};

#define COUNT(list) (sizeof (list) / sizeof *(list))
#define MOST_SEARCHES (COUNT(volumes) * COUNT(shares))

/* One phase that may be relevant. */
struct candidate {
	double share, time, whole; /* whole: weight times time */
	double between;            /* weight times what a measurement spans */
	double sampled;            /* weight times what one of the representative does */
};

struct search {
	const struct analysis *base;
	struct analysis *last;     /* the latest: what it has, the next one reuses */
	struct tune *out;
	void (*better)(void *arg, const struct tune *tune);
	void *arg;
	const struct job *outer;
	struct job inner;          /* of one analysis: stops with the outer one, and has no progress of its own to tell */
	enum setting_id second;    /* the other threshold beside volume */
	const double *values;      /* of it */
	size_t value_count;
	double levels[COUNT(relevances) + 1]; /* thresholds of relevance: those, and that of the settings to start from */
	double off;                /* of the settings to start from; 0: no phase is relevant there */
	bool changed;
};

static bool outer_stopped(void *arg)
{
	const struct search *s = arg;

	return job_stopped(s->outer);
}

/* ---- the frontier ---- */

/* What counts as equal is in one cell: a seventh more phases, a per cent of the run, five of the error. */
static void cell_of(const struct tune_point *p, int cell[3])
{
	cell[0] = p->relevant < 10 ? (int)p->relevant : (int)(10 + floor(log(p->relevant / 10.0) / log(1.15)));
	cell[1] = (int)floor(fmin(p->pete, 1e6) * 100);
	cell[2] = (int)floor(fmin(p->off, 1e6) * 20);
}

/* In no respect worse, by cells. */
static bool covers(const int a[3], const int b[3])
{
	return a[0] <= b[0] && a[1] <= b[1] && a[2] <= b[2];
}

/* How far settings are from those to start from: by knobs that are turned, then by how far. */
static double distance(const struct search *s, const struct settings *settings)
{
	const struct settings *base = &s->base->settings;
	const double from[] = {base->volume, settings_number(base, s->second), base->relevance};
	const double to[] = {settings->volume, settings_number(settings, s->second), settings->relevance};
	double sum = 0;

	for (size_t i = 0; i < COUNT(from); i++)
		if (from[i] != to[i])
			sum += 10 + fabs(log((to[i] + 0.01) / (from[i] + 0.01)));
	return sum;
}

static bool closer(const struct search *s, const struct tune_point *a, const struct tune_point *b)
{
	double x = distance(s, &a->settings), y = distance(s, &b->settings);

	if (x != y)
		return x < y;
	if (a->pete != b->pete)
		return a->pete < b->pete;
	return a->settings.relevance > b->settings.relevance;
}

static enum err_code offer(struct search *s, const struct tune_point *p, struct err *e)
{
	struct tune *t = s->out;
	int cell[3], other[3];
	struct tune_point *more;
	uint32_t kept = 0;

	cell_of(p, cell);
	for (uint32_t i = 0; i < t->count; i++) {
		cell_of(&t->points[i], other);
		if (covers(other, cell) && (memcmp(other, cell, sizeof cell) != 0 || !closer(s, p, &t->points[i])))
			return ERR_OK;
	}
	for (uint32_t i = 0; i < t->count; i++) {
		cell_of(&t->points[i], other);
		if (!covers(cell, other))
			t->points[kept++] = t->points[i];
	}
	t->count = kept;
	more = mem_grow(t->points, t->count, &t->room, sizeof *more);
	if (!more)
		return err_memory(e, "the thresholds that were tried");
	t->points = more;
	t->points[t->count++] = *p;
	s->changed = true;
	return ERR_OK;
}

static int by_relevant(const void *a, const void *b)
{
	const struct tune_point *x = a, *y = b;

	if (x->relevant != y->relevant)
		return x->relevant < y->relevant ? -1 : 1;
	if (x->pete != y->pete)
		return x->pete < y->pete ? -1 : 1;
	return (x->off > y->off) - (x->off < y->off);
}

/* Of those that leave out at most 5 %, the one of the fewest phases that is off by no more than the settings to start
 * from, or 5 %; else the one of the fewest phases; else the one that leaves out least. */
static uint32_t best_of(const struct search *s, const struct tune *t)
{
	const double most_off = fmax(0.05, s->off);
	uint32_t least = 0, small = t->count;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct tune_point *p = &t->points[i];

		if (p->pete <= 0.05 && p->off <= most_off)
			return i;
		if (p->pete <= 0.05 && small == t->count)
			small = i;
		if (p->pete < t->points[least].pete)
			least = i;
	}
	return small < t->count ? small : least;
}

static void tell(struct search *s)
{
	struct tune *t = s->out;

	qsort(t->points, t->count, sizeof *t->points, by_relevant);
	t->best = best_of(s, t);
	if (s->better)
		s->better(s->arg, t);
}

/* ---- one search for phases ---- */

static int by_share(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return (x->share < y->share) - (x->share > y->share);
}

/* Phases that some threshold makes relevant, heaviest first. */
static enum err_code candidates_of(struct candidate **out, uint32_t *count, const struct analysis *a, struct err *e)
{
	const struct phases *p = a->phases;
	struct candidate *list = mem_alloc(p->count, sizeof *list);
	enum err_code code = list ? ERR_OK : err_memory(e, "the phases that were found");
	uint32_t n = 0;

	for (uint32_t id = 1; !code && id <= p->count; id++) {
		const struct phase_figures *f = &a->figures->phase[id - 1];
		double weight = p->list[id - 1].weight;
		uint32_t place, samples;
		double sampled;

		if (!(weight * f->time >= fmin(RELEVANCE_LEAST, a->settings.relevance) * a->figures->aet))
			continue;
		code = phase_representative(a->clockwork, p, id, (enum representative)a->settings.representative, &place, e);
		if (code)
			break;
		samples = phase_sample_count(a->clockwork, p, id, place, a->settings.sample_seconds);
		code = phase_sampled_time(&sampled, a->clockwork, p, id, place, samples, (enum phase_time)a->settings.phase_time, e);
		list[n++] = (struct candidate){.share = f->share, .time = f->time, .whole = weight * f->time, .between = weight * f->between_sends, .sampled = weight * sampled};
	}
	if (code) {
		mem_free(list);
		return code;
	}
	qsort(list, n, sizeof *list, by_share);
	*out = list;
	*count = n;
	return ERR_OK;
}

/* What an analysis says for each threshold of relevance: those that make no more phases relevant than the one before
 * say nothing new. */
static enum err_code offer_all(struct search *s, const struct analysis *a, struct err *e)
{
	const double aet = a->figures->aet;
	struct candidate *list;
	uint32_t count, n = 0;
	double whole = 0, set = 0, between = 0, sampled = 0;
	enum err_code code = candidates_of(&list, &count, a, e);

	if (code)
		return code;
	for (size_t r = 0; !code && r < COUNT(s->levels); r++) {
		struct tune_point p = {.settings = a->settings, .phases = a->phases->count};
		uint32_t before = n;

		while (n < count && list[n].whole >= s->levels[r] * aet) {
			whole += list[n].whole;
			set += list[n].time;
			between += list[n].between;
			sampled += list[n++].sampled;
		}
		if (n == before || whole <= 0)
			continue;
		p.settings.relevance = s->levels[r];
		p.settings.windows = s->base->settings.windows;
		p.relevant = n;
		p.coverage = whole / aet;
		p.pete = fabs(whole - aet) / aet;
		p.set = set;
		p.off = fabs(sampled / (between / aet) - aet) / aet;
		if (!s->out->tried && s->levels[r] >= s->base->settings.relevance)
			s->off = p.off;
		code = offer(s, &p, e);
	}
	mem_free(list);
	return code;
}

static enum err_code try_one(struct search *s, double volume, double second, struct err *e)
{
	struct settings settings = s->base->settings;
	struct analysis *a;
	enum err_code code;

	if (job_stopped(s->outer))
		return err_set(e, ERR_CANCELLED, "stopped while trying thresholds");
	settings.volume = volume;
	settings_set_number(&settings, s->second, second);
	settings.windows = 0; /* no point tells of them */
	code = analysis_new(&a, s->base->source, &settings, s->last ? s->last : s->base, ANALYSIS_PHASES, &s->inner, e);
	if (code)
		return code;
	analysis_unref(s->last);
	s->last = a;
	s->changed = false;
	code = offer_all(s, a, e);
	s->out->tried++;
	if (s->changed)
		tell(s);
	job_progress(s->outer, JOB_MEASURE, s->out->tried, s->out->searches);
	return code;
}

/* The thresholds of relevance, largest first. */
static void set_levels(struct search *s)
{
	size_t n = 0;

	for (; n < COUNT(relevances) && relevances[n] > s->base->settings.relevance; n++)
		s->levels[n] = relevances[n];
	s->levels[n] = s->base->settings.relevance;
	for (; n < COUNT(relevances); n++)
		s->levels[n + 1] = relevances[n];
}

/* Is the i-th of n in a grid of that step: its ends, and each step'th. */
static bool on_grid(size_t i, size_t n, size_t step)
{
	return i % step == 0 || i == n - 1;
}

enum err_code tune_run(struct tune *out, const struct analysis *base, void (*better)(void *arg, const struct tune *tune), void *arg,
		       const struct job *job, struct err *e)
{
	bool blocks = base->settings.similarity == SIMILARITY_BBP;
	struct search s = {.base = base, .out = out, .better = better, .arg = arg, .outer = job,
			   .second = blocks ? SETTING_compute : SETTING_events, .values = blocks ? computes : shares,
			   .value_count = blocks ? COUNT(computes) : COUNT(shares)};
	bool done[MOST_SEARCHES] = {false};
	const size_t n = COUNT(volumes);
	enum err_code code;

	*out = (struct tune){.searches = (uint32_t)(n * s.value_count + 1)};
	if (!base->figures || !(base->figures->aet > 0) || !base->phases->count)
		return err_set(e, ERR_USAGE, "there are no thresholds to look for: %s",
			       figures_gap(base->figures ? base->figures->aet : (double)NAN, base->phases ? base->phases->count : 0));
	set_levels(&s);
	s.inner = (struct job){.stopped = outer_stopped, .arg = &s};
	/* The settings to start from, which may lie between all that are tried. */
	code = try_one(&s, base->settings.volume, settings_number(&base->settings, s.second), e);
	for (size_t step = 4; step; step /= 2)
		for (size_t v = 0; v < n; v++)
			for (size_t i = 0; i < s.value_count; i++) {
				bool *at = &done[v * s.value_count + i];

				if (code || *at || !on_grid(v, n, step) || !on_grid(i, s.value_count, step))
					continue;
				*at = true;
				code = try_one(&s, volumes[v], s.values[i], e);
			}
	analysis_unref(s.last);
	return code;
}

void tune_release(struct tune *tune)
{
	mem_free(tune->points);
	*tune = (struct tune){0};
}
