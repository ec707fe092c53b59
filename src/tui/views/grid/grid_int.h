/* The grid, inside: the state that view.c changes and draw.c shows.
 *
 * Two axes: ticks and processes. A cell covers `per` ticks and `spread` processes. With both 1 and wide cells
 * (zoom 0) it shows an event's own facts; from zoom 1 on it is one column: the event's kind, and where it
 * covers more than one place, how many of its places hold events, in the colour of the phase that most of its
 * ticks belong to. What is drawn then is counted by grid_count() for the visible cells only. In place of that it may
 * show heat (heat.c).
 */
#ifndef PAS2P_TUI_VIEWS_GRID_GRID_INT_H
#define PAS2P_TUI_VIEWS_GRID_GRID_INT_H

#include "core/metrics/maps/maps.h"
#include "tui/model/phase_shares.h"
#include "tui/views/view.h"

enum grid_content { CONTENT_TYPE, CONTENT_SIZE, CONTENT_COMPUTE, CONTENT_LT, CONTENT_PHASE, CONTENT_COUNT };

/* What one column (of ticks) belongs to. */
struct grid_span {
	uint32_t occurrence;   /* if all of it lies in one, otherwise UINT32_MAX */
	uint32_t phase;        /* the one with most of its ticks; 0: none */
	bool alone;            /* it has hardly less than all of them, so that it can stand for the column */
};

/* What the cursor's cell covers, where that is more than one place. */
struct grid_column {
	uint32_t from, to;     /* ticks, half open */
	uint32_t events, here; /* all of them, and those of the cell's processes */
	struct phase_shares shares;
};

#define GRID_BANDS 8       /* rows of stacked shares at most */

/* A search for the next event whose text matches, by tick and then process, round the whole trace. */
struct grid_search {
	bool busy, back, from_here; /* as grid_find() was asked */
	uint64_t serial;       /* of the analysis that it is in */
	uint32_t at, left;     /* place in order_of, and how many are still to look at */
};

#define GRID_EVENTS (-1) /* no measure of heat: events are counted */

/* What maps of heat are of. */
struct heat_frame {
	const struct logical *of;    /* a reference */
	uint32_t first, columns, per; /* ticks: the first, how many columns, how many a column */
	uint32_t each;               /* processes a row */
};

struct heat_maps {
	struct made made;
	struct spent *run;           /* references */
	struct spent_phases *phases; /* NULL: of the phases' map alone */
	struct heat_frame frame;
	struct heat_map *map[HEAT_MEASURES]; /* that of the phases, or all others */
};

/* What each cell's processes had in its ticks, in place of how many events are there. All measures are made at once in
 * the background, for all processes and the whole run at the grid's zoom, so that scrolling and another measure cost a
 * frame; of a run with too many cells, for what is shown and as much around it as has room. Until those of a new zoom
 * are there, the old ones stand in. */
struct grid_heat {
	int measure;                 /* enum heat_measure, or GRID_EVENTS */
	struct derived maps, phase_map;
};

struct grid {
	struct view view;
	uint32_t zoom;         /* ticks a cell; 0: one, in wide cells */
	uint32_t spread;       /* processes a cell */
	bool transposed;
	enum grid_content content;
	uint32_t first_tick, first_process;
	uint32_t zoom_before;  /* what `fit` goes back to */
	uint32_t spread_before;
	int w, h;              /* of the pane, as last updated for; the legend of heat is below */

	/* Layout, made by update. */
	int gutter, ruler;     /* columns left of the cells, rows above them */
	int bands;             /* rows of the phases' shares by letter; 0: brackets with numbers, for there is room */
	bool iterations;       /* a row of the ruler (a column, where ticks go down) marks those of the main loop */
	int cell;              /* columns of a cell */
	int tick_cells, process_cells; /* how many fit along each axis */
	int pitch;             /* lines from one process to the next; 1: there is no room for more than their events */
	int compute_lines, wait_lines; /* of bars below the events */

	/* Counts of the visible cells, made by update where cells cover more than one place. */
	uint8_t *density;      /* tick_cells x process_cells, eighths; owned */
	struct grid_span *spans; /* tick_cells; owned */
	uint8_t *stack;        /* tick_cells x bands, from the top: kinds as in phase_shares.h; owned */
	struct grid_column column;
	uint32_t *iteration;   /* tick_cells, where iterations are marked: the one of each, UINT32_MAX none; owned */
	uint32_t iteration_before; /* of the tick before the first */
	bool failed;           /* no memory for them */
	struct grid_search search;
	struct grid_heat heat;
};

static inline uint64_t grid_per(const struct grid *g)
{
	return g->zoom ? g->zoom : 1;
}

static inline bool grid_counts(const struct grid *g)
{
	return grid_per(g) > 1 || g->spread > 1;
}

/* Cells of one column, which have no room for what single events have. */
static inline bool grid_narrow(const struct grid *g)
{
	return g->zoom || g->spread > 1;
}

void grid_lay_out_tall(struct grid *g, int h);        /* the lines of rows, once the rest is laid out */
int grid_bar_lines(const struct grid *g);             /* of a row that counts, or has heat */
/* A column of blocks in the lines from y on, from the last one up. */
void grid_bar_draw(struct pane p, int x, int y, int w, int lines, int eighths, enum role role);
void grid_draw_tall(const struct grid *g, struct pane p);
bool grid_marks_iterations(const struct grid *g, int h); /* in a pane of h rows */
int grid_iteration_columns(const struct grid *g);     /* for them, where ticks go down */
bool grid_find_iterations(struct grid *g);            /* false: no memory */
void grid_draw_iterations(const struct grid *g, struct pane p);
void grid_count(struct grid *g);                      /* fill density, spans, stack and column */
void grid_draw(const struct view *v, struct pane p);
void grid_find(struct view *v, bool back, bool from_here);
unsigned grid_work(struct view *v, unsigned ms);
double grid_progress(const struct view *v);
/* Show the next measure of heat; returns what it is. Is heat what the cells show? */
const char *grid_heat_next(struct grid *g, int step);
bool grid_heats(const struct grid *g);
void grid_heat_update(struct grid *g);
void grid_heat_release(struct grid_heat *h);
/* The latest with a measure's map; NULL: being made, or there is a failure. */
const struct heat_maps *grid_heat_maps(const struct grid *g, int measure);
/* The cells, as far as they are known; what the blocks mean, or why there are none; and of the cursor's cell ": waiting
 * 42.0 %, compute 31.0 %, ...", as much as has room. */
void grid_heat_draw(const struct grid *g, struct pane p);
void grid_heat_legend(const struct grid *g, struct pane p);
void grid_heat_describe(const struct grid *g, char *text, size_t size, int room);

#endif
