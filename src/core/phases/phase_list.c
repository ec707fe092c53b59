#include "phase_list.h"

enum err_code phase_list_init(struct phase_list *m, enum similarity similarity, struct err *e)
{
	*m = (struct phase_list){.p = mem_zero(1, sizeof *m->p)};
	if (!m->p)
		return err_memory(e, "the phases");
	m->p->similarity = similarity;
	return ERR_OK;
}

uint32_t phase_list_save(struct phase_list *m, uint32_t ticks)
{
	struct phases *p = m->p;
	struct phase *list = mem_grow(p->list, p->count, &m->list_cap, sizeof *list);

	if (!list)
		return 0;
	p->list = list;
	list[p->count] = (struct phase){.id = p->count + 1, .ticks = ticks, .content = p->occurrence_count};
	return ++p->count;
}

bool phase_list_occur(struct phase_list *m, uint32_t id, uint32_t first, uint32_t last)
{
	struct phases *p = m->p;
	struct occurrence *o = mem_grow(p->occurrences, p->occurrence_count, &m->occurrences_cap, sizeof *o);

	if (!o)
		return false;
	p->occurrences = o;
	o[p->occurrence_count++] = (struct occurrence){id, first, last};
	p->list[id - 1].weight++;
	return true;
}

enum err_code phase_list_finish(struct phase_list *m, struct phases **out, struct err *e)
{
	struct phases *p = m->p;
	uint32_t total = 0;

	p->phase_first = mem_zero((size_t)p->count + 1, sizeof *p->phase_first);
	p->by_phase = mem_alloc(p->occurrence_count, sizeof *p->by_phase);
	if (!p->phase_first || !p->by_phase) {
		phase_list_release(m);
		return err_memory(e, "the phases");
	}
	for (uint32_t id = 0; id < p->count; id++) {
		p->phase_first[id] = total;
		total += p->list[id].weight;
	}
	for (uint32_t i = 0; i < p->occurrence_count; i++)
		p->by_phase[p->phase_first[p->occurrences[i].phase - 1]++] = i;
	/* Filling has moved every start to its end, which is the next one's start. */
	for (uint32_t id = p->count; id > 0; id--)
		p->phase_first[id] = p->phase_first[id - 1];
	p->phase_first[0] = 0;
	*out = p;
	m->p = NULL;
	return ERR_OK;
}

void phase_list_release(struct phase_list *m)
{
	phases_free(m->p);
	m->p = NULL;
}
