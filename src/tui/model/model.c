#include "model.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/method/figures/figures.h"
#include "tui/screen/glyphs.h"

uint32_t model_event(const struct model *m)
{
	if (!model_ticks(m))
		return NO_EVENT;
	return logical_event_at(m->analysis->logical, m->cursor.tick, m->cursor.process);
}

void model_goto(struct model *m, uint32_t process, uint32_t tick)
{
	uint32_t processes = model_processes(m), ticks = model_ticks(m);

	m->cursor.process = processes && process >= processes ? processes - 1 : process;
	m->cursor.tick = ticks && tick >= ticks ? ticks - 1 : tick;
}

struct phase_look phase_look(const struct model *m, uint32_t id)
{
	if (!m->looks || !id)
		return (struct phase_look){0, '#', ROLE_DEFAULT};
	return m->looks[id - 1];
}

struct plan_budget model_budget(const struct model *m)
{
	const struct result *r = results_shown(&m->results);
	double restore = m->budget.restore > 0 ? m->budget.restore : r && r->restore > 0 ? r->restore : PLAN_RESTORE;

	return (struct plan_budget){m->budget.share > 0 ? m->budget.share : PLAN_BUDGET, restore};
}

struct phase_look phase_look_of_rank(uint32_t rank)
{
	static const char marks[PHASE_MARKS + 1] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

	return (struct phase_look){
		rank, rank < PHASE_MARKS ? (uint32_t)marks[rank] : GLYPH_DOT,
		rank < PHASE_ROLES ? (enum role)(ROLE_PHASE_0 + rank) : ROLE_PHASE_REST,
	};
}

static void make_looks(struct model *m)
{
	const struct phases *p = m->analysis->phases;
	const struct figures *f = m->analysis->figures;
	uint32_t n = p && f ? p->count : 0;
	uint32_t *order = mem_alloc(n, sizeof *order);

	mem_free(m->looks);
	m->looks = mem_alloc(n, sizeof *m->looks);
	if (!order || !m->looks || (n && phase_ranks(order, f, NULL))) {
		mem_free(order);
		mem_free(m->looks);
		m->looks = NULL;
		return;
	}
	for (uint32_t rank = 0; rank < n; rank++) {
		m->looks[order[rank] - 1] = phase_look_of_rank(rank);
		if (rank < PHASE_MARKS)
			m->ranked[rank] = order[rank];
	}
	mem_free(order);
}

void model_set_analysis(struct model *m, const struct analysis *a)
{
	const struct analysis *old = m->analysis;
	uint32_t event = model_event(m);

	m->analysis = a;
	if (old && old->source != a->source)
		spending_forget(&m->spending);
	m->trace = a->source;
	m->serial++;
	if (old && event != NO_EVENT && old->logical != a->logical && old->logical->trace == a->logical->trace)
		m->cursor.tick = a->logical->tick[event];
	model_goto(m, m->cursor.process, m->cursor.tick);
	analysis_unref(old);
	make_looks(m);
	results_match(&m->results, a);
}

void model_release(struct model *m)
{
	analysis_unref(m->analysis);
	m->analysis = NULL;
	event_counts_free(m->event_counts);
	m->event_counts = NULL;
	results_release(&m->results);
	derived_release(&m->spending.phases);
	derived_release(&m->spending.run);
	derived_release(&m->projected.changed);
	derived_release(&m->projected.unchanged);
	derived_release(&m->structure);
	derived_release(&m->clocks);
	run_pair_release(&m->pair);
	derived_release(&m->plan);
	mem_free(m->looks);
	m->looks = NULL;
}

int mark_index(uint32_t letter)
{
	if (letter >= 'a' && letter <= 'z')
		return (int)(letter - 'a');
	return letter >= 'A' && letter <= 'Z' ? (int)(letter - 'A') + 26 : -1;
}

uint32_t mark_letter(int index)
{
	return (uint32_t)(index < 26 ? 'a' + index : 'A' + index - 26);
}

void mark_here(struct model *m, struct mark *mark)
{
	const struct logical *l = model_logical(m);
	uint32_t e = model_event(m);

	*mark = (struct mark){.set = true, .process = m->cursor.process, .tick = m->cursor.tick};
	if (e == NO_EVENT || !l)
		return;
	mark->number = trace_number_of(l->trace, m->cursor.process, e);
	mark->collectives = (int)l->collectives;
}

struct trace_place mark_place(const struct model *m, const struct mark *mark)
{
	const struct logical *l = model_logical(m);
	struct trace_place p = {mark->process, mark->tick};

	if (l && mark->number && mark->collectives == (int)l->collectives && p.process < l->trace->process_count &&
	    mark->number <= l->trace->first[p.process + 1] - l->trace->first[p.process])
		p.tick = l->tick[l->trace->first[p.process] + mark->number - 1];
	return p;
}
