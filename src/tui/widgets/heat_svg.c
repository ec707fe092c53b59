/* Heat maps as pictures: cells of one shade are one path, with a cell as its unit, so that a thousand of them are some
 * kilobytes. */
#include <math.h>
#include <stdio.h>

#include "bars.h"
#include "widgets_int.h"

#define SHADES 9         /* nothing, eighths */
#define UNKNOWN (SHADES) /* behind them */
#define NOTHING 0

static int row_height(uint32_t rows)
{
	return rows <= 4 ? 26 : rows <= 8 ? 22 : rows <= 16 ? 16 : rows <= 32 ? 11 : 7;
}

/* How often rows have room for their names. */
static uint32_t name_every(uint32_t rows)
{
	uint32_t every = 1;

	while (every * (uint32_t)row_height(rows) < 15)
		every *= 2;
	return every;
}

/* Amounts: NOTHING, eighths, UNKNOWN. Kinds: the role. */
static int shade(const struct heat_picture *p, uint32_t row, uint32_t column)
{
	double v;

	if (p->kind)
		return (int)p->kind(p->heat.ctx, row, column);
	v = p->heat.value(p->heat.ctx, row, column);
	return isnan(v) ? UNKNOWN : v > 0 ? spark_eighths(v, p->heat.most) : NOTHING;
}

/* All cells of a shade; returns whether there are any. */
static bool add_cells(struct out *o, const struct heat_picture *p, int which, const char *class)
{
	bool any = false;

	for (uint32_t row = 0; row < p->rows; row++)
		for (uint32_t from = 0, to; from < p->heat.columns; from = to) {
			int s = shade(p, row, from);

			for (to = from + 1; to < p->heat.columns && shade(p, row, to) == s;)
				to++;
			if (s != which)
				continue;
			if (!any)
				out_printf(o, "<path class=\"%s\" d=\"", class);
			any = true;
			out_printf(o, "M%u %uh%uv1h-%uz", (unsigned)from, (unsigned)row, (unsigned)(to - from), (unsigned)(to - from));
		}
	if (any)
		out_str(o, "\"/>\n");
	return any;
}

static void add_shades(struct out *o, const struct heat_picture *p, bool *unknown)
{
	char class[64];

	if (p->kind) {
		for (int r = 0; r < ROLE_COUNT; r++) {
			snprintf(class, sizeof class, "f %s", svg_role_class((enum role)r));
			if (r != ROLE_NONE)
				add_cells(o, p, r, class);
		}
		return;
	}
	for (int k = 1; k < SHADES; k++) {
		snprintf(class, sizeof class, "h%d %s", k, svg_role_class(p->heat.role));
		add_cells(o, p, k, class);
	}
	*unknown = add_cells(o, p, UNKNOWN, "unknown");
}

/* Nothing, the shades, and what the darkest stands for. */
static void add_legend(struct out *o, const struct heat_picture *p, double x, double y, bool unknown)
{
	char text[UNIT_TEXT], class[64];

	svg_text(o, x, y, "start", NULL, plot_value_text(p->heat.unit, 0, text));
	x += svg_text_width(text) + 5;
	out_printf(o, "<rect class=\"ground\" x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"10\"/>\n", x, y - 9);
	for (int k = 1; k < SHADES; k++) {
		snprintf(class, sizeof class, "h%d %s", k, svg_role_class(p->heat.role));
		out_printf(o, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"10\"/>\n", class, x + 12 * k, y - 9);
	}
	x += 12 * SHADES + 5;
	plot_value_text(p->heat.unit, p->heat.most, text);
	svg_text(o, x, y, "start", NULL, text);
	x += svg_text_width(text) + 18;
	if (unknown) {
		out_printf(o, "<rect class=\"unknown\" x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"10\"/>\n", x, y - 9);
		svg_text(o, x + 17, y, "start", NULL, "no records");
	}
}

static void add_axis(struct out *o, const struct plot_axis *axis, double x, double y, double w)
{
	struct plot_tick ticks[PLOT_TICKS];
	int n = plot_axis_ticks(axis, (int)(w / SVG_COLUMN), LABELS_UNDER, ticks);

	svg_line(o, "axis", x, y + 0.5, x + w, y + 0.5);
	for (int i = 0; i < n; i++) {
		double at = plot_axis_place(axis, ticks[i].value) * w, half = svg_text_width(ticks[i].text) / 2;
		const char *anchor = at + half > w + 4 ? "end" : at - half < -4 ? "start" : "middle";

		svg_line(o, "axis", x + at, y + 0.5, x + at, y + 4.5);
		svg_text(o, x + (anchor[0] == 'e' ? w + 4 : anchor[0] == 's' ? -4 : at), y + 18, anchor, NULL, ticks[i].text);
	}
}

void heat_svg(const struct heat_picture *p, const char *label, int w, struct out *o)
{
	uint32_t every = name_every(p->rows);
	double cell = row_height(p->rows), h = cell * p->rows, left = 10, legend = p->kind ? 0 : SVG_LINE + 4, wide;
	struct plot_axis axis = p->x;
	bool unknown = false;
	char text[UNIT_TEXT];

	plot_axis_settle(&axis);
	for (uint32_t r = 0; r < p->rows; r += every)
		left = fmax(left, svg_text_width(p->name(p->heat.ctx, r, text)) + 10);
	wide = fmax(w - left - 8, 10);
	svg_open(o, w, 4 + h + 24 + legend, label);
	for (uint32_t r = 0; r < p->rows; r += every)
		svg_text(o, left - 6, 4 + r * cell + cell / 2 + 4, "end", NULL, p->name(p->heat.ctx, r, text));
	out_printf(o, "<rect class=\"ground\" x=\"%.1f\" y=\"4\" width=\"%.1f\" height=\"%.1f\"/>\n", left, wide, h);
	out_printf(o, "<svg class=\"cells\" x=\"%.1f\" y=\"4\" width=\"%.1f\" height=\"%.1f\" viewBox=\"0 0 %u %u\" "
		      "preserveAspectRatio=\"none\">\n", left, wide, h, (unsigned)p->heat.columns, (unsigned)p->rows);
	add_shades(o, p, &unknown);
	out_str(o, "</svg>\n");
	add_axis(o, &axis, left, 4 + h, wide);
	if (!p->kind)
		add_legend(o, p, left, 4 + h + 24 + legend - 7, unknown);
	svg_close(o);
}
