/* Text in lines: broken at blanks, so that none is longer than wanted unless a word is. A unit stays with its number
 * ("44.0 %"), a sign of multiplication with its factor ("x transfer"), and what has thousands is one ("13 452"). */
#ifndef PAS2P_WRAP_H
#define PAS2P_WRAP_H

#include <stddef.h>

#include "out.h"

/* Columns of the n bytes at text: characters take one each. (Names from a trace are rare, and a wide one costs a ragged
 * edge.) */
size_t wrap_columns(const char *text, size_t n);

/* A line of text, and its line end; what follows the first line stands `indent` columns from the left. */
void wrap_text(struct out *o, const char *text, size_t indent, size_t width);

#endif
