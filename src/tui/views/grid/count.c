/* Counting the events that the visible cells of the zoomed-out grid cover. */
#include <string.h>

#include "core/base/mem.h"
#include "core/base/search.h"
#include "tui/widgets/bars.h"
#include "grid_int.h"

/* Past these many events a cell's count is taken from the counts of blocks, or else from some of its ticks. */
#define EVENT_BUDGET 4096

struct tick_range {
	uint32_t from, to; /* ticks, half open */
};

static struct tick_range cell_ticks(const struct grid *g, int i)
{
	uint32_t ticks = model_ticks(g->view.model);
	uint64_t per = grid_per(g), from = g->first_tick + per * (uint64_t)i, to = from + per;

	return (struct tick_range){from < ticks ? (uint32_t)from : ticks, to < ticks ? (uint32_t)to : ticks};
}

#define ALONE (2.0 / 3)

/* What the ticks from..to-1 (at least one) belong to. */
static struct grid_span span_of(const struct model *m, struct tick_range r, const struct phase_shares *shares)
{
	const struct phases *p = m->analysis->phases;
	uint32_t a = phases_occurrence_at(p, r.from), b = phases_occurrence_at(p, r.to - 1);

	if (a == b)
		return (struct grid_span){a, a == UINT32_MAX ? 0 : p->occurrences[a].phase, true};
	if (shares->most == NO_KIND || shares->most == PHASE_MARKS)
		return (struct grid_span){UINT32_MAX, 0, false};
	return (struct grid_span){UINT32_MAX, m->ranked[shares->most], shares->share[shares->most] >= ALONE};
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
	return SEARCH_PAST(i, l->tick_first[tick], l->tick_first[tick + 1], l->order_of[i] < l->trace->first[p]);
}

/* Processes that are shown, as [first, end). */
static uint32_t shown_end(const struct grid *g)
{
	uint64_t end = g->first_process + (uint64_t)g->process_cells * g->spread;
	uint32_t processes = model_processes(g->view.model);

	return end < processes ? (uint32_t)end : processes;
}

/* Few events: look at each, a tick's row at a time. */
static void count_rows(const struct grid *g, struct tick_range r, uint32_t *counts)
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

/* Many events: whole blocks from the counts, what sticks out at either end by rows. False: cells are too fine. */
static bool count_blocks(const struct grid *g, struct tick_range r, uint32_t *counts)
{
	const struct event_counts *o = g->view.model->event_counts;
	uint32_t b0, b1;

	if (!o || o->of != g->view.model->analysis->logical || g->spread % o->group || g->first_process % o->group)
		return false;
	b0 = (r.from + o->block - 1) / o->block;
	b1 = r.to == model_ticks(g->view.model) ? o->blocks : r.to / o->block;
	if (b0 >= b1)
		return false;
	count_rows(g, (struct tick_range){r.from, b0 * o->block}, counts);
	for (int j = 0; j < g->process_cells; j++) {
		uint32_t g0 = (g->first_process + (uint32_t)j * g->spread) / o->group;

		if (g0 < o->groups)
			counts[j] += (uint32_t)event_counts_of(o, b0, b1, g0, g0 + g->spread / o->group);
	}
	if ((uint64_t)b1 * o->block < r.to)
		count_rows(g, (struct tick_range){b1 * o->block, r.to}, counts);
	return true;
}

/* Neither: some rows stand for all, one from each stretch, at a place that follows no period of the trace. */
static uint32_t count_some(const struct grid *g, struct tick_range r, uint32_t step, uint32_t *counts)
{
	uint32_t ticks = 0;

	for (uint32_t k = r.from; k < r.to; k += step, ticks++) {
		uint32_t room = r.to - k < step ? r.to - k : step;
		uint32_t at = k + (uint32_t)(((uint64_t)k * 2654435761u >> 7) % room);

		count_rows(g, (struct tick_range){at, at + 1}, counts);
	}
	return ticks;
}

static void count_cells(const struct grid *g, struct tick_range r, uint32_t *counts, uint8_t *density)
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

		density[i] = counts[i] && places ? (uint8_t)spark_eighths(counts[i], (double)places) : 0;
	}
}

/* The cursor's cell, exactly. */
static void count_column(struct grid *g)
{
	const struct model *m = g->view.model;
	const struct logical *l = m->analysis->logical;
	const struct trace *t = l->trace;
	struct tick_range r = cell_ticks(g, (int)((m->cursor.tick - g->first_tick) / grid_per(g)));
	uint32_t first = m->cursor.process - m->cursor.process % g->spread, end = shown_end(g);
	struct grid_column *c = &g->column;

	*c = (struct grid_column){.from = r.from, .to = r.to};
	if (!grid_counts(g) || r.from >= r.to)
		return;
	end = end - first < g->spread ? end : first + g->spread;
	c->events = l->tick_first[r.to] - l->tick_first[r.from];
	for (uint32_t i = l->tick_first[r.from]; i < l->tick_first[r.to]; i++)
		c->here += l->order_of[i] >= t->first[first] && l->order_of[i] < t->first[end];
	phase_shares_of_ticks(&c->shares, m, r.from, r.to);
}

static bool grid_make_room(struct grid *g)
{
	size_t cells = (size_t)g->tick_cells * (size_t)g->process_cells;
	void *density = mem_resize(g->density, cells, 1), *spans, *stack;

	if (density)
		g->density = density;
	spans = mem_resize(g->spans, (size_t)g->tick_cells, sizeof *g->spans);
	if (spans)
		g->spans = spans;
	stack = mem_resize(g->stack, (size_t)g->tick_cells * (size_t)(g->bands + 1), 1);
	if (stack)
		g->stack = stack;
	return density && spans && stack;
}

void grid_count(struct grid *g)
{
	const struct model *m = g->view.model;
	const struct analysis *a = m->analysis;
	double owed[PHASE_KINDS] = {0};
	uint32_t *counts = mem_alloc((size_t)g->process_cells, sizeof *counts);

	g->failed = !grid_make_room(g) || !counts || (g->iterations && !grid_find_iterations(g));
	if (g->failed) {
		mem_free(counts);
		return;
	}
	memset(g->density, 0, (size_t)g->tick_cells * (size_t)g->process_cells);
	memset(g->stack, NO_KIND, (size_t)g->tick_cells * (size_t)(g->bands + 1));
	for (int i = 0; i < g->tick_cells; i++) {
		struct tick_range r = cell_ticks(g, i);
		uint8_t *stack = g->stack + (size_t)i * (size_t)g->bands;

		g->spans[i] = (struct grid_span){UINT32_MAX, 0, false};
		if (r.from >= r.to)
			continue;
		if (a->phases && a->phases->occurrence_count) {
			struct phase_shares shares;

			phase_shares_of_ticks(&shares, m, r.from, r.to);
			g->spans[i] = span_of(m, r, &shares);
			if (g->bands > 1)
				phase_shares_stack(&shares, g->bands, stack);
			else if (g->bands)
				*stack = phase_shares_mark(&shares, owed);
		}
		if (grid_counts(g))
			count_cells(g, r, counts, g->density + (size_t)i * (size_t)g->process_cells);
	}
	mem_free(counts);
	count_column(g);
}
