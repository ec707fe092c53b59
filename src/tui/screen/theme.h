/* Themes (themes.def): how roles and attributes look on a terminal with so many colours. */
#ifndef PAS2P_TUI_THEME_H
#define PAS2P_TUI_THEME_H

#include <stdint.h>

#include "canvas.h"

enum palette { PALETTE_MONO, PALETTE_8, PALETTE_16, PALETTE_256 };

struct style {
	short fg, bg;  /* palette numbers; -1: the terminal's own */
	unsigned attr; /* ATTR_BOLD, DIM, REVERSE, UNDERLINE only */
};

/* A row of themes.def. */
struct theme {
	const char *name;
	int colors;       /* that it makes use of, at most */
	const char *help;
};

const struct theme *theme_list(void); /* the first is the usual one; ends with one without a name */

/* The palette of a theme (NULL: the usual one) on a terminal of `colors` colours (0: none); -1: no theme is called
 * so. */
int theme_palette(const char *name, int colors);

struct style theme_style(enum palette palette, enum role role, unsigned attr);

/* Red, green and blue of a colour of the 256-colour palette, as 0xRRGGBB. */
uint32_t theme_rgb(short color);

/* What a person sees of a cell on a terminal with a dark or a light ground: colours as 0xRRGGBB, already the other way
 * round where they are reversed. */
struct shade {
	uint32_t fg, bg;
	bool bold, dim, underline;
	bool filled; /* bg is not the ground */
};

struct shade theme_shade(enum palette palette, bool light, enum role role, unsigned attr);
uint32_t theme_ground(bool light);

#endif
