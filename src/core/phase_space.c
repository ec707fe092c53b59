#include "phase_space.h"

#include <stdlib.h>
#include <string.h>

#define NEVER UINT32_MAX

/* Per event, the send tick at which its process last had its type; NEVER if it had not. Receives: unused. */
static enum err_code find_last_uses(const struct phase_space *p, const uint32_t *send_tick_of, uint32_t *last_use,
				    struct err *e)
{
	const struct logical *l = p->l;
	const struct trace *t = l->trace;
	uint32_t width = t->process_count + 1;
	uint32_t *last = mem_alloc((size_t)width + t->coll_count, sizeof *last);
	if (!last)
		return err_memory(e, "the last uses of event types");
	memset(last, 0xff, ((size_t)width + t->coll_count) * sizeof *last);
	for (uint32_t q = 0; q < t->process_count; q++) {
		for (uint32_t i = l->send_first[q]; i < l->send_first[q + 1]; i++) {
			uint32_t ev = l->sends[i], index = EVENT_INDEX(t->type[ev]);

			if (EVENT_KIND(t->type[ev]) == EVENT_COLLECTIVE)
				index += width;
			last_use[ev] = last[index];
			last[index] = send_tick_of[l->tick[ev]];
		}
		for (uint32_t i = l->send_first[q]; i < l->send_first[q + 1]; i++) {
			uint32_t ev = l->sends[i], index = EVENT_INDEX(t->type[ev]);

			if (EVENT_KIND(t->type[ev]) == EVENT_COLLECTIVE)
				index += width;
			last[index] = NEVER;
		}
	}
	mem_free(last);
	return ERR_OK;
}

static int compare_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Sort and thin out; returns how many are left. Nearly always there are one to three different values. */
static uint32_t distinct(uint32_t *list, uint32_t n)
{
	uint32_t kept = 0;

	for (uint32_t i = 1; i < n; i++)
		if (list[i] < list[i - 1]) {
			qsort(list, n, sizeof *list, compare_u32);
			break;
		}
	for (uint32_t i = 0; i < n; i++)
		if (!kept || list[i] != list[kept - 1])
			list[kept++] = list[i];
	return kept;
}

/* Collect the distinct last uses of a tick's events in list, already thinned of runs of equals. */
static uint32_t last_uses_of(const struct phase_space *p, uint32_t k, const uint32_t *last_use, uint32_t *list)
{
	struct tick_walk w = tick_walk(p->l, p->tick[k], true);
	uint32_t ev, n = 0;

	while ((ev = tick_next(&w)) != NO_EVENT)
		if (last_use[ev] != NEVER && (!n || list[n - 1] != last_use[ev]) &&
		    (n < 2 || list[n - 2] != last_use[ev]))
			list[n++] = last_use[ev];
	return distinct(list, n);
}

static enum err_code collect_repeats(struct phase_space *p, const uint32_t *last_use, const struct job *job,
				     struct err *e)
{
	uint32_t *list = mem_alloc(p->l->trace->process_count, sizeof *list);
	enum err_code code = ERR_OK;
	size_t cap = 0;
	uint64_t n = 0;

	p->repeat_first = mem_zero((size_t)p->count + 1, sizeof *p->repeat_first);
	if (!list || !p->repeat_first)
		code = err_memory(e, "the repeats of event types");
	for (uint32_t k = 0; code == ERR_OK && k < p->count; k++) {
		uint32_t found = last_uses_of(p, k, last_use, list);

		for (uint32_t i = 0; i < found; i++) {
			uint32_t *repeat = mem_grow(p->repeat, n, &cap, sizeof *repeat);

			if (!repeat) {
				code = err_memory(e, "the repeats of event types");
				break;
			}
			p->repeat = repeat;
			repeat[n++] = list[i];
		}
		p->repeat_first[k + 1] = n;
		if ((k & 4095) == 0 && job_stopped(job))
			code = err_set(e, ERR_CANCELLED, "stopped while preparing phases");
	}
	mem_free(list);
	return code;
}

static enum err_code number_send_ticks(struct phase_space *p, uint32_t *send_tick_of, struct err *e)
{
	const struct logical *l = p->l;

	for (uint32_t k = 0; k < l->tick_count; k++) {
		send_tick_of[k] = p->count;
		p->count += l->tick_sends[k];
	}
	p->tick = mem_alloc(p->count, sizeof *p->tick);
	if (!p->tick)
		return err_memory(e, "the send ticks");
	for (uint32_t k = 0, n = 0; k < l->tick_count; k++)
		if (l->tick_sends[k])
			p->tick[n++] = k;
	return ERR_OK;
}

static enum err_code count_cells(struct phase_space *p, struct err *e)
{
	p->cells = mem_zero(p->class.count, sizeof *p->cells);
	if (!p->cells)
		return err_memory(e, "the classes of send ticks");
	for (uint32_t c = 0; c < p->class.count; c++) {
		struct tick_walk w = tick_walk(p->l, p->class.example[c], true);

		while (tick_next(&w) != NO_EVENT)
			p->cells[c]++;
	}
	return ERR_OK;
}

enum err_code phase_space_new(struct phase_space **out, const struct logical *l, const struct job *job, struct err *e)
{
	struct phase_space *p = mem_zero(1, sizeof *p);
	uint32_t *send_tick_of = mem_alloc(l->tick_count, sizeof *send_tick_of);
	uint32_t *last_use = mem_alloc(l->trace->event_count, sizeof *last_use);
	enum err_code code = ERR_OK;

	*out = NULL;
	if (!p || !send_tick_of || !last_use)
		code = err_memory(e, "the phase space");
	if (code == ERR_OK) {
		p->l = l;
		code = number_send_ticks(p, send_tick_of, e);
	}
	if (code == ERR_OK)
		code = find_last_uses(p, send_tick_of, last_use, e);
	if (code == ERR_OK)
		code = collect_repeats(p, last_use, job, e);
	mem_free(send_tick_of);
	mem_free(last_use);
	if (code == ERR_OK)
		code = tick_classes_init(&p->class, l, p->tick, p->count, CLASSES_SIZES | CLASSES_SENDS_ONLY, job,
					 JOB_PHASES, e);
	if (code == ERR_OK)
		code = count_cells(p, e);
	if (code != ERR_OK) {
		phase_space_free(p);
		return code;
	}
	*out = p;
	return ERR_OK;
}

void phase_space_free(struct phase_space *p)
{
	if (!p)
		return;
	mem_free(p->tick);
	mem_free(p->cells);
	mem_free(p->repeat_first);
	mem_free(p->repeat);
	tick_classes_release(&p->class);
	mem_free(p);
}
