#include "commands_int.h"

#include "core/base/mem.h"
#include "core/metrics/calls/phase_spans.h"

/* Of each event; those that the analysis leaves out have no logical time. tick: NULL, or likewise. */
static void take_times(uint32_t *lt, uint32_t *tick, const struct trace *t, const struct logical *l)
{
	bool all = l->trace == t;

	for (uint32_t p = 0; p < t->process_count; p++) {
		uint32_t of = l->trace->first[p];

		for (uint32_t event = t->first[p]; event < t->first[p + 1]; event++) {
			bool left_out = !all && EVENT_KIND(t->type[event]) == EVENT_COLLECTIVE;

			lt[event] = left_out ? UINT32_MAX : logical_lt(l, of);
			if (tick)
				tick[event] = left_out ? UINT32_MAX : l->tick[of];
			of += !left_out;
		}
	}
}

static void take_spans(struct convert_analysis *x, const struct phase_spans *s, uint32_t processes)
{
	for (uint32_t p = 0; p <= processes; p++)
		x->first[p] = s->first[p];
	for (uint32_t i = 0; i < s->first[processes]; i++)
		x->spans[i] = (struct convert_span){s->spans[i].from, s->spans[i].phase};
}

enum err_code convert_analysis_init(struct convert_analysis *x, const struct trace *t, const struct analysis *a, const struct job *job,
				    struct err *e)
{
	struct phase_spans *spans;
	enum err_code code;

	*x = (struct convert_analysis){.lt = NULL};
	code = phase_spans_new(&spans, NULL, a->clockwork, a->phases, job, e);
	if (code)
		return code;
	x->lt = mem_alloc(t->event_count, sizeof *x->lt);
	x->tick = mem_alloc(t->event_count, sizeof *x->tick);
	x->first = mem_alloc((size_t)t->process_count + 1, sizeof *x->first);
	x->phases = mem_alloc(a->phases->count, sizeof *x->phases);
	x->spans = mem_alloc(spans->first[t->process_count], sizeof *x->spans);
	if (x->lt && x->tick && x->first && x->phases && x->spans) {
		take_times(x->lt, x->tick, t, a->logical);
		take_spans(x, spans, t->process_count);
		for (uint32_t i = 0; i < a->phases->count; i++)
			x->phases[i] = (struct convert_phase){a->phases->list[i].weight, a->figures->phase[i].relevant};
		x->out = (struct convert_phases){x->lt, x->tick, x->phases, x->spans, x->first};
	} else {
		code = err_memory(e, "the phases");
	}
	phase_spans_free(spans);
	return code;
}

enum err_code convert_lamport(uint32_t **out, const struct trace *t, enum collectives collectives, const struct job *job, struct err *e)
{
	struct logical *l;
	enum err_code code = logical_new(&l, t, ORDER_LAMPORT, collectives, job, e);

	*out = NULL;
	if (code)
		return code;
	*out = mem_alloc(t->event_count, sizeof **out);
	if (*out)
		take_times(*out, NULL, t, l);
	else
		code = err_memory(e, "logical times");
	logical_unref(l);
	return code;
}

void convert_analysis_release(struct convert_analysis *x)
{
	mem_free(x->lt);
	mem_free(x->tick);
	mem_free(x->first);
	mem_free(x->phases);
	mem_free(x->spans);
}
