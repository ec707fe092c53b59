#include "bounds.h"

#include <math.h>

#include "bounds_int.h"
#include "core/base/mem.h"
#include "core/base/search.h"
#include "core/trace/remote.h"

enum err_code clock_times_init(struct clock_times *c, const struct call_log *log, double resolution, struct err *e)
{
	const struct call_clocks *known = &log->clocks;
	const struct trace *t = log->trace;
	enum err_code code;

	*c = (struct clock_times){.trace = t, .sent = known->sent, .held = known->held, .sent_count = known->sent_count,
				  .held_count = known->held_count, .steps = known->steps, .first_step = known->first_step, .seen = known->seen,
				  .first_seen = known->first_seen, .resolution = mem_zero(t->process_count, sizeof *c->resolution)};
	for (uint32_t p = 0; c->resolution && p < t->process_count; p++)
		c->resolution[p] = resolution >= 0 ? resolution : known->coarse[p] ? RESOLUTION_COARSE : 0;
	code = team_agree(trace_team(t), c->resolution ? ERR_OK : err_memory(e, "the trace's clocks"), e);
	if (!code && t->remote)
		code = clock_remote_exchange(c, e);
	if (code)
		clock_times_release(c);
	return code;
}

void clock_times_release(struct clock_times *c)
{
	mem_free(c->resolution);
	clock_remote_free(c->remote);
	*c = (struct clock_times){0};
}

/* The entry of an event; NO_ENTRY: it is none of them. */
static uint32_t event_time_find(const struct clock_event_time *list, uint32_t count, uint32_t event)
{
	uint32_t low = SEARCH_PAST(i, 0, count, list[i].event < event);

	return low < count && list[low].event == event ? low : NO_ENTRY;
}

const struct clock_event_time *clock_times_started(const struct clock_times *c, uint32_t event)
{
	uint32_t at = c->sent_count ? event_time_find(c->sent, c->sent_count, event) : NO_ENTRY;

	return at == NO_ENTRY ? NULL : &c->sent[at];
}

double clock_times_sent(const struct clock_times *c, uint32_t event)
{
	const struct clock_event_time *t;

	if (c->remote && is_remote(event))
		return c->remote->stamp[event - REMOTE_EVENT];
	t = clock_times_started(c, event);
	return t ? t->time : c->trace->time[event];
}

uint32_t clock_times_held(const struct clock_times *c, uint32_t event)
{
	return event_time_find(c->held, c->held_count, event);
}

double clock_times_step(const struct clock_times *c, uint32_t process, uint32_t event)
{
	uint32_t low;

	if (!c->first_step || c->first_step[process + 1] - c->first_step[process] < 2)
		return 0;
	low = SEARCH_PAST(i, c->first_step[process], c->first_step[process + 1], c->steps[i].event <= event);
	return low > c->first_step[process] ? c->steps[low - 1].later : 0;
}
