/* A stacked bar as a picture, as wide as the page has room: each part with its letter where that has room. */
#include <math.h>
#include <stdio.h>

#include "core/io/xml_text.h"
#include "widgets_int.h"

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
