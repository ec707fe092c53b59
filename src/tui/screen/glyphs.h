/* The characters beyond ASCII that are drawn, by name; the canvas folds them on an ASCII screen. */
#ifndef PAS2P_TUI_GLYPHS_H
#define PAS2P_TUI_GLYPHS_H

enum glyph {
#define GLYPH(id, code, ascii) GLYPH_##id = code,
#include "glyphs.def"
};

/* A bar of n eighths as a block; 0 is a blank. */
#define GLYPH_EIGHTHS(n) ((n) <= 0 ? ' ' : GLYPH_BLOCK_1 + ((n) > 8 ? 8 : (n)) - 1)

#endif
