/* The canvas as a picture: one text element per run of equal style, placed on a fixed grid of cells. */
#include <stdio.h>
#include <string.h>

#include "../core/text.h"
#include "canvas.h"
#include "theme.h"

#define CELL_W 8.4
#define CELL_H 17.0
#define MARGIN 14.0
#define FONT "ui-monospace,'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace"

struct ground {
	uint32_t paper, ink;
};

struct look {
	uint32_t fg, bg;
	bool bold, dim, underline, filled;
};

static struct look look_of(const struct cell *c, struct ground g)
{
	struct style s = theme_style(PALETTE_256, (enum role)c->role, c->attr);
	struct look l = {
		.fg = s.fg < 0 ? g.ink : theme_rgb(s.fg),
		.bg = s.bg < 0 ? g.paper : theme_rgb(s.bg),
		.bold = s.attr & ATTR_BOLD,
		.dim = s.attr & ATTR_DIM,
		.underline = s.attr & ATTR_UNDERLINE,
		.filled = s.bg >= 0,
	};

	if (s.attr & ATTR_REVERSE) {
		uint32_t fg = l.fg;

		l.fg = l.bg;
		l.bg = fg;
		l.filled = true;
	}
	return l;
}

static bool same(struct look a, struct look b)
{
	return a.fg == b.fg && a.bg == b.bg && a.bold == b.bold && a.dim == b.dim && a.underline == b.underline &&
	       a.filled == b.filled;
}

static void add_xml(struct out *o, uint32_t c)
{
	char bytes[4];

	switch (c) {
	case '<': out_str(o, "&lt;"); break;
	case '>': out_str(o, "&gt;"); break;
	case '&': out_str(o, "&amp;"); break;
	case ' ': out_str(o, "\xc2\xa0"); break;
	default: out_add(o, bytes, text_encode(c, bytes));
	}
}

static void add_run(struct out *o, const struct cell *row, int from, int to, int y, struct look l)
{
	double x = MARGIN + from * CELL_W, top = MARGIN + y * CELL_H;
	bool blank = true;

	for (int i = from; i < to; i++)
		blank = blank && (row[i].ch == ' ' || row[i].ch == 0);
	if (l.filled)
		out_printf(o, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\"/>\n", x, top,
			   (to - from) * CELL_W, CELL_H, (unsigned)l.bg);
	if (blank)
		return;
	out_printf(o, "<text x=\"%.1f\" y=\"%.1f\" textLength=\"%.1f\" fill=\"#%06x\"%s%s%s>", x, top + CELL_H * 0.76,
		   (to - from) * CELL_W, (unsigned)l.fg, l.bold ? " font-weight=\"bold\"" : "",
		   l.dim ? " opacity=\"0.6\"" : "", l.underline ? " text-decoration=\"underline\"" : "");
	for (int i = from; i < to; i++) {
		if (row[i].ch)
			add_xml(o, row[i].ch);
		if (row[i].combining)
			add_xml(o, row[i].combining);
	}
	out_str(o, "</text>\n");
}

void canvas_svg(const struct canvas *c, bool light, const char *title, struct out *o)
{
	struct ground g = light ? (struct ground){0xfdfdfb, 0x24292e} : (struct ground){0x16191d, 0xd4d7db};
	double w = c->w * CELL_W + 2 * MARGIN, h = c->h * CELL_H + 2 * MARGIN;

	out_printf(o, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		      "viewBox=\"0 0 %.0f %.0f\">\n", w, h, w, h);
	out_str(o, "<title>");
	for (const char *t = title; *t; t++)
		add_xml(o, (unsigned char)*t);
	out_printf(o, "</title>\n<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"#%06x\"/>\n"
		      "<g font-family=\"" FONT "\" font-size=\"14\">\n",
		   (unsigned)g.paper);
	for (int y = 0; y < c->h; y++) {
		const struct cell *row = &c->cells[(size_t)y * (size_t)c->w];

		for (int x = 0; x < c->w;) {
			struct look l = look_of(&row[x], g);
			int to = x + 1;

			while (to < c->w && same(l, look_of(&row[to], g)))
				to++;
			add_run(o, row, x, to, y, l);
			x = to;
		}
	}
	out_str(o, "</g>\n</svg>\n");
}
