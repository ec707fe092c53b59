#include "waterfall.h"

#include <math.h>
#include <stdlib.h>

#include "core/figures/clockwork.h"

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

static bool times_init(struct times *t, const struct analysis *a, const struct phase_match *m, bool of_b)
{
	const struct phases *p = a->phases;
	uint32_t *group_of = mem_alloc(p->count, sizeof *group_of);

	t->a = a;
	t->group = mem_alloc(a->logical->tick_count, sizeof *t->group);
	t->of = mem_alloc(m->count, sizeof *t->of);
	if (group_of && t->group && t->of) {
		for (uint32_t i = 0; i < p->count; i++)
			group_of[i] = NO_GROUP;
		for (uint32_t i = 0; i < m->count; i++) {
			const struct phase_side *s = of_b ? &m->groups[i].b : &m->groups[i].a;

			for (uint32_t k = 0; k < s->count; k++)
				group_of[s->ids[k] - 1] = i;
		}
		for (uint32_t i = 0; i < a->logical->tick_count; i++)
			t->group[i] = NO_GROUP;
		for (uint32_t i = 0; i < p->occurrence_count; i++) {
			uint32_t exit = occurrence_exit(a->clockwork, p, i);

			for (uint32_t tick = p->occurrences[i].first; tick < exit; tick++)
				t->group[tick] = group_of[p->occurrences[i].phase - 1];
		}
	}
	mem_free(group_of);
	return group_of && t->group && t->of;
}

static void times_release(struct times *t)
{
	mem_free(t->group);
	mem_free(t->of);
}

/* Occurrences end where the next one begins, so that those of one group in turn count as one. */
static void times_look(struct times *times, uint32_t process, uint32_t groups)
{
	const struct trace *t = times->a->logical->trace;
	uint32_t current = NO_GROUP, end = t->first[process + 1];
	double entered = 0;

	for (uint32_t i = 0; i < groups; i++)
		times->of[i] = 0;
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
		times->of[current] += t->time[end - 1] - entered;
}

static enum err_code find_ranks(struct waterfall *w, const struct phase_match *m, struct times *a, struct times *b,
				const struct job *job, struct err *e)
{
	double *most = mem_alloc(m->count, sizeof *most);

	if (!most)
		return err_memory(e, "the waterfall");
	for (uint32_t i = 0; i < m->count; i++)
		most[i] = -1;
	for (uint32_t p = 0; p < m->a->processes; p++) {
		if (job_stopped(job)) {
			mem_free(most);
			return err_set(e, ERR_CANCELLED, "stopped while comparing processes");
		}
		times_look(a, p, m->count);
		times_look(b, p, m->count);
		for (uint32_t i = 0; i < m->count; i++) {
			double change = fabs(b->of[i] - a->of[i]);

			if (change > most[i]) {
				most[i] = change;
				w->rows[i].rank = p;
			}
		}
	}
	mem_free(most);
	return ERR_OK;
}

static enum err_code add_ranks(struct waterfall *w, const struct phase_match *m, const struct analysis *a, const struct analysis *b,
			       const struct job *job, struct err *e)
{
	struct times x = {0}, y = {0};
	bool both = times_init(&x, a, m, false);
	enum err_code code;

	both = times_init(&y, b, m, true) && both;
	code = both ? find_ranks(w, m, &x, &y, job, e) : err_memory(e, "the waterfall");
	times_release(&x);
	times_release(&y);
	return code;
}

enum err_code waterfall_new(struct waterfall **out, const struct phase_match *m, const struct analysis *a, const struct analysis *b,
			    const struct job *job, struct err *e)
{
	struct waterfall *w = mem_zero(1, sizeof *w);
	enum err_code code = ERR_OK;

	*out = NULL;
	if (w)
		w->rows = mem_zero((size_t)m->count + 2, sizeof *w->rows);
	if (!w || !w->rows) {
		waterfall_free(w);
		return err_memory(e, "the waterfall");
	}
	for (uint32_t i = 0; i < m->count; i++)
		group_row(&w->rows[i], &m->groups[i]);
	if (a && b && m->a->processes == m->b->processes)
		code = add_ranks(w, m, a, b, job, e);
	if (code) {
		waterfall_free(w);
		return code;
	}
	qsort(w->rows, m->count, sizeof *w->rows, largest_first);
	w->count = m->count;
	if (m->others_a.count || m->others_b.count)
		w->rows[w->count++] = (struct waterfall_row){WATERFALL_OTHERS, NULL, m->others_b.total - m->others_a.total,
							     (double)NAN, (double)NAN, (double)NAN, NO_PROCESS};
	w->rows[w->count++] = (struct waterfall_row){WATERFALL_OUTSIDE, NULL, m->b->outside - m->a->outside,
						     (double)NAN, (double)NAN, (double)NAN, NO_PROCESS};
	w->change = m->b->aet - m->a->aet;
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
