#include "trace_part.h"

/* The first process whose events begin at `event` or behind it. */
static uint32_t process_from(const struct trace *t, uint64_t event)
{
	uint32_t low = 0, high = t->process_count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (t->first[mid] < event)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void trace_part(const struct trace *t, unsigned part, unsigned parts, uint32_t *first, uint32_t *end)
{
	*first = process_from(t, (uint64_t)t->event_count * part / parts);
	*end = part + 1 < parts ? process_from(t, (uint64_t)t->event_count * (part + 1) / parts) : t->process_count;
}
