#include "diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "core/method/figures/clockwork.h"
#include "core/trace/remote.h"

#define NO_GROUP UINT32_MAX

static void group_row(struct waterfall_row *row, const struct phase_group *g)
{
	const struct phase_side *a = &g->a, *b = &g->b;
	double weights = ((double)a->weight + (double)b->weight) / 2;

	*row = (struct waterfall_row){.kind = WATERFALL_GROUP, .group = g, .rank = NO_PROCESS, .change = b->total - a->total};
	row->by_weight = row->by_compute = row->by_rest = (double)NAN;
	if (g->how == MATCHED_ONLY_A || g->how == MATCHED_ONLY_B) {
		row->kind = g->how == MATCHED_ONLY_A ? WATERFALL_ONLY_A : WATERFALL_ONLY_B;
		return;
	}
	row->by_weight = ((double)b->weight - (double)a->weight) * (a->time + b->time) / 2;
	row->by_compute = weights * (b->compute - a->compute);
	row->by_rest = weights * ((b->time - b->compute) - (a->time - a->compute));
}

static uint32_t first_id(const struct phase_side *s)
{
	return s->count ? s->ids[0] : UINT32_MAX;
}

static int largest_first(const void *a, const void *b)
{
	const struct waterfall_row *x = a, *y = b;
	uint32_t i = first_id(&x->group->a), k = first_id(&y->group->a);

	if (fabs(x->change) != fabs(y->change))
		return fabs(x->change) > fabs(y->change) ? -1 : 1;
	if (i != k)
		return i < k ? -1 : 1;
	i = first_id(&x->group->b);
	k = first_id(&y->group->b);
	return i < k ? -1 : i > k;
}

/* Time of one process in each group, of one run. */
struct times {
	const struct analysis *a;
	uint32_t *group;   /* per tick: whose measurement it falls into; NO_GROUP */
	double *of;        /* per group */
};

/* group_of: per phase of the run. */
static bool times_init(struct times *t, const struct analysis *a, const uint32_t *group_of, uint32_t groups)
{
	const struct phases *p = a->phases;

	t->a = a;
	t->group = mem_alloc(a->logical->tick_count, sizeof *t->group);
	t->of = mem_alloc(groups, sizeof *t->of);
	if (!t->group || !t->of)
		return false;
	for (uint32_t i = 0; i < a->logical->tick_count; i++)
		t->group[i] = NO_GROUP;
	for (uint32_t i = 0; i < p->occurrence_count; i++) {
		uint32_t exit = occurrence_exit(a->clockwork, p, i);

		for (uint32_t tick = p->occurrences[i].first; tick < exit; tick++)
			t->group[tick] = group_of[p->occurrences[i].phase - 1];
	}
	return true;
}

static void times_release(struct times *t)
{
	mem_free(t->group);
	mem_free(t->of);
}

/* Phases of blocks have their events' stretches. */
static void add_stretches(struct times *times, uint32_t process)
{
	const struct trace *t = times->a->logical->trace;

	for (uint32_t ev = t->first[process]; ev < t->first[process + 1]; ev++) {
		uint32_t group = times->group[times->a->logical->tick[ev]];

		if (group != NO_GROUP)
			times->of[group] += event_stretch(t, process, ev);
	}
}

/* Occurrences end where the next one begins, so that those of one group in turn count as one. */
static void times_look(struct times *times, uint32_t process, uint32_t groups)
{
	const struct trace *t = times->a->logical->trace;
	uint32_t current = NO_GROUP, end = t->first[process + 1];
	double entered = 0;

	for (uint32_t i = 0; i < groups; i++)
		times->of[i] = 0;
	if (times->a->phases->similarity == SIMILARITY_BBP) {
		add_stretches(times, process);
		return;
	}
	for (uint32_t ev = t->first[process]; ev < end; ev++) {
		uint32_t group;

		if (EVENT_KIND(t->type[ev]) == EVENT_RECEIVE)
			continue;
		group = times->group[times->a->logical->tick[ev]];
		if (group == current)
			continue;
		if (current != NO_GROUP)
			times->of[current] += t->time[ev] - entered;
		current = group;
		entered = t->time[ev];
	}
	if (current != NO_GROUP)
		times->of[current] += t->processes[process].work_end - entered;
}

/* The process whose time in a group changed most. */
struct changed {
	double most;
	uint32_t process;
};

/* Which group each phase is in, of either run; the same on all ranks. */
struct grouped {
	uint32_t count;
	uint32_t *of[2];
};

static void put_groups(struct grouped *g, const struct phase_match *m, const struct analysis *a, const struct analysis *b)
{
	const uint32_t phases[2] = {a->phases->count, b->phases->count};

	for (int side = 0; side < 2; side++)
		for (uint32_t i = 0; i < phases[side]; i++)
			g->of[side][i] = NO_GROUP;
	for (uint32_t i = 0; i < m->count; i++)
		for (int side = 0; side < 2; side++) {
			const struct phase_side *s = side ? &m->groups[i].b : &m->groups[i].a;

			for (uint32_t k = 0; k < s->count; k++)
				g->of[side][s->ids[k] - 1] = i;
		}
}

/* m: rank 0's, told to all. */
static enum err_code broadcast_groups(struct grouped *g, const struct phase_match *m, const struct analysis *a, const struct analysis *b, struct err *e)
{
	const struct team *team = trace_team(a->source);
	enum err_code code;

	g->count = m ? m->count : 0;
	g->of[0] = mem_alloc(a->phases->count, sizeof **g->of);
	g->of[1] = mem_alloc(b->phases->count, sizeof **g->of);
	code = team_agree(team, g->of[0] && g->of[1] ? ERR_OK : err_memory(e, "the waterfall"), e);
	if (!code && m)
		put_groups(g, m, a, b);
	if (!code)
		code = team_broadcast(team, &g->count, sizeof g->count, e);
	if (!code)
		code = team_broadcast(team, g->of[0], a->phases->count * sizeof **g->of, e);
	return code ? code : team_broadcast(team, g->of[1], b->phases->count * sizeof **g->of, e);
}

/* Of local processes. */
static enum err_code find_changed(struct changed *list, const struct grouped *g, struct times *a, struct times *b, const struct progress *progress,
				  struct err *e)
{
	uint32_t begin, end;

	for (uint32_t i = 0; i < g->count; i++)
		list[i] = (struct changed){-1, NO_PROCESS};
	trace_local(a->a->logical->trace, &begin, &end);
	for (uint32_t p = begin; p < end; p++) {
		if (progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "stopped while comparing processes");
		times_look(a, p, g->count);
		times_look(b, p, g->count);
		for (uint32_t i = 0; i < g->count; i++) {
			double change = fabs(b->of[i] - a->of[i]);

			if (change > list[i].most)
				list[i] = (struct changed){change, p};
		}
	}
	return ERR_OK;
}

static enum err_code changes_find_local(struct changed **list, const struct grouped *g, const struct analysis *a, const struct analysis *b,
			      const struct progress *progress, struct err *e)
{
	struct times x = {0}, y = {0};
	bool both = times_init(&x, a, g->of[0], g->count);
	enum err_code code;

	both = times_init(&y, b, g->of[1], g->count) && both;
	*list = mem_zero(g->count, sizeof **list);
	code = both && *list ? find_changed(*list, g, &x, &y, progress, e) : err_memory(e, "the waterfall");
	times_release(&x);
	times_release(&y);
	return code;
}

/* Ranks have their processes in order, so that of equal changes the first is of the smallest process. */
static void take_changed(struct waterfall *w, const struct grouped *g, const struct team_bytes *from, uint32_t ranks)
{
	for (uint32_t i = 0; i < g->count; i++) {
		struct changed best = {-1, NO_PROCESS};

		for (uint32_t r = 0; r < ranks; r++) {
			struct changed its;

			memcpy(&its, (const struct changed *)from[r].bytes + i, sizeof its);
			if (its.most > best.most)
				best = its;
		}
		w->rows[i].rank = best.process;
	}
}

/* w: rank 0's, with the groups in their order. */
static enum err_code add_ranks(struct waterfall *w, const struct phase_match *m, const struct analysis *a, const struct analysis *b,
			       const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(a->source);
	struct team_bytes *from = mem_zero(team_size(team), sizeof *from);
	struct grouped g = {0};
	struct changed *list = NULL;
	enum err_code code = broadcast_groups(&g, m, a, b, e);

	if (!code)
		code = team_agree(team, from ? changes_find_local(&list, &g, a, b, progress, e) : err_memory(e, "the waterfall"), e);
	if (!code)
		code = team_gather(team, list, g.count * sizeof *list, from, e);
	if (!code && w)
		take_changed(w, &g, from, team_size(team));
	if (from)
		team_bytes_free(from, team_size(team));
	mem_free(from);
	mem_free(list);
	mem_free(g.of[0]);
	mem_free(g.of[1]);
	return code;
}

static enum err_code waterfall_begin(struct waterfall **out, const struct phase_match *m, struct err *e)
{
	struct waterfall *w = mem_zero(1, sizeof *w);

	if (w)
		w->rows = mem_zero((size_t)m->count + 2, sizeof *w->rows);
	*out = w;
	if (!w || !w->rows)
		return err_memory(e, "the waterfall");
	for (uint32_t i = 0; i < m->count; i++)
		group_row(&w->rows[i], &m->groups[i]);
	return ERR_OK;
}

static void waterfall_finish(struct waterfall *w, const struct phase_match *m)
{
	SORT(w->rows, m->count, largest_first);
	w->count = m->count;
	if (m->others_a.count || m->others_b.count)
		w->rows[w->count++] = (struct waterfall_row){WATERFALL_OTHERS, NULL, m->others_b.total - m->others_a.total,
							     (double)NAN, (double)NAN, (double)NAN, NO_PROCESS};
	w->rows[w->count++] = (struct waterfall_row){WATERFALL_OUTSIDE, NULL, m->b->outside - m->a->outside,
						     (double)NAN, (double)NAN, (double)NAN, NO_PROCESS};
	w->change = m->b->aet - m->a->aet;
}

enum err_code waterfall_new(struct waterfall **out, const struct phase_match *m, const struct analysis *a, const struct analysis *b,
			    const struct progress *progress, struct err *e)
{
	bool both = a && b;
	const struct team *team = both ? trace_team(a->source) : NULL;
	struct waterfall *w = NULL;
	enum err_code code = team_agree(team, team_rank(team) ? ERR_OK : waterfall_begin(&w, m, e), e);

	*out = NULL;
	if (!code && both && a->source->process_count == b->source->process_count)
		code = add_ranks(w, m, a, b, progress, e);
	if (code) {
		waterfall_free(w);
		return code;
	}
	if (w)
		waterfall_finish(w, m);
	*out = w;
	return ERR_OK;
}

void waterfall_free(struct waterfall *w)
{
	if (!w)
		return;
	mem_free(w->rows);
	mem_free(w);
}
