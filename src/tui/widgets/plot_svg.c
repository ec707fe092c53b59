/* struct plot as a picture: axes with the ticks of widgets.h, values as paths. */
#include <math.h>
#include <stdio.h>

#include "widgets_int.h"

#define AXIS_ROOM 22   /* under the values */
#define TICK 4
#define MARK 3.2       /* half of a mark */
#define BAR_MOST 28.0  /* of a bar that has more room than it needs */

/* Where values are drawn: the picture's own, w x h with the origin at the upper left corner. */
struct svg_area {
	struct out *o;
	struct plot_axis x, y;
	double w, h;
};

static double svg_place_x(const struct svg_area *a, double place)
{
	return fmin(fmax(place, -2), 3) * a->w;
}

static double svg_place_y(const struct svg_area *a, double place)
{
	return (1 - fmin(fmax(place, -2), 3)) * a->h;
}

static bool on_axis(double place)
{
	return place >= -1e-9 && place <= 1 + 1e-9;
}

/* Numbers stand on zero, or on the end of the axis that is nearest to it. */
static double base_y(const struct svg_area *a)
{
	double zero = plot_axis_place(&a->y, 0);

	return svg_place_y(a, !(zero > 0) ? 0 : fmin(zero, 1));
}

/* --- marks --- */

static void add_mark(struct out *o, int series, double x, double y, const char *role)
{
	switch (series % 6) {
	case 0: out_printf(o, "<circle class=\"f %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", role, x, y, MARK); break;
	case 1: out_printf(o, "<path class=\"s %s\" d=\"M%.1f %.1fl6 6m0-6l-6 6\"/>\n", role, x - 3, y - 3); break;
	case 2: out_printf(o, "<path class=\"s %s\" d=\"M%.1f %.1fh7m-3.5-3.5v7\"/>\n", role, x - 3.5, y); break;
	case 3: out_printf(o, "<circle class=\"s %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", role, x, y, MARK); break;
	case 4: out_printf(o, "<path class=\"s %s\" d=\"M%.1f %.1fl6 6m0-6l-6 6m-1-3h8\"/>\n", role, x - 3, y - 3); break;
	default: out_printf(o, "<rect class=\"s %s\" x=\"%.1f\" y=\"%.1f\" width=\"6\" height=\"6\"/>\n", role, x - 3, y - 3);
	}
}

/* What lies beyond the range: an arrow at its edge; those of one column are one. */
static void add_beyond(const struct svg_area *a, const struct plot_series *s)
{
	double last_x = -INFINITY;
	bool last_up = false;

	for (uint32_t i = 0; i < s->count; i++) {
		double x = plot_place_of(s, &a->x, i), y = plot_axis_place(&a->y, s->y[i]);
		bool up = y > 1;

		if (!on_axis(x) || isnan(y) || on_axis(y) || (svg_place_x(a, x) < last_x + 4 && up == last_up))
			continue;
		last_x = svg_place_x(a, x);
		last_up = up;
		out_printf(a->o, "<path class=\"f %s\" d=\"M%.1f %.1fl4 6h-8z\"/>\n", svg_role_class(s->role), last_x, up ? 0.5 : a->h - 6.5);
	}
}

/* --- curves --- */

/* A path through points of which those of one pixel column are its lowest and highest. */
struct svg_track {
	const struct svg_area *area;
	int points;      /* since the last gap; 2 stands for more */
	bool open;       /* a column is gathered */
	long column;
	double x, low, high, last;
};

static void track_to(struct svg_track *t, double x, double y)
{
	out_printf(t->area->o, "%c%.1f %.1f", t->points ? 'L' : 'M', x, y);
	t->points = t->points ? 2 : 1;
}

static void track_flush(struct svg_track *t)
{
	if (!t->open)
		return;
	t->open = false;
	if (t->high - t->low > 0.05) {
		track_to(t, t->x, t->last > (t->low + t->high) / 2 ? t->low : t->high);
		track_to(t, t->x, t->last > (t->low + t->high) / 2 ? t->high : t->low);
	} else {
		track_to(t, t->x, t->last);
	}
}

static void track_add(struct svg_track *t, double x, double y, bool thin)
{
	if (!thin) {
		track_to(t, x, y);
		return;
	}
	if (t->open && (long)x == t->column) {
		t->low = fmin(t->low, y);
		t->high = fmax(t->high, y);
		t->last = y;
		return;
	}
	track_flush(t);
	t->open = true;
	t->column = (long)x;
	t->x = x;
	t->low = t->high = t->last = y;
}

static void track_gap(struct svg_track *t)
{
	track_flush(t);
	if (t->points == 1)
		out_str(t->area->o, "h.1"); /* a value between two gaps is seen, too */
	t->points = 0;
}

static void add_curve(const struct svg_area *a, const struct plot_series *s, int number)
{
	struct svg_track t = {.area = a};
	bool thin = s->count > a->w / 2, last_known = false;
	double end_x = (double)NAN, end_y = (double)NAN, last_y = 0;

	out_printf(a->o, "<path class=\"s %s%s\" d=\"", svg_role_class(s->role), s->dashed ? " dash" : "");
	for (uint32_t i = 0; i < s->count; i++) {
		double x = plot_place_of(s, &a->x, i), y = plot_axis_place(&a->y, s->y[i]);

		if (!isfinite(x) || !isfinite(y)) {
			track_gap(&t);
			last_known = false;
			continue;
		}
		if (s->kind == PLOT_STEPS && last_known)
			track_add(&t, svg_place_x(a, x), last_y, thin);
		track_add(&t, svg_place_x(a, x), svg_place_y(a, y), thin);
		last_known = true;
		last_y = svg_place_y(a, y);
		if (on_axis(x) && on_axis(y)) {
			end_x = svg_place_x(a, x);
			end_y = svg_place_y(a, y);
		}
	}
	track_gap(&t);
	out_str(a->o, "\"/>\n");
	add_beyond(a, s);
	if ((s->name || s->count == 1) && !isnan(end_x))
		add_mark(a->o, number, end_x, end_y, svg_role_class(s->role));
}

/* --- bars, areas, bands, points --- */

/* A bar over [x, x + w) to a place; nothing known is a dot. */
static void add_bar(const struct svg_area *a, double x, double w, double v)
{
	double place = plot_axis_place(&a->y, v), foot = base_y(a), top;

	if (isnan(place)) {
		out_printf(a->o, "M%.1f %.1fh1.5v1.5h-1.5z", x + w / 2, foot - 1.5);
		return;
	}
	top = svg_place_y(a, fmin(fmax(place, 0), 1));
	if (fabs(foot - top) < 1) /* whatever is known is seen */
		top = foot - (place < plot_axis_place(&a->y, 0) ? -1 : 1);
	out_printf(a->o, "M%.1f %.1fh%.1fV%.1fh%.1fz", x, foot, w, top, -w);
}

static void add_bars(const struct svg_area *a, const struct plot_series *s)
{
	uint64_t columns = s->count <= a->w ? s->count : (uint64_t)a->w;
	double each = columns ? a->w / (double)columns : 0, w = fmin(each > 4 ? each * 0.8 : each > 2 ? each - 0.6 : each, BAR_MOST);

	out_printf(a->o, "<path class=\"f %s\" d=\"", svg_role_class(s->role));
	for (uint32_t i = 0; s->x && i < s->count; i++) {
		double place = plot_axis_place(&a->x, s->x[i]);

		if (on_axis(place))
			add_bar(a, svg_place_x(a, place) - w / 2, w, s->y[i]);
	}
	for (uint64_t c = 0; !s->x && c < columns; c++) {
		uint32_t from = (uint32_t)(c * s->count / columns), to = (uint32_t)((c + 1) * s->count / columns);

		add_bar(a, ((double)c + 0.5) * each - w / 2, w, plot_highest(s, from, to));
	}
	out_str(a->o, "\"/>\n");
	add_beyond(a, s);
}

/* From the first value known to the next unknown one. */
static void add_area(const struct svg_area *a, const struct plot_series *s)
{
	double foot = base_y(a);

	for (uint32_t i = 0; i < s->count; i++) {
		double from = plot_place_of(s, &a->x, i), x = from;
		struct svg_track t = {.area = a};

		if (isnan(plot_axis_place(&a->y, s->y[i])) || isnan(from))
			continue;
		out_printf(a->o, "<path class=\"f %s\" d=\"", svg_role_class(s->role));
		track_add(&t, svg_place_x(a, from), foot, false);
		for (; i < s->count && !isnan(plot_axis_place(&a->y, s->y[i])) && !isnan(plot_place_of(s, &a->x, i)); i++) {
			x = plot_place_of(s, &a->x, i);
			track_add(&t, svg_place_x(a, x), svg_place_y(a, plot_axis_place(&a->y, s->y[i])), s->count > a->w / 2);
		}
		track_flush(&t);
		track_add(&t, svg_place_x(a, x), foot, false);
		out_str(a->o, "z\"/>\n");
	}
	add_beyond(a, s);
}

/* On a log axis an interval may begin where there is no place. */
static bool has_interval(const struct svg_area *a, const struct plot_series *s, uint32_t i)
{
	return s->low && s->high && !isnan(s->low[i]) && !isnan(s->high[i]) && !isnan(plot_axis_place(&a->y, s->high[i])) &&
	       isfinite(plot_place_of(s, &a->x, i));
}

static double low_y(const struct svg_area *a, const struct plot_series *s, uint32_t i)
{
	double place = plot_axis_place(&a->y, s->low[i]);

	return svg_place_y(a, isnan(place) ? 0 : place);
}

static void add_band(const struct svg_area *a, const struct plot_series *s)
{
	for (uint32_t i = 0, end; s->low && s->high && i < s->count; i = end > i ? end : i + 1) {
		for (end = i; end < s->count && has_interval(a, s, end);)
			end++;
		if (end < i + 2)
			continue;
		out_printf(a->o, "<path class=\"band %s\" d=\"", svg_role_class(s->role));
		for (uint32_t k = i; k < end; k++)
			out_printf(a->o, "%c%.1f %.1f", k == i ? 'M' : 'L', svg_place_x(a, plot_place_of(s, &a->x, k)),
				   svg_place_y(a, plot_axis_place(&a->y, s->high[k])));
		for (uint32_t k = end; k-- > i;)
			out_printf(a->o, "L%.1f %.1f", svg_place_x(a, plot_place_of(s, &a->x, k)), low_y(a, s, k));
		out_str(a->o, "z\"/>\n");
	}
}

static void add_points(const struct svg_area *a, const struct plot_series *s, int number)
{
	const char *role = svg_role_class(s->role);

	for (uint32_t i = 0; i < s->count; i++) {
		double x = plot_place_of(s, &a->x, i), y = plot_axis_place(&a->y, s->y[i]);

		if (!on_axis(x))
			continue;
		if (has_interval(a, s, i)) {
			char class[64];

			snprintf(class, sizeof class, "s %s", role);
			svg_line(a->o, class, svg_place_x(a, x), low_y(a, s, i), svg_place_x(a, x), svg_place_y(a, plot_axis_place(&a->y, s->high[i])));
		}
		if (on_axis(y))
			add_mark(a->o, number, svg_place_x(a, x), svg_place_y(a, y), role);
	}
	add_beyond(a, s);
}

static void add_series(const struct svg_area *a, const struct plot *plot)
{
	double cursor = plot_axis_place(&a->x, plot->cursor);

	for (int i = 0; i < plot->series_count; i++)
		if (plot->series[i].kind == PLOT_BARS)
			add_bars(a, &plot->series[i]);
		else if (plot->series[i].kind == PLOT_AREA)
			add_area(a, &plot->series[i]);
		else if (plot->series[i].kind != PLOT_POINTS)
			add_band(a, &plot->series[i]);
	if (on_axis(cursor))
		svg_line(a->o, "s r-SLIDER", svg_place_x(a, cursor), 0, svg_place_x(a, cursor), a->h);
	for (int i = 0; i < plot->series_count; i++)
		if (plot->series[i].kind == PLOT_CURVE || plot->series[i].kind == PLOT_STEPS)
			add_curve(a, &plot->series[i], i);
	for (int i = 0; i < plot->series_count; i++)
		if (plot->series[i].kind == PLOT_POINTS)
			add_points(a, &plot->series[i], i);
}

/* --- head --- */

struct svg_head {
	struct out *o;
	double w, x;
	int line;
};

/* Where a piece of so many pixels stands. */
static double piece(struct svg_head *h, double w)
{
	double x;

	if (h->x > 0 && h->x + w > h->w) {
		h->x = 0;
		h->line++;
	}
	x = h->x;
	h->x += w + 14;
	return x;
}

static double line_y(const struct svg_head *h)
{
	return 12 + h->line * SVG_LINE;
}

static void add_legend(struct svg_head *h, const struct plot *plot, const struct plot_axis *x, int i)
{
	const struct plot_series *s = &plot->series[i];
	uint32_t at = isnan(plot->cursor) ? UINT32_MAX : plot_nearest(s, x, plot->cursor);
	char text[128], value[UNIT_TEXT];
	double from;

	if (s->silent || !s->name)
		return;
	if (at < s->count)
		snprintf(text, sizeof text, "%.80s %s", s->name, plot_value_text(plot->y.unit, s->y[at], value));
	else
		snprintf(text, sizeof text, "%.80s", s->name);
	from = piece(h, 12 + svg_text_width(text));
	if (s->kind == PLOT_BARS || s->kind == PLOT_AREA)
		out_printf(h->o, "<rect class=\"f %s\" x=\"%.1f\" y=\"%.1f\" width=\"8\" height=\"8\"/>\n", svg_role_class(s->role), from,
			   line_y(h) - 8.5);
	else
		add_mark(h->o, i, from + 4, line_y(h) - 4, svg_role_class(s->role));
	svg_text(h->o, from + 12, line_y(h), "start", "ink", text);
}

/* Returns the pixels that it took. */
static double add_head(struct out *o, const struct plot *plot, const struct plot_axis *x, double w)
{
	struct svg_head h = {o, w, 0, 0};
	uint32_t lacks = plot_without_place(plot);
	char text[64], value[UNIT_TEXT];
	double from;

	if (plot->title) {
		from = piece(&h, svg_text_width(plot->title));
		svg_text(o, from, line_y(&h), "start", "title", plot->title);
	}
	if (!isnan(plot->cursor)) {
		snprintf(text, sizeof text, "at %s", plot_value_text(plot->x.unit, plot->cursor, value));
		from = piece(&h, svg_text_width(text));
		svg_text(o, from, line_y(&h), "start", "ink", text);
	}
	if (lacks) {
		snprintf(text, sizeof text, "%u not above 0", (unsigned)lacks);
		from = piece(&h, svg_text_width(text));
		svg_text(o, from, line_y(&h), "start", "warn r-WARN", text);
	}
	for (int i = 0; i < plot->series_count; i++)
		add_legend(&h, plot, x, i);
	if (plot_scales_text(plot, text, sizeof text)) {
		from = piece(&h, svg_text_width(text));
		svg_text(o, from, line_y(&h), "start", NULL, text);
	}
	return h.x > 0 ? (h.line + 1) * SVG_LINE + 4 : 8;
}

/* --- axes --- */

static void add_x_axis(const struct svg_area *a, const struct plot *plot)
{
	struct plot_tick ticks[PLOT_TICKS];
	int n = plot_axis_ticks(&a->x, (int)(a->w / SVG_COLUMN), LABELS_UNDER, ticks);
	double mark = plot_axis_place(&a->x, plot->mark);

	svg_line(a->o, "axis", 0, a->h + 0.5, a->w, a->h + 0.5);
	for (int i = 0; i < n; i++) {
		double x = svg_place_x(a, plot_axis_place(&a->x, ticks[i].value)), half = svg_text_width(ticks[i].text) / 2;
		const char *anchor = x + half > a->w + 4 ? "end" : x - half < -4 ? "start" : "middle";

		svg_line(a->o, "axis", x, a->h + 0.5, x, a->h + 0.5 + TICK);
		svg_text(a->o, anchor[0] == 'e' ? a->w + 4 : anchor[0] == 's' ? -4 : x, a->h + 18, anchor, NULL, ticks[i].text);
	}
	if (on_axis(mark))
		out_printf(a->o, "<path class=\"f r-SLIDER\" d=\"M%.1f %.1fl4 7h-8z\"/>\n", svg_place_x(a, mark), a->h + 1);
}

static void add_y_axis(const struct svg_area *a, const struct plot_tick *ticks, int n)
{
	svg_line(a->o, "axis", -0.5, 0, -0.5, a->h + 0.5);
	for (int i = 0; i < n; i++) {
		double y = svg_place_y(a, plot_axis_place(&a->y, ticks[i].value));

		svg_line(a->o, "grid", 0, y, a->w, y);
		svg_text(a->o, -6, y + 4, "end", NULL, ticks[i].text);
	}
}

void plot_svg(const struct plot *plot, const char *label, int w, int h, struct out *o)
{
	struct svg_area a = {.o = o};
	struct plot_tick ticks[PLOT_TICKS];
	double top, left = 6;
	int n = 0;

	plot_axes(plot, &a.x, &a.y);
	svg_open(o, w, h, label);
	top = add_head(o, plot, &a.x, w);
	a.h = fmax(h - top - AXIS_ROOM, 10);
	if (!plot->y.hidden)
		n = plot_axis_ticks(&a.y, (int)(a.h / SVG_LINE), LABELS_UP, ticks);
	for (int i = 0; i < n; i++)
		left = fmax(left, svg_text_width(ticks[i].text) + 10);
	a.w = fmax(w - left - 8, 10);
	out_printf(o, "<g transform=\"translate(%.1f %.1f)\">\n", left, top);
	if (!plot->y.hidden)
		add_y_axis(&a, ticks, n);
	add_x_axis(&a, plot);
	/* What goes beyond is cut off; marks at the edges are whole. */
	out_printf(o, "<svg x=\"-5\" y=\"-5\" width=\"%.1f\" height=\"%.1f\"><g transform=\"translate(5 5)\">\n", a.w + 10, a.h + 10);
	add_series(&a, plot);
	out_str(o, "</g></svg>\n</g>\n");
	svg_close(o);
}
