#include "durations.h"

enum err_code durations_init(struct durations *d, const struct clockwork *c, const struct phases *p, enum duration_kind kind, struct err *e)
{
	uint32_t n = c->l->trace->process_count;

	*d = (struct durations){.c = c, .p = p, .stretches = kind == DURATION_OF_PHASES && p->similarity == SIMILARITY_BBP};
	d->seen = mem_zero(n, sizeof *d->seen);
	d->entered = mem_alloc(n, sizeof *d->entered);
	d->left = mem_alloc(n, sizeof *d->left);
	d->sum = mem_alloc(n, sizeof *d->sum);
	d->active = mem_alloc(n, sizeof *d->active);
	if (d->seen && d->entered && d->left && d->sum && d->active)
		return ERR_OK;
	durations_release(d);
	return err_memory(e, "the durations of occurrences");
}

void durations_release(struct durations *d)
{
	mem_free(d->seen);
	mem_free(d->entered);
	mem_free(d->left);
	mem_free(d->sum);
	mem_free(d->active);
	*d = (struct durations){0};
}

void durations_look(struct durations *d, uint32_t i)
{
	const struct logical *l = d->c->l;
	const struct trace *t = l->trace;
	uint32_t at = l->tick_first[d->p->occurrences[i].first];
	uint32_t end = l->tick_first[occurrence_exit(d->c, d->p, i)];

	d->active_count = 0;
	for (; at < end; at++) {
		uint32_t ev = l->order_of[at], process;

		if (!d->stretches && EVENT_KIND(t->type[ev]) == EVENT_RECEIVE)
			continue;
		process = trace_process_of(t, ev);
		if (d->seen[process] != i + 1) {
			d->seen[process] = i + 1;
			d->entered[process] = ev;
			d->sum[process] = 0;
			d->active[d->active_count++] = process;
		}
		d->left[process] = ev;
		if (d->stretches)
			d->sum[process] += event_stretch(t, process, ev);
	}
}

double durations_of(const struct durations *d, uint32_t process)
{
	return d->stretches ? d->sum[process] : event_to_next_send(d->c->l->trace, process, d->entered[process], d->left[process]);
}
