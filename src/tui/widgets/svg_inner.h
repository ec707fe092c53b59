/* Between the files that draw pictures: elements, and how wide text is. Sizes are pixels. */
#ifndef PAS2P_TUI_SVG_INNER_H
#define PAS2P_TUI_SVG_INNER_H

#include "svg.h"

#define SVG_LINE 17     /* of text */
#define SVG_COLUMN 7.0  /* of a character, at most: pages choose their fonts */

double svg_text_width(const char *text);
void svg_open(struct out *o, double w, double h, const char *label);
void svg_close(struct out *o);
/* anchor: "start", "middle", "end"; y is the base line; class NULL: dim. */
void svg_text(struct out *o, double x, double y, const char *anchor, const char *class, const char *text);
void svg_line(struct out *o, const char *class, double x1, double y1, double x2, double y2);

#endif
