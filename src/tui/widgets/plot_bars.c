/* Bars, and areas, which are bars of a curve's height. */
#include <math.h>

#include "widgets_int.h"
#include "tui/screen/glyphs.h"

/* The row of the axis's zero, counted from the foot: bars stand on it. */
static int base_row(const struct plot_area *a)
{
	double zero = plot_axis_place(&a->y, 0);

	return !(zero > 0) ? 0 : zero >= 1 ? a->p.h : (int)(zero * a->p.h + 0.5);
}

static void put_up(const struct plot_area *a, int x, int row, int eighths, enum role role, unsigned attr)
{
	pane_put(a->p, x, a->p.h - 1 - row, (uint32_t)GLYPH_EIGHTHS(eighths), role, attr);
}

/* The upper eighths of a cell: the lower ones reversed, where letters do not stand for them. */
static void put_down(const struct plot_area *a, int x, int row, int eighths, enum role role, unsigned attr)
{
	bool whole = eighths >= 8 || a->p.canvas->ascii;

	pane_put(a->p, x, a->p.h - 1 - row, (uint32_t)GLYPH_EIGHTHS(whole ? eighths : 8 - eighths), role,
		 whole ? attr : attr ^ ATTR_REVERSE);
}

/* A column of blocks up (or down) to a place on the y axis, from 0 or the end of the axis that is nearest to 0. */
static void plot_column(const struct plot_area *a, int x, double y, enum role role)
{
	double place = plot_axis_place(&a->y, y), zero = plot_axis_place(&a->y, 0);
	int base = base_row(a), eighths;
	unsigned attr = x == a->marked ? a->marked_attr : 0;

	role = x == a->marked ? ROLE_SLIDER : role;
	if (isnan(place)) {
		pane_put(a->p, x, a->p.h - 1 - (base < a->p.h ? base : a->p.h - 1), GLYPH_DOT, ROLE_NONE, 0);
		return;
	}
	zero = !(zero > 0) ? 0 : zero > 1 ? 1 : zero;
	if (place >= zero) {
		/* Whatever is known is seen. */
		eighths = base >= a->p.h ? 0 : (int)(fmin(place - zero, 1 - zero) / (1 - zero) * (a->p.h - base) * 8 + 0.5);
		if (base >= a->p.h)
			put_down(a, x, a->p.h - 1, 1, role, attr);
		else if (eighths < 1)
			put_up(a, x, base, 1, role, attr);
		for (int row = base; eighths > 0; row++, eighths -= 8)
			put_up(a, x, row, eighths, role, attr);
		if (place > 1 + 1e-9)
			pane_put(a->p, x, 0, GLYPH_UP, role, 0);
		return;
	}
	eighths = base <= 0 ? 0 : (int)(fmin(zero - place, zero) / zero * base * 8 + 0.5);
	if (eighths < 1)
		put_down(a, x, base > 0 ? base - 1 : 0, 1, role, attr);
	for (int row = base - 1; eighths > 0; row--, eighths -= 8)
		put_down(a, x, row, eighths, role, attr);
	if (place < -1e-9)
		pane_put(a->p, x, a->p.h - 1, GLYPH_DOWN, role, 0);
}

double plot_highest(const struct plot_series *s, uint32_t from, uint32_t to)
{
	double most = (double)NAN;

	for (uint32_t i = from; i < to; i++)
		most = fmax(most, s->y[i]); /* a NAN gives way */
	return most;
}

void plot_draw_bars(const struct plot_area *a, const struct plot_series *s)
{
	uint64_t w = (uint64_t)a->p.w;

	for (uint32_t i = 0; s->x && i < s->count; i++) {
		double place = plot_axis_place(&a->x, s->x[i]);

		if (place >= 0 && place <= 1)
			plot_column(a, plot_axis_cell(place, a->p.w, 2), s->y[i], s->role);
	}
	for (uint64_t x = 0; !s->x && s->count && x < w; x++) {
		uint32_t from = (uint32_t)(x * s->count / w), to = (uint32_t)((x + 1) * s->count / w);

		plot_column(a, (int)x, plot_highest(s, from, to > from ? to : from + 1), s->role);
	}
}

void plot_draw_area(const struct plot_area *a, const struct plot_series *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		bool more = i + 1 < s->count && !isnan(s->y[i + 1]);
		double from = plot_place_of(s, &a->x, i), to = more ? plot_place_of(s, &a->x, i + 1) : from;

		if (isnan(s->y[i]) || isnan(from) || isnan(to) || from > 1 || to < 0)
			continue;
		for (int x = plot_axis_cell(from, a->p.w, 2); x <= plot_axis_cell(to, a->p.w, 2); x++) {
			double at = a->p.w > 1 ? (double)x / (a->p.w - 1) : 0, part = to > from ? (at - from) / (to - from) : 0;

			plot_column(a, x, part <= 0   ? s->y[i]
					  : part >= 1 ? s->y[i + 1]
						      : s->y[i] * (1 - part) + s->y[i + 1] * part, s->role);
		}
	}
}
