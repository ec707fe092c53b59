#include "svg.h"

#include <stdio.h>

#include "core/io/out.h"
#include "widgets_int.h"
#include "tui/screen/theme.h"

const char *svg_role_class(enum role role)
{
	static const char *const classes[] = {
#define ROLE(id, letter, c256, b256, c16, b16, c8, b8, attr, mono) "r-" #id,
#include "tui/screen/roles.def"
	};

	return classes[role];
}

void svg_style(struct out *o)
{
	out_str(o, "svg.plot text{font-size:12px;fill:var(--dim)}\n"
		   "svg.plot text.ink{fill:var(--ink)}\n"
		   "svg.plot text.title{fill:var(--ink);font-weight:600}\n"
		   "svg.plot text.warn{fill:var(--c)}\n"
		   "svg.plot text.on{fill:#fff;font-weight:600}\n"
		   "svg.plot .axis{stroke:var(--rule);stroke-width:1;fill:none}\n"
		   "svg.plot .grid{stroke:var(--rule);stroke-width:1;stroke-opacity:.35}\n"
		   "svg.plot .f{fill:var(--c)}\n"
		   "svg.plot .band{fill:var(--c);fill-opacity:.18}\n"
		   "svg.plot .s{stroke:var(--c);fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}\n"
		   "svg.plot .dash{stroke-dasharray:5 5}\n"
		   "svg.plot .cells{shape-rendering:crispEdges}\n"
		   "svg.plot .unknown{fill:var(--rule);fill-opacity:.45}\n"
		   "svg.plot .ground{fill:var(--rule);fill-opacity:.14}\n");
	for (int k = 1; k <= 8; k++)
		out_printf(o, "svg.plot .h%d{fill:var(--c);fill-opacity:%.2f}\n", k, 0.12 + 0.88 * (k - 1) / 7);
	for (int r = 0; r < ROLE_COUNT; r++) {
		struct style s = theme_style(PALETTE_256, (enum role)r, 0);

		if (s.fg < 0)
			out_printf(o, ".%s{--c:var(--ink)}\n", svg_role_class((enum role)r));
		else
			out_printf(o, ".%s{--c:#%06x}\n", svg_role_class((enum role)r), (unsigned)theme_rgb(s.fg));
	}
}

double svg_text_width(const char *text)
{
	return text_width(text) * SVG_COLUMN;
}

void svg_open(struct out *o, double w, double h, const char *label)
{
	out_printf(o, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
		      "role=\"img\" aria-label=\"", w, h, w, h);
	xml_text(o, label);
	out_str(o, "\">\n");
}

void svg_close(struct out *o)
{
	out_str(o, "</svg>\n");
}

void svg_text(struct out *o, double x, double y, const char *anchor, const char *class, const char *text)
{
	out_printf(o, "<text x=\"%.1f\" y=\"%.1f\"", x, y);
	if (anchor[0] != 's')
		out_printf(o, " text-anchor=\"%s\"", anchor);
	if (class)
		out_printf(o, " class=\"%s\"", class);
	out_str(o, ">");
	xml_text(o, text);
	out_str(o, "</text>\n");
}

void svg_line(struct out *o, const char *class, double x1, double y1, double x2, double y2)
{
	out_printf(o, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class, x1, y1, x2, y2);
}
