/* Curves, steps and points, with their intervals. */
#include <math.h>

#include "widgets_int.h"
#include "tui/screen/glyphs.h"

/* What draws a curve: dots, two by four in a cell as Braille has them; on an ASCII screen whole cells. */
struct pen {
	const struct plot_area *area;
	int sub_x, sub_y;
	enum role role;
	uint32_t mark;
	bool dashed;
	long x, y, dots; /* the dot drawn last, and how many there were before it */
};

static struct pen pen_of(const struct plot_area *a, const struct plot_series *s, uint32_t mark)
{
	bool ascii = a->p.canvas->ascii;

	return (struct pen){a, ascii ? 1 : 2, ascii ? 1 : 4, s->role, mark, s->dashed, -1, -1, -1};
}

static uint32_t cell_char_shown(struct pane p, int x, int y)
{
	return p.canvas->cells[(size_t)(p.y + y) * (size_t)p.canvas->w + (size_t)(p.x + x)].ch;
}

/* Dashes are as long as the gaps between them, along the whole curve. */
static bool in_gap(struct pen *pen, long x, long y)
{
	if (x != pen->x || y != pen->y)
		pen->dots++;
	pen->x = x;
	pen->y = y;
	return pen->dashed && pen->dots / (2L * pen->sub_x) % 2;
}

static void pen_draw_dot(struct pen *pen, long x, long y)
{
	static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
	struct pane p = pen->area->p;
	long cx = x / pen->sub_x, cy = y / pen->sub_y;
	uint32_t there;

	if (in_gap(pen, x, y) || x < 0 || y < 0 || cx >= p.w || cy >= p.h)
		return;
	if (p.canvas->ascii) {
		pane_put(p, (int)cx, (int)cy, pen->mark, pen->role, 0);
		return;
	}
	there = cell_char_shown(p, (int)cx, (int)cy);
	if (there < GLYPH_BRAILLE || there > GLYPH_BRAILLE + 0xff)
		there = GLYPH_BRAILLE;
	pane_put(p, (int)cx, (int)cy, there | bits[y % 4][x % 2], pen->role, 0);
}

/* In dots, from the upper left corner. What is absurdly far away is only far away, so that differences are numbers. */
static double place_keep_near(double place)
{
	return fmin(fmax(place, -1e9), 1e9);
}

static double dot_x(const struct pen *pen, double place)
{
	return place_keep_near(place) * (pen->area->p.w * pen->sub_x - 1);
}

static double dot_y(const struct pen *pen, double place)
{
	return (1 - place_keep_near(place)) * (pen->area->p.h * pen->sub_y - 1);
}

/* One of the four sides that a line is cut at: what of it, from *t0 to *t1, lies on the good side. */
static bool side_cut_line(double by, double room, double *t0, double *t1)
{
	double t = room / by;

	if (by == 0)
		return room >= 0;
	if (by < 0)
		*t0 = fmax(*t0, t);
	else
		*t1 = fmin(*t1, t);
	return *t0 <= *t1;
}

static void pen_draw_line(struct pen *pen, double x0, double y0, double x1, double y1)
{
	double w = pen->area->p.w * pen->sub_x - 1, h = pen->area->p.h * pen->sub_y - 1;
	double t0 = 0, t1 = 1, dx = x1 - x0, dy = y1 - y0;
	long steps;

	if (!side_cut_line(-dx, x0 + 0.49, &t0, &t1) || !side_cut_line(dx, w + 0.49 - x0, &t0, &t1) || !side_cut_line(-dy, y0 + 0.49, &t0, &t1) ||
	    !side_cut_line(dy, h + 0.49 - y0, &t0, &t1))
		return;
	steps = (long)ceil(fmax(fabs(dx), fabs(dy)) * (t1 - t0));
	for (long i = 0; i <= steps; i++) {
		double t = steps ? t0 + (t1 - t0) * (double)i / (double)steps : t0;

		pen_draw_dot(pen, lround(x0 + t * dx), lround(y0 + t * dy));
	}
}

static bool on_axis(double place)
{
	return place >= -1e-9 && place <= 1 + 1e-9;
}

/* An arrow at the edge for what lies above or below the range. */
static bool is_beyond(const struct plot_area *a, double x, double y, enum role role)
{
	if (!on_axis(x) || isnan(y) || on_axis(y))
		return false;
	pane_put(a->p, plot_axis_cell(x, a->p.w, 2), y > 1 ? 0 : a->p.h - 1, y > 1 ? GLYPH_UP : GLYPH_DOWN, role, 0);
	return true;
}

/* The mark at the end of a curve tells it from others without colours. */
static void end_mark(const struct plot_area *a, const struct plot_series *s, uint32_t mark)
{
	for (uint32_t i = s->count; i-- > 0;) {
		double x = plot_place_of(s, &a->x, i), y = plot_axis_place(&a->y, s->y[i]);

		if (!on_axis(x) || !on_axis(y))
			continue;
		pane_put(a->p, plot_axis_cell(x, a->p.w, 2), a->p.h - 1 - plot_axis_cell(y, a->p.h, 4), mark, s->role, 0);
		return;
	}
}

void plot_draw_curve(const struct plot_area *a, const struct plot_series *s, uint32_t mark)
{
	struct pen pen = pen_of(a, s, mark);
	double before_x = (double)NAN, before_y = (double)NAN;

	for (uint32_t i = 0; i < s->count; i++) {
		double x = plot_place_of(s, &a->x, i), y = plot_axis_place(&a->y, s->y[i]);
		bool drawn = isfinite(x) && isfinite(y);

		if (drawn && isfinite(before_x)) {
			double x0 = dot_x(&pen, before_x), y0 = dot_y(&pen, before_y), x1 = dot_x(&pen, x), y1 = dot_y(&pen, y);

			if (s->kind == PLOT_STEPS) {
				pen_draw_line(&pen, x0, y0, x1, y0);
				pen_draw_line(&pen, x1, y0, x1, y1);
			} else {
				pen_draw_line(&pen, x0, y0, x1, y1);
			}
		} else if (drawn) {
			pen_draw_line(&pen, dot_x(&pen, x), dot_y(&pen, y), dot_x(&pen, x), dot_y(&pen, y));
		}
		before_x = drawn ? x : (double)NAN;
		before_y = drawn ? y : (double)NAN;
	}
	for (uint32_t i = 0; i < s->count; i++)
		is_beyond(a, plot_place_of(s, &a->x, i), plot_axis_place(&a->y, s->y[i]), s->role);
	if (s->name || s->count == 1)
		end_mark(a, s, mark);
}

/* The rows between two places on the y axis, from the top; an end that is not known or beyond is the axis's. */
static void rows_between(const struct plot_area *a, double low, double high, int *top, int *foot)
{
	*top = a->p.h - 1 - plot_axis_cell(isnan(high) ? 0 : high, a->p.h, 4);
	*foot = a->p.h - 1 - plot_axis_cell(isnan(low) ? 0 : low, a->p.h, 4);
}

static bool is_known(const struct plot_axis *y, const struct plot_series *s, uint32_t i)
{
	/* On a log axis an interval may begin where there is no place. */
	return !isnan(s->low[i]) && !isnan(s->high[i]) && !isnan(plot_axis_place(y, s->high[i])) &&
	       plot_axis_place(y, s->high[i]) >= 0 && !(plot_axis_place(y, s->low[i]) > 1);
}

static void band_column(const struct plot_area *a, int x, double low, double high)
{
	int top, foot;

	rows_between(a, low, high, &top, &foot);
	pane_vline(a->p, x, top, foot - top + 1, GLYPH_DOT, ROLE_DIM);
}

void plot_draw_band(const struct plot_area *a, const struct plot_series *s)
{
	for (uint32_t i = 0; s->low && s->high && i + 1 < s->count; i++) {
		double from = plot_place_of(s, &a->x, i), to = plot_place_of(s, &a->x, i + 1);
		double low[2] = {plot_axis_place(&a->y, s->low[i]), plot_axis_place(&a->y, s->low[i + 1])};
		double high[2] = {plot_axis_place(&a->y, s->high[i]), plot_axis_place(&a->y, s->high[i + 1])};

		if (!is_known(&a->y, s, i) || !is_known(&a->y, s, i + 1) || isnan(from) || isnan(to) || from > 1 || to < 0)
			continue;
		for (int k = 0; k < 2; k++) { /* so that halfway between is a place */
			low[k] = low[k] > 0 ? fmin(low[k], 1) : 0;
			high[k] = fmin(high[k], 1);
		}
		for (int x = plot_axis_cell(from, a->p.w, 2); x <= plot_axis_cell(to, a->p.w, 2); x++) {
			double at = a->p.w > 1 ? (double)x / (a->p.w - 1) : 0, part = to > from ? (at - from) / (to - from) : 0;

			part = fmin(fmax(part, 0), 1);
			band_column(a, x, low[0] + (low[1] - low[0]) * part, high[0] + (high[1] - high[0]) * part);
		}
	}
}

void plot_draw_points(const struct plot_area *a, const struct plot_series *s, uint32_t mark)
{
	for (uint32_t i = 0; i < s->count; i++) {
		double x = plot_place_of(s, &a->x, i), y = plot_axis_place(&a->y, s->y[i]);
		int column = plot_axis_cell(x, a->p.w, 2), top, foot;

		if (!on_axis(x))
			continue;
		if (s->low && s->high && is_known(&a->y, s, i)) {
			rows_between(a, plot_axis_place(&a->y, s->low[i]), plot_axis_place(&a->y, s->high[i]), &top, &foot);
			pane_vline(a->p, column, top, foot - top + 1, GLYPH_VLINE, ROLE_DIM);
		}
		if (!isnan(y) && !is_beyond(a, x, y, s->role))
			pane_put(a->p, column, a->p.h - 1 - plot_axis_cell(y, a->p.h, 4), mark, s->role, 0);
	}
}
