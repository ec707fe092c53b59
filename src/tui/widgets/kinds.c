#include "kinds.h"

#include "tui/screen/glyphs.h"

static const struct {
	enum role role;
	char letter;
} looks[TIME_KINDS] = {
	[TIME_COMPUTE] = {ROLE_COMPUTE, 0},
	[TIME_SEND] = {ROLE_SEND, 'S'},
	[TIME_RECEIVE] = {ROLE_RECEIVE, 'R'},
	[TIME_WAIT] = {ROLE_WAIT, 'W'},
	[TIME_COLLECTIVE] = {ROLE_COLLECTIVE, 'C'},
	[TIME_OTHER_MPI] = {ROLE_MPI, 'M'},
	[TIME_TRACER] = {ROLE_NONE, 'T'},
};

enum role kind_role_of(enum time_kind k)
{
	return looks[k].role;
}

void kind_cell(struct pane p, int x, int y, enum time_kind k, double part)
{
	static const uint32_t blocks[] = {GLYPH_BLOCK_1, GLYPH_BLOCK_2, GLYPH_BLOCK_3, GLYPH_BLOCK_4, GLYPH_BLOCK_5};
	bool solid = part >= 2.0 / 3;

	if (k == TIME_COMPUTE)
		pane_put(p, x, y, solid ? GLYPH_TRACK_DONE : GLYPH_HLINE, ROLE_COMPUTE, 0);
	else if (!p.canvas->letters)
		pane_put(p, x, y, solid ? GLYPH_BLOCK_8 : blocks[part > 0 ? (int)(part * 7.5) : 0], looks[k].role, 0);
	else
		pane_put(p, x, y, (uint32_t)(solid ? looks[k].letter : looks[k].letter + 'a' - 'A'), looks[k].role,
			 solid ? ATTR_REVERSE : 0);
}

int kind_legend(struct pane p, int x, int y)
{
	int from = x;

	for (int k = 0; k < TIME_KINDS; k++) {
		const char *name = time_kind_name((enum time_kind)k);

		if (x + text_width(name) + 2 > p.w)
			break;
		kind_cell(p, x, y, (enum time_kind)k, 1);
		x += 2 + pane_text(p, x + 2, y, ROLE_DIM, 0, name) + 2;
	}
	return x - from;
}

void kind_unknown_cell(struct pane p, int x, int y)
{
	pane_put(p, x, y, GLYPH_DOT, ROLE_DIM, 0);
}

int kind_unknown_legend(struct pane p, int x, int y)
{
	kind_unknown_cell(p, x, y);
	return 2 + pane_text(p, x + 2, y, ROLE_DIM, 0, "not recorded") + 2;
}
