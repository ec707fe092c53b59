#include "nothing.h"

#include "paragraph.h"

int nothing_draw(struct pane p, const char *what, const char *fills)
{
	struct pane in = pane_part(p, 1, p.h > 2, p.w - 2, p.h);
	int rows = paragraph_draw(in, 0, 2, ROLE_TITLE, what);

	if (fills)
		rows += paragraph_draw(pane_part(in, 0, rows, in.w, in.h - rows), 0, 2, ROLE_DIM, fills);
	return rows + (p.h > 2);
}
