#include "report.h"

#include "tui/widgets/widgets.h"

#define SLICE 256       /* rows that are drawn at once */
#define PICTURE_COLUMNS 100

/* The rows that some columns need. */
static uint32_t graph_band_rows(const struct graph *g, uint32_t left, uint32_t columns)
{
	uint32_t rows = 0;

	for (uint32_t i = left; i < left + columns && i < g->column_count; i++) {
		const struct graph_column *c = &g->column[i];

		if (c->nodes && g->node[c->node + c->nodes - 1].row >= rows)
			rows = g->node[c->node + c->nodes - 1].row + 1;
	}
	return rows;
}

/* Some columns from top to bottom. The heads stand in the first slice alone. */
static enum err_code graph_draw_band(const struct graph *g, struct canvas *c, uint32_t left, uint32_t columns, struct out *out,
			  struct err *e)
{
	uint32_t all = graph_band_rows(g, left, columns);

	for (uint32_t top = 0; top < all || !top; top += SLICE) {
		uint32_t rows = all - top < SLICE ? all - top : SLICE;
		struct pane p;

		if (!canvas_resize(c, c->w, (int)rows + (top == 0)))
			return err_memory(e, "a graph");
		p = canvas_pane(c);
		if (top) {
			p.y--;
			p.h++;
		}
		graph_cells_draw(g, p, left, top);
		canvas_dump_text(c, out);
	}
	return ERR_OK;
}

enum err_code graph_text(const struct graph *g, int width, bool ascii, struct out *out, struct err *e)
{
	struct canvas c;
	int column;
	uint32_t seen = graph_cells_columns(g, width, &column);
	enum err_code code = ERR_OK;

	canvas_init(&c, ascii);
	if (!canvas_resize(&c, column * (int)seen, 1))
		code = err_memory(e, "a graph");
	for (uint32_t left = 0; !code && left < g->column_count; left += seen) {
		if (left)
			out_str(out, "\n");
		code = graph_draw_band(g, &c, left, seen, out, e);
	}
	canvas_release(&c);
	return code ? code : out->failed ? err_memory(e, "a graph") : ERR_OK;
}

enum err_code graph_svg(const struct graph *g, const char *title, struct out *out, struct err *e)
{
	struct canvas c;
	enum err_code code = ERR_OK;

	if (g->rows > GRAPH_PICTURE_ROWS || g->column_count > PICTURE_COLUMNS)
		return err_set(e, ERR_LIMIT, "a graph of %u columns and %u rows is too large for a picture: at most %d and %d "
			       "are drawn", (unsigned)g->column_count, (unsigned)g->rows, PICTURE_COLUMNS, GRAPH_PICTURE_ROWS);
	canvas_init(&c, false);
	if (canvas_resize(&c, (int)(g->column_count ? g->column_count : 1) * 32, (int)g->rows + 1)) {
		graph_cells_draw(g, canvas_pane(&c), 0, 0);
		canvas_svg(&c, true, title, out);
	} else {
		code = err_memory(e, "a graph");
	}
	canvas_release(&c);
	return code ? code : out->failed ? err_memory(e, "a graph") : ERR_OK;
}
