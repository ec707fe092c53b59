/* The page of the program's graph: a column for each class of processes, time downwards, the critical path marked. */
#include <stdio.h>
#include <string.h>

#include "models_view.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/units.h"

#define COLUMN_LEAST 22
#define COLUMN_MOST 44

static uint32_t symbol(enum graph_shape shape)
{
	switch (shape) {
	case GRAPH_SEND: return GLYPH_UP;
	case GRAPH_RECV: return GLYPH_DOWN;
	case GRAPH_ALL: return GLYPH_KNOB;
	case GRAPH_LOOP: return GLYPH_CORNER_NW;
	case GRAPH_BLOCK: return GLYPH_CORNER_NW;
	case GRAPH_WORK: break;
	}
	return GLYPH_EDGE_LEFT;
}

static enum role role_of(enum graph_shape shape)
{
	static const enum role roles[] = {
		[GRAPH_WORK] = ROLE_COMPUTE, [GRAPH_SEND] = ROLE_SEND, [GRAPH_RECV] = ROLE_RECEIVE, [GRAPH_ALL] = ROLE_COLLECTIVE,
		[GRAPH_LOOP] = ROLE_TITLE, [GRAPH_BLOCK] = ROLE_DIM,
	};

	return roles[shape];
}

static void draw_node(const struct graph_node *n, struct pane p, int y)
{
	char text[160], time[UNIT_TEXT];
	int x = 2 + (n->depth > 8 ? 8 : (int)n->depth), room;

	pane_put(p, 0, y, n->critical ? GLYPH_TRACK_DONE : ' ', ROLE_WORSE, ATTR_BOLD);
	pane_put(p, 1, y, n->critical ? GLYPH_POINTER : GLYPH_VLINE, n->critical ? ROLE_WORSE : ROLE_RULE, 0);
	for (int i = 2; i < x; i++)
		pane_put(p, i, y, GLYPH_VLINE, ROLE_RULE, 0);
	unit_figure_time(time, n->time.hi);
	graph_label(n, text, sizeof text);
	pane_put(p, x, y, symbol(n->shape), role_of(n->shape), 0);
	room = p.w - x - 2 - text_width(time) - 2;
	if (n->shape == GRAPH_WORK) {
		int w = pane_text_in(p, x + 1, y, room, ROLE_COMPUTE, ATTR_REVERSE, text);

		pane_put(p, x + 1 + w, y, GLYPH_EDGE_RIGHT, ROLE_COMPUTE, 0);
	} else {
		pane_text_in(p, x + 2, y, room - 1, role_of(n->shape), n->critical ? ATTR_BOLD : 0, text);
	}
	pane_text_right(p, p.w - 1, y, n->critical ? ROLE_VALUE : ROLE_DIM, 0, time);
}

static void draw_head(const struct graph *g, uint32_t column, struct pane p)
{
	const struct graph_column *c = &g->column[column];
	char text[80], time[UNIT_TEXT];

	if (c->count == 1)
		snprintf(text, sizeof text, "P%u", (unsigned)c->first);
	else if (g->column_count == 1)
		snprintf(text, sizeof text, "all %u processes", (unsigned)c->count);
	else
		snprintf(text, sizeof text, "%u like P%u", (unsigned)c->count, (unsigned)c->first);
	pane_text_right(p, p.w - 1, 0, ROLE_HEADER, 0, unit_figure_time(time, c->end.hi));
	pane_text_in(p, 1, 0, p.w - 3 - text_width(time), ROLE_HEADER, 0, text);
}

static void draw_column(const struct graph *g, uint32_t column, int top, struct pane p)
{
	const struct graph_column *c = &g->column[column];
	uint32_t next = c->node, last = c->node + c->nodes;

	draw_head(g, column, p);
	/* A process that waits has a line where others have nodes. */
	for (int y = 1; y < p.h; y++) {
		uint32_t row = (uint32_t)(top + y - 1);

		while (next < last && g->node[next].row < row)
			next++;
		if (next < last && g->node[next].row == row)
			draw_node(&g->node[next], p, y);
		else if (next < last)
			pane_put(p, 1, y, GLYPH_VLINE, ROLE_RULE, 0);
	}
}

int models_graph_draw(const struct models_view *s, struct pane p)
{
	const struct models *m = models_of(s);
	const struct graph *g = &m->graph;
	int seen, w, left = s->left;
	char text[80];

	if (!m->program || !m->program->model.program) {
		models_say(p, ROLE_DIM, "A graph is of a program: :model FILE opens one.");
		return 0;
	}
	if (!m->graph_program || !g->column_count) {
		models_say(p, m->say[0] ? ROLE_WARN : ROLE_DIM, m->say[0] ? m->say : m->now.known && models_current(m) ?
			   "There are more processes than a graph can hold: turn p down." : "…");
		return 0;
	}
	seen = p.w / COLUMN_LEAST > 0 ? p.w / COLUMN_LEAST : 1;
	if (seen > (int)g->column_count)
		seen = (int)g->column_count;
	w = p.w / seen > COLUMN_MOST ? COLUMN_MOST : p.w / seen;
	if (left > (int)g->column_count - seen)
		left = (int)g->column_count - seen;
	for (int i = 0; i < seen; i++)
		draw_column(g, (uint32_t)(left + i), s->top, pane_part(p, i * w, 0, w, p.h));
	if (seen < (int)g->column_count) {
		snprintf(text, sizeof text, "classes %d - %d of %u", left + 1, left + seen, (unsigned)g->column_count);
		pane_text_right(p, p.w - 1, p.h - 1, ROLE_WARN, 0, text);
	}
	return (int)g->rows + 1;
}
