/* What if, turned by keys: a line each for the network, a rank, a phase and balance, and beside them the measured and
 * the projected figures.
 *
 * The sliders have no factors of their own: they show those of the change that is asked for (the model's projected),
 * and turning one asks anew. So what was typed is taken over where a slider is of the same thing; all else of it stays
 * as it was typed.
 */
#ifndef PAS2P_TUI_WHAT_IF_SLIDERS_H
#define PAS2P_TUI_WHAT_IF_SLIDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/screen/canvas.h"
#include "tui/screen/keys.h"

struct metrics_view;

struct what_if_sliders {
	bool open;
	int selected;              /* line */
	uint32_t rank, phase;      /* that can be turned; phase 0: there is none (yet) */
};

/* Of the rank and the phase under the cursor, else of those that a typed text names, else of the heaviest and the one
 * that loses most. */
void what_if_sliders_open(struct metrics_view *s);
void what_if_sliders_update(struct metrics_view *s);       /* after new metrics: names what is there */
unsigned what_if_sliders_act(struct metrics_view *s, enum action a); /* reaction bits; REACT_ACCEPT: to type the change */
int what_if_sliders_rows(const struct metrics_view *s);    /* 0: they are not open */
bool what_if_sliders_compare(const struct metrics_view *s); /* the figures have room beside the sliders */
void what_if_sliders_draw(const struct metrics_view *s, struct pane p);

#endif
