/* Which phase a column of the timeline stands for: the one that has most of its time. */
#include <string.h>

#include "../core/clockwork.h"
#include "../core/mem.h"
#include "timeline_view.h"

#define SAMPLES 4096 /* occurrences looked at in a column, spread over it where there are more */

double timeline_tick_time(const struct model *m, uint32_t tick)
{
	const struct clockwork *c = m->analysis->clockwork;

	return c && m->trace->process_count ? c->at[tick] / m->trace->process_count : 0;
}

uint32_t timeline_occurrence_at(const struct model *m, double t)
{
	const struct phases *p = m->analysis->phases;
	uint32_t lo = 0, hi = p->occurrence_count;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (timeline_tick_time(m, p->occurrences[mid].first) <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? lo - 1 : UINT32_MAX;
}

/* What an occurrence has of the time from t0 to t1. */
static double overlap(const struct model *m, uint32_t o, double t0, double t1)
{
	const struct phases *p = m->analysis->phases;
	double start = timeline_tick_time(m, p->occurrences[o].first);
	double end = timeline_tick_time(m, occurrence_end(p, o, model_ticks(m)));

	start = start > t0 ? start : t0;
	end = end < t1 ? end : t1;
	return end > start ? end - start : 0;
}

/* Number k of the occurrences looked at. Where not all are, each is from anywhere in its share of them: at even
 * distances a rhythm of the phases could hide all but one. */
static uint32_t sample(uint32_t first, uint32_t count, uint32_t k)
{
	uint64_t from, to;

	if (count <= SAMPLES)
		return first + k;
	from = (uint64_t)k * count / SAMPLES;
	to = (uint64_t)(k + 1) * count / SAMPLES;
	return first + (uint32_t)(from + (k * 2654435761u >> 8) % (to - from));
}

/* time[]: by phase, all 0 before and after. */
static uint32_t column_phase(const struct model *m, double t0, double t1, double *time)
{
	const struct phases *p = m->analysis->phases;
	uint32_t first = timeline_occurrence_at(m, t0), last = timeline_occurrence_at(m, t1), n, best = 0;

	if (last == UINT32_MAX)
		return 0;
	if (first == UINT32_MAX)
		first = 0;
	n = last - first + 1 < SAMPLES ? last - first + 1 : SAMPLES;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t o = sample(first, last - first + 1, k), id = p->occurrences[o].phase;

		time[id] += overlap(m, o, t0, t1);
		if (time[id] > time[best])
			best = id;
	}
	for (uint32_t k = 0; k < n; k++)
		time[p->occurrences[sample(first, last - first + 1, k)].phase] = 0;
	return best;
}

void timeline_find_phases(struct timeline_view *s)
{
	const struct model *m = s->view.model;
	const struct phases *p = m->analysis->phases;
	uint32_t *phase;
	double *time;

	if (s->phase_cells == s->cells && s->phase_serial == m->serial && !(s->phase_from < s->from) &&
	    !(s->phase_from > s->from) && !(s->phase_cell < s->cell) && !(s->phase_cell > s->cell))
		return;
	s->phase_cells = 0;
	if (!p || !p->occurrence_count || !m->analysis->clockwork)
		return;
	phase = mem_resize(s->phase, (size_t)s->cells, sizeof *phase);
	if (!phase)
		return;
	s->phase = phase;
	time = mem_zero((size_t)p->count + 1, sizeof *time);
	if (!time)
		return;
	for (int x = 0; x < s->cells; x++)
		phase[x] = column_phase(m, s->from + x * s->cell, s->from + (x + 1) * s->cell, time);
	mem_free(time);
	s->phase_cells = s->cells;
	s->phase_from = s->from;
	s->phase_cell = s->cell;
	s->phase_serial = m->serial;
}
