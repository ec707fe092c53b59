#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

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

/* Entries are numbers of calls made before a tick: on every rank they rise with the tick, so that rank 0's, then the next
 * one's where they are equal, sort them. */
static int by_entry(const void *a, const void *b, void *ranks)
{
	const struct span *x = a, *y = b;

	for (uint32_t r = 0; r < *(const uint32_t *)ranks; r++)
		if (x->entry[r] != y->entry[r])
			return x->entry[r] < y->entry[r] ? -1 : 1;
	return (x->phase > y->phase) - (x->phase < y->phase);
}

static enum err_code make_spans(struct plan *p, struct err *e)
{
	size_t n = 0;

	for (uint32_t i = 0; i < p->phase_count; i++)
		n += 1 + (size_t)p->phases[i]->sample_count;
	p->spans = n <= UINT32_MAX ? mem_alloc(n, sizeof *p->spans) : NULL;
	if (!p->spans)
		return err_memory(e, "the plan of a run");
	for (uint32_t i = 0; i < p->phase_count; i++) {
		const struct table_phase *x = p->phases[i];

		p->spans[p->span_count++] = (struct span){i, x->entry, x->exit};
		for (uint32_t k = 0; k < x->sample_count; k++)
			p->spans[p->span_count++] = (struct span){i, x->samples[k].entry, x->samples[k].exit};
	}
	qsort_r(p->spans, p->span_count, sizeof *p->spans, by_entry, &p->ranks);
	for (uint32_t i = 1; i < p->span_count; i++)
		for (uint32_t r = 0; r < p->ranks; r++)
			if (p->spans[i].entry[r] < p->spans[i - 1].entry[r])
				return err_set(e, ERR_FORMAT, "the entries of phases %u and %u cross each other on rank "
					       "%u; this is not a table that pas2p wrote",
					       p->phases[p->spans[i - 1].phase]->id, p->phases[p->spans[i].phase]->id,
					       r);
	return ERR_OK;
}

uint32_t plan_spans_of(const struct plan *p, uint32_t phase)
{
	return 1 + p->phases[phase]->sample_count;
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
		code = make_spans(p, e);
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
	mem_free(p->spans);
	*p = (struct plan){0};
}
