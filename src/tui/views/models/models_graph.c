/* The page of the program's graph: a column for each class of processes, time downwards, the critical path marked. */
#include <stdio.h>

#include "models_int.h"
#include "tui/widgets/widgets.h"

int models_graph_draw(const struct models_view *s, struct pane p)
{
	const struct models *m = models_of(s);
	const struct graph *g = m->graphed ? &m->graphed->graph : NULL;
	int seen, w, left = s->left;
	char text[80];

	if (!m->program || !m->program->model.program) {
		models_say(p, ROLE_DIM, "A graph is of a program: :model FILE opens one.");
		return 0;
	}
	if (!g || !g->column_count) {
		models_say(p, m->say[0] ? ROLE_WARN : ROLE_DIM, m->say[0] ? m->say : m->now.known && models_current(m) ?
			   "There are more processes than a graph can hold: turn p down." : "…");
		return 0;
	}
	seen = (int)graph_cells_columns(g, p.w, &w);
	if (left > (int)g->column_count - seen)
		left = (int)g->column_count - seen;
	graph_cells_draw(g, p, (uint32_t)left, (uint32_t)s->top);
	if (seen < (int)g->column_count) {
		snprintf(text, sizeof text, "classes %d - %d of %u", left + 1, left + seen, (unsigned)g->column_count);
		pane_text_right(p, p.w - 1, p.h - 1, ROLE_WARN, 0, text);
	}
	return (int)g->rows + 1;
}
