#include "progress_bar.h"

#include "sparkline.h"
#include "tui/screen/glyphs.h"

void progress_bar_draw(struct pane p, int x, int y, int room, double part)
{
	pane_hline(p, x, y, room, GLYPH_HLINE, ROLE_RULE);
	bar_draw(p, x, y, room, part, ROLE_SLIDER);
}
