/* Counting what the visible cells of the zoomed-out grid cover. */
#include <string.h>

#include "../core/mem.h"
#include "grid.h"

/* Past these many events a cell's count is taken from the overview, or else from some of its ticks; past these many
 * occurrences, from some of them. */
#define EVENT_BUDGET 4096
#define OCCURRENCE_BUDGET 1024

struct range {
	uint32_t from, to; /* ticks, half open */
};

static struct range cell_ticks(const struct grid *g, int i)
{
	uint32_t ticks = model_ticks(g->view.model);
	uint64_t per = grid_per(g), from = g->first_tick + per * (uint64_t)i, to = from + per;

	return (struct range){from < ticks ? (uint32_t)from : ticks, to < ticks ? (uint32_t)to : ticks};
}

struct grid_span grid_span_of(const struct analysis *analysis, uint32_t from_tick, uint32_t to_tick)
{
	const struct phases *p = analysis->phases;
	struct range r = {from_tick, to_tick};
	uint32_t a = phases_occurrence_at(p, r.from), b = phases_occurrence_at(p, r.to - 1);
	uint32_t best = 0, step;
	uint64_t best_ticks = 0, ids[8] = {0}, ticks[8] = {0};

	if (a == b)
		return (struct grid_span){a, a == UINT32_MAX ? 0 : p->occurrences[a].phase};
	if (a == UINT32_MAX)
		a = 0;
	step = (b - a) / OCCURRENCE_BUDGET + 1;
	/* Few phases share one cell: eight counters that the rarest gives up are enough for the largest. */
	for (uint32_t i = a; i <= b; i += step) {
		const struct occurrence *o = &p->occurrences[i];
		uint32_t from = o->first > r.from ? o->first : r.from;
		uint32_t end = occurrence_end(p, i, analysis->logical->tick_count), to = end < r.to ? end : r.to;
		int slot = 0;

		for (int k = 0; k < 8; k++) {
			if (ids[k] == o->phase) {
				slot = k;
				break;
			}
			if (ticks[k] < ticks[slot])
				slot = k;
		}
		if (ids[slot] != o->phase) {
			ids[slot] = o->phase;
			ticks[slot] = 0;
		}
		ticks[slot] += to > from ? to - from : 0;
		if (ticks[slot] > best_ticks) {
			best_ticks = ticks[slot];
			best = o->phase;
		}
	}
	return (struct grid_span){UINT32_MAX, best};
}

/* The process of event e, which is not before process p: mostly the next one. */
static uint32_t process_from(const struct trace *t, uint32_t p, uint32_t e)
{
	for (int tries = 0; tries < 4; tries++, p++)
		if (e < t->first[p + 1])
			return p;
	return trace_process_of(t, e);
}

/* The first event of a tick's row that is of process p or a later one. */
static uint32_t row_start(const struct logical *l, uint32_t tick, uint32_t p)
{
	uint32_t lo = l->tick_first[tick], hi = l->tick_first[tick + 1];
	uint32_t wanted = l->trace->first[p];

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (l->order_of[mid] < wanted)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Processes that are shown, as [first, end). */
static uint32_t shown_end(const struct grid *g)
{
	uint64_t end = g->first_process + (uint64_t)g->process_cells * g->spread;
	uint32_t processes = model_processes(g->view.model);

	return end < processes ? (uint32_t)end : processes;
}

/* Few events: look at each, a tick's row at a time. */
static void count_rows(const struct grid *g, struct range r, uint32_t *counts)
{
	const struct logical *l = g->view.model->analysis->logical;
	uint32_t end = shown_end(g);

	for (uint32_t k = r.from; k < r.to; k++) {
		uint32_t p = g->first_process;

		for (uint32_t i = row_start(l, k, p); i < l->tick_first[k + 1]; i++) {
			p = process_from(l->trace, p, l->order_of[i]);
			if (p >= end)
				break;
			counts[(p - g->first_process) / g->spread]++;
		}
	}
}

/* Many events: whole blocks from the overview, what sticks out at either end by rows. False: cells are too fine. */
static bool count_blocks(const struct grid *g, struct range r, uint32_t *counts)
{
	const struct overview *o = g->view.model->overview;
	uint32_t b0, b1;

	if (!o || o->of != g->view.model->analysis->logical || g->spread % o->group || g->first_process % o->group)
		return false;
	b0 = (r.from + o->block - 1) / o->block;
	b1 = r.to == model_ticks(g->view.model) ? o->blocks : r.to / o->block;
	if (b0 >= b1)
		return false;
	count_rows(g, (struct range){r.from, b0 * o->block}, counts);
	for (int j = 0; j < g->process_cells; j++) {
		uint32_t g0 = (g->first_process + (uint32_t)j * g->spread) / o->group;

		if (g0 < o->groups)
			counts[j] += (uint32_t)overview_count(o, b0, b1, g0, g0 + g->spread / o->group);
	}
	if ((uint64_t)b1 * o->block < r.to)
		count_rows(g, (struct range){b1 * o->block, r.to}, counts);
	return true;
}

/* Neither: some rows stand for all, one from each stretch, at a place that follows no period of the trace. */
static uint32_t count_some(const struct grid *g, struct range r, uint32_t step, uint32_t *counts)
{
	uint32_t ticks = 0;

	for (uint32_t k = r.from; k < r.to; k += step, ticks++) {
		uint32_t room = r.to - k < step ? r.to - k : step;
		uint32_t at = k + (uint32_t)(((uint64_t)k * 2654435761u >> 7) % room);

		count_rows(g, (struct range){at, at + 1}, counts);
	}
	return ticks;
}

static void count_cells(const struct grid *g, struct range r, uint32_t *counts, uint8_t *density)
{
	const struct logical *l = g->view.model->analysis->logical;
	uint32_t events = l->tick_first[r.to] - l->tick_first[r.from], ticks = r.to - r.from, end = shown_end(g);

	memset(counts, 0, (size_t)g->process_cells * sizeof *counts);
	if (events <= EVENT_BUDGET || ticks == 1)
		count_rows(g, r, counts);
	else if (!count_blocks(g, r, counts))
		ticks = count_some(g, r, events / EVENT_BUDGET + 1 < ticks ? events / EVENT_BUDGET + 1 : ticks, counts);
	for (int i = 0; i < g->process_cells; i++) {
		uint64_t first = g->first_process + (uint64_t)i * g->spread;
		uint64_t members = first >= end ? 0 : end - first < g->spread ? end - first : g->spread;
		uint64_t places = members * ticks;

		density[i] = !counts[i] || !places ? 0 : (uint8_t)(1 + (uint64_t)counts[i] * 7 / places);
	}
}

void grid_count(struct grid *g)
{
	const struct analysis *a = g->view.model->analysis;
	size_t cells = (size_t)g->tick_cells * (size_t)g->process_cells;
	uint8_t *density = mem_resize(g->density, cells, 1);
	struct grid_span *spans;
	uint32_t *counts;

	if (density)
		g->density = density;
	spans = mem_resize(g->spans, (size_t)g->tick_cells, sizeof *spans);
	if (spans)
		g->spans = spans;
	counts = mem_alloc((size_t)g->process_cells, sizeof *counts);
	g->failed = !density || !spans || !counts;
	if (g->failed) {
		mem_free(counts);
		return;
	}
	memset(density, 0, cells);
	for (int i = 0; i < g->tick_cells; i++) {
		struct range r = cell_ticks(g, i);

		spans[i] = (struct grid_span){UINT32_MAX, 0};
		if (r.from >= r.to)
			continue;
		if (a->phases && a->phases->occurrence_count)
			spans[i] = grid_span_of(a, r.from, r.to);
		if (grid_counts(g))
			count_cells(g, r, counts, density + (size_t)i * (size_t)g->process_cells);
	}
	mem_free(counts);
}
