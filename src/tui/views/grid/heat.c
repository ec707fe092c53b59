#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "tui/model/phase_shares.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/plot_heat.h"
#include "tui/widgets/bars.h"
#include "grid_int.h"

#define CELLS_MOST (1u << 20) /* of a measure */

static const struct heat_look {
	const char *what;  /* for the legend and the message */
	enum plot_unit unit;
	enum role role;
} shown[HEAT_MEASURES] = {
	[HEAT_PHASE] = {"phase with the largest share", PLOT_COUNT, ROLE_DEFAULT},
	[HEAT_COMPUTE] = {"computation, share of the time", PLOT_SHARE, ROLE_COMPUTE},
	[HEAT_WAITING] = {"waiting, share of the time", PLOT_SHARE, ROLE_WAIT},
	[HEAT_BYTES] = {"bytes sent", PLOT_BYTES, ROLE_SEND},
	[HEAT_MESSAGES] = {"messages sent", PLOT_COUNT, ROLE_SEND},
};

bool grid_heats(const struct grid *g)
{
	return g->heat.measure != GRID_EVENTS && grid_narrow(g);
}

const char *grid_heat_next(struct grid *g, int step)
{
	struct grid_heat *h = &g->heat;

	h->measure += step;
	if (h->measure < GRID_EVENTS)
		h->measure = HEAT_MEASURES - 1;
	else if (h->measure == HEAT_MEASURES)
		h->measure = GRID_EVENTS;
	return h->measure == GRID_EVENTS ? "events" : shown[h->measure].what;
}

/* --- making --- */

/* The same cells, and those of b among them. */
static bool frame_has(const struct heat_frame *a, const struct heat_frame *b)
{
	return a->of == b->of && a->per == b->per && a->each == b->each && b->first >= a->first &&
	       b->first + (uint64_t)b->columns * b->per <= a->first + (uint64_t)a->columns * a->per;
}

/* All of the run; where that is too much, what is shown in the middle of what has room. */
static struct heat_frame frame_of(const struct grid *g, const struct heat_frame *seen)
{
	const struct model *m = g->view.model;
	uint64_t rows = ((uint64_t)model_processes(m) + g->spread - 1) / g->spread, room = CELLS_MOST / (rows ? rows : 1);
	uint64_t all = ((uint64_t)model_ticks(m) + seen->per - 1) / seen->per, before;
	struct heat_frame f = *seen;

	if (room < f.columns)
		room = f.columns;
	before = (room - f.columns) / 2;
	if (before > f.first / f.per || all <= room)
		before = f.first / f.per;
	f.first -= (uint32_t)(before * f.per);
	f.columns = (uint32_t)(all - f.first / f.per < room ? all - f.first / f.per : room);
	return f;
}

/* What maps are made of. */
struct heat_source {
	const struct grid *grid;
	struct heat_frame seen;
	bool of_phases;              /* the phases' map, otherwise all others */
};

static bool heat_can(const void *from)
{
	const struct heat_source *f = from;
	const struct model *m = f->grid->view.model;

	return f->of_phases ? spent_phases_current(m) != NULL : spent_run(m) != NULL;
}

static void heat_begin(void *made, const void *from)
{
	const struct heat_source *f = from;
	const struct model *m = f->grid->view.model;
	struct heat_maps *x = made;

	x->run = made_ref(spent_run(m));
	x->phases = f->of_phases ? made_ref(spent_phases_current(m)) : NULL;
	x->frame = frame_of(f->grid, &f->seen);
	x->frame.of = logical_ref(x->frame.of);
}

static bool heat_is_of(const void *made, const void *from)
{
	const struct heat_source *f = from;
	const struct heat_maps *x = made;

	return frame_has(&x->frame, &f->seen) && (!f->of_phases || x->phases == spent_phases_current(f->grid->view.model));
}

static enum err_code heat_make(void *made, const struct progress *progress, struct err *e)
{
	struct heat_maps *x = made;
	const struct heat_frame *f = &x->frame;
	uint64_t end = f->first + (uint64_t)f->columns * f->per;
	struct heat_from from = {
		.log = x->run->log,
		.waits = x->run->metrics->waits,
		.spans = x->phases ? x->phases->spans : NULL,
		.ticks = f->of,
		.first_tick = f->first,
		.end_tick = end < UINT32_MAX ? (uint32_t)end : UINT32_MAX,
		.each = f->each,
	};
	enum err_code code = ERR_OK;

	for (int k = 0; !code && k < HEAT_MEASURES; k++)
		if ((k == HEAT_PHASE) == (x->phases != NULL))
			code = heat_map_new(&x->map[k], (enum heat_measure)k, &from, 0, f->columns, progress, e);
	return code;
}

static void heat_release(void *made)
{
	struct heat_maps *x = made;

	for (int k = 0; k < HEAT_MEASURES; k++)
		heat_map_free(x->map[k]);
	logical_unref(x->frame.of);
	made_unref(x->phases);
	made_unref(x->run);
}

static const struct derived_kind heat_kind = {"the heat map", sizeof(struct heat_maps), heat_can, heat_begin, heat_is_of, heat_make, heat_release};

void grid_heat_update(struct grid *g)
{
	struct grid_heat *h = &g->heat;
	struct model *m = g->view.model;
	uint64_t left = ((uint64_t)model_ticks(m) - g->first_tick + grid_per(g) - 1) / grid_per(g);
	struct heat_source from = {.grid = g, .seen = {model_logical(m), g->first_tick, left < (uint64_t)g->tick_cells ? (uint32_t)left :
				   (uint32_t)g->tick_cells, (uint32_t)grid_per(g), g->spread}};

	spending_update(m);
	derived_update(&h->maps, &heat_kind, m->background, &from);
	from.of_phases = true;
	derived_update(&h->phase_map, &heat_kind, m->background, &from);
}

void grid_heat_release(struct grid_heat *h)
{
	derived_release(&h->maps);
	derived_release(&h->phase_map);
}

/* --- showing --- */

const struct heat_maps *grid_heat_maps(const struct grid *g, int measure)
{
	return measure == HEAT_PHASE ? g->heat.phase_map.now : g->heat.maps.now;
}

/* Those with the map of a measure, if they are of what is shown. */
static const struct heat_maps *current_maps(const struct grid *g, int measure)
{
	const struct heat_maps *x = grid_heat_maps(g, measure);
	const struct model *m = g->view.model;

	return x && x->frame.of == model_logical(m) && (!x->phases || x->phases == spent_phases_current(m)) ? x : NULL;
}

/* NAN: not there. A map of another zoom says what it has at the cell's first place. */
static double value_at(const struct heat_maps *x, int measure, uint64_t tick, uint64_t process)
{
	const struct heat_frame *f = &x->frame;
	const struct heat_map *map = x->map[measure];
	uint64_t column = (tick - f->first) / f->per, row = process / f->each;

	return tick < f->first || column >= map->columns || row >= map->rows ? (double)NAN : map->value[row * map->columns + column];
}

/* In so many lines from y on: a bar of blocks, from the last one up; a phase is solid. */
static void draw_cell(const struct grid *g, struct pane p, int x, int y, int lines, const struct heat_map *map, double value)
{
	struct phase_look look;

	if (isnan(value))
		return;
	if (!(value > 0)) {
		heat_block(p, x, y + lines - 1, 0, ROLE_NONE);
	} else if (map->measure != HEAT_PHASE) {
		grid_bar_draw(p, x, y, 1, lines, lines > 1 ? (int)ceil(value / map->most * lines * 8 - 1e-9) : spark_eighths(value, map->most),
			      shown[map->measure].role);
	} else {
		look = phase_look(g->view.model, (uint32_t)value);
		for (int k = 0; k < lines; k++)
			pane_put(p, x, y + k, look.mark, look.role, lines > 1 ? ATTR_REVERSE : 0);
	}
}

void grid_heat_draw(const struct grid *g, struct pane p)
{
	const struct model *m = g->view.model;
	const struct heat_maps *maps = current_maps(g, g->heat.measure);

	for (int i = 0; maps && i < g->tick_cells; i++) {
		uint64_t tick = g->first_tick + (uint64_t)i * grid_per(g);

		for (int j = 0; tick < model_ticks(m) && j < g->process_cells; j++) {
			uint64_t process = g->first_process + (uint64_t)j * g->spread;

			if (process >= model_processes(m))
				break;
			draw_cell(g, p, g->gutter + (g->transposed ? j : i) * g->cell, g->ruler + (g->transposed ? i : j * g->pitch),
				  grid_bar_lines(g), maps->map[g->heat.measure], value_at(maps, g->heat.measure, tick, process));
		}
	}
}

/* "A 4  B 11 ...", those of the most of the run first. */
static void phase_legend(const struct grid *g, struct pane p, int x, int y)
{
	const struct model *m = g->view.model;
	const struct phases *found = m->analysis->phases;
	char name[16];

	pane_put(p, x, y, GLYPH_DOT, ROLE_NONE, 0);
	x += 2 + pane_text(p, x + 2, y, ROLE_DIM, 0, "none") + 2;
	for (uint32_t rank = 0; found && rank < found->count && rank < PHASE_MARKS; rank++) {
		snprintf(name, sizeof name, "%u", (unsigned)m->ranked[rank]);
		if (x + 2 + (int)strlen(name) > p.w)
			break;
		phase_kind_draw(p, x, y, (uint8_t)rank, 0);
		x += 2 + pane_text(p, x + 2, y, ROLE_DIM, 0, name) + 2;
	}
}

/* Below the rows that there are, with one between if there is room. */
static int legend_row(const struct grid *g)
{
	const struct model *m = g->view.model;
	uint64_t rows = g->transposed ? ((uint64_t)model_ticks(m) - g->first_tick + grid_per(g) - 1) / grid_per(g)
				      : ((uint64_t)model_processes(m) - g->first_process + g->spread - 1) / g->spread;

	if (!g->transposed && rows < (uint64_t)g->h) /* a row of several lines ends with a blank one */
		rows = rows * (uint64_t)g->pitch - (g->pitch > 1);
	return rows + 1 < (uint64_t)(g->h - g->ruler) ? g->ruler + (int)rows + 1 : g->h;
}

void grid_heat_legend(const struct grid *g, struct pane p)
{
	const struct model *m = g->view.model;
	const struct heat_look *what = &shown[g->heat.measure];
	const struct heat_maps *maps = current_maps(g, g->heat.measure);
	const struct derived *d = g->heat.measure == HEAT_PHASE ? &g->heat.phase_map : &g->heat.maps;
	const char *failure = d->failure[0] ? d->failure : spending_failure(m);
	int y = legend_row(g), x = 1 + pane_text(p, 1, y, ROLE_HEADER, 0, what->what) + 2;

	if (!maps) {
		pane_text_in(p, x, y, p.w - x - 1, failure[0] ? ROLE_WARN : ROLE_DIM, 0, failure[0] ? failure : "computing…");
	} else if ((g->heat.measure == HEAT_COMPUTE || g->heat.measure == HEAT_WAITING) && !spent_run(m)->metrics->has_account) {
		pane_text_in(p, x, y, p.w - x - 1, ROLE_DIM, 0, "unknown: the trace has no MPI calls");
	} else if (g->heat.measure == HEAT_PHASE) {
		phase_legend(g, p, x, y);
	} else {
		struct heat heat = {.most = maps->map[g->heat.measure]->most, .unit = what->unit, .role = what->role};

		heat_legend(&heat, p, x, y);
	}
}

/* A measure of the cursor's cell; returns whether it is known. */
static bool heat_describe_cell(const struct grid *g, int measure, char *text, size_t size)
{
	const struct model *m = g->view.model;
	const struct heat_maps *maps = current_maps(g, measure);
	double v = maps ? value_at(maps, measure, g->column.from, m->cursor.process) : (double)NAN;
	char a[UNIT_TEXT];

	if (isnan(v))
		return false;
	switch (measure) {
	case HEAT_PHASE:
		if (v > 0)
			snprintf(text, size, "mostly phase %u", (unsigned)v);
		else
			snprintf(text, size, "no phase");
		break;
	case HEAT_BYTES:
		snprintf(text, size, "%s sent", unit_bytes(a, (uint64_t)v));
		break;
	case HEAT_MESSAGES:
		snprintf(text, size, "%s message%s sent", unit_count(a, (uint64_t)v), v == 1 ? "" : "s");
		break;
	default:
		snprintf(text, size, "%s %s", heat_measure_name((enum heat_measure)measure), unit_percent(a, v));
	}
	return true;
}

void grid_heat_describe(const struct grid *g, char *text, size_t size, int room)
{
	static const int after[] = {HEAT_WAITING, HEAT_COMPUTE, HEAT_BYTES, HEAT_MESSAGES, HEAT_PHASE};
	const char *joint = ": ";
	char one[64];

	text[0] = 0;
	for (int i = -1; i < HEAT_MEASURES; i++) {
		int measure = i < 0 ? g->heat.measure : after[i];
		size_t len = strlen(text);

		if ((i >= 0 && measure == g->heat.measure) || !heat_describe_cell(g, measure, one, sizeof one) ||
		    text_width(text) + 2 + text_width(one) > room)
			continue;
		snprintf(text + len, size - len, "%s%s", joint, one);
		joint = ", ";
	}
	if (!text[0] && current_maps(g, HEAT_WAITING))
		snprintf(text, size, ": nothing recorded");
}
