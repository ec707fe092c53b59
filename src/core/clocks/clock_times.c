#include "clock_times.h"

#include <math.h>

#include "core/base/mem.h"

void clock_times_release(struct clock_times *c)
{
	mem_free(c->sent);
	mem_free(c->held);
	mem_free(c->steps);
	mem_free(c->first_step);
	mem_free(c->seen);
	mem_free(c->first_seen);
	mem_free(c->resolution);
	*c = (struct clock_times){0};
}

/* The last entry that is not behind the event. */
static const struct clock_event_time *find(const struct clock_event_time *list, uint32_t count, uint32_t event)
{
	uint32_t low = 0, high = count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (list[mid].event <= event)
			low = mid + 1;
		else
			high = mid;
	}
	return low && list[low - 1].event == event ? &list[low - 1] : NULL;
}

const struct clock_event_time *clock_times_started(const struct clock_times *c, uint32_t event)
{
	return c->sent_count ? find(c->sent, c->sent_count, event) : NULL;
}

double clock_times_sent(const struct clock_times *c, uint32_t event)
{
	const struct clock_event_time *t = clock_times_started(c, event);

	return t ? t->time : c->trace->time[event];
}

double clock_times_held(const struct clock_times *c, uint32_t event)
{
	const struct clock_event_time *t = find(c->held, c->held_count, event);

	return t ? t->time : NAN;
}

double clock_times_step(const struct clock_times *c, uint32_t process, uint32_t event)
{
	uint32_t low, high;

	if (!c->first_step || c->first_step[process + 1] - c->first_step[process] < 2)
		return 0;
	low = c->first_step[process];
	high = c->first_step[process + 1];
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (c->steps[mid].event <= event)
			low = mid + 1;
		else
			high = mid;
	}
	return low > c->first_step[process] ? c->steps[low - 1].later : 0;
}
