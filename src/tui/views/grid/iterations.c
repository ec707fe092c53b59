/* The iterations of the main loop beside the grid's ticks: a row under the ruler, or a column where ticks go down;
 * where an iteration has room for it. */
#include <stdio.h>

#include "core/base/mem.h"
#include "grid_int.h"
#include "tui/model/iterations.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/units.h"

#define ROWS_LEAST 8 /* of a pane that has one to spare */

bool grid_marks_iterations(const struct grid *g, int h)
{
	double cells = iteration_mean_ticks(g->view.model) / (double)grid_per(g);

	if (iteration_pending(g->view.model)) /* a knob that is turned moves nothing about */
		return g->iterations && h >= ROWS_LEAST;
	return h >= ROWS_LEAST && cells * (g->transposed ? 1 : g->cell) >= ITERATION_COLUMNS;
}

int grid_iteration_columns(const struct grid *g)
{
	return unit_digits(iteration_count(g->view.model)) + 2; /* with "!" and a blank */
}

/* The iteration that begins, or goes on, in each cell: that of its last tick. */
bool grid_find_iterations(struct grid *g)
{
	const struct model *m = g->view.model;
	uint32_t *of = mem_resize(g->iteration, (size_t)g->tick_cells, sizeof *of);

	if (!of)
		return false;
	g->iteration = of;
	g->iteration_before = g->first_tick ? iteration_at(m, g->first_tick - 1) : UINT32_MAX;
	for (int i = 0; i < g->tick_cells; i++) {
		uint64_t from = g->first_tick + (uint64_t)i * grid_per(g), last = from + grid_per(g) - 1;

		of[i] = from >= model_ticks(m) ? UINT32_MAX :
			iteration_at(m, last < model_ticks(m) ? (uint32_t)last : model_ticks(m) - 1);
	}
	return true;
}

static void draw_down(const struct grid *g, struct pane p)
{
	const struct model *m = g->view.model;
	int w = grid_iteration_columns(g), x = g->gutter - 1 - w;

	for (int i = 0; i < g->tick_cells; i++) {
		uint32_t here = g->iteration[i];
		bool out = here != UINT32_MAX && iteration_stands_out(m, here);
		enum role role = out ? ROLE_WARN : ROLE_HEADER;

		if (here == UINT32_MAX)
			continue;
		if (i == 0 || g->iteration[i - 1] != here)
			pane_textf(p, x, g->ruler + i, role, out ? ATTR_BOLD : 0, "%s%u", out ? "!" : "", (unsigned)here + 1);
		else
			pane_put(p, x, g->ruler + i, GLYPH_VLINE, out ? ROLE_WARN : ROLE_RULE, 0);
	}
}

/* If no iteration is in sight: where the next one is. */
static void draw_elsewhere(const struct grid *g, struct pane p)
{
	const struct model *m = g->view.model;
	uint32_t n = iteration_count(m), next = iteration_behind(m, m->window_last.tick), from, to;
	char tick[UNIT_TEXT], name[ITERATION_NAME], text[128];

	if (!n)
		return;
	iteration_ticks(m, next < n ? next : n - 1, &from, &to);
	if (next < n)
		snprintf(text, sizeof text, "%s begins at tick %s", iteration_name(m, next, name), unit_count(tick, from));
	else
		snprintf(text, sizeof text, "the main loop ends at tick %s", unit_count(tick, to - 1));
	pane_text_in(p, g->gutter, g->ruler - 1, p.w - g->gutter - 1, ROLE_DIM, 0, text);
}

static bool none_seen(const struct grid *g)
{
	for (int i = 0; i < g->tick_cells; i++)
		if (g->iteration[i] != UINT32_MAX)
			return false;
	return g->iteration_before == UINT32_MAX;
}

void grid_draw_iterations(const struct grid *g, struct pane p)
{
	if (!g->iterations || !g->iteration)
		return;
	if (g->transposed) {
		draw_down(g, p);
		return;
	}
	pane_text(p, 1, g->ruler - 1, ROLE_HEADER, 0, "loop");
	if (none_seen(g))
		draw_elsewhere(g, p);
	iteration_row_draw(p, g->gutter, g->ruler - 1, g->view.model, g->iteration, g->tick_cells, g->cell, g->iteration_before);
}
