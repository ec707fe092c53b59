#include "match.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/order.h"

struct side {
	const struct run_phases *run;
	uint32_t *index;     /* of those that take part, in order of their ids: index into run->list */
	uint32_t count;
	double *share;       /* of each, at least 0 */
	uint32_t *pair;      /* of each: the pair that it is in, NO_PAIR */
	uint8_t *open;       /* of each: in the list at hand */
};

#define NO_PAIR UINT32_MAX

struct matched_pair {
	uint32_t x, y;       /* of A and B, places in `index` */
	double s;
	bool in_order;
};

struct matcher {
	struct side a, b;
	double *s;           /* [x * b.count + y]; 0: too little */
	double *best;        /* of the alignment, (a.count + 1) * (b.count + 1) */
	struct matched_pair *pairs;  /* in the order in which they were made */
	uint32_t pair_count;
	const struct progress *progress;
};

struct match_candidate { double s; uint32_t x, y; };

static enum err_code match_no_memory(struct err *e)
{
	return err_memory(e, "the matching of phases");
}

static enum err_code match_stopped(struct err *e)
{
	return err_set(e, ERR_CANCELLED, "stopped while matching phases");
}

struct weighed { double total; uint32_t index; };

ORDER_BY(heaviest_first, struct weighed, DOWN(total) UP(index))

static bool side_init(struct side *s, const struct run_phases *run)
{
	struct weighed *order = mem_alloc(run->count, sizeof *order);
	uint8_t *takes_part = mem_zero(run->count, 1);
	uint32_t most = run->count < PHASE_MATCH_MOST ? run->count : PHASE_MATCH_MOST;

	s->run = run;
	s->index = mem_alloc(most, sizeof *s->index);
	s->share = mem_alloc(most, sizeof *s->share);
	s->pair = mem_alloc(most, sizeof *s->pair);
	s->open = mem_zero(most, 1);
	if (order && takes_part && s->index && s->share && s->pair && s->open) {
		for (uint32_t i = 0; i < run->count; i++)
			order[i] = (struct weighed){run->list[i].weight * run->list[i].time, i};
		SORT(order, run->count, heaviest_first);
		for (uint32_t i = 0; i < most; i++)
			takes_part[order[i].index] = 1;
		for (uint32_t i = 0; i < run->count; i++)
			if (takes_part[i]) {
				s->index[s->count] = i;
				s->share[s->count] = run->list[i].share > 0 ? run->list[i].share : 0;
				s->pair[s->count++] = NO_PAIR;
			}
	}
	mem_free(order);
	mem_free(takes_part);
	return s->count == most && s->open;
}

static void side_release(struct side *s)
{
	mem_free(s->index);
	mem_free(s->share);
	mem_free(s->pair);
	mem_free(s->open);
}

static const struct run_phase *phase_of(const struct side *s, uint32_t at)
{
	return &s->run->list[s->index[at]];
}

static double similarity(const struct matcher *m, uint32_t x, uint32_t y)
{
	return m->s[(size_t)x * m->b.count + y];
}

static enum err_code compare_all(struct matcher *m, struct err *e)
{
	double least = m->a.run->processes == m->b.run->processes ? PHASE_LEAST_BY_CELLS : PHASE_LEAST_BY_ROLES;
	struct phase_measure *measure;
	enum err_code code = phase_measure_new(&measure, m->a.run, m->b.run, e);

	for (uint32_t x = 0; !code && x < m->a.count; x++) {
		for (uint32_t y = 0; !code && y < m->b.count; y++)
			code = phase_measure_pair(measure, m->a.index[x], m->b.index[y], least,
						  &m->s[(size_t)x * m->b.count + y], m->progress, e);
		if (!code && (x & 15) == 0 && progress_stopped(m->progress))
			code = match_stopped(e);
		progress_report(m->progress, PROGRESS_MATCH, x + 1, m->a.count);
	}
	phase_measure_free(measure);
	return code;
}

static void make_pair(struct matcher *m, uint32_t x, uint32_t y, bool in_order)
{
	m->a.pair[x] = m->b.pair[y] = m->pair_count;
	m->pairs[m->pair_count++] = (struct matched_pair){x, y, similarity(m, x, y), in_order};
}

static double match_pair_gain(const struct matcher *m, uint32_t x, uint32_t y)
{
	double s = similarity(m, x, y);

	return s > 0 ? s * s * (sqrt(m->a.share[x] * m->b.share[y]) + 0.001) : 0;
}

/* The places that are open. */
static uint32_t list_open(const struct side *s, uint32_t *at)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->count; i++)
		if (s->open[i] && s->pair[i] == NO_PAIR)
			at[n++] = i;
	return n;
}

/* In program order. best[i][j]: the largest sum of gains of x[i..] and y[j..]. */
static void match_in_order(struct matcher *m, const uint32_t *x, uint32_t n, const uint32_t *y, uint32_t k)
{
	size_t width = (size_t)k + 1;

	for (uint32_t j = 0; j <= k; j++)
		m->best[n * width + j] = 0;
	for (uint32_t i = n; i-- > 0;) {
		double *line = m->best + i * width, *below = line + width;

		line[k] = 0;
		for (uint32_t j = k; j-- > 0;) {
			double g = match_pair_gain(m, x[i], y[j]), skip = fmax(below[j], line[j + 1]);

			line[j] = g > 0 ? fmax(g + below[j + 1], skip) : skip;
		}
	}
	for (uint32_t i = 0, j = 0; i < n && j < k;) {
		double *line = m->best + i * width, *below = line + width, g = match_pair_gain(m, x[i], y[j]);

		if (g > 0 && g + below[j + 1] == line[j])
			make_pair(m, x[i++], y[j++], true);
		else if (below[j] == line[j])
			i++;
		else
			j++;
	}
}

ORDER_BY(most_similar_first, struct match_candidate, DOWN(s) UP(x) UP(y))

static enum err_code match_out_of_order(struct matcher *m, uint32_t *x, uint32_t *y, struct err *e)
{
	uint32_t n = list_open(&m->a, x), k = list_open(&m->b, y);
	struct match_candidate *list = NULL;
	size_t count = 0;

	for (unsigned fill = 0; fill < 2; fill++) {
		if (fill) {
			list = mem_alloc(count, sizeof *list);
			if (!list)
				return match_no_memory(e);
			count = 0;
		}
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t j = 0; j < k; j++) {
				double s = similarity(m, x[i], y[j]);

				if (s > 0 && fill)
					list[count] = (struct match_candidate){s, x[i], y[j]};
				count += s > 0;
			}
	}
	SORT(list, count, most_similar_first);
	for (size_t i = 0; i < count; i++)
		if (m->a.pair[list[i].x] == NO_PAIR && m->b.pair[list[i].y] == NO_PAIR)
			make_pair(m, list[i].x, list[i].y, false);
	mem_free(list);
	return ERR_OK;
}

/* Split and merged: what is left joins a pair. Only the pairs' own phases are looked at. */
static void join_left(struct matcher *m, struct side *s, bool of_b)
{
	for (uint32_t i = 0; i < s->count; i++) {
		double most = 0;

		if (!s->open[i] || s->pair[i] != NO_PAIR)
			continue;
		for (uint32_t k = 0; k < m->pair_count; k++) {
			double similar = of_b ? similarity(m, m->pairs[k].x, i) : similarity(m, i, m->pairs[k].y);

			if (similar > most) {
				most = similar;
				s->pair[i] = k;
			}
		}
	}
}

/* All three steps, on the phases that are open. */
static enum err_code match_open(struct matcher *m, struct err *e)
{
	uint32_t *x = mem_alloc(m->a.count, sizeof *x), *y = mem_alloc(m->b.count, sizeof *y);
	enum err_code code;

	if (x && y) {
		uint32_t n = list_open(&m->a, x), k = list_open(&m->b, y);

		match_in_order(m, x, n, y, k);
		code = match_out_of_order(m, x, y, e);
	} else {
		code = match_no_memory(e);
	}
	mem_free(x);
	mem_free(y);
	if (code)
		return code;
	join_left(m, &m->a, false);
	join_left(m, &m->b, true);
	return progress_stopped(m->progress) ? match_stopped(e) : ERR_OK;
}

static void open_phases(struct side *s, bool relevant_only)
{
	for (uint32_t i = 0; i < s->count; i++)
		s->open[i] = !relevant_only || phase_of(s, i)->relevant;
}

static enum err_code match_all(struct matcher *m, struct err *e)
{
	bool equal = m->a.run->processes == m->b.run->processes;
	enum err_code code = ERR_OK;

	for (unsigned round = equal; !code && round < 2; round++) {
		open_phases(&m->a, !round);
		open_phases(&m->b, !round);
		code = match_open(m, e);
	}
	return code;
}

static enum err_code matcher_init(struct matcher *m, const struct run_phases *a, const struct run_phases *b, struct err *e)
{
	bool both = side_init(&m->a, a);

	both = side_init(&m->b, b) && both;
	if (!both)
		return match_no_memory(e);
	m->s = mem_zero((size_t)m->a.count * m->b.count, sizeof *m->s);
	m->best = mem_alloc(((size_t)m->a.count + 1) * ((size_t)m->b.count + 1), sizeof *m->best);
	m->pairs = mem_alloc(m->a.count < m->b.count ? m->a.count : m->b.count, sizeof *m->pairs);
	return m->s && m->best && m->pairs ? ERR_OK : match_no_memory(e);
}

static void matcher_release(struct matcher *m)
{
	side_release(&m->a);
	side_release(&m->b);
	mem_free(m->s);
	mem_free(m->best);
	mem_free(m->pairs);
}

/* A phase more of a side whose ids are in an array of the right size; times are sums until side_finish(). */
static void side_add(struct phase_side *s, const struct run_phase *p)
{
	s->ids[s->count++] = p->id;
	s->weight += p->weight;
	s->total += p->weight * p->time;
	s->compute += p->weight * p->compute;
}

static void side_finish(struct phase_side *s)
{
	if (!s->weight)
		return;
	s->time = s->total / (double)s->weight;
	s->compute /= (double)s->weight;
}

/* The phases of a side by group, and the lighter ones. `sizes`: counts of pairs' groups. */
static bool give_ids(struct arena *arena, const struct side *s, const struct matcher *m, struct phase_group *groups, bool of_b)
{
	uint32_t *size = mem_zero(m->pair_count, sizeof *size);

	if (!size)
		return false;
	for (uint32_t i = 0; i < s->count; i++)
		if (s->pair[i] != NO_PAIR)
			size[s->pair[i]]++;
	for (uint32_t i = 0; i < m->pair_count; i++) {
		uint32_t *ids = arena_alloc(arena, size[i] * sizeof *ids);

		if (!ids) {
			mem_free(size);
			return false;
		}
		*(of_b ? &groups[i].b : &groups[i].a) = (struct phase_side){.ids = ids};
	}
	mem_free(size);
	for (uint32_t i = 0; i < s->count; i++)
		if (s->pair[i] != NO_PAIR)
			side_add(of_b ? &groups[s->pair[i]].b : &groups[s->pair[i]].a, phase_of(s, i));
	return true;
}

static bool add_alone(struct phase_match *result, const struct side *s, bool of_b)
{
	for (uint32_t i = 0; i < s->count; i++) {
		struct phase_group *g = &result->groups[result->count];
		struct phase_side *side = of_b ? &g->b : &g->a;

		if (s->pair[i] != NO_PAIR)
			continue;
		*g = (struct phase_group){.how = of_b ? MATCHED_ONLY_B : MATCHED_ONLY_A, .similarity = (double)NAN};
		side->ids = arena_alloc(&result->arena, sizeof *side->ids);
		if (!side->ids)
			return false;
		side_add(side, phase_of(s, i));
		result->count++;
		(*(of_b ? &result->only_b : &result->only_a))++;
	}
	return true;
}

static bool add_others(struct phase_match *result, const struct side *s, struct phase_side *others)
{
	const struct run_phases *r = s->run;

	others->ids = arena_alloc(&result->arena, (r->count - s->count) * sizeof *others->ids);
	if (!others->ids)
		return false;
	for (uint32_t i = 0, at = 0; i < r->count; i++) {
		if (at < s->count && s->index[at] == i)
			at++;
		else
			side_add(others, &r->list[i]);
	}
	side_finish(others);
	return true;
}

ORDER_BY(by_first_of_a, struct phase_group, UP(a.ids[0]))

static bool make_groups(struct phase_match *result, const struct matcher *m)
{
	result->groups = arena_alloc(&result->arena, ((size_t)m->a.count + m->b.count) * sizeof *result->groups);
	if (!result->groups || !give_ids(&result->arena, &m->a, m, result->groups, false) ||
	    !give_ids(&result->arena, &m->b, m, result->groups, true))
		return false;
	for (uint32_t i = 0; i < m->pair_count; i++) {
		result->groups[i].how = m->pairs[i].in_order ? MATCHED_IN_ORDER : MATCHED_OUT_OF_ORDER;
		result->groups[i].similarity = m->pairs[i].s;
		result->groups[i].pair_a = phase_of(&m->a, m->pairs[i].x)->id;
		result->groups[i].pair_b = phase_of(&m->b, m->pairs[i].y)->id;
	}
	SORT(result->groups, m->pair_count, by_first_of_a);
	result->count = result->both = m->pair_count;
	if (!add_alone(result, &m->a, false) || !add_alone(result, &m->b, true))
		return false;
	for (uint32_t i = 0; i < result->count; i++) {
		side_finish(&result->groups[i].a);
		side_finish(&result->groups[i].b);
	}
	return add_others(result, &m->a, &result->others_a) && add_others(result, &m->b, &result->others_b);
}

enum err_code phase_match_new(struct phase_match **out, const struct run_phases *a, const struct run_phases *b,
			      const struct progress *progress, struct err *e)
{
	struct phase_match *result = mem_zero(1, sizeof *result);
	struct matcher m = {.progress = progress};
	enum err_code code = result ? matcher_init(&m, a, b, e) : match_no_memory(e);

	*out = NULL;
	if (!code)
		code = compare_all(&m, e);
	if (!code)
		code = match_all(&m, e);
	if (!code) {
		result->a = a;
		result->b = b;
		code = make_groups(result, &m) ? ERR_OK : match_no_memory(e);
	}
	matcher_release(&m);
	if (code) {
		phase_match_free(result);
		return code;
	}
	*out = result;
	return ERR_OK;
}

void phase_match_free(struct phase_match *m)
{
	if (!m)
		return;
	arena_release(&m->arena);
	mem_free(m);
}

const struct run_phase *phase_group_named(const struct run_phases *r, const struct phase_group *g, bool of_b)
{
	const struct phase_side *side = of_b ? &g->b : &g->a;
	uint32_t pair = of_b ? g->pair_b : g->pair_a;

	return pair ? run_phases_find(r, pair) : side->count == 1 ? run_phases_find(r, side->ids[0]) : NULL;
}

double phase_match_share(const struct phase_match *m, bool of_b)
{
	const struct run_phases *r = of_b ? m->b : m->a;
	double total = 0;

	for (uint32_t i = 0; i < m->both; i++)
		total += of_b ? m->groups[i].b.total : m->groups[i].a.total;
	return r->aet > 0 ? total / r->aet : (double)NAN;
}
