#include "model.h"


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
