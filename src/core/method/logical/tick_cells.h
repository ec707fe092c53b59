/* The cells of ticks: who did what, of what size. Of local events they are read from the logical trace; with a team
 * rank 0 gathers those of the ticks that it has to compare, the examples of classes (logical.h).
 *
 *     tick_cells_gather(&c, l, class.example, class.count, false, progress, &e);      all ranks; c stays empty but on rank 0 of a team
 *     w = c.first ? cells_gathered(&c, i) : cells_of_tick(l, class.example[i], false);
 *     while (cell_next(&w, &cell)) ...                                                  by process, ascending
 *     tick_cells_release(&c);
 *
 * Internal to the core: basic blocks and phases build on it.
 */
#ifndef PAS2P_CORE_METHOD_LOGICAL_TICK_CELLS_H
#define PAS2P_CORE_METHOD_LOGICAL_TICK_CELLS_H

#include "logical.h"

struct tick_cell {
	uint32_t process;
	event_type type;
	uint64_t size;
};

/* 16 bytes per cell. */
struct tick_cells {
	uint64_t *first;  /* count + 1: the cells of the i-th tick are list[first[i] .. first[i + 1]). NULL: none were gathered */
	struct tick_cell *list;
	uint32_t count;
};

/* sends_only: receives are left out, if there are any. Takes collective steps (team.h). */
enum err_code tick_cells_gather(struct tick_cells *c, const struct logical *l, const uint32_t *ticks, uint32_t count, bool sends_only,
				const struct progress *progress, struct err *e);
void tick_cells_release(struct tick_cells *c);

/* How many ticks a collective step is about, so that what is under way is bounded: a rank has at most a cell a process
 * of each. */
uint32_t ticks_per_step(const struct trace *t);

struct cell_walk {
	struct tick_walk w;                /* of a logical trace ... */
	const struct tick_cell *at, *end;  /* ... or of gathered cells; end NULL: it is not of these */
};

static inline struct cell_walk cells_of_tick(const struct logical *l, uint32_t tick, bool sends_only)
{
	return (struct cell_walk){tick_walk(l, tick, sends_only), NULL, NULL};
}

static inline struct cell_walk cells_gathered(const struct tick_cells *c, uint32_t i)
{
	return (struct cell_walk){.at = c->list + c->first[i], .end = c->list + c->first[i + 1]};
}

static inline bool cell_next(struct cell_walk *w, struct tick_cell *cell) /* false at the end */
{
	const struct trace *t;
	uint32_t ev;

	if (w->end) {
		if (w->at == w->end)
			return false;
		*cell = *w->at++;
		return true;
	}
	ev = tick_next(&w->w);
	if (ev == NO_EVENT)
		return false;
	t = w->w.l->trace;
	*cell = (struct tick_cell){trace_process_of(t, ev), t->type[ev], trace_size(t, ev)};
	return true;
}

#endif
