#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

static int by_tick(const void *a, const void *b)
{
	const struct table_phase *x = *(const struct table_phase *const *)a, *y = *(const struct table_phase *const *)b;

	if (x->checkpoint_tick != y->checkpoint_tick)
		return x->checkpoint_tick < y->checkpoint_tick ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static bool same_cut(const struct table_phase *a, const struct table_phase *b, uint32_t ranks)
{
	return memcmp(a->checkpoint, b->checkpoint, ranks * sizeof *a->checkpoint) == 0 &&
	       memcmp(a->before, b->before, ranks * sizeof *a->before) == 0;
}

/* A rank that has gone through the earlier cut must not be past the later one. */
static enum err_code check_order(const struct table_phase *a, const struct table_phase *b, uint32_t ranks,
				 struct err *e)
{
	for (uint32_t r = 0; r < ranks; r++)
		if (b->checkpoint[r] < a->checkpoint[r] ||
		    (b->checkpoint[r] == a->checkpoint[r] && a->before[r] && !b->before[r]))
			return err_set(e, ERR_FORMAT, "the checkpoints of phases %u and %u cross each other on rank "
				       "%u; this is not a table that pas2p wrote", a->id, b->id, r);
	return ERR_OK;
}

static enum err_code check_phase(const struct table_phase *x, uint32_t ranks, struct err *e)
{
	for (uint32_t r = 0; r < ranks; r++)
		if (x->checkpoint[r] > x->entry[r] || x->entry[r] > x->exit[r])
			return err_set(e, ERR_FORMAT, "phase %u has its checkpoint, entry and exit out of order on "
				       "rank %u; this is not a table that pas2p wrote", x->id, r);
	return ERR_OK;
}

enum err_code plan_make(struct plan *p, const struct table *t, struct err *e)
{
	const struct table_phase **order;
	enum err_code code = ERR_OK;

	*p = (struct plan){.ranks = t->processes, .collectives = t->settings.collectives == COLLECTIVES_EVENTS};
	p->phases = mem_zero(t->phase_count, sizeof *p->phases);
	p->cuts = mem_zero(t->phase_count, sizeof *p->cuts);
	p->cut_of = mem_zero(t->phase_count, sizeof *p->cut_of);
	order = mem_zero(t->phase_count, sizeof *order);
	if (!p->phases || !p->cuts || !p->cut_of || !order) {
		mem_free(order);
		return err_memory(e, "the plan of a run");
	}
	for (uint32_t i = 0; i < t->phase_count && !code; i++) {
		if (!t->phases[i].relevant)
			continue;
		code = check_phase(&t->phases[i], t->processes, e);
		order[p->phase_count] = &t->phases[i];
		p->phases[p->phase_count++] = &t->phases[i];
	}
	if (!code && !p->phase_count)
		code = err_set(e, ERR_USAGE, "the table has no relevant phase: there is nothing to measure (see "
			       "--relevance of pas2p phases)");
	if (!code)
		qsort(order, p->phase_count, sizeof *order, by_tick);
	for (uint32_t i = 0; i < p->phase_count && !code; i++) {
		const struct table_phase *last = p->cut_count ? p->cuts[p->cut_count - 1] : NULL;

		if (!last || !same_cut(last, order[i], p->ranks)) {
			if (last)
				code = check_order(last, order[i], p->ranks, e);
			p->cuts[p->cut_count++] = order[i];
		}
		for (uint32_t k = 0; k < p->phase_count; k++)
			if (p->phases[k] == order[i])
				p->cut_of[k] = p->cut_count - 1;
	}
	mem_free(order);
	return code;
}

void plan_release(struct plan *p)
{
	mem_free(p->phases);
	mem_free(p->cuts);
	mem_free(p->cut_of);
	*p = (struct plan){0};
}
