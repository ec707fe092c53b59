#include "windows.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/base/search.h"
#include "core/method/figures/durations.h"

static void times(struct window_run *r)
{
	const struct clockwork *c = r->clockwork;
	uint32_t processes = c->l->trace->process_count;
	double so_far = -INFINITY;

	if (!processes)
		processes = 1;
	for (uint32_t i = 0; i < r->count; i++) {
		r->u[i] = c->at[r->phases->occurrences[i].first] / processes;
		r->duration[i] = occurrence_between_sends(c, r->phases, i);
		so_far = fmax(so_far, r->u[i]);
		r->reached[i] = so_far;
	}
	r->u[r->count] = c->at[c->l->tick_count] / processes;
	r->start = r->u[0];
	r->whole = r->u[r->count] - r->u[0];
}

/* What every process spends in every occurrence, of those that do something in it. */
static enum err_code by_process(struct window_run *r, const struct job *job, struct err *e)
{
	struct durations d = {0};
	size_t n = 0, cap = 0;
	enum err_code code = durations_init(&d, r->clockwork, r->phases, DURATION_BETWEEN_SENDS, e);

	for (uint32_t i = 0; code == ERR_OK && i < r->count; i++) {
		r->part_first[i] = n;
		durations_look(&d, i);
		for (uint32_t k = 0; code == ERR_OK && k < d.active_count; k++) {
			struct window_part *grown = mem_grow(r->part, n, &cap, sizeof *grown);

			if (grown) {
				r->part = grown;
				grown[n++] = (struct window_part){d.active[k], durations_of(&d, d.active[k])};
			} else {
				code = err_memory(e, "the times of windows");
			}
		}
		if ((i & 4095) == 0 && job_stopped(job))
			code = err_set(e, ERR_CANCELLED, "stopped while timing windows");
	}
	r->part_first[r->count] = n;
	durations_release(&d);
	return code;
}

enum err_code window_run_init(struct window_run *r, const struct clockwork *c, const struct phases *p, const struct figures *f,
			      const struct settings *s, const struct job *job, struct err *e)
{
	enum err_code code = ERR_OK;

	*r = (struct window_run){.clockwork = c, .phases = p, .figures = f, .count = p->occurrence_count, .parts = 1, .aet = f->aet,
				 .representative = (enum representative)s->representative};
	if (s->phase_time == PHASE_TIME_SLOWEST)
		r->parts = c->l->trace->process_count;
	r->u = mem_alloc((size_t)r->count + 1, sizeof *r->u);
	r->reached = mem_alloc(r->count, sizeof *r->reached);
	r->duration = mem_alloc(r->count, sizeof *r->duration);
	r->extra = mem_zero(p->count, sizeof *r->extra);
	r->is_relevant = mem_alloc(p->count, sizeof *r->is_relevant);
	r->relevant = mem_alloc(p->count, sizeof *r->relevant);
	r->part_first = r->parts == 1 ? NULL : mem_alloc((size_t)r->count + 1, sizeof *r->part_first);
	if (!r->u || !r->reached || !r->duration || !r->extra || !r->is_relevant || !r->relevant || (r->parts != 1 && !r->part_first)) {
		window_run_release(r);
		return err_memory(e, "the times of windows");
	}
	times(r);
	for (uint32_t i = 0; i < p->count; i++) {
		r->is_relevant[i] = f->phase[i].relevant;
		if (r->is_relevant[i])
			r->relevant[r->relevant_count++] = i;
	}
	if (r->parts != 1)
		code = by_process(r, job, e);
	if (code)
		window_run_release(r);
	return code;
}

void window_run_release(struct window_run *r)
{
	mem_free(r->u);
	mem_free(r->reached);
	mem_free(r->duration);
	mem_free(r->part);
	mem_free(r->part_first);
	mem_free(r->extra);
	mem_free(r->is_relevant);
	mem_free(r->relevant);
	mem_free(r->place);
	*r = (struct window_run){0};
}

uint32_t window_run_at(const struct window_run *r, double at)
{
	return SEARCH_PAST(i, 0, r->count, !(r->reached[i] >= at - WINDOW_SLACK));
}

/* One or two occurrences stand for themselves; of more, the representative does for all. */
static enum err_code find_extra(struct window_run *r, uint32_t phase, struct window_extra *x, struct err *e)
{
	const uint32_t *occurrences = r->phases->by_phase + r->phases->phase_first[phase];
	uint32_t weight = r->phases->list[phase].weight, place;
	double *sum;
	enum err_code code;

	x->count = weight <= 2 ? weight : 1;
	for (uint32_t i = 0; i < x->count; i++)
		x->occurrence[i] = occurrences[i];
	if (weight > 2) {
		place = r->place ? r->place[phase] : 0;
		code = place ? ERR_OK : phase_representative(r->clockwork, r->phases, phase + 1, r->representative, &place, e);
		if (code)
			return code;
		x->occurrence[0] = occurrences[place - 1];
	}
	sum = mem_zero(r->parts, sizeof *sum);
	if (!sum)
		return err_memory(e, "the times of windows");
	for (uint32_t i = 0; i < x->count; i++) {
		x->lasts += r->u[x->occurrence[i] + 1] - r->u[x->occurrence[i]];
		window_run_add(r, x->occurrence[i], sum);
	}
	x->time = -INFINITY;
	for (uint32_t p = 0; p < r->parts; p++)
		x->time = fmax(x->time, sum[p] / x->count);
	mem_free(sum);
	x->known = true;
	return ERR_OK;
}

enum err_code window_run_extra(const struct window_extra **out, struct window_run *r, uint32_t phase, struct err *e)
{
	struct window_extra *x = &r->extra[phase];

	*out = x;
	if (x->known)
		return ERR_OK;
	*x = (struct window_extra){0};
	return find_extra(r, phase, x, e);
}
