/* Themes: how roles and attributes look on a terminal with so many colours. */
#ifndef PAS2P_TUI_THEME_H
#define PAS2P_TUI_THEME_H

#include <stdint.h>

#include "canvas.h"

enum palette { PALETTE_MONO, PALETTE_8, PALETTE_16, PALETTE_256 };

struct style {
	short fg, bg;  /* palette numbers; -1: the terminal's own */
	unsigned attr; /* ATTR_BOLD, DIM, REVERSE, UNDERLINE only */
};

/* The palette of a theme on a terminal of `colors` colours (0: none); -1: no theme is called so. */
int theme_palette(const char *theme, int colors);
const char *const *theme_names(void); /* ends with NULL */

struct style theme_style(enum palette palette, enum role role, unsigned attr);

/* Red, green and blue of a colour of the 256-colour palette, as 0xRRGGBB. */
uint32_t theme_rgb(short color);

#endif
