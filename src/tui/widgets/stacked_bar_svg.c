/* A stacked bar as a picture: each part with its letter where that has room. */
#include <math.h>
#include <stdio.h>

#include "svg_inner.h"

void stacked_bar_svg(const struct bar_part *parts, int count, double whole, const char *label, int w, int h, struct out *o)
{
	double x = 0;

	svg_open(o, w, h, label);
	out_printf(o, "<rect class=\"ground\" x=\"0\" y=\"0\" width=\"%d\" height=\"%d\"/>\n", w, h);
	for (int i = 0; i < count; i++) {
		double wide = parts[i].value > 0 && whole > 0 ? fmin(parts[i].value / whole * w, w - x) : 0;
		char text[2] = {parts[i].letter, 0};

		if (wide <= 0)
			continue;
		if (parts[i].letter != ' ')
			out_printf(o, "<rect class=\"f %s\" x=\"%.1f\" y=\"0\" width=\"%.1f\" height=\"%d\"/>\n",
				   svg_role_class(parts[i].role), x, wide, h);
		if (parts[i].letter != ' ' && wide >= 14 && h >= 14)
			svg_text(o, x + wide / 2, h / 2.0 + 4, "middle", "on", text);
		x += wide;
	}
	svg_close(o);
}
