#include "part.h"

#include "core/base/search.h"

/* The first process whose events begin at `event` or behind it. */
static uint32_t process_from(const struct trace *t, uint64_t event)
{
	return SEARCH_PAST(i, 0, t->process_count, t->first[i] < event);
}

void trace_part(const struct trace *t, unsigned part, unsigned parts, uint32_t *first, uint32_t *end)
{
	*first = process_from(t, (uint64_t)t->event_count * part / parts);
	*end = part + 1 < parts ? process_from(t, (uint64_t)t->event_count * (part + 1) / parts) : t->process_count;
}
