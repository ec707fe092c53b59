#include "sparkline.h"

#include <math.h>

#include "core/base/text.h"
#include "tui/screen/glyphs.h"

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
