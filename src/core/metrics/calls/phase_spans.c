#include "phase_spans.h"

#include <math.h>

#include "core/base/search.h"
#include "core/method/figures/clockwork.h"

#define ASK_EVERY 4096

struct spans_making {
	struct phase_spans *s;
	const struct call_log *log; /* NULL: none */
	const struct clockwork *c;
	uint32_t *seen;   /* per process: the last occurrence that it acts in, + 1 */
	uint32_t *next;   /* per process: its next stretch; while counting: how many it has */
	bool counting;
};

static void spans_add(struct spans_making *m, uint32_t process, double from, uint32_t phase, uint32_t occurrence)
{
	uint32_t at = m->next[process]++;

	if (m->counting)
		return;
	if (at > m->s->first[process] && from < m->s->spans[at - 1].from)
		from = m->s->spans[at - 1].from;
	m->s->spans[at] = (struct phase_span){from, phase, occurrence};
}

static double time_of(const struct spans_making *m, uint32_t event)
{
	return m->log ? call_log_event_time(m->log, event) : m->c->l->trace->time[event];
}

/* The processes that do something in occurrence i enter it with the first send or collective that they make there. */
static void occurrence_look_at(struct spans_making *m, uint32_t i)
{
	const struct phases *p = m->s->phases;
	const struct logical *l = m->c->l;
	const struct trace *t = l->trace;
	uint32_t end = l->tick_first[occurrence_exit(m->c, p, i)];

	for (uint32_t at = l->tick_first[p->occurrences[i].first]; at < end; at++) {
		uint32_t ev = l->order_of[at], process;

		if (EVENT_KIND(t->type[ev]) == EVENT_RECEIVE)
			continue;
		process = trace_process_of(t, ev);
		if (m->seen[process] == i + 1)
			continue;
		m->seen[process] = i + 1;
		spans_add(m, process, time_of(m, ev), p->occurrences[i].phase, i);
	}
}

/* All stretches, once counted and once kept. */
static enum err_code go_through(struct spans_making *m, const struct progress *progress, struct err *e)
{
	const struct phases *p = m->s->phases;
	const struct trace *t = m->c->l->trace;
	uint32_t processes = m->s->process_count;

	for (uint32_t q = 0; q < processes; q++) {
		m->seen[q] = 0;
		m->next[q] = m->counting ? 0 : m->s->first[q];
		spans_add(m, q, -INFINITY, SPAN_BEFORE, UINT32_MAX);
	}
	for (uint32_t i = 0; i < p->occurrence_count; i++) {
		occurrence_look_at(m, i);
		if (i % ASK_EVERY == 0 && progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "stopped while assigning times to phases");
	}
	for (uint32_t q = 0; q < processes && p->occurrence_count; q++)
		if (t->first[q + 1] > t->first[q])
			spans_add(m, q, t->processes[q].work_end, SPAN_AFTER, UINT32_MAX);
	return ERR_OK;
}

static enum err_code spans_make(struct spans_making *m, const struct progress *progress, struct err *e)
{
	struct phase_spans *s = m->s;
	enum err_code code;

	s->first = mem_zero((size_t)s->process_count + 1, sizeof *s->first);
	m->seen = mem_alloc(s->process_count, sizeof *m->seen);
	m->next = mem_alloc(s->process_count, sizeof *m->next);
	if (!s->first || !m->seen || !m->next)
		return err_memory(e, "the times of the phases");
	m->counting = true;
	code = go_through(m, progress, e);
	if (code)
		return code;
	for (uint32_t q = 0; q < s->process_count; q++)
		s->first[q + 1] = s->first[q] + m->next[q];
	s->spans = mem_alloc(s->first[s->process_count], sizeof *s->spans);
	if (!s->spans)
		return err_memory(e, "the times of the phases");
	m->counting = false;
	return go_through(m, progress, e);
}

enum err_code phase_spans_new(struct phase_spans **out, const struct call_log *log, const struct clockwork *c,
			      const struct phases *p, const struct progress *progress, struct err *e)
{
	struct spans_making m = {.s = mem_zero(1, sizeof *m.s), .log = log, .c = c};
	enum err_code code;

	*out = NULL;
	if (!m.s)
		return err_memory(e, "the times of the phases");
	m.s->phases = p;
	m.s->process_count = c->l->trace->process_count;
	code = spans_make(&m, progress, e);
	mem_free(m.seen);
	mem_free(m.next);
	if (code)
		phase_spans_free(m.s);
	else
		*out = m.s;
	return code;
}

void phase_spans_free(struct phase_spans *s)
{
	if (!s)
		return;
	mem_free(s->spans);
	mem_free(s->first);
	mem_free(s);
}

uint32_t phase_span_at(const struct phase_spans *s, uint32_t process, double t)
{
	return SEARCH_LAST(i, s->first[process], s->first[process + 1], s->spans[i].from <= t);
}
