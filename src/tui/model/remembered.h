/* What views have in common of what is remembered of them between visits of a trace (src/tui/app/state.c). */
#ifndef PAS2P_TUI_REMEMBERED_H
#define PAS2P_TUI_REMEMBERED_H

#include <stdint.h>

#include "core/io/fields.h"

/* How many processes a row stands for: a power of two. */
uint32_t remembered_spread(struct fields *f, const struct fields_map *map);

#endif
