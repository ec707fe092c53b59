#include "arrows.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/base/search.h"

#define POLL 0xffff /* events between two looks at progress */

struct arrow_finding {
	struct clock_arrows *a;
	size_t cap;
	const struct clock_points *points;
	const struct trace *trace;
};

/* Kept if it goes back. False: no memory. */
static bool arrow_look_at(struct arrow_finding *x, const struct clock_arrow *arrow)
{
	struct clock_arrow *grown;

	if (arrow->came - arrow->left - x->points->latency >= 0)
		return true;
	grown = mem_grow(x->a->list, x->a->count, &x->cap, sizeof *grown);
	if (!grown)
		return false;
	x->a->list = grown;
	grown[x->a->count++] = *arrow;
	if (arrow->left - arrow->came > x->a->longest)
		x->a->longest = arrow->left - arrow->came;
	return true;
}

static enum err_code find_messages(struct arrow_finding *x, const struct progress *progress, struct err *e)
{
	const struct trace *t = x->trace;

	for (uint32_t event = 0; event < t->event_count; event++) {
		struct clock_arrow arrow = {.from = t->match[event], .to = event, .came = t->time[event]};

		if ((event & POLL) == 0 && progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "stopped while looking for clock violations");
		if (EVENT_KIND(t->type[event]) != EVENT_RECEIVE || arrow.from == NO_EVENT)
			continue;
		arrow.left = clock_times_sent(x->points->times, arrow.from);
		if (!arrow_look_at(x, &arrow))
			return err_memory(e, "the arrows");
	}
	return ERR_OK;
}

/* Each member of an instance is held by the last of the others to begin. */
static bool find_in_instance(struct arrow_finding *x, uint32_t first, uint32_t size)
{
	const struct trace *t = x->trace;
	const struct clock_event_time *held = x->points->times->held;
	const uint32_t *member = x->points->member + first;

	for (uint32_t last = 0, second = NO_MEMBERS, r = 1; r <= size; r++) {
		if (r < size) {
			double begun = t->time[held[member[r]].event];

			if (begun > t->time[held[member[last]].event]) {
				second = last;
				last = r;
			} else if (second == NO_MEMBERS || begun > t->time[held[member[second]].event]) {
				second = r;
			}
			continue;
		}
		for (uint32_t k = 0; k < size; k++) {
			uint32_t other = held[member[k == last ? second : last]].event;
			struct clock_arrow arrow = {other, held[member[k]].event, t->time[other], held[member[k]].time, true};

			if (!arrow_look_at(x, &arrow))
				return false;
		}
	}
	return true;
}

static enum err_code find_collectives(struct arrow_finding *x, struct err *e)
{
	const struct clock_points *p = x->points;
	const struct trace *t = x->trace;

	for (uint32_t i = 0; i < p->times->held_count; i++) {
		const struct coll_type *type = &t->colls[EVENT_INDEX(t->type[p->times->held[i].event])];

		if (p->first_member[i] == NO_MEMBERS || p->rank[i] != 0 || (p->barriers && strcmp(type->op, "Barrier") != 0))
			continue;
		if (!find_in_instance(x, p->first_member[i], t->comms[type->comm].size))
			return err_memory(e, "the arrows");
	}
	return ERR_OK;
}

ORDER_BY(by_to, struct clock_arrow, UP(to))

enum err_code clock_arrows_new(struct clock_arrows **out, const struct clock_report *r, const struct progress *progress, struct err *e)
{
	struct clock_points points;
	struct arrow_finding x = {.a = mem_zero(1, sizeof *x.a), .points = &points, .trace = r->trace};
	enum err_code code;

	*out = NULL;
	if (!x.a)
		return err_memory(e, "the arrows");
	code = clock_points_init(&points, &r->times, r->latency, r->bounds->barriers, e);
	if (!code) {
		code = find_messages(&x, progress, e);
		if (!code)
			code = find_collectives(&x, e);
		clock_points_release(&points);
	}
	if (code) {
		clock_arrows_free(x.a);
		return code;
	}
	SORT(x.a->list, x.a->count, by_to);
	*out = x.a;
	return ERR_OK;
}

void clock_arrows_free(struct clock_arrows *a)
{
	if (!a)
		return;
	mem_free(a->list);
	mem_free(a);
}

static uint32_t first_to(const struct clock_arrows *a, uint32_t event)
{
	return SEARCH_PAST(i, 0, a->count, a->list[i].to < event);
}

uint32_t clock_arrows_from(const struct clock_arrows *a, const struct trace *t, uint32_t process, double time)
{
	return SEARCH_PAST(i, first_to(a, t->first[process]), first_to(a, t->first[process + 1]), a->list[i].came < time);
}

const struct clock_arrow *clock_arrow_of(const struct clock_arrows *a, uint32_t to)
{
	struct clock_arrow key = {.to = to};

	return a->count ? bsearch(&key, a->list, a->count, sizeof key, by_to) : NULL;
}

const struct clock_arrow *clock_arrow_worst(const struct clock_arrows *a, const struct trace *t, uint32_t from, uint32_t to)
{
	const struct clock_arrow *worst = NULL;

	for (uint32_t i = first_to(a, t->first[to]); i < a->count && a->list[i].to < t->first[to + 1]; i++) {
		const struct clock_arrow *x = &a->list[i];

		if (!x->collective && trace_process_of(t, x->from) == from && (!worst || x->came - x->left < worst->came - worst->left))
			worst = x;
	}
	return worst;
}
