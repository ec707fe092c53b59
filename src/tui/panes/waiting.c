#include "panes.h"

#include "tui/widgets/bars.h"
#include "tui/widgets/paragraph.h"

#define BAR_MOST 60

void waiting_draw(const struct waiting *waiting, const struct model *m, const struct derived *d, const char *failure, struct pane p)
{
	struct background_state state;
	char key[16];
	int w = p.w - 8 < BAR_MOST ? p.w - 8 : BAR_MOST;

	if (failure[0]) {
		int lines = paragraph_draw(pane_part(p, 1, 1, p.w - 2, p.h - 2), 0, 2, ROLE_WARN, failure);

		pane_textf(p, 1, 1 + lines, ROLE_DIM, 0, "%s %s again.", keymap_first(m->keymap, ACTION_ENTER, key), waiting->again);
		return;
	}
	if (!m->background)
		return;
	state = derived_state(d);
	pane_text(p, 1, 1, ROLE_DIM, 0, waiting->doing);
	if (state.total && state.stage >= waiting->bar)
		progress_bar_draw(p, 1, 2, w, (double)state.done / (double)state.total);
	pane_textf(p, 1, 3, ROLE_DIM, 0, "%s stops it.", keymap_first(m->keymap, ACTION_BACK, key));
}
