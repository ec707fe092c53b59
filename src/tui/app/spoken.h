/* What the screen says, as words: for those who have it read out, or whose terminal can only add lines.
 *
 * Nothing here is drawn: blocks, lines and braille are left out, an arrow is "to", what stands between dots are parts
 * of a sentence. With `ascii` the rest is folded as on an ASCII screen. What is shown of a canvas is what app_draw()
 * left there.
 */
#ifndef PAS2P_TUI_SPOKEN_H
#define PAS2P_TUI_SPOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/io/out.h"
#include "tui/screen/canvas.h"
#include "tui/widgets/list.h"

/* A text of the screen, blanks at its ends and twice in a row left out. */
void spoken_text(struct out *o, const char *text, bool ascii);
/* The fields that are filled, each behind its column's title: "phase 2, weight 832". */
void spoken_row(struct out *o, const struct row_source *s, const void *ctx, uint32_t row, bool ascii);
/* Line y of a pane; columns that stand apart are parts of a sentence, of a bar of one letter that is said once.
 * Nothing, if it holds no letter and no number. */
void spoken_line(struct out *o, struct pane p, int y, bool ascii);
/* The line of a pane that is selected as a whole; -1: none. */
int spoken_selected(struct pane p);

#endif
