#include "bars.h"

#include <math.h>
#include <stdio.h>

#include "core/base/text.h"
#include "core/io/out.h"
#include "tui/screen/glyphs.h"
#include "widgets_int.h"

void sparkline_text(const double *values, int n, char *text, size_t size)
{
	spark_text(values, n, TEXT_UTF8, text, size);
}

int bar_columns(double part, int room)
{
	int n;

	if (!(part > 0) || room < 1)
		return 0;
	n = part >= 1 ? room : (int)(part * room + 0.5);
	return n ? n : 1;
}

void bar_text(double part, int room, char *text, size_t size)
{
	size_t len = 0;

	for (int n = bar_columns(part, room); n > 0 && len + 4 < size; n--)
		len += text_encode(GLYPH_BLOCK_5, text + len);
	if (size)
		text[len] = 0;
}

void bar_draw(struct pane p, int x, int y, int room, double part, enum role role)
{
	pane_hline(p, x, y, bar_columns(part, room), GLYPH_BLOCK_5, role);
}

void bar_draw_eighths(struct pane p, int x, int y, int room, double part, enum role role)
{
	static const uint32_t ends[8] = {
		' ', GLYPH_LEFT_1, GLYPH_LEFT_2, GLYPH_LEFT_3, GLYPH_EDGE_RIGHT, GLYPH_LEFT_5, GLYPH_LEFT_6, GLYPH_LEFT_7,
	};
	int eighths;

	if (!(part > 0) || room < 1)
		return;
	if (p.canvas->ascii) {
		pane_hline(p, x, y, bar_columns(part, room), GLYPH_BLOCK_8, role);
		return;
	}
	eighths = part >= 1 ? 8 * room : (int)(part * room * 8 + 0.5);
	if (!eighths)
		eighths = 1;
	pane_hline(p, x, y, eighths / 8, GLYPH_BLOCK_8, role);
	if (eighths % 8)
		pane_put(p, x + eighths / 8, y, ends[eighths % 8], role, 0);
}

void progress_bar_draw(struct pane p, int x, int y, int room, double part)
{
	pane_hline(p, x, y, room, GLYPH_HLINE, ROLE_RULE);
	bar_draw(p, x, y, room, part, ROLE_SLIDER);
}

static void bar_put_cell(struct pane p, int x, int y, const struct bar_part *part)
{
	if (!part->letter)
		pane_put(p, x, y, GLYPH_TRACK_DONE, part->role, 0);
	else if (part->letter != ' ' && p.canvas->letters)
		pane_put(p, x, y, (uint32_t)part->letter, part->role, ATTR_REVERSE);
	else if (part->letter != ' ')
		pane_put(p, x, y, GLYPH_BLOCK_8, part->role, 0);
}

void stacked_bar_draw(struct pane p, int x, int y, int room, const struct bar_part *parts, int count, double whole)
{
	double sum = 0;
	int at = 0;

	for (int i = 0; whole > 0 && i < count; i++) {
		int end;

		if (!(parts[i].value > 0))
			continue;
		sum += parts[i].value;
		end = sum >= whole ? room : (int)(sum / whole * room + 0.5);
		for (; at < end && at < room; at++)
			bar_put_cell(p, x + at, y, &parts[i]);
	}
}

int stacked_bar_legend(struct pane p, int x, int y, const struct bar_part *parts, const char *const *names, int count)
{
	int from = x;

	for (int i = 0; i < count; i++) {
		if (x + text_width(names[i]) + 2 > p.w)
			break;
		bar_put_cell(p, x, y, &parts[i]);
		x += 2 + pane_text(p, x + 2, y, ROLE_DIM, 0, names[i]) + 2;
	}
	return x - from;
}

/* A stacked bar as a picture, as wide as the page has room: each part with its letter where that has room. */

#define LETTER 0.04 /* of the bar, that a letter takes on a telephone */

void stacked_bar_svg(const struct bar_part *parts, int count, double whole, const char *label, int h, struct out *o)
{
	double from = 0;

	/* In percent: without a view box, letters keep their size and shape. */
	out_printf(o, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot bar\" width=\"100%%\" height=\"%d\" role=\"img\" aria-label=\"", h);
	xml_text(o, label);
	out_str(o, "\">\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
	for (int i = 0; i < count; i++) {
		double part = parts[i].value > 0 && whole > 0 ? fmin(parts[i].value / whole, 1 - from) : 0;

		if (part <= 0)
			continue;
		if (parts[i].letter != ' ')
			out_printf(o, "<rect class=\"f %s\" x=\"%.2f%%\" width=\"%.2f%%\" height=\"100%%\"/>\n", svg_role_class(parts[i].role),
				   from * 100, part * 100);
		if (parts[i].letter != ' ' && part >= LETTER) {
			char text[2] = {parts[i].letter, 0};

			out_printf(o, "<text class=\"on\" x=\"%.2f%%\" y=\"%d\" text-anchor=\"middle\">", (from + part / 2) * 100, h / 2 + 4);
			xml_text(o, text);
			out_str(o, "</text>\n");
		}
		from += part;
	}
	svg_close(o);
}
