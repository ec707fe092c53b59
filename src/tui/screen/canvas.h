/* The canvas: a grid of cells that views draw on; the only way to a screen.
 *
 * A cell holds a character, its role (never a colour) and its attributes. The terminal (screen.h), the text dumps of
 * the tests and the SVG pictures show the same canvas, so tests see what users see.
 *
 * Views draw on a pane: a rectangle of the canvas with its own origin. Whatever lies outside of it is
 * clipped, negative places and sizes included, so no view has to check its size to be safe.
 *
 * All text passes text_is_safe(): controls, escapes and bidirectional marks become U+FFFD here, whoever
 * draws them. With `ascii` every character is folded to ASCII on its way in (glyphs.def).
 */
#ifndef PAS2P_TUI_CANVAS_H
#define PAS2P_TUI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/io/out.h"

enum role {
#define ROLE(id, letter, c256, b256, c16, b16, c8, b8, attr, mono) ROLE_##id,
#include "roles.def"
	ROLE_COUNT
};

#define PHASE_ROLES 12 /* ROLE_PHASE_0 .. ROLE_PHASE_11 */

enum attr {
	ATTR_BOLD = 1,
	ATTR_DIM = 2,
	ATTR_REVERSE = 4,
	ATTR_UNDERLINE = 8,
	ATTR_CURSOR = 16,  /* the place where keys act: reversed in every theme */
	ATTR_MATCH = 32    /* a search hit */
};

struct screen_cell {
	uint32_t ch;        /* a printable character; 0: the right half of a wide one */
	uint32_t combining; /* one mark over it, or 0 */
	uint8_t role, attr;
};

struct canvas {
	int w, h;
	bool ascii;
	bool letters; /* letters replace colours: the output is ASCII, or has no colours */
	struct screen_cell *cells; /* h rows of w; owned; NULL while memory lacks, and then nothing is drawn */
};

struct pane {
	struct canvas *canvas;
	int x, y, w, h;
};

void canvas_init(struct canvas *c, bool ascii);
void canvas_release(struct canvas *c);
bool canvas_resize(struct canvas *c, int w, int h); /* blank; false: no memory, the size is then 0 x 0 */
void canvas_clear(struct canvas *c);
struct pane canvas_pane(struct canvas *c); /* all of it */

/* A part of a pane, cut to it. */
struct pane pane_part(struct pane p, int x, int y, int w, int h);

void pane_fill(struct pane p, uint32_t ch, enum role role, unsigned attr);
void pane_put(struct pane p, int x, int y, uint32_t ch, enum role role, unsigned attr);
void pane_hline(struct pane p, int x, int y, int n, uint32_t ch, enum role role);
void pane_vline(struct pane p, int x, int y, int n, uint32_t ch, enum role role);

/* UTF-8 text from x on; returns the columns that it took. Of several lines, all stand in this one with " · " between
 * them if they have room, otherwise the first alone. Text longer than the pane is cut; pane_text_in
 * cuts at `room` columns and marks the cut with an ellipsis. */
int pane_text(struct pane p, int x, int y, enum role role, unsigned attr, const char *text);
int pane_text_in(struct pane p, int x, int y, int room, enum role role, unsigned attr, const char *text);
int pane_textf(struct pane p, int x, int y, enum role role, unsigned attr, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));
/* So that it ends before column x. */
int pane_text_right(struct pane p, int x, int y, enum role role, unsigned attr, const char *text);

/* Add attributes to the cells, or paint them in another role. */
void pane_stress(struct pane p, int x, int y, int n, unsigned attr);
void pane_dim(struct pane p);

int char_width(uint32_t c);         /* 0 combining, 1, 2 wide */
int text_width(const char *text);   /* columns that a text takes */
/* What does not fit of facts between " · " goes, from the last one on: half a number would be another number. */
void text_drop_facts(char *text, int room);
bool text_drop(char *text, const char *between, int room); /* the same of what stands between others; true: something went */
uint32_t glyph_fold(uint32_t c);    /* its ASCII stand-in */

/* Rows of text, trailing blanks cut; and the same rows as role letters ('.' default), then, where any
 * cell is stressed, as attributes. */
void canvas_dump_text(const struct canvas *c, struct out *o);
void canvas_dump_roles(const struct canvas *c, struct out *o);
/* What a person sees of each kind of cell that is there, in each theme and on either ground (canvas_looks.c). */
void canvas_dump_looks(const struct canvas *c, struct out *o);

/* A picture of the canvas; dark or light ground (canvas_svg.c). */
void canvas_svg(const struct canvas *c, bool light, const char *title, struct out *o);

#endif
