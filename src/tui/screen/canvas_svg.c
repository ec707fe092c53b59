/* The canvas as a picture, on a fixed grid of cells.
 *
 * Renderers treat the length of a text, blanks and the width of a missing symbol differently. So each word has its own
 * position, a symbol is centred in its cell, and lines, blocks and Braille dots are shapes, not text. */
#include <stdio.h>
#include <string.h>

#include "core/io/out.h"
#include "canvas.h"
#include "glyphs.h"
#include "theme.h"

#define CELL_W 8.4
#define CELL_H 17.0
#define MARGIN 14.0
#define WORD 12 /* cells: where a font is a little wider than a cell, longer words would end beside their place */
#define FONT "ui-monospace,'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace"

static struct shade look_of(const struct screen_cell *c, bool light)
{
	return theme_shade(PALETTE_256, light, (enum role)c->role, c->attr);
}

static bool shade_is_same(struct shade a, struct shade b)
{
	return a.fg == b.fg && a.bg == b.bg && a.bold == b.bold && a.dim == b.dim && a.underline == b.underline &&
	       a.filled == b.filled;
}

static bool is_blank(const struct screen_cell *c)
{
	return c->ch == ' ' || c->ch == 0;
}

static void add_rect(struct out *o, double x, double y, double w, double h, uint32_t fill, bool dim)
{
	out_printf(o, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\"%s/>\n", x, y, w, h,
		   (unsigned)fill, dim ? " opacity=\"0.6\"" : "");
}

/* Which parts of a cell a line has: from its middle to the left, right, up, down. */
enum { TO_LEFT = 1, TO_RIGHT = 2, TO_TOP = 4, TO_BOTTOM = 8 };

static unsigned strokes(uint32_t c)
{
	switch (c) {
	case GLYPH_HLINE:
	case GLYPH_TRACK_DONE: return TO_LEFT | TO_RIGHT;
	case GLYPH_VLINE: return TO_TOP | TO_BOTTOM;
	case GLYPH_TEE_DOWN: return TO_LEFT | TO_RIGHT | TO_BOTTOM;
	case GLYPH_TEE_UP: return TO_LEFT | TO_RIGHT | TO_TOP;
	case GLYPH_CORNER: return TO_TOP | TO_RIGHT;
	case GLYPH_SPAN_LEFT: return TO_TOP | TO_BOTTOM | TO_RIGHT;
	case GLYPH_SPAN_RIGHT: return TO_TOP | TO_BOTTOM | TO_LEFT;
	default: return 0;
	}
}

/* Dots that touch their neighbours along a curve. */
static void add_dots(struct out *o, uint32_t c, double x, double y, struct shade l)
{
	static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
	double w = CELL_W / 2, h = CELL_H / 4, side = 2.4;

	for (int row = 0; row < 4; row++)
		for (int column = 0; column < 2; column++)
			if ((c - GLYPH_BRAILLE) & bits[row][column])
				add_rect(o, x + (column + 0.5) * w - side / 2, y + (row + 0.5) * h - side / 2, side, side, l.fg, l.dim);
}

/* So many cells of the same line, block or dots from (x, y) on; false: it is none of them. */
static bool add_shape(struct out *o, uint32_t c, double x, double y, int cells, struct shade l)
{
	double w = cells * CELL_W, middle = y + CELL_H / 2, thick = c == GLYPH_TRACK_DONE ? 2.4 : 1.0;
	unsigned to = strokes(c);

	if (c >= GLYPH_BLOCK_1 && c <= GLYPH_BLOCK_8) {
		double h = CELL_H * (c - GLYPH_BLOCK_1 + 1) / 8;

		add_rect(o, x, y + CELL_H - h, w, h, l.fg, l.dim);
		return true;
	}
	/* Left eighths go from seven down to one. */
	if (c >= GLYPH_LEFT_7 && c <= GLYPH_LEFT_1) {
		for (int i = 0; i < cells; i++)
			add_rect(o, x + i * CELL_W, y, CELL_W * (GLYPH_LEFT_1 - c + 1) / 8, CELL_H, l.fg, l.dim);
		return true;
	}
	if (c >= GLYPH_BRAILLE && c <= GLYPH_BRAILLE + 0xff) {
		for (int i = 0; i < cells; i++)
			add_dots(o, c, x + i * CELL_W, y, l);
		return true;
	}
	if (to & (TO_LEFT | TO_RIGHT)) {
		double from = to & TO_LEFT ? x : x + CELL_W / 2, end = to & TO_RIGHT ? x + w : x + w - CELL_W / 2;

		add_rect(o, from, middle - thick / 2, end - from, thick, l.fg, l.dim);
	}
	for (int i = 0; to & (TO_TOP | TO_BOTTOM) && i < cells; i++) {
		double from = to & TO_TOP ? y : middle, end = to & TO_BOTTOM ? y + CELL_H : middle;

		add_rect(o, x + (i + 0.5) * CELL_W - thick / 2, from, thick, end - from, l.fg, l.dim);
	}
	return to != 0;
}

/* A character that a monospaced font is sure to have, as wide as the others. */
static bool is_plain(const struct screen_cell *c)
{
	return c->ch > ' ' && c->ch < 0x180 && !c->combining;
}

static void open_text(struct out *o, double x, double y, const char *more, struct shade l)
{
	out_printf(o, "<text x=\"%.1f\" y=\"%.1f\"%s fill=\"#%06x\"%s%s%s>", x, y + CELL_H * 0.76, more, (unsigned)l.fg,
		   l.bold ? " font-weight=\"bold\"" : "", l.dim ? " opacity=\"0.6\"" : "",
		   l.underline ? " text-decoration=\"underline\"" : "");
}

/* What stands at column `from`, up to `to` at most; returns the column after it. */
static int add_piece(struct out *o, const struct screen_cell *row, int from, int to, double y, struct shade l)
{
	double x = MARGIN + from * CELL_W;
	int end = from + 1;
	char more[64];

	if (is_blank(&row[from]))
		return end;
	while (end < to && row[end].ch == row[from].ch && !row[end].combining)
		end++;
	if (add_shape(o, row[from].ch, x, y, end - from, l))
		return end;
	end = from + 1;
	if (is_plain(&row[from])) {
		while (end < to && end < from + WORD && is_plain(&row[end]))
			end++;
		snprintf(more, sizeof more, " textLength=\"%.1f\"", (end - from) * CELL_W);
		open_text(o, x, y, more, l);
		for (int i = from; i < end; i++)
			xml_char(o, row[i].ch);
	} else {
		bool wide = end < to && row[end].ch == 0;

		open_text(o, x + (wide ? CELL_W : CELL_W / 2), y, " text-anchor=\"middle\"", l);
		xml_char(o, row[from].ch);
		if (row[from].combining)
			xml_char(o, row[from].combining);
	}
	out_str(o, "</text>\n");
	return end;
}

static void svg_add_run(struct out *o, const struct screen_cell *row, int from, int to, int y, struct shade l)
{
	double top = MARGIN + y * CELL_H;

	if (l.filled)
		add_rect(o, MARGIN + from * CELL_W, top, (to - from) * CELL_W, CELL_H, l.bg, false);
	while (from < to)
		from = add_piece(o, row, from, to, top, l);
}

void canvas_svg(const struct canvas *c, bool light, const char *title, struct out *o)
{
	double w = c->w * CELL_W + 2 * MARGIN, h = c->h * CELL_H + 2 * MARGIN;

	out_printf(o, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		      "viewBox=\"0 0 %.0f %.0f\">\n", w, h, w, h);
	out_str(o, "<title>");
	xml_text(o, title);
	out_printf(o, "</title>\n<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"#%06x\"/>\n"
		      "<g font-family=\"" FONT "\" font-size=\"14\">\n",
		   (unsigned)theme_ground(light));
	for (int y = 0; y < c->h; y++) {
		const struct screen_cell *row = &c->cells[(size_t)y * (size_t)c->w];

		for (int x = 0; x < c->w;) {
			struct shade l = look_of(&row[x], light);
			int to = x + 1;

			while (to < c->w && shade_is_same(l, look_of(&row[to], light)))
				to++;
			svg_add_run(o, row, x, to, y, l);
			x = to;
		}
	}
	out_str(o, "</g>\n</svg>\n");
}
