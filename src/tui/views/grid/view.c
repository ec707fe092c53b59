/* The grid: the logical trace, a process a row and a tick a column, at any zoom. */
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/io/tree_out.h"
#include "tui/model/describe.h"
#include "tui/model/iterations.h"
#include "tui/views/view.h"
#include "grid_int.h"
#include "tui/widgets/units.h"

#define LEGEND_FROM 4           /* rows from which heat has a legend */
#define ZOOM_MOST (1u << 24) /* that is remembered */

static struct grid *grid_of_view(struct view *v)
{
	return (struct grid *)v;
}

static const char *grid_content_name(enum grid_content c)
{
	static const char *const names[CONTENT_COUNT] = {"type", "size", "compute", "LT", "phase"};

	return names[c];
}

static void open_grid(struct view *v)
{
	grid_of_view(v)->spread = 1;
	grid_of_view(v)->pitch = 1;
	grid_of_view(v)->spread_before = 1;
	grid_of_view(v)->heat.measure = GRID_EVENTS;
}

static void close_grid(struct view *v)
{
	mem_free(grid_of_view(v)->density);
	mem_free(grid_of_view(v)->spans);
	mem_free(grid_of_view(v)->stack);
	grid_heat_release(&grid_of_view(v)->heat);
	mem_free(grid_of_view(v)->iteration);
}

/* For its content, in wide cells. */
static int grid_cell_width(const struct grid *g)
{
	const struct model *m = g->view.model;
	int w = unit_digits(model_processes(m)) + 1;

	switch (g->content) {
	case CONTENT_SIZE:
	case CONTENT_COMPUTE:
		return 5;
	case CONTENT_LT:
		return unit_digits(model_ticks(m)) + 1;
	case CONTENT_PHASE:
		return unit_digits(m->analysis->phases ? m->analysis->phases->count : 1) + 2;
	default:
		return (w < 2 ? 2 : w) + 1;
	}
}

/* Beside the rows, when ticks go down: a number, and what says that others share the row. */
static int phase_columns(const struct grid *g)
{
	const struct phases *p = g->view.model->analysis->phases;
	int w = unit_digits(p ? p->count : 1) + 1;

	return w < 3 ? 3 : w;
}

/* How the phases of the columns are shown: in brackets with their numbers where occurrences are wide enough for that,
 * otherwise by the letters of the strip. In rows that would be blank the letters show shares. */
static void lay_out_phases(struct grid *g, int h)
{
	const struct model *m = g->view.model;
	const struct phases *p = m->analysis->phases;
	uint64_t end = g->first_tick + (uint64_t)g->tick_cells * grid_per(g), rows;
	uint32_t a, b, last = (uint32_t)(end < model_ticks(m) ? end : model_ticks(m)) - 1;

	g->bands = 0;
	if (g->transposed || !p || !p->occurrence_count)
		return;
	a = phases_occurrence_at(p, g->first_tick);
	b = phases_occurrence_at(p, last);
	a = a == UINT32_MAX ? 0 : a;
	if (b != UINT32_MAX && (uint64_t)(b - a + 1) * 3 * grid_per(g) > (uint64_t)(last - g->first_tick + 1) * (uint64_t)g->cell) {
		rows = ((uint64_t)model_processes(m) + g->spread - 1) / g->spread + 1 + g->iterations;
		g->bands = grid_per(g) == 1 || rows + 1 >= (uint64_t)h ? 1 : h - (int)rows < GRID_BANDS ? h - (int)rows : GRID_BANDS;
	}
	g->ruler = 1 + (g->bands ? g->bands : 1) + g->iterations;
	g->process_cells = h - g->ruler > 1 ? h - g->ruler : 1;
}

/* How many cells fit on each axis, and where they start. */
static void grid_lay_out(struct grid *g, int w, int h)
{
	const struct model *m = g->view.model;
	int along;

	g->w = w;
	g->h = h;
	g->cell = grid_narrow(g) ? 1 : grid_cell_width(g);
	g->iterations = grid_marks_iterations(g, h);
	if (g->transposed) {
		g->gutter = unit_digits(model_ticks(m)) + phase_columns(g) + 2; /* tick, phase */
		g->gutter += g->iterations ? grid_iteration_columns(g) : 0;
		g->ruler = 1;
		g->bands = 0;
		along = (w - g->gutter - (g->cell == 1)) / g->cell;
		g->process_cells = along > 1 ? along : 1;
		g->tick_cells = h - g->ruler > 1 ? h - g->ruler : 1;
	} else {
		g->gutter = unit_digits(model_processes(m)) + 3;
		if (g->gutter < 8)
			g->gutter = 8; /* "phase" */
		if (g->spread > 1)
			g->gutter += unit_digits(model_processes(m)) + 1;
		g->ruler = 2 + g->iterations;
		along = (w - g->gutter - (g->cell == 1)) / g->cell;
		g->tick_cells = along > 1 ? along : 1;
		g->process_cells = h - g->ruler > 1 ? h - g->ruler : 1;
	}
}

/* Move a window of `cells` cells of `per` so that it holds `at`: by as little as needed, or, from far away, with
 * `at` in its middle. Windows start at multiples of `per`, so that counts do not dance while one scrolls. */
static uint32_t grid_follow_window(uint32_t first, uint64_t at, int cells, uint64_t per, uint64_t total)
{
	uint64_t span = (uint64_t)cells * per, f = first - first % per;

	if (at < f || at >= f + span) {
		uint64_t away = at < f ? f - at : at - (f + span) + 1;

		if (away > span / 2)
			f = at > span / 2 ? at - span / 2 : 0;
		else
			f = at < f ? at : at - span + 1 + (per - 1);
		f -= f % per;
	}
	if (f + span > total)
		f = total > span ? (total - span + per - 1) / per * per : 0;
	return (uint32_t)f;
}

static void update_grid(struct view *v, int w, int h)
{
	struct grid *g = grid_of_view(v);
	struct model *m = v->model;
	uint64_t last;

	if (!model_ticks(m))
		return;
	if (m->spending.run.slot) /* by the key that needs it, or another view */
		spending_update(m);
	if (grid_heats(g) && h > LEGEND_FROM)
		h--;
	grid_lay_out(g, w, h);
	g->first_tick = grid_follow_window(g->first_tick, m->cursor.tick, g->tick_cells, grid_per(g), model_ticks(m));
	lay_out_phases(g, h);
	grid_lay_out_tall(g, h);
	g->first_process = grid_follow_window(g->first_process, m->cursor.process, g->process_cells, g->spread, model_processes(m));
	m->window_first = (struct trace_place){g->first_process, g->first_tick};
	last = g->first_tick + (uint64_t)g->tick_cells * grid_per(g) - 1;
	m->window_last.tick = last < model_ticks(m) ? (uint32_t)last : model_ticks(m) - 1;
	last = g->first_process + (uint64_t)g->process_cells * g->spread - 1;
	m->window_last.process = last < model_processes(m) ? (uint32_t)last : model_processes(m) - 1;
	grid_count(g);
	if (grid_heats(g))
		grid_heat_update(g);
}

static void grid_move_cursor(struct grid *g, int64_t ticks, int64_t processes)
{
	struct model *m = g->view.model;
	int64_t t = (int64_t)m->cursor.tick + ticks * (int64_t)grid_per(g);
	int64_t p = (int64_t)m->cursor.process + processes * (int64_t)g->spread;

	if (t >= (int64_t)model_ticks(m))
		t = (int64_t)model_ticks(m) - 1;
	if (p >= (int64_t)model_processes(m))
		p = (int64_t)model_processes(m) - 1;
	m->cursor = (struct trace_place){p > 0 ? (uint32_t)p : 0, t > 0 ? (uint32_t)t : 0};
}

/* dx, dy in cells of the screen. */
static void move_on_screen(struct grid *g, int64_t dx, int64_t dy)
{
	if (g->transposed)
		grid_move_cursor(g, dy, dx);
	else
		grid_move_cursor(g, dx, dy);
}

static unsigned other_end(struct model *m)
{
	const struct logical *l = model_logical(m);
	uint32_t e = model_event(m), other;

	if (e == NO_EVENT) {
		snprintf(m->message, sizeof m->message, "No event here; w and b go to the events of this rank.");
		return REACT_DONE;
	}
	other = l->trace->match[e];
	event_times_tell(m, e, other == e ? NO_EVENT : other);
	if (other == NO_EVENT || other == e) {
		if (!m->message[0])
			snprintf(m->message, sizeof m->message, "This %s has no peer in the trace.",
				 trace_kind_name(l->trace->type[e]));
		return REACT_DONE;
	}
	model_goto(m, trace_process_of(l->trace, other), l->tick[other]);
	return REACT_DONE | REACT_JUMPED;
}

static unsigned waited_for(struct model *m)
{
	double time;

	spending_update(m);
	return wait_follow(m, wait_call_of(m, model_event(m)), &time) ? REACT_DONE | REACT_JUMPED : REACT_DONE;
}

/* The process's event after (before) the cursor in the order of the grid's ticks. */
static unsigned next_event(struct model *m, int direction)
{
	const struct logical *l = model_logical(m);
	const struct trace *t = l->trace;
	uint32_t p = m->cursor.process, best = NO_EVENT, e = model_event(m);

	if (e != NO_EVENT) { /* the process's own order */
		if (direction > 0 ? e + 1 < t->first[p + 1] : e > t->first[p])
			best = direction > 0 ? e + 1 : e - 1;
	} else {
		for (uint32_t k = t->first[p]; k < t->first[p + 1]; k++) {
			bool side = direction > 0 ? l->tick[k] > m->cursor.tick : l->tick[k] < m->cursor.tick;

			if (side && (best == NO_EVENT || (direction > 0 ? l->tick[k] < l->tick[best] : l->tick[k] > l->tick[best])))
				best = k;
		}
	}
	if (best == NO_EVENT) {
		snprintf(m->message, sizeof m->message, "%s has no event %s this one.", unit_rank((char[UNIT_TEXT]){""}, p),
			 direction > 0 ? "after" : "before");
		return REACT_DONE;
	}
	m->cursor.tick = l->tick[best];
	return REACT_DONE;
}

static unsigned next_occurrence(struct model *m, int direction)
{
	const struct phases *p = m->analysis->phases;
	uint32_t at = p ? phases_occurrence_at(p, m->cursor.tick) : UINT32_MAX;
	uint32_t id, lo, of;

	if (at == UINT32_MAX) {
		snprintf(m->message, sizeof m->message, "No phase here.");
		return REACT_DONE;
	}
	id = p->occurrences[at].phase;
	lo = p->phase_first[id - 1] + occurrence_number(p, at, &of) - 1;
	if (direction < 0 ? lo == p->phase_first[id - 1] : lo + 1 == p->phase_first[id]) {
		snprintf(m->message, sizeof m->message, "This is the %s occurrence of phase %u.",
			 direction < 0 ? "first" : "last", (unsigned)id);
		return REACT_DONE;
	}
	m->cursor.tick = p->occurrences[p->by_phase[direction < 0 ? lo - 1 : lo + 1]].first;
	return REACT_DONE | REACT_JUMPED;
}

/* The smallest zoom and spread at which all of the run is on the screen. */
static void fit_all(struct grid *g)
{
	const struct model *m = g->view.model;
	int columns = g->w - g->gutter - 1, rows = g->h - (g->transposed ? 1 : 2), along = g->transposed ? rows : columns, across;

	if (columns < 1 || rows < 1)
		return;
	g->zoom_before = g->zoom;
	g->spread_before = g->spread;
	g->spread = 1;
	g->zoom = (uint32_t)((model_ticks(m) + (uint32_t)along - 1) / (uint32_t)along);
	g->cell = 1;
	across = g->transposed ? columns : rows;
	if (grid_marks_iterations(g, g->h)) /* which take some of it */
		across -= !g->transposed ? 1 : g->iterations ? 0 : grid_iteration_columns(g);
	while ((uint64_t)g->spread * (uint64_t)(across > 1 ? across : 1) < model_processes(m))
		g->spread *= 2;
}

static bool fits_all(const struct grid *g)
{
	return (uint64_t)g->tick_cells * grid_per(g) >= model_ticks(g->view.model) &&
	       (uint64_t)g->process_cells * g->spread >= model_processes(g->view.model);
}

static unsigned grid_zoom(struct grid *g, enum action a)
{
	switch (a) {
	case ACTION_ZOOM_IN:
		g->zoom /= 2;
		break;
	case ACTION_ZOOM_OUT:
		if (!g->zoom || (uint64_t)g->tick_cells * grid_per(g) < model_ticks(g->view.model))
			g->zoom = g->zoom ? g->zoom * 2 : 1;
		break;
	case ACTION_SPREAD_IN:
		g->spread = g->spread > 1 ? g->spread / 2 : 1;
		break;
	case ACTION_SPREAD_OUT:
		if ((uint64_t)g->process_cells * g->spread < model_processes(g->view.model))
			g->spread *= 2;
		break;
	default: /* fit */
		if (fits_all(g) && g->zoom) {
			g->zoom = g->zoom_before;
			g->spread = g->spread_before;
			if (fits_all(g) && g->zoom) {
				g->zoom = 0;
				g->spread = 1;
			}
		} else {
			fit_all(g);
		}
	}
	return REACT_DONE;
}

static unsigned show_content(struct grid *g, int step)
{
	struct model *m = g->view.model;

	if (grid_narrow(g)) {
		snprintf(m->message, sizeof m->message, "Cells show: %s", grid_heat_next(g, step));
		return REACT_DONE;
	}
	g->content = (g->content + CONTENT_COUNT + (unsigned)step) % CONTENT_COUNT;
	snprintf(m->message, sizeof m->message, "Cells show: %s", grid_content_name(g->content));
	return REACT_DONE;
}

static unsigned act_grid(struct view *v, enum action a)
{
	struct grid *g = grid_of_view(v);
	struct model *m = v->model;
	int columns = g->transposed ? g->process_cells : g->tick_cells;
	int rows = g->transposed ? g->tick_cells : g->process_cells;

	if (!model_ticks(m))
		return REACT_IGNORED;
	switch (a) {
	case ACTION_LEFT: move_on_screen(g, -1, 0); break;
	case ACTION_RIGHT: move_on_screen(g, 1, 0); break;
	case ACTION_UP: move_on_screen(g, 0, -1); break;
	case ACTION_DOWN: move_on_screen(g, 0, 1); break;
	case ACTION_PAGE_LEFT: move_on_screen(g, -columns, 0); break;
	case ACTION_PAGE_RIGHT: move_on_screen(g, columns, 0); break;
	case ACTION_PAGE_UP: move_on_screen(g, 0, -rows); break;
	case ACTION_PAGE_DOWN: move_on_screen(g, 0, rows); break;
	case ACTION_HALF_UP: move_on_screen(g, 0, -(rows + 1) / 2); break;
	case ACTION_HALF_DOWN: move_on_screen(g, 0, (rows + 1) / 2); break;
	case ACTION_FIRST: m->cursor.tick = 0; return REACT_DONE | REACT_JUMPED;
	case ACTION_LAST: m->cursor.tick = model_ticks(m) - 1; return REACT_DONE | REACT_JUMPED;
	case ACTION_ENTER: return other_end(m);
	case ACTION_WAITED_FOR: return waited_for(m);
	case ACTION_NEXT_EVENT: return next_event(m, 1);
	case ACTION_PREVIOUS_EVENT: return next_event(m, -1);
	case ACTION_NEXT_OCCURRENCE: return next_occurrence(m, 1);
	case ACTION_PREVIOUS_OCCURRENCE: return next_occurrence(m, -1);
	case ACTION_TRANSPOSE: g->transposed = !g->transposed; break;
	case ACTION_CONTENT: return show_content(g, 1);
	case ACTION_CONTENT_BACK: return show_content(g, -1);
	case ACTION_ZOOM_IN:
	case ACTION_ZOOM_OUT:
	case ACTION_SPREAD_IN:
	case ACTION_SPREAD_OUT:
	case ACTION_FIT: return grid_zoom(g, a);
	default: return REACT_IGNORED;
	}
	return REACT_DONE;
}

/* Where a cell covers more than one place: what all of it holds. */
static void describe_column(const struct grid *g, char *text, size_t size, int room)
{
	const struct grid_column *column = &g->column;
	uint32_t n = model_processes(g->view.model), p = g->view.model->cursor.process / g->spread * g->spread;
	uint32_t last = p + g->spread < n ? p + g->spread : n;
	char a[UNIT_TEXT], b[UNIT_TEXT], who[UNIT_TEXT], shares[256];
	size_t len;

	unit_ranks_short(who, p, last - 1);
	if (column->to - column->from > 1)
		snprintf(text, size, "ticks %u – %u", (unsigned)column->from, (unsigned)column->to - 1);
	else
		snprintf(text, size, "tick %u", (unsigned)column->from);
	len = strlen(text);
	if (grid_heats(g)) {
		snprintf(text + len, size - len, " · %s", who);
		len = strlen(text);
		grid_heat_describe(g, text + len, size - len, room - text_width(text));
		return;
	}
	snprintf(text + len, size - len, " · %s: %s of %s events", who, unit_count(a, column->here), unit_count(b, column->events));
	iterations_fact(g->view.model, column->from, column->to, text + strlen(text), size - strlen(text));
	len = strlen(text);
	phase_shares_text(&column->shares, g->view.model, shares, sizeof shares, room - text_width(text) - 3);
	if (shares[0])
		snprintf(text + len, size - len, " · %s", shares);
}

static void status_grid(const struct view *v, char *text, size_t size, int room)
{
	text[0] = 0;
	if (!model_ticks(v->model))
		return;
	if (grid_counts((const struct grid *)v) || grid_heats((const struct grid *)v)) {
		describe_column((const struct grid *)v, text, size, room);
		return;
	}
	place_describe_in(v->model, v->model->cursor, room, text, size);
}

static bool click_grid(struct view *v, int x, int y)
{
	const struct grid *g = grid_of_view(v);
	struct model *m = v->model;
	int i = (x - g->gutter) / g->cell, j = (y - g->ruler) / g->pitch;
	uint64_t tick = g->first_tick + (uint64_t)(g->transposed ? j : i) * grid_per(g);
	uint64_t process = g->first_process + (uint64_t)(g->transposed ? i : j) * g->spread;

	if (x < g->gutter || y < g->ruler || y >= g->h || (!g->transposed && (y - g->ruler) / g->pitch >= g->process_cells) ||
	    tick >= model_ticks(m) || process >= model_processes(m))
		return false;
	/* On the cell where the cursor is already, it stays. */
	if (m->cursor.tick / grid_per(g) == tick / grid_per(g) && m->cursor.process / g->spread == process / g->spread)
		return true;
	m->cursor = (struct trace_place){(uint32_t)process, (uint32_t)tick};
	return false;
}

static void save_grid(const struct view *v, bool front, struct tree_out *t)
{
	const struct grid *g = (const struct grid *)v;
	(void)front;

	view_remember(v, t);
	tree_put_whole(t, "zoom", g->zoom);
	tree_put_whole(t, "spread", g->spread);
	tree_put_whole(t, "transposed", g->transposed);
	tree_end(t);
}

static void restore_grid(struct view *v, struct fields *f, const struct fields_map *map)
{
	uint32_t zoom = fields_count(f, map, "zoom", 0, ZOOM_MOST), spread = remembered_spread(f, map);
	bool transposed = fields_count(f, map, "transposed", 0, 1) == 1;

	if (f->code)
		return;
	grid_of_view(v)->zoom = zoom;
	grid_of_view(v)->spread = spread;
	grid_of_view(v)->transposed = transposed;
}

static void look_grid(const struct view *v, struct view_look *look)
{
	const struct grid *g = (const struct grid *)v;

	*look = (struct view_look){.known = true, .shape = {g->zoom, g->spread, g->transposed}};
}

static void set_look_grid(struct view *v, const struct view_look *look)
{
	grid_of_view(v)->zoom = (uint32_t)look->shape[0];
	grid_of_view(v)->spread = (uint32_t)look->shape[1];
	grid_of_view(v)->transposed = look->shape[2] > 0;
}

static const struct hint hints[] = {
	{ACTION_ENTER, ACTION_NONE, "peer"},
	{ACTION_ZOOM_IN, ACTION_ZOOM_OUT, "zoom"},
	{ACTION_FIT, ACTION_NONE, "fit"},
	{ACTION_CONTENT, ACTION_NONE, "content"},
	{ACTION_NEXT_OCCURRENCE, ACTION_NONE, "next occurrence"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

const struct view_ops view_grid = {
	.size = sizeof(struct grid),
	.hints = hints,
	.open = open_grid,
	.close = close_grid,
	.update = update_grid,
	.draw = grid_draw,
	.act = act_grid,
	.status = status_grid,
	.find = grid_find,
	.click = click_grid,
	.work = grid_work,
	.progress = grid_progress,
	.save = save_grid,
	.restore = restore_grid,
	.look = look_grid,
	.set_look = set_look_grid,
};
