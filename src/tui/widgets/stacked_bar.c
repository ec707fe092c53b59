#include "stacked_bar.h"

#include "tui/screen/glyphs.h"

static void bar_put_cell(struct pane p, int x, int y, const struct bar_part *part)
{
	if (!part->letter)
		pane_put(p, x, y, GLYPH_TRACK_DONE, part->role, 0);
	else if (part->letter != ' ' && p.canvas->letters)
		pane_put(p, x, y, (uint32_t)part->letter, part->role, ATTR_REVERSE);
	else if (part->letter != ' ')
		pane_put(p, x, y, GLYPH_BLOCK_8, part->role, 0);
}

void stacked_bar_draw(struct pane p, int x, int y, int room, const struct bar_part *parts, int count, double whole)
{
	double sum = 0;
	int at = 0;

	for (int i = 0; whole > 0 && i < count; i++) {
		int end;

		if (!(parts[i].value > 0))
			continue;
		sum += parts[i].value;
		end = sum >= whole ? room : (int)(sum / whole * room + 0.5);
		for (; at < end && at < room; at++)
			bar_put_cell(p, x + at, y, &parts[i]);
	}
}

int stacked_bar_legend(struct pane p, int x, int y, const struct bar_part *parts, const char *const *names, int count)
{
	int from = x;

	for (int i = 0; i < count; i++) {
		if (x + text_width(names[i]) + 2 > p.w)
			break;
		bar_put_cell(p, x, y, &parts[i]);
		x += 2 + pane_text(p, x + 2, y, ROLE_DIM, 0, names[i]) + 2;
	}
	return x - from;
}
