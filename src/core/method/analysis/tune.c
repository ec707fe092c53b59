#include "tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/method/figures/figures.h"
#include "analysis_int.h"

#define RELEVANCE_LEAST 0.0005

/* Dense where most changes: steps grow with the value. */
static const double volumes[] = {0, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1};
static const double computes[] = {0, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1};
static const double shares[] = {0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1};
static const double relevances[] = {0.1, 0.05, 0.04, 0.03, 0.02, 0.015, 0.01, 0.008, 0.006, 0.005, 0.004, 0.003, 0.0025, 0.002, 0.0015,
				    0.001, 0.0008, 0.0006, RELEVANCE_LEAST};

#define COUNT(list) (sizeof (list) / sizeof *(list))
#define MOST_VALUES 16 /* of a threshold */
#define ORDERS 2
#define ABSENTS 2

_Static_assert(COUNT(volumes) < MOST_VALUES && COUNT(computes) < MOST_VALUES && COUNT(shares) < MOST_VALUES,
	       "there is room for that of the settings to start from, too");

/* One phase that may be relevant. */
struct tune_phase {
	double time, whole; /* whole: weight times time */
	double between;     /* weight times what a measurement spans */
	double sampled;     /* weight times what one of the representative does */
};

/* The values that are tried of a threshold, ascending. */
struct tune_values {
	double value[MOST_VALUES];
	uint32_t count;
};

struct frontier_search {
	const struct analysis *base;
	struct analysis *last[ORDERS]; /* the latest of each order: what it has, the next one reuses */
	struct tune *out;
	struct tune_frontier frontier;
	void (*better)(void *arg, const struct tune *tune);
	void *arg;
	const struct progress *outer;
	struct progress inner;     /* of one analysis: stops with the outer one, and has no progress of its own to tell */
	enum setting_id second;    /* the other threshold beside volume */
	struct tune_values volume, other;
	uint32_t absents;          /* 1: it decides nothing */
	bool done[ORDERS][ABSENTS][MOST_VALUES][MOST_VALUES];
	double levels[COUNT(relevances) + 1]; /* thresholds of relevance: those, and that of the settings to start from */
	double off;                /* of the settings to start from; 0: no phase is relevant there */
};

static bool outer_stopped(void *arg)
{
	const struct frontier_search *s = arg;

	return progress_stopped(s->outer);
}

/* ---- rows ---- */

/* Of those that leave out at most 5 %, the one of the fewest phases that is off by no more than the settings to start
 * from, or 5 %; otherwise the one of the fewest phases; otherwise the one that leaves out least. */
static uint32_t best_of(const struct frontier_search *s, const struct tune *t)
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

static enum err_code make_rows(struct frontier_search *s, struct err *e)
{
	enum err_code code = tune_frontier_rows(&s->frontier, s->out, e);

	if (code)
		return code;
	s->out->best = best_of(s, s->out);
	if (s->better)
		s->better(s->arg, s->out);
	return ERR_OK;
}

const struct tune_point *tune_at_level(const struct tune *tune, int level)
{
	for (uint32_t i = 0; i < tune->count; i++)
		if (tune->points[i].levels & 1u << level)
			return &tune->points[i];
	return NULL;
}

const struct tune_point *tune_widest(const struct tune *tune)
{
	const struct tune_point *widest = NULL;

	for (uint32_t i = 0; i < tune->count; i++)
		if (!widest || tune->points[i].coverage > widest->coverage)
			widest = &tune->points[i];
	return widest;
}

/* ---- one search for phases ---- */

ORDER_BY(by_whole, struct tune_phase, DOWN(whole))

/* Phases that some threshold makes relevant, heaviest first. */
static enum err_code candidates_of(struct tune_phase **out, uint32_t *count, const struct analysis *a, struct err *e)
{
	const struct phases *p = a->phases;
	struct tune_phase *list = mem_alloc(p->count, sizeof *list);
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
		list[n++] = (struct tune_phase){.time = f->time, .whole = weight * f->time, .between = weight * f->between_sends, .sampled = weight * sampled};
	}
	if (code) {
		mem_free(list);
		return code;
	}
	SORT(list, n, by_whole);
	*out = list;
	*count = n;
	return ERR_OK;
}

/* What an analysis says for each threshold of relevance. Of those that make as many phases relevant, the one that
 * is closest to that of the settings to start from. */
static enum err_code offer_all(struct frontier_search *s, const struct analysis *a, struct err *e)
{
	const double aet = a->figures->aet, from = s->base->settings.relevance;
	struct tune_point p = {.settings = a->settings, .phases = a->phases->count};
	struct tune_phase *list = NULL;
	uint32_t count = 0, n = 0;
	double whole = 0, set = 0, between = 0, sampled = 0;
	enum err_code code = candidates_of(&list, &count, a, e);

	p.settings.windows = s->base->settings.windows;
	for (size_t r = 0; !code && r < COUNT(s->levels); r++) {
		while (n < count && list[n].whole >= s->levels[r] * aet) {
			whole += list[n].whole;
			set += list[n].time;
			between += list[n].between;
			sampled += list[n++].sampled;
		}
		if (whole <= 0)
			continue;
		if (n == p.relevant && s->levels[r] < from)
			continue;
		if (p.relevant && n != p.relevant)
			code = tune_frontier_add(&s->frontier, &p, e);
		p.settings.relevance = s->levels[r];
		p.relevant = n;
		p.coverage = whole / aet;
		p.pete = fabs(whole - aet) / aet;
		p.set = set;
		p.off = between > 0 ? fabs(sampled / (between / aet) - aet) / aet : (double)NAN;
		if (!s->out->tried && s->levels[r] >= from)
			s->off = p.off;
	}
	if (!code && p.relevant)
		code = tune_frontier_add(&s->frontier, &p, e);
	mem_free(list);
	return code;
}

static enum err_code try_one(struct frontier_search *s, int order, int absent, double volume, double other, struct err *e)
{
	struct settings settings = s->base->settings;
	struct analysis *a, **last = &s->last[order];
	enum err_code code;

	if (progress_stopped(s->outer))
		return err_set(e, ERR_CANCELLED, "stopped while trying thresholds");
	settings.order = order;
	settings.absent = absent;
	settings.volume = volume;
	settings_set_number(&settings, s->second, other);
	settings.windows = 0; /* no point tells of them */
	code = analysis_new(&a, s->base->source, &settings, *last ? *last : s->base, ANALYSIS_PHASES, &s->inner, e);
	if (code)
		return code;
	analysis_unref(*last);
	*last = a;
	s->frontier.changed = false;
	code = offer_all(s, a, e);
	s->out->tried++;
	if (!code && s->frontier.changed)
		code = make_rows(s, e);
	progress_report(s->outer, PROGRESS_TUNE, s->out->tried, s->out->searches);
	return code;
}

/* ---- all of them ---- */

/* The thresholds of relevance, largest first. */
static void set_levels(struct frontier_search *s)
{
	size_t n = 0;

	for (; n < COUNT(relevances) && relevances[n] > s->base->settings.relevance; n++)
		s->levels[n] = relevances[n];
	s->levels[n] = s->base->settings.relevance;
	for (; n < COUNT(relevances); n++)
		s->levels[n + 1] = relevances[n];
}

/* The values, and that of the settings to start from where it lies between. */
static void grid_init(struct tune_values *g, const double *values, size_t count, double from)
{
	size_t i = 0;

	g->count = 0;
	while (i < count && values[i] < from)
		g->value[g->count++] = values[i++];
	g->value[g->count++] = from;
	i += i < count && values[i] == from;
	while (i < count)
		g->value[g->count++] = values[i++];
}

/* Of volumes that make the same phases, only the one that is closest to that of the settings to start from. */
static enum err_code thin_volumes(struct frontier_search *s, struct err *e)
{
	struct tune_values *g = &s->volume;
	const double from = s->base->settings.volume;
	uint32_t class[MOST_VALUES], kept = 0;
	enum err_code code = volume_classes(class, s->base->source, g->value, g->count, e);

	for (uint32_t i = 0; !code && i < g->count; i++) {
		bool first = !i || class[i] != class[i - 1];

		if (first)
			g->value[kept++] = g->value[i];
		else if (g->value[i] <= from) /* as in offer_all() */
			g->value[kept - 1] = g->value[i];
	}
	if (!code)
		g->count = kept;
	return code;
}

/* Is the i-th of n in a grid of that step: its ends, and each step'th. */
static bool on_grid(uint32_t i, uint32_t n, uint32_t step)
{
	return i % step == 0 || i == n - 1;
}

/* Those of one order and one way to count what is absent, in a grid of that step, that were not tried yet. */
static enum err_code try_grid(struct frontier_search *s, int order, int absent, uint32_t step, struct err *e)
{
	const struct tune_values *g = &s->volume, *h = &s->other;
	enum err_code code = ERR_OK;

	for (uint32_t v = 0; v < g->count; v++)
		for (uint32_t i = 0; !code && i < h->count; i++) {
			bool *done = &s->done[order][absent][v][i];

			if (*done || !on_grid(v, g->count, step) || !on_grid(i, h->count, step))
				continue;
			*done = true;
			code = try_one(s, order, absent, g->value[v], h->value[i], e);
		}
	return code;
}

static uint32_t place_in(const struct tune_values *g, double value)
{
	uint32_t i = 0;

	while (i + 1 < g->count && g->value[i] != value)
		i++;
	return i;
}

static enum err_code try_all(struct frontier_search *s, struct err *e)
{
	const struct settings *from = &s->base->settings;
	double other = settings_number(from, s->second);
	enum err_code code = try_one(s, from->order, from->absent, from->volume, other, e);

	s->done[from->order][from->absent][place_in(&s->volume, from->volume)][place_in(&s->other, other)] = true;
	for (uint32_t step = 4; step; step /= 2)
		for (int order = 0; order < ORDERS; order++)
			for (uint32_t absent = 0; !code && absent < s->absents; absent++)
				/* Those to start from come first. */
				code = try_grid(s, from->order ^ order, from->absent ^ (int)absent, step, e);
	return code;
}

enum err_code tune_run(struct tune *out, const struct analysis *base, void (*better)(void *arg, const struct tune *tune), void *arg,
		       const struct progress *progress, struct err *e)
{
	const struct settings *from = &base->settings;
	bool blocks = from->similarity == SIMILARITY_BBP;
	struct frontier_search s = {.base = base, .out = out, .better = better, .arg = arg, .outer = progress,
			   .second = blocks ? SETTING_compute : SETTING_events, .absents = blocks ? 1 : ABSENTS, .frontier.from = from};
	enum err_code code;

	*out = (struct tune){0};
	if (!base->figures || !(base->figures->aet > 0) || !base->phases->count)
		return err_set(e, ERR_USAGE, "no thresholds to try: %s",
			       figures_gap(base->figures ? base->figures->aet : (double)NAN, base->phases ? base->phases->count : 0));
	set_levels(&s);
	grid_init(&s.volume, volumes, COUNT(volumes), from->volume);
	if (blocks)
		grid_init(&s.other, computes, COUNT(computes), from->compute);
	else
		grid_init(&s.other, shares, COUNT(shares), from->events);
	code = thin_volumes(&s, e);
	if (code)
		return code;
	out->searches = s.volume.count * s.other.count * ORDERS * s.absents;
	s.inner = (struct progress){.stopped = outer_stopped, .arg = &s};
	code = try_all(&s, e);
	for (int order = 0; order < ORDERS; order++)
		analysis_unref(s.last[order]);
	tune_frontier_release(&s.frontier);
	return code;
}

void tune_release(struct tune *tune)
{
	mem_free(tune->points);
	*tune = (struct tune){0};
}
