/* Nearest misses: what almost merged (analysis.h). */
#include "analysis.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "analysis_int.h"
#include "core/base/search.h"

static bool nearer(const struct why_miss *a, const struct why_miss *b)
{
	return a->distance < b->distance || (a->distance == b->distance && a->id < b->id);
}

/* Insert into the list of the nearest, which is kept in order. */
static void miss_keep(struct why_miss *out, uint32_t most, uint32_t *count, struct why_miss m)
{
	uint32_t at = *count < most ? *count : most;

	while (at > 0 && nearer(&m, &out[at - 1]))
		at--;
	if (at < most) {
		uint32_t moved = (*count < most ? *count : most - 1) - at;

		memmove(out + at + 1, out + at, moved * sizeof *out);
		out[at] = m;
	}
	if (*count < most)
		++*count;
}

enum err_code why_nearest_phases(struct why_miss *out, uint32_t most, uint32_t *count, const struct logical *l,
				 const struct phases *p, uint32_t id, const struct settings *settings,
				 const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	*count = 0;
	for (uint32_t other = 1; !code && other <= p->count; other++) {
		struct why_windows w;
		struct why_miss m = {.id = other, .compute = WHY_NEVER};
		double by_events = INFINITY;

		/* Phases of other lengths never merge. Where they are joined blocks, `ticks` does not count send ticks.
		 */
		if (other == id || (p->similarity == SIMILARITY_PHASE &&
				    p->list[other - 1].ticks != p->list[id - 1].ticks))
			continue;
		code = why_phases(&w, l, p, id, other, settings, e);
		if (code)
			break;
		m.volume = w.volume;
		m.events = w.events;
		if (w.events >= 0)
			by_events = fmax(settings->events - w.events, 0);
		m.distance = fmin(fmax(w.volume - settings->volume, 0), by_events);
		if (m.distance <= 1)
			miss_keep(out, most, count, m);
		if (progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "stopped while looking for phases that almost merge");
	}
	return code;
}

static bool same_types(const struct logical *l, uint32_t x, uint32_t y)
{
	const struct trace *t = l->trace;
	uint32_t i = l->tick_first[x], j = l->tick_first[y], n = l->tick_first[x + 1] - i;

	if (l->tick_first[y + 1] - j != n)
		return false;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t a = l->order_of[i + k], b = l->order_of[j + k];

		if (t->type[a] != t->type[b] || trace_process_of(t, a) != trace_process_of(t, b))
			return false;
	}
	return true;
}

enum err_code why_nearest_bbps(struct why_miss *out, uint32_t most, uint32_t *count, const struct logical *l,
			       const struct bbps *b, uint32_t leader, const struct settings *settings,
			       const struct progress *progress, struct err *e)
{
	*count = 0;
	leader = b->label[leader];
	for (uint32_t other = 1; other <= b->count; other++) {
		struct why_bbps w;
		struct why_miss m = {.id = other, .events = -1};

		if ((other & 4095) == 0 && progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "stopped while looking for basic blocks that almost merge");
		if (!b->weight[other] || other == leader || !same_types(l, leader - 1, other - 1) ||
		    !same_types(l, leader, other))
			continue;
		why_bbps(&w, l, leader, other, settings);
		m.volume = w.volume.needed;
		m.compute = w.compute.needed;
		m.distance = fmax(fmax(m.volume - settings->volume, m.compute - settings->compute), 0);
		if (m.distance <= 1)
			miss_keep(out, most, count, m);
	}
	return ERR_OK;
}
