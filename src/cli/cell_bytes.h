/* Cells as bytes, from one rank of a team to another. */
#ifndef PAS2P_CELL_BYTES_H
#define PAS2P_CELL_BYTES_H

#include <stddef.h>

#include "core/table/cell.h"
#include "core/io/out.h"

/* Appends a row of n cells. */
void cell_bytes_add(struct out *to, const struct cell *cells, size_t n);

/* The next row of n cells of what was added; their text is in `bytes`, and is what it was, up to its end. Returns how
 * many bytes that was. */
size_t cell_bytes_take(const char *bytes, struct cell *cells, size_t n);

#endif
