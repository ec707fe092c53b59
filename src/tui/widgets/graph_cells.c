#include "widgets.h"

#include <stdio.h>

#include "core/base/search.h"
#include "core/base/unit.h"
#include "tui/screen/glyphs.h"

#define DEPTH_SHOWN 8
#define COLUMN_NARROW 30

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
	int x = 2 + (n->depth > DEPTH_SHOWN ? DEPTH_SHOWN : (int)n->depth), room;

	pane_put(p, 0, y, n->critical ? GLYPH_TRACK_DONE : ' ', ROLE_WORSE, ATTR_BOLD);
	pane_put(p, 1, y, n->critical ? GLYPH_POINTER : GLYPH_VLINE, n->critical ? ROLE_WORSE : ROLE_RULE, 0);
	for (int i = 2; i < x; i++)
		pane_put(p, i, y, GLYPH_VLINE, ROLE_RULE, 0);
	unit_figure_time(time, n->time.hi);
	graph_label(n, text, sizeof text);
	if (p.w < COLUMN_NARROW && !n->node->name && (n->shape == GRAPH_SEND || n->shape == GRAPH_RECV))
		snprintf(text, sizeof text, "%s r%u", n->shape == GRAPH_SEND ? "to" : "from",
			 (unsigned)n->peer); /* the triangle says the rest */
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

/* Whose column it is. */
static void draw_head(const struct graph *g, uint32_t column, struct pane p)
{
	const struct graph_column *c = &g->column[column];
	char text[80], time[UNIT_TEXT];

	if (c->count == 1)
		snprintf(text, sizeof text, "%s", unit_rank((char[UNIT_TEXT]){""}, c->first));
	else if (g->column_count == 1)
		snprintf(text, sizeof text, "all %u processes", (unsigned)c->count);
	else
		snprintf(text, sizeof text, "%u like %s", (unsigned)c->count, unit_rank((char[UNIT_TEXT]){""}, c->first));
	unit_figure_time(time, c->end.hi);
	if (c->count > 1 && g->column_count > 1 && text_width(text) > p.w - 3 - text_width(time))
		snprintf(text, sizeof text, "%u like %s", (unsigned)c->count, unit_rank_short((char[UNIT_TEXT]){""}, c->first));
	pane_text_right(p, p.w - 1, 0, ROLE_HEADER, 0, time);
	pane_text_in(p, 1, 0, p.w - 3 - text_width(time), ROLE_HEADER, 0, text);
}

/* The first of a column's nodes that stands in a row or below it. */
static uint32_t node_from(const struct graph *g, const struct graph_column *c, uint32_t row)
{
	return SEARCH_PAST(i, c->node, c->node + c->nodes, g->node[i].row < row);
}

static void draw_column(const struct graph *g, uint32_t column, uint32_t top, struct pane p)
{
	const struct graph_column *c = &g->column[column];
	uint32_t next = node_from(g, c, top), last = c->node + c->nodes;

	draw_head(g, column, p);
	/* A process that waits has a line where others have nodes. */
	for (int y = 1; y < p.h && next < last; y++) {
		if (g->node[next].row == top + (uint32_t)y - 1)
			draw_node(&g->node[next++], p, y);
		else
			pane_put(p, 1, y, GLYPH_VLINE, ROLE_RULE, 0);
	}
}

uint32_t graph_cells_columns(const struct graph *g, int w, int *column)
{
	uint32_t seen = w >= 2 * GRAPH_COLUMN_LEAST ? (uint32_t)(w / GRAPH_COLUMN_LEAST) : 1;

	if (seen > g->column_count)
		seen = g->column_count ? g->column_count : 1;
	*column = w / (int)seen > GRAPH_COLUMN_MOST ? GRAPH_COLUMN_MOST : w / (int)seen;
	return seen;
}

void graph_cells_draw(const struct graph *g, struct pane p, uint32_t left, uint32_t top)
{
	int w;
	uint32_t seen = graph_cells_columns(g, p.w, &w);

	for (uint32_t i = 0; i < seen && left + i < g->column_count; i++)
		draw_column(g, left + i, top, pane_part(p, (int)i * w, 0, w, p.h));
}
