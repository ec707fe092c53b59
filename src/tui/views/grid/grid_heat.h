/* Heat in the zoomed-out grid: what each cell's processes had in its ticks, in place of how many events are there.
 *
 *     grid_heat_update(g);          in the grid's update: asks for what is not there yet, takes what has come
 *     grid_heat_draw(g, p);         the cells, as far as they are known
 *     grid_heat_legend(g, p);       what the blocks mean; or that it is being made, or why it cannot be
 *
 * All measures are made at once behind the screen, for all processes and the whole run at the grid's zoom, so that
 * scrolling and another measure cost a frame; of a run with too many cells, for what is shown and as much around it as
 * has room. Until those of a new zoom are there, the old ones stand in.
 */
#ifndef PAS2P_TUI_GRID_HEAT_H
#define PAS2P_TUI_GRID_HEAT_H

#include "core/metrics/heat_map.h"
#include "tui/model/model.h"

#define GRID_EVENTS (-1) /* no measure: events are counted */

/* What maps are of. */
struct heat_frame {
	const struct logical *of;    /* a reference; NULL: nothing */
	uint32_t first, columns, per; /* ticks: the first, how many columns, how many a column */
	uint32_t each;               /* processes a row */
};

struct grid_heat {
	int measure;                 /* enum heat_measure, or GRID_EVENTS */
	struct heat_map *map[HEAT_MEASURES];
	struct heat_frame has, asked;
	struct spent_phases *phases, *asked_phases; /* references: whose phases are in the map, and will be */
	char failure[ERR_TEXT];
};

struct grid;
void grid_heat_release(struct grid_heat *h);
const char *grid_heat_next(struct grid *g, int step); /* show the next measure; returns what it is */
/* Is heat what the cells show? */
bool grid_heats(const struct grid *g);
void grid_heat_update(struct grid *g);
void grid_heat_draw(const struct grid *g, struct pane p);
void grid_heat_legend(const struct grid *g, struct pane p);
/* ": waiting 42.0 %, compute 31.0 %, ..." of the cursor's cell, as much as has room. */
void grid_heat_describe(const struct grid *g, char *text, size_t size, int room);

#endif
