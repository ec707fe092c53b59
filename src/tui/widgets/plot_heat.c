#include "plot_heat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bars.h"
#include "tui/screen/glyphs.h"

#define NUMBER_W 7 /* a cell with its number */
#define WIDEST 9

int heat_cell_width(const struct heat *h, int room)
{
	int each = h->columns ? room / (int)h->columns : 0;

	return each >= NUMBER_W ? (each > WIDEST ? WIDEST : each) : each >= 2 ? 2 : 1;
}

static uint32_t block(int eighths)
{
	return eighths > 0 ? (uint32_t)GLYPH_EIGHTHS(eighths) : GLYPH_DOT;
}

void heat_block(struct pane p, int x, int y, int eighths, enum role role)
{
	pane_put(p, x, y, block(eighths), eighths > 0 ? role : ROLE_NONE, 0);
}

static uint32_t glyph_of(const struct heat *h, double v)
{
	return isnan(v) ? '?' : block(v > 0 ? spark_eighths(v, h->most) : 0);
}

/* "55", "1.2k", "64M". */
static const char *short_number(char buf[UNIT_TEXT], double v, enum plot_unit unit)
{
	static const char units[] = "\0kMGT";
	unsigned u = 0;

	if (unit == PLOT_SECONDS)
		return unit_time_short(buf, v);
	if (unit == PLOT_SHARE || unit == PLOT_NUMBER)
		return plot_value_text(unit, v, buf);
	for (; v >= 999.5 && u < 4; u++)
		v /= unit == PLOT_BYTES ? 1024 : 1000;
	snprintf(buf, UNIT_TEXT, u && v < 9.95 ? "%.1f%c" : "%.0f%c", v, units[u]);
	return buf;
}

void heat_row(const struct heat *h, struct pane p, int x, int y, int cell, uint32_t row, uint32_t cursor)
{
	char text[UNIT_TEXT];

	for (uint32_t c = 0; c < h->columns; c++) {
		int at = x + (int)c * cell;
		double v = h->value(h->ctx, row, c);
		uint32_t glyph = glyph_of(h, v);
		bool some = v > 0;

		/* Two columns make a square; what is nothing or not known stays small. */
		for (int i = 0; i < (cell == 2 ? 2 : 1); i++)
			pane_put(p, at + i, y, some || !i ? glyph : ' ', some ? h->role : ROLE_NONE, 0);
		if (cell >= NUMBER_W && some)
			pane_text_in(p, at + 2, y, cell - 2, ROLE_DEFAULT, 0, short_number(text, v, h->unit));
		if (c == cursor)
			pane_stress(p, at, y, cell >= NUMBER_W ? cell - 1 : 1, ATTR_CURSOR);
	}
}

/* The blocks of nothing, of round values and, with its exact value, the full one. */
int heat_legend(const struct heat *h, struct pane p, int x, int y)
{
	struct plot_axis axis = {.from = 0, .to = h->most, .unit = h->unit};
	struct plot_tick ticks[PLOT_TICKS];
	char text[UNIT_TEXT];
	int n = h->most > 0 ? plot_axis_ticks(&axis, 8, LABELS_UP, ticks) : 0, kept = 0, from = x, room = p.w - x;

	for (int i = 0; i < n; i++)
		if (i == 0 || glyph_of(h, ticks[i].value) != glyph_of(h, h->most))
			ticks[kept++] = ticks[i];
	ticks[kept++].value = h->most > 0 ? h->most : 0;
	for (int i = 0; i < kept; i++)
		room -= 4 + text_width(plot_value_text(h->unit, ticks[i].value, text));
	/* Where room lacks, those in between go, then nothing, and the full one last. */
	while (kept && room + 2 < 0) {
		int drop = kept > 2 ? kept - 2 : 0;

		room += 4 + text_width(plot_value_text(h->unit, ticks[drop].value, text));
		memmove(ticks + drop, ticks + drop + 1, (size_t)(--kept - drop) * sizeof *ticks);
	}
	for (int i = 0; i < kept; i++) {
		double v = ticks[i].value;

		pane_put(p, x, y, glyph_of(h, v), v > 0 ? h->role : ROLE_NONE, 0);
		x += 4 + pane_text(p, x + 2, y, ROLE_DIM, 0, plot_value_text(h->unit, v, text));
	}
	return x > from ? x - 2 - from : 0;
}
