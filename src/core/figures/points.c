/* Where a phase is entered, left and checkpointed (docs/method.md 6.1, 6.4 and 6.5). */
#include <stdlib.h>

#include "durations.h"

struct timed {
	double duration;
	uint32_t place; /* among the phase's occurrences, from 1 */
};

static int compare_timed(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->duration != y->duration)
		return x->duration < y->duration ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* The largest duration over processes; those that do nothing in the occurrence have 0. */
static double slowest(struct durations *d, uint32_t occurrence)
{
	double largest = 0;

	durations_look(d, occurrence);
	for (uint32_t i = 0; i < d->active_count; i++) {
		double x = durations_of(d, d->active[i]);

		if (x > largest || (i == 0 && d->active_count == d->c->l->trace->process_count))
			largest = x;
	}
	return largest;
}

/* The median of all but the first while there are three or more; of an even number, the lower one. */
static enum err_code median_place(const struct clockwork *c, const struct phases *p, uint32_t id, uint32_t *place,
				  struct err *e)
{
	const uint32_t *occurrences = p->by_phase + p->phase_first[id - 1];
	uint32_t n = p->list[id - 1].weight, skip = n >= 3;
	struct durations d = {0};
	struct timed *list = mem_alloc(n, sizeof *list);
	enum err_code code = list ? durations_init(&d, c, p, e) : err_memory(e, "the durations of occurrences");

	if (!code) {
		for (uint32_t k = skip; k < n; k++)
			list[k - skip] = (struct timed){slowest(&d, occurrences[k]), k + 1};
		qsort(list, n - skip, sizeof *list, compare_timed);
		*place = list[(n - skip - 1) / 2].place;
	}
	durations_release(&d);
	mem_free(list);
	return code;
}

enum err_code phase_representative(const struct clockwork *c, const struct phases *p, uint32_t id,
				   enum representative which, uint32_t *place, struct err *e)
{
	switch (which) {
	case REPRESENTATIVE_FIRST:
		*place = 1;
		return ERR_OK;
	case REPRESENTATIVE_LAST:
		*place = p->list[id - 1].weight;
		return ERR_OK;
	default:
		return median_place(c, p, id, place, e);
	}
}

/* The largest N, not above `here`, such that at least the warm-up's sends and seconds lie between number N+1
 * and the entry; -1: there is none. */
static int64_t latest_cut(const struct clockwork *c, uint32_t process, uint32_t entry, uint32_t here,
			  const struct settings *settings)
{
	double entered = clockwork_time(c, process, entry);
	int64_t low = -1, high = (int64_t)entry - settings->warmup_sends; /* the answer is in [low, high] */

	if (high > here)
		high = here;
	/* A search by halves needs times that rise; where the clock stepped back, look one by one. */
	if (high >= 0 && entered - clockwork_time(c, process, (uint32_t)high) >= settings->warmup_seconds)
		return high;
	if (!c->steady[process]) {
		while (--high >= 0 && entered - clockwork_time(c, process, (uint32_t)high) < settings->warmup_seconds)
			;
		return high < 0 ? -1 : high;
	}
	while (low + 1 < high) {
		int64_t mid = low + (high - low) / 2;

		if (entered - clockwork_time(c, process, (uint32_t)mid) >= settings->warmup_seconds)
			low = mid;
		else
			high = mid;
	}
	return low;
}

uint32_t checkpoint_tick(const struct clockwork *c, uint32_t first, const struct settings *settings)
{
	const struct logical *l = c->l;
	uint32_t cut = first, before;

	/* Where a clock steps back, an earlier cut can lack what a later one had: go on until all agree. */
	do {
		before = cut;
		for (uint32_t p = 0; p < l->trace->process_count; p++) {
			uint32_t entry = logical_sends_before(l, p, first), here = logical_sends_before(l, p, cut);
			int64_t n = latest_cut(c, p, entry, here, settings);

			if (n < 0)
				return 0;
			/* N sends lie before tick c iff c is not after the tick of number N+1. */
			if (n < here)
				cut = l->tick[l->sends[l->send_first[p] + (uint32_t)n]];
		}
	} while (cut != before);
	return cut;
}

enum err_code phase_points_init(struct phase_points *pp, const struct clockwork *c, const struct phases *p, uint32_t id,
				const struct settings *settings, struct err *e)
{
	uint32_t place, at;
	enum err_code code = phase_representative(c, p, id, (enum representative)settings->representative, &place, e);

	*pp = (struct phase_points){0};
	if (code)
		return code;
	at = p->by_phase[p->phase_first[id - 1] + place - 1];
	code = stretch_points_init(pp, c, p, at, at + 1, settings, e);
	pp->occurrence = code ? 0 : place;
	return code;
}

enum err_code stretch_points_init(struct phase_points *pp, const struct clockwork *c, const struct phases *p, uint32_t first,
				  uint32_t end, const struct settings *settings, struct err *e)
{
	const struct logical *l = c->l;
	uint32_t processes = l->trace->process_count, exit_tick = occurrence_exit(c, p, end - 1);

	*pp = (struct phase_points){0};
	pp->checkpoint = mem_alloc(processes, sizeof *pp->checkpoint);
	pp->before = mem_alloc(processes, sizeof *pp->before);
	pp->entry = mem_alloc(processes, sizeof *pp->entry);
	pp->exit = mem_alloc(processes, sizeof *pp->exit);
	if (!pp->checkpoint || !pp->before || !pp->entry || !pp->exit) {
		phase_points_release(pp);
		return err_memory(e, "the entry of a phase");
	}
	pp->first = p->occurrences[first].first;
	pp->last = p->occurrences[end - 1].last;
	pp->checkpoint_tick = checkpoint_tick(c, pp->first, settings);
	for (uint32_t q = 0; q < processes; q++) {
		uint32_t n = logical_sends_before(l, q, pp->checkpoint_tick);
		uint32_t next = l->send_first[q] + n;

		pp->entry[q] = logical_sends_before(l, q, pp->first);
		pp->exit[q] = logical_sends_before(l, q, exit_tick);
		pp->checkpoint[q] = n;
		pp->before[q] = next < l->send_first[q + 1] && l->tick[l->sends[next]] == pp->checkpoint_tick;
	}
	return ERR_OK;
}

void phase_points_release(struct phase_points *pp)
{
	mem_free(pp->checkpoint);
	mem_free(pp->before);
	mem_free(pp->entry);
	mem_free(pp->exit);
	*pp = (struct phase_points){0};
}
