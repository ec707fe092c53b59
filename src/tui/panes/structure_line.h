/* The structure of the run in a few rows: its phases, loops around them, unfolded as deep as asked for
 * (program_structure.h).
 *
 * A phase has its colour; the words of one that is selected are reversed, and so is a folded loop that has it inside.
 * What there is no room for is cut at a word, with an ellipsis.
 */
#ifndef PAS2P_TUI_STRUCTURE_LINE_H
#define PAS2P_TUI_STRUCTURE_LINE_H

#include "tui/model/model.h"
#include "tui/screen/canvas.h"

#define STRUCTURE_AS_FITS UINT32_MAX /* as deep as two rows have room for */

struct structure_line {
	uint32_t depth;   /* loops that are unfolded around a word; STRUCTURE_AS_FITS */
	uint32_t phase;   /* that is selected; 0: none */
	uint64_t serial;  /* of the structure that it was made from, */
	uint32_t deepest; /* and the loops around its innermost word */
};

void structure_line_update(struct structure_line *l, const struct model *m); /* before what follows */

/* The next depth in a line so wide: one more, and after the last none. */
uint32_t structure_line_deeper(const struct structure_line *l, const struct model *m, int w);
/* Rows that it takes, at most `most`; 0: there is no structure to wait for. */
int structure_line_rows(const struct structure_line *l, const struct model *m, int w, int most);
void structure_line_draw(const struct structure_line *l, const struct model *m, struct pane p);
/* "unfolded: loops in loops, all of them", for the status line. */
void structure_line_describe(const struct structure_line *l, const struct model *m, int w, char *text, size_t size);

#endif
