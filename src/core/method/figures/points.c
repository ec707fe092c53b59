/* The points where a phase is entered, left and checkpointed (docs/explain/method.md, "Entry, exit and duration",
 * "Representative" and "Checkpoints"). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "core/base/search.h"
#include "durations.h"
#include "core/trace/remote.h"

struct timed {
	double duration;
	uint32_t place; /* among the phase's occurrences, from 1 */
};

ORDER_BY(compare_timed, struct timed, UP(duration) UP(place))

/* The largest duration over local processes; those that do nothing in the occurrence have 0. */
static double slowest(struct durations *d, uint32_t occurrence, uint32_t local)
{
	double largest;

	durations_look(d, occurrence);
	largest = d->active_count < local ? 0 : -INFINITY;
	for (uint32_t i = 0; i < d->active_count; i++) {
		double x = durations_of(d, d->active[i]);

		if (x > largest)
			largest = x;
	}
	return largest;
}

/* The same over all, of the occurrences listed. */
static enum err_code all_slowest(double *of, const struct clockwork *c, const struct phases *p, const uint32_t *occurrences, uint32_t n,
				 struct err *e)
{
	const struct team *team = trace_team(c->l->trace);
	struct durations d;
	uint32_t begin, end;
	enum err_code code = durations_init(&d, c, p, DURATION_OF_PHASES, e);

	trace_local(c->l->trace, &begin, &end);
	for (uint32_t k = 0; !code && k < n; k++)
		of[k] = slowest(&d, occurrences[k], end - begin);
	durations_release(&d);
	return code ? team_agree(team, code, e) : team_reduce_double(team, of, n, TEAM_MAX, e);
}

/* The median of all but the first while there are three or more; of an even number, the lower one. */
static enum err_code median_place(const struct clockwork *c, const struct phases *p, uint32_t id, uint32_t *place,
				  struct err *e)
{
	uint32_t n = p->list[id - 1].weight, skip = n >= 3;
	double *durations = mem_alloc(n, sizeof *durations);
	struct timed *list = mem_alloc(n, sizeof *list);
	enum err_code code;

	if (durations && list)
		code = all_slowest(durations, c, p, p->by_phase + p->phase_first[id - 1] + skip, n - skip, e);
	else
		code = team_agree(trace_team(c->l->trace), err_memory(e, "the durations of occurrences"), e);
	if (!code) {
		for (uint32_t k = skip; k < n; k++)
			list[k - skip] = (struct timed){durations[k - skip], k + 1};
		SORT(list, n - skip, compare_timed);
		*place = list[(n - skip - 1) / 2].place;
	}
	mem_free(durations);
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
	return SEARCH_LAST(i, low, high, entered - clockwork_time(c, process, (uint32_t)i) >= settings->warmup_seconds);
}

/* The cut that local processes agree on, from `cut` on; 0 where one of them knows none. */
static uint32_t local_cut(const struct clockwork *c, uint32_t first, uint32_t cut, const struct settings *settings)
{
	const struct logical *l = c->l;
	uint32_t before, begin, end;

	trace_local(l->trace, &begin, &end);
	/* Where a clock steps back, an earlier cut can lack what a later one had: go on until all agree. */
	do {
		before = cut;
		for (uint32_t p = begin; p < end; p++) {
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

/* An earlier cut never gives a process a later one, so that in whatever order they are asked all come to the same: the
 * latest that all agree on. */
enum err_code checkpoint_tick(uint32_t *cut, const struct clockwork *c, uint32_t first, const struct settings *settings, struct err *e)
{
	const struct team *team = trace_team(c->l->trace);
	uint32_t before;
	enum err_code code;

	*cut = first;
	do {
		before = *cut;
		*cut = local_cut(c, first, *cut, settings);
		code = team_reduce_u32(team, cut, 1, TEAM_MIN, e);
	} while (!code && team_size(team) > 1 && *cut != before);
	return code;
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

/* Of local processes, where all have 0 before. */
static void local_points(struct phase_points *pp, const struct clockwork *c, uint32_t exit_tick)
{
	const struct logical *l = c->l;
	uint32_t begin, end;

	trace_local(l->trace, &begin, &end);
	for (uint32_t q = begin; q < end; q++) {
		uint32_t n = logical_sends_before(l, q, pp->checkpoint_tick);
		uint32_t next = l->send_first[q] + n;

		pp->entry[q] = logical_sends_before(l, q, pp->first);
		pp->exit[q] = logical_sends_before(l, q, exit_tick);
		pp->checkpoint[q] = n;
		pp->before[q] = next < l->send_first[q + 1] && l->tick[l->sends[next]] == pp->checkpoint_tick;
	}
}

/* What each rank has of its local processes becomes what all have of all: numbers that are 0 elsewhere add up. */
static enum err_code join_points(const struct team *team, struct phase_points *pp, uint32_t processes, struct err *e)
{
	uint32_t *const lists[] = {pp->checkpoint, pp->entry, pp->exit}, *all;
	enum err_code code;

	if (team_size(team) == 1)
		return ERR_OK;
	all = mem_alloc(4 * (size_t)processes, sizeof *all);
	if (!all)
		return team_agree(team, err_memory(e, "the entry of a phase"), e);
	for (size_t i = 0; i < 3 && processes; i++)
		memcpy(all + i * processes, lists[i], processes * sizeof *all);
	for (uint32_t q = 0; q < processes; q++)
		all[3 * (size_t)processes + q] = pp->before[q];
	code = team_reduce_u32(team, all, 4 * (size_t)processes, TEAM_SUM, e);
	for (size_t i = 0; i < 3 && processes; i++)
		memcpy(lists[i], all + i * processes, processes * sizeof *all);
	for (uint32_t q = 0; q < processes; q++)
		pp->before[q] = (uint8_t)all[3 * (size_t)processes + q];
	mem_free(all);
	return code;
}

enum err_code stretch_points_init(struct phase_points *pp, const struct clockwork *c, const struct phases *p, uint32_t first,
				  uint32_t end, const struct settings *settings, struct err *e)
{
	const struct logical *l = c->l;
	const struct team *team = trace_team(l->trace);
	uint32_t processes = l->trace->process_count;
	enum err_code code;

	*pp = (struct phase_points){.first = p->occurrences[first].first, .last = p->occurrences[end - 1].last};
	pp->checkpoint = mem_zero(processes, sizeof *pp->checkpoint);
	pp->before = mem_zero(processes, sizeof *pp->before);
	pp->entry = mem_zero(processes, sizeof *pp->entry);
	pp->exit = mem_zero(processes, sizeof *pp->exit);
	if (!pp->checkpoint || !pp->before || !pp->entry || !pp->exit)
		code = team_agree(team, err_memory(e, "the entry of a phase"), e);
	else
		code = checkpoint_tick(&pp->checkpoint_tick, c, pp->first, settings, e);
	if (!code) {
		local_points(pp, c, occurrence_exit(c, p, end - 1));
		code = join_points(team, pp, processes, e);
	}
	if (code)
		phase_points_release(pp);
	return code;
}

void phase_points_release(struct phase_points *pp)
{
	mem_free(pp->checkpoint);
	mem_free(pp->before);
	mem_free(pp->entry);
	mem_free(pp->exit);
	*pp = (struct phase_points){0};
}
