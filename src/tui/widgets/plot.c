#include "plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "widgets_int.h"
#include "tui/screen/glyphs.h"

#define LEAST_W 12 /* with axes */

/* The mark of a series: in the legend, of points, at the end of curves. */
static uint32_t plot_mark(const struct plot *plot, int series)
{
	static const uint32_t marks[] = {GLYPH_KNOB, GLYPH_TIMES, '+', GLYPH_RING, '*', '#'};

	if (plot->series[series].mark)
		return plot->series[series].mark;
	return marks[series % (int)(sizeof marks / sizeof *marks)];
}

/* --- ranges --- */

static void widen(struct plot_axis *a, double *from, double *to, const double *v, uint32_t n)
{
	for (uint32_t i = 0; v && i < n; i++) {
		if (!isfinite(v[i]) || (a->scale == SCALE_LOG && v[i] <= 0))
			continue;
		*from = fmin(*from, v[i]);
		*to = fmax(*to, v[i]);
	}
}

void plot_axes(const struct plot *plot, struct plot_axis *x, struct plot_axis *y)
{
	double x_from = INFINITY, x_to = -INFINITY, y_from = INFINITY, y_to = -INFINITY;
	uint32_t most = 0;

	*x = plot->x;
	*y = plot->y;
	for (int i = 0; i < plot->series_count; i++) {
		const struct plot_series *s = &plot->series[i];

		widen(x, &x_from, &x_to, s->x, s->count);
		most = !s->x && s->count > most ? s->count : most;
		widen(y, &y_from, &y_to, s->y, s->count);
		widen(y, &y_from, &y_to, s->low, s->count);
		widen(y, &y_from, &y_to, s->high, s->count);
		if ((s->kind == PLOT_BARS || s->kind == PLOT_AREA) && y->scale != SCALE_LOG && y_from <= y_to) {
			y_from = fmin(y_from, 0); /* so that heights compare */
			y_to = fmax(y_to, 0);
		}
	}
	if (most && x_from > x_to && isnan(x->from) && isnan(x->to)) { /* nothing says what x is: the values are numbered */
		x_from = 1;
		x_to = most;
		x->unit = PLOT_COUNT;
	}
	x->from = isnan(x->from) ? x_from : x->from;
	x->to = isnan(x->to) ? x_to : x->to;
	plot_axis_settle(x);
	y->from = isnan(y->from) ? y_from : y->from;
	y->to = isnan(y->to) ? y_to : y->to;
	plot_axis_settle(y);
	if (isnan(plot->y.from) && isnan(plot->y.to) && !y->hidden)
		plot_axis_round(y);
}

double plot_place_of(const struct plot_series *s, const struct plot_axis *x, uint32_t i)
{
	if (s->x)
		return plot_axis_place(x, s->x[i]);
	if (s->kind == PLOT_BARS)
		return (i + 0.5) / s->count;
	return s->count > 1 ? (double)i / (s->count - 1) : 0.5;
}

uint32_t plot_nearest(const struct plot_series *s, const struct plot_axis *axis, double x)
{
	double at = plot_axis_place(axis, x), least = INFINITY;
	uint32_t best = UINT32_MAX;

	if (!isfinite(at))
		return best;
	if (!s->x && s->kind == PLOT_BARS) /* the bar that x falls into */
		return !s->count ? best : at <= 0 ? 0 : at >= 1 ? s->count - 1 : (uint32_t)(at * s->count);
	for (uint32_t i = 0; i < s->count; i++) {
		double away = fabs(plot_place_of(s, axis, i) - at);

		if (away < least - 1e-12) {
			least = away;
			best = i;
		}
	}
	return best;
}

/* --- head --- */

/* Pieces one after another; one that has no room goes to the second row, if there is one, or is left out. */
struct plot_head {
	struct pane p;
	int x, y, rows;
};

static bool room_for(struct plot_head *h, int w)
{
	if (h->x + w > h->p.w && h->y + 1 < h->rows && w <= h->p.w) {
		h->x = 0;
		h->y++;
	}
	return h->x + w <= h->p.w;
}

static void add_text(struct plot_head *h, enum role role, const char *text)
{
	if (room_for(h, text_width(text)))
		h->x += pane_text(h->p, h->x, h->y, role, 0, text) + 2;
}

/* The name, and at the cursor the value with its interval. */
static void add_series(struct plot_head *h, const struct plot *plot, const struct plot_axis *x, int i)
{
	const struct plot_series *s = &plot->series[i];
	uint32_t at = isnan(plot->cursor) ? UINT32_MAX : plot_nearest(s, x, plot->cursor);
	char text[128], value[UNIT_TEXT], low[UNIT_TEXT], high[UNIT_TEXT];

	snprintf(text, sizeof text, "%.60s", s->name ? s->name : "");
	if (at < s->count) {
		const char *between = s->name ? " " : "";

		plot_value_text(plot->y.unit, s->y[at], value);
		if (s->low && s->high && !isnan(s->low[at]) && !isnan(s->high[at]))
			snprintf(text, sizeof text, "%.60s%s%s (%s – %s)", s->name ? s->name : "", between, value,
				 plot_value_text(plot->y.unit, s->low[at], low), plot_value_text(plot->y.unit, s->high[at], high));
		else
			snprintf(text, sizeof text, "%.60s%s%s", s->name ? s->name : "", between, value);
	}
	if (s->silent || !text[0] || !room_for(h, text_width(text) + 2))
		return;
	pane_put(h->p, h->x, h->y, s->kind == PLOT_BARS || s->kind == PLOT_AREA ? GLYPH_BLOCK_8 : plot_mark(plot, i), s->role, 0);
	pane_text(h->p, h->x + 2, h->y, at < s->count ? ROLE_VALUE : ROLE_DEFAULT, 0, text);
	h->x += text_width(text) + 4;
}

/* Values that a log axis has no place for. */
uint32_t plot_without_place(const struct plot *plot)
{
	uint32_t n = 0;

	for (int i = 0; i < plot->series_count; i++) {
		const struct plot_series *s = &plot->series[i];

		for (uint32_t k = 0; k < s->count; k++)
			n += (plot->y.scale == SCALE_LOG && s->y[k] <= 0) || (plot->x.scale == SCALE_LOG && s->x && s->x[k] <= 0);
	}
	return n;
}

bool plot_scales_text(const struct plot *plot, char *text, size_t size)
{
	const char *xs = plot_scale_name(plot->x.scale), *ys = plot_scale_name(plot->y.scale);

	if (xs && ys && plot->x.scale == plot->y.scale)
		snprintf(text, size, "%s x, y", xs);
	else if (xs || ys)
		snprintf(text, size, "%s %s", xs ? xs : ys, xs && ys ? "x, log y" : xs ? "x" : "y");
	return xs || ys;
}

static void draw_head(struct plot_head *h, const struct plot *plot, const struct plot_axis *x)
{
	uint32_t lacks = plot_without_place(plot);
	char text[64], value[UNIT_TEXT];

	if (plot->title && text_width(plot->title) > h->p.w)
		h->x += pane_text_in(h->p, 0, 0, h->p.w, ROLE_TITLE, 0, plot->title) + 2;
	else if (plot->title)
		add_text(h, ROLE_TITLE, plot->title);
	if (!isnan(plot->cursor)) {
		snprintf(text, sizeof text, "at %s", plot_value_text(plot->x.unit, plot->cursor, value));
		add_text(h, ROLE_SLIDER, text);
	}
	if (lacks) {
		snprintf(text, sizeof text, "%u not above 0", (unsigned)lacks);
		add_text(h, ROLE_WARN, text);
	}
	for (int i = 0; i < plot->series_count; i++)
		add_series(h, plot, x, i);
	if (!plot->y.hidden && plot_scales_text(plot, text, sizeof text))
		add_text(h, ROLE_DIM, text);
}

/* --- axes --- */

/* In one row, ticks with their values beside them, and the name of the scale. */
static void draw_scale(const struct plot_area *a, struct pane p, int x, int y)
{
	struct plot_tick ticks[PLOT_TICKS];
	int n = plot_axis_ticks(&a->x, a->p.w, LABELS_BESIDE, ticks);
	const char *name = plot_scale_name(a->x.scale);

	for (int i = 0; i < n; i++) {
		pane_put(p, x + ticks[i].cell, y, GLYPH_VLINE, ROLE_RULE, 0);
		pane_text(p, x + ticks[i].label, y, ROLE_DIM, 0, ticks[i].text);
	}
	if (name)
		pane_text(p, x + a->p.w + 1, y, ROLE_DIM, 0, name);
}

static void draw_x_axis(const struct plot_area *a, struct pane p, int x, int y)
{
	struct plot_tick ticks[PLOT_TICKS];
	int n = plot_axis_ticks(&a->x, a->p.w, LABELS_UNDER, ticks);

	pane_hline(p, x, y, a->p.w, GLYPH_HLINE, ROLE_RULE);
	for (int i = 0; i < n; i++) {
		pane_put(p, x + ticks[i].cell, y, GLYPH_TEE_DOWN, ROLE_RULE, 0);
		pane_text(p, x + ticks[i].label, y + 1, ROLE_DIM, 0, ticks[i].text);
	}
}

static void draw_y_axis(const struct plot_tick *ticks, int n, struct pane p, int x, int y, int h)
{
	pane_vline(p, x, y, h, GLYPH_VLINE, ROLE_RULE);
	pane_put(p, x, y + h, GLYPH_CORNER, ROLE_RULE, 0);
	for (int i = 0; i < n; i++) {
		int at = y + h - 1 - ticks[i].cell;

		pane_put(p, x, at, GLYPH_SPAN_RIGHT, ROLE_RULE, 0);
		pane_text_right(p, x, at, ROLE_DIM, 0, ticks[i].text);
	}
}

static int widest(const struct plot_tick *ticks, int n)
{
	int w = 0;

	for (int i = 0; i < n; i++)
		w = text_width(ticks[i].text) > w ? text_width(ticks[i].text) : w;
	return w;
}

/* --- all of it --- */

/* A line where nothing else is drawn. */
static void draw_cursor(const struct plot_area *a, double x)
{
	double place = plot_axis_place(&a->x, x);

	if (!(place >= 0 && place <= 1))
		return;
	pane_vline(a->p, plot_axis_cell(place, a->p.w, 2), 0, a->p.h, GLYPH_VLINE, ROLE_SLIDER);
}

static void draw_series(const struct plot_area *a, const struct plot *plot)
{
	for (int i = 0; i < plot->series_count; i++)
		if (plot->series[i].kind == PLOT_BARS)
			plot_draw_bars(a, &plot->series[i]);
		else if (plot->series[i].kind == PLOT_AREA)
			plot_draw_area(a, &plot->series[i]);
		else if (plot->series[i].kind != PLOT_POINTS)
			plot_draw_band(a, &plot->series[i]);
	if (!isnan(plot->cursor))
		draw_cursor(a, plot->cursor);
	for (int i = 0; i < plot->series_count; i++)
		if (plot->series[i].kind == PLOT_CURVE || plot->series[i].kind == PLOT_STEPS)
			plot_draw_curve(a, &plot->series[i], plot_mark(plot, i));
	for (int i = 0; i < plot->series_count; i++)
		if (plot->series[i].kind == PLOT_POINTS)
			plot_draw_points(a, &plot->series[i], plot_mark(plot, i));
}

/* Where the mark stands: -1 and w beyond the axis, -2 without one. */
static int mark_column(const struct plot_area *a, double x)
{
	double place = plot_axis_place(&a->x, x);

	if (isnan(place))
		return -2;
	return place < -1e-9 ? -1 : place > 1 + 1e-9 ? a->p.w : plot_axis_cell(place, a->p.w, 2);
}

/* In a small place: the values, with more room a row for the mark alone, the scale in one row; the mark never stands on
 * the scale's numbers. A column is left at each side for a mark beyond the axis. */
static void draw_small(struct plot_area *a, const struct plot *plot, struct pane p, int y)
{
	bool scale = p.w >= LEAST_W && p.h - y >= 2, marks = !isnan(plot->mark);
	const char *name = plot_scale_name(a->x.scale);
	int left = p.w >= LEAST_W && marks, right = p.w < LEAST_W ? 0 : scale && name ? 2 + text_width(name) : marks;
	int rows = p.h - y - scale, column;

	a->p = pane_part(p, left, y, p.w - left - right, rows > 1 && marks ? rows - 1 : rows);
	column = mark_column(a, plot->mark);
	if (column >= 0 && column < a->p.w) {
		a->marked = column;
		a->marked_attr = a->p.h == rows ? ATTR_REVERSE : 0;
		if (a->p.h < rows)
			pane_put(p, left + column, y + a->p.h, GLYPH_UP, ROLE_SLIDER, 0);
	} else if (column >= -1 && left) {
		pane_put(p, left + column, y + a->p.h - 1, column < 0 ? GLYPH_BACK : GLYPH_ARROW, ROLE_SLIDER, 0);
	}
	draw_series(a, plot);
	if (scale)
		draw_scale(a, p, left, y + rows);
}

static void draw_framed(struct plot_area *a, const struct plot *plot, struct pane p, int y)
{
	struct plot_tick ticks[PLOT_TICKS];
	int h = p.h - y - 2, n = plot_axis_ticks(&a->y, h, LABELS_UP, ticks), left = widest(ticks, n), column;

	if (left > p.w / 3) {
		n = 0;
		left = 0;
	}
	a->p = pane_part(p, left + 1, y, p.w - left - 1, h);
	draw_y_axis(ticks, n, p, left, y, h);
	draw_x_axis(a, p, left + 1, y + h);
	column = mark_column(a, plot->mark);
	if (column >= 0 && column < a->p.w)
		a->marked = column;
	if (column == -1)
		pane_put(p, left, y + h, GLYPH_BACK, ROLE_SLIDER, 0);
	else if (column >= 0)
		pane_put(p, left + 1 + (column < a->p.w ? column : a->p.w - 1), y + h, column < a->p.w ? GLYPH_UP : GLYPH_ARROW,
			 ROLE_SLIDER, 0);
	draw_series(a, plot);
}

void plot_draw(const struct plot *plot, struct pane p)
{
	struct plot_area a = {.marked = -1};
	struct plot_head head = {p, 0, 0, p.h >= 10 ? 2 : 1};
	int y = 0;

	if (p.w < 1 || p.h < 1)
		return;
	plot_axes(plot, &a.x, &a.y);
	if (p.h >= 3) {
		draw_head(&head, plot, &a.x);
		y = head.y + (head.x > 0);
	}
	if (!a.y.hidden && p.w >= LEAST_W && p.h - y >= 5)
		draw_framed(&a, plot, p, y);
	else
		draw_small(&a, plot, p, y);
}

void plot_mark_point(struct plot_series *s, const double *points, uint32_t n, uint32_t i)
{
	if (i < n) {
		s->x = &points[i];
		s->y = &points[n + i];
	} else {
		s->name = NULL;
		s->count = 0;
	}
}
