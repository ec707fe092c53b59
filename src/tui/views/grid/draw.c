/* Drawing the grid: ruler, phase brackets, cells; along either axis. */
#include <stdio.h>
#include <string.h>

#include "tui/screen/glyphs.h"
#include "core/trace/mpi_functions.h"
#include "grid_int.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/plot_heat.h"
#include "tui/widgets/units.h"

static const struct model *model(const struct grid *g)
{
	return g->view.model;
}

/* Where cell (i ticks, j processes) stands in the pane. */
static int cell_x(const struct grid *g, int i, int j)
{
	return g->gutter + (g->transposed ? j : i) * g->cell;
}

static int cell_y(const struct grid *g, int i, int j)
{
	return g->ruler + (g->transposed ? i : j * g->pitch);
}

static enum role kind_role(event_type type)
{
	switch (EVENT_KIND(type)) {
	case EVENT_SEND: return ROLE_SEND;
	case EVENT_RECEIVE: return ROLE_RECEIVE;
	case EVENT_COLLECTIVE: return ROLE_COLLECTIVE;
	default: return ROLE_NONE;
	}
}

/* Two letters for a collective: the first ones of its words, or of its name. */
static void short_collective(const char *op, char out[3])
{
	const struct mpi_collective *known = mpi_collective(op);

	snprintf(out, 3, "%s", known ? known->letters : op);
}

static void grid_cell_text(const struct grid *g, uint32_t e, uint32_t phase, char *text, size_t size)
{
	const struct logical *l = model(g)->analysis->logical;
	const struct trace *t = l->trace;
	char buf[UNIT_TEXT];

	switch (g->content) {
	case CONTENT_SIZE:
		snprintf(text, size, "%s", unit_size_short(buf, trace_size(t, e)));
		break;
	case CONTENT_COMPUTE:
		snprintf(text, size, "%s", unit_time_short(buf, t->compute[e]));
		break;
	case CONTENT_LT:
		snprintf(text, size, "%u", (unsigned)logical_lt(l, e));
		break;
	case CONTENT_PHASE:
		snprintf(text, size, "%u", (unsigned)phase);
		break;
	default:
		if (EVENT_KIND(t->type[e]) == EVENT_COLLECTIVE)
			short_collective(t->colls[EVENT_INDEX(t->type[e])].op, text);
		else
			trace_type_text(t, t->type[e], text, size);
	}
}

static void draw_event(const struct grid *g, struct pane p, int x, int y, uint32_t e, uint32_t phase)
{
	const struct trace *t = model(g)->analysis->logical->trace;
	enum role role = kind_role(t->type[e]);
	unsigned lost = t->match[e] == NO_EVENT ? ATTR_UNDERLINE : 0;
	char text[40];

	if (g->content == CONTENT_PHASE && phase)
		role = phase_look(model(g), phase).role;
	if (g->cell > 1) {
		grid_cell_text(g, e, phase, text, sizeof text);
		pane_text_in(p, x + (g->content == CONTENT_TYPE ? 0 : g->cell - 1 - text_width(text)), y, g->cell - 1, role,
			     lost, text);
		return;
	}
	if (g->content == CONTENT_PHASE && phase)
		pane_put(p, x, y, phase_look(model(g), phase).mark, role, lost);
	else
		pane_put(p, x, y, EVENT_KIND(t->type[e]) == EVENT_SEND ? '>' : EVENT_KIND(t->type[e]) == EVENT_RECEIVE ? '<' : 'C',
			 role, lost);
}

/* Wide cells, or one place a column: straight from the logical trace, a tick's row at a time. */
static void draw_events(const struct grid *g, struct pane p)
{
	const struct model *m = model(g);
	const struct logical *l = m->analysis->logical;

	for (int i = 0; i < g->tick_cells; i++) {
		uint64_t tick = g->first_tick + (uint64_t)i;

		if (tick >= l->tick_count)
			break;
		for (int j = 0; j < g->process_cells; j++) {
			uint64_t process = g->first_process + (uint64_t)j;
			int x = cell_x(g, i, j), y = cell_y(g, i, j);
			uint32_t e;

			if (process >= l->trace->process_count)
				break;
			e = logical_event_at(l, (uint32_t)tick, (uint32_t)process);
			if (e != NO_EVENT)
				draw_event(g, p, x, y, e, g->spans[i].phase);
			else
				pane_put(p, x + (g->cell - 1) / 2, y, GLYPH_DOT, ROLE_NONE, 0);
		}
	}
}

static void draw_density(const struct grid *g, struct pane p)
{
	const struct model *m = model(g);
	int lines = grid_bar_lines(g);

	for (int i = 0; i < g->tick_cells; i++) {
		if (g->first_tick + (uint64_t)i * grid_per(g) >= model_ticks(m))
			break;
		for (int j = 0; j < g->process_cells; j++) {
			uint8_t eighths = g->density[(size_t)i * (size_t)g->process_cells + (size_t)j];
			uint32_t phase = g->spans[i].alone ? g->spans[i].phase : 0;

			if (g->first_process + (uint64_t)j * g->spread >= model_processes(m))
				break;
			if (eighths)
				grid_bar_draw(p, cell_x(g, i, j), cell_y(g, i, j), 1, lines, eighths * lines,
					      phase ? phase_look(m, phase).role : ROLE_DEFAULT);
			else
				heat_block(p, cell_x(g, i, j), cell_y(g, i, j) + lines - 1, 0, ROLE_NONE);
		}
	}
}

static void draw_shares(const struct grid *g, struct pane p)
{
	for (int i = 0; i < g->tick_cells; i++)
		for (int k = 0; k < g->bands; k++) {
			uint8_t kind = g->stack[(size_t)i * (size_t)g->bands + (size_t)k];

			if (kind != NO_KIND)
				phase_kind_draw(p, cell_x(g, i, 0), 1 + k, kind, g->bands > 1 ? ATTR_REVERSE : 0);
		}
}

/* The row of phases: brackets over the cells of an occurrence. */
static void draw_phases(const struct grid *g, struct pane p)
{
	const struct phases *found = model(g)->analysis->phases;

	for (int i = 0; found && i < g->tick_cells;) {
		const struct grid_span *s = &g->spans[i];
		int k = i;

		if (s->occurrence == UINT32_MAX) {
			if (s->phase)
				pane_put(p, cell_x(g, i, 0), 1, GLYPH_HDASH, ROLE_NONE, 0); /* one ends and another begins */
			i++;
			continue;
		}
		while (k + 1 < g->tick_cells && g->spans[k + 1].occurrence == s->occurrence)
			k++;
		phase_bracket_draw(p, cell_x(g, i, 0), 1, (k - i + 1) * g->cell, model(g), s->phase,
				   found->occurrences[s->occurrence].first >= g->first_tick + (uint64_t)i * grid_per(g),
				   found->occurrences[s->occurrence].last < g->first_tick + (uint64_t)(k + 1) * grid_per(g));
		i = k + 1;
	}
}

/* The same in a column: a line beside the occurrence, its number where it begins. */
static void draw_phases_down(const struct grid *g, struct pane p)
{
	const struct phases *found = model(g)->analysis->phases;
	int loops = g->iterations ? grid_iteration_columns(g) : 0;
	int w = g->gutter - 1 - loops - unit_digits(model_ticks(model(g))) - 1, x = g->gutter - 1 - loops - w;

	for (int i = 0; found && i < g->tick_cells; i++) {
		const struct grid_span *s = &g->spans[i];
		bool begins = s->occurrence == UINT32_MAX || i == 0 || g->spans[i - 1].occurrence != s->occurrence;
		char name[16];

		if (!s->phase)
			continue;
		if (begins) {
			snprintf(name, sizeof name, "%u%s", (unsigned)s->phase, s->occurrence == UINT32_MAX ? "+" : ""); /* and others */
			pane_text_in(p, x, cell_y(g, i, 0), w, phase_look(model(g), s->phase).role, ATTR_BOLD, name);
		} else {
			pane_put(p, x, cell_y(g, i, 0), GLYPH_VLINE, phase_look(model(g), s->phase).role, 0);
		}
	}
}

/* A step of 1, 2 or 5 times a power of ten, at which labels of `label` columns do not touch. */
static uint64_t ruler_step(uint64_t per, int cell, int label)
{
	static const unsigned mantissa[] = {1, 2, 5};
	uint64_t scale = 1;

	for (int i = 0;; i = (i + 1) % 3) {
		uint64_t step = mantissa[i] * scale;

		if (step >= per && step / per * (uint64_t)cell >= (uint64_t)label + 2)
			return step;
		if (i == 2)
			scale *= 10;
	}
}

static void draw_tick_ruler(const struct grid *g, struct pane p)
{
	const struct model *m = model(g);
	char label[UNIT_TEXT];
	int widest = (int)strlen(unit_count(label, model_ticks(m)));
	uint64_t per = grid_per(g), step = ruler_step(per, g->cell, widest);
	uint64_t last = g->first_tick + per * (uint64_t)g->tick_cells;

	pane_text(p, 1, 0, ROLE_HEADER, 0, "tick");
	pane_text(p, 1, 1, ROLE_HEADER, 0, "phase");
	if (g->bands > 1)
		pane_text(p, 1, 2, ROLE_HEADER, 0, "shares");
	if (last > model_ticks(m))
		last = model_ticks(m);
	for (uint64_t t = (g->first_tick + step - 1) / step * step; t < last; t += step) {
		int x = cell_x(g, (int)((t - g->first_tick) / per), 0);

		unit_count(label, t);
		if (x + (int)strlen(label) <= p.w)
			pane_text(p, x, 0, ROLE_HEADER, 0, label);
	}
}

static void process_label(const struct grid *g, int j, char text[UNIT_TEXT])
{
	uint64_t first = g->first_process + (uint64_t)j * g->spread, last = first + g->spread - 1;

	if (last >= model_processes(model(g)))
		last = model_processes(model(g)) - 1;
	unit_ranks_short(text, (uint32_t)first, (uint32_t)last);
}

static void draw_process_labels(const struct grid *g, struct pane p)
{
	const struct model *m = model(g);
	char text[40];

	for (int j = 0; j < g->process_cells; j++) {
		uint64_t first = g->first_process + (uint64_t)j * g->spread;
		bool here = m->cursor.process >= first && m->cursor.process < first + g->spread;

		if (first >= model_processes(m))
			break;
		process_label(g, j, text);
		if (!g->transposed) {
			pane_text(p, 1, cell_y(g, 0, j), here ? ROLE_TITLE : ROLE_HEADER, 0, text);
		} else {
			int x = cell_x(g, 0, j), every = (text_width(text) + g->cell) / g->cell;

			if (j % every == 0)
				pane_text(p, x, 0, here ? ROLE_TITLE : ROLE_HEADER, 0, text + (g->cell > 2 ? 0 : 1));
		}
	}
}

static void draw_tick_labels_down(const struct grid *g, struct pane p)
{
	const struct model *m = model(g);
	uint64_t per = grid_per(g);
	char label[UNIT_TEXT];

	for (int i = 0; i < g->tick_cells; i++) {
		uint64_t t = g->first_tick + per * (uint64_t)i;
		bool here = m->cursor.tick >= t && m->cursor.tick < t + per;

		if (t >= model_ticks(m))
			break;
		snprintf(label, sizeof label, "%llu", (unsigned long long)t);
		pane_text_right(p, unit_digits(model_ticks(m)), cell_y(g, i, 0), here ? ROLE_TITLE : ROLE_HEADER, 0, label);
	}
}

static void draw_cursor(const struct grid *g, struct pane p)
{
	const struct model *m = model(g);
	int i = (int)((m->cursor.tick - g->first_tick) / grid_per(g));
	int j = (int)((m->cursor.process - g->first_process) / g->spread);

	int lines = grid_heats(g) || grid_counts(g) ? grid_bar_lines(g) : 1;

	for (int k = 0; k < lines; k++)
		pane_stress(p, cell_x(g, i, j), cell_y(g, i, j) + k, g->cell > 1 ? g->cell - 1 : 1, ATTR_CURSOR);
}

void grid_draw(const struct view *v, struct pane p)
{
	const struct grid *g = (const struct grid *)v;

	if (!model_ticks(v->model)) {
		if (v->model->analysis)
			nothing_draw(p, "No events.", "This view shows sends, receives and collectives; the trace has none.");
		return;
	}
	if (g->failed) {
		pane_text(p, 1, 1, ROLE_ERROR, 0, "Not enough memory to draw this view.");
		return;
	}
	if (g->transposed) {
		draw_tick_labels_down(g, p);
		draw_phases_down(g, p);
	} else {
		draw_tick_ruler(g, p);
		if (g->bands)
			draw_shares(g, p);
		else
			draw_phases(g, p);
	}
	grid_draw_iterations(g, p);
	draw_process_labels(g, p);
	if (grid_heats(g)) {
		grid_heat_draw(g, p);
		if (g->h < p.h)
			grid_heat_legend(g, p);
	} else if (grid_counts(g)) {
		draw_density(g, p);
	} else {
		draw_events(g, p);
		grid_draw_tall(g, p);
	}
	draw_cursor(g, p);
}
