#include "phases_int.h"

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

/* What rank 0 has told becomes phases. */
static enum err_code phase_list_take(struct phases **p, enum similarity similarity, struct phase *list, size_t count, struct occurrence *occurrences,
			  size_t occurrence_count, struct err *e)
{
	struct phase_list m;
	enum err_code code = phase_list_init(&m, similarity, e);

	if (code) {
		mem_free(list);
		mem_free(occurrences);
		return code;
	}
	m.p->list = list;
	m.p->count = (uint32_t)count;
	m.p->occurrences = occurrences;
	m.p->occurrence_count = (uint32_t)occurrence_count;
	return phase_list_finish(&m, p, e);
}

enum err_code phases_broadcast(struct phases **p, const struct team *team, enum similarity similarity, struct err *e)
{
	void *list = *p ? (*p)->list : NULL, *occurrences = *p ? (*p)->occurrences : NULL;
	size_t count = *p ? (*p)->count : 0, occurrence_count = *p ? (*p)->occurrence_count : 0;
	bool others = team_rank(team);
	enum err_code code;

	if (team_size(team) == 1)
		return ERR_OK;
	code = team_broadcast_list(team, &list, &count, sizeof(struct phase), e);
	if (!code)
		code = team_broadcast_list(team, &occurrences, &occurrence_count, sizeof(struct occurrence), e);
	if (!code && others)
		code = team_agree(team, phase_list_take(p, similarity, list, count, occurrences, occurrence_count, e), e);
	else if (!code)
		code = team_agree(team, ERR_OK, e);
	else if (others)
		mem_free(list);
	if (code) {
		phases_free(*p);
		*p = NULL;
	}
	return code;
}
