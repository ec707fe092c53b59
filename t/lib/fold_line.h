/* Foldings as a line, "1 2 25(3 2*2) 3": ids, `2*7` for twice id 7, `25(...)` for 25 times what is inside. */
#ifndef PAS2P_FOLD_LINE_H
#define PAS2P_FOLD_LINE_H

#include <stdint.h>

#include "core/base/fold.h"

char *fold_line(const struct fold *f); /* free() it */

/* The sequence that a line stands for; *length ids. free() it. */
uint32_t *fold_line_unfolded(const char *line, uint32_t *length);

#endif
