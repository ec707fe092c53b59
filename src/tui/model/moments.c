#include "moments.h"

#include <math.h>
#include <stdio.h>

#include "core/base/unit.h"

struct moment moment_of_tick(const struct logical *l, uint32_t tick)
{
	struct moment at = {INFINITY, 0};

	for (uint32_t i = l->tick_first[tick]; i < l->tick_first[tick + 1]; i++) {
		uint32_t event = l->order_of[i];

		if (l->trace->time[event] - l->trace->start < at.seconds)
			at = (struct moment){l->trace->time[event] - l->trace->start, trace_process_of(l->trace, event)};
	}
	return at;
}

const char *moment_text(struct moment at, char text[MOMENT_TEXT])
{
	char moment[UNIT_TEXT], rank[UNIT_TEXT];

	snprintf(text, MOMENT_TEXT, "%s (%s)", unit_moment(moment, at.seconds), unit_rank(rank, at.process));
	return text;
}

/* The first event of a process at a time or later. */
static uint32_t event_from(const struct trace *t, uint32_t process, double seconds)
{
	uint32_t lo = t->first[process], hi = t->first[process + 1];

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (t->time[mid] - t->start < seconds)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool moment_find(const struct model *m, double seconds, double within, struct trace_place *to)
{
	const struct logical *l = model_logical(m);
	const struct phases *p = m->analysis->phases;
	const struct trace *t = l->trace;
	bool found = false;

	within += fabs(seconds) * 1e-12; /* what was printed was rounded */
	for (uint32_t q = 0; p && q < t->process_count; q++)
		for (uint32_t e = event_from(t, q, seconds - within); e < t->first[q + 1] && t->time[e] - t->start <= seconds + within; e++) {
			uint32_t tick = l->tick[e], o = phases_occurrence_at(p, tick);
			double off = fabs(t->time[e] - t->start - seconds);

			if (o == UINT32_MAX || p->occurrences[o].first != tick || moment_of_tick(l, tick).process != q || (found && off >= within))
				continue;
			*to = (struct trace_place){.process = q, .tick = tick};
			within = off;
			found = true;
		}
	return found;
}
