#include "logical.h"

#include "core/base/search.h"
#include "logical_int.h"
#include "core/trace/remote.h"

enum err_code logical_new(struct logical **out, const struct trace *t, enum order order, enum collectives collectives,
			  const struct progress *progress, struct err *e)
{
	struct logical *l = mem_zero(1, sizeof *l);
	enum err_code code;

	*out = NULL;
	if (!l)
		return team_agree(trace_team(t), err_memory(e, "the logical trace"), e);
	atomic_init(&l->references, 1);
	l->self = l;
	notes_init(&l->notes);
	l->trace = t;
	l->order = order;
	l->collectives = collectives;
	if (collectives == COLLECTIVES_IGNORE) {
		code = trace_without_collectives(&l->filtered, t, e);
		if (code != ERR_OK)
			goto fail;
		l->trace = l->filtered;
	}
	l->tick = mem_alloc(l->trace->event_count, sizeof *l->tick);
	if (!l->tick) {
		code = team_agree(trace_team(t), err_memory(e, "logical times"), e);
		goto fail;
	}
	code = logical_order(l, l->tick, progress, e);
	if (!code)
		code = logical_ticks(l, progress, e);
	if (code)
		goto fail;
	*out = l;
	return ERR_OK;
fail:
	logical_unref(l);
	return code;
}

const struct logical *logical_ref(const struct logical *l)
{
	if (l)
		atomic_fetch_add(&l->self->references, 1);
	return l;
}

void logical_unref(const struct logical *l)
{
	if (!l || atomic_fetch_sub(&l->self->references, 1) != 1)
		return;
	trace_free(l->filtered);
	mem_free(l->tick);
	mem_free(l->tick_first);
	mem_free(l->lt_first);
	mem_free(l->order_of);
	mem_free(l->tick_sends);
	mem_free(l->send_first);
	mem_free(l->sends);
	notes_release(&l->self->notes);
	mem_free(l->self);
}

uint32_t logical_lt(const struct logical *l, uint32_t event)
{
	return SEARCH_LAST(i, 0, l->lt_count, l->lt_first[i] <= l->tick[event]);
}

uint32_t logical_event_at(const struct logical *l, uint32_t tick, uint32_t process)
{
	const struct trace *t = l->trace;
	uint32_t low;

	if (tick >= l->tick_count || process >= t->process_count)
		return NO_EVENT;
	low = SEARCH_PAST(i, l->tick_first[tick], l->tick_first[tick + 1], l->order_of[i] < t->first[process]);
	if (low < l->tick_first[tick + 1] && l->order_of[low] < t->first[process + 1])
		return l->order_of[low];
	return NO_EVENT;
}

/* Ticks of a process's sends and collectives rise with their number: both orders see to that. */
uint32_t logical_sends_before(const struct logical *l, uint32_t process, uint32_t tick)
{
	uint32_t first = l->send_first[process];
	uint32_t low = SEARCH_PAST(i, first, l->send_first[process + 1], l->tick[l->sends[i]] < tick);

	return low - first;
}

uint32_t logical_send_number(const struct logical *l, uint32_t process, uint32_t event)
{
	uint32_t first = l->send_first[process];
	uint32_t low = SEARCH_PAST(i, first, l->send_first[process + 1], l->sends[i] < event);

	return low < l->send_first[process + 1] && l->sends[low] == event ? low - first + 1 : 0;
}
