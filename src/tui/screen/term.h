/* The terminal: the only place that knows curses, and signals other than crashes.
 *
 * A canvas is copied to the screen by what has changed of it. Keys come as input.h makes them of the bytes: curses
 * takes those apart that it does not know, and their rest for keys. Signals that end a program set a flag, so that the
 * loop leaves in order and the terminal is as it was; crash.h has what happens to it in a crash. Ctrl-Z leaves the
 * screen and stops.
 *
 * What is written to stderr while the screen is up is kept, and shown once the screen is gone.
 */
#ifndef PAS2P_TUI_TERM_H
#define PAS2P_TUI_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "canvas.h"
#include "input.h"

struct terminal;

enum term_color {
	TERM_COLOR_AUTO,   /* colours unless NO_COLOR is set or the terminal has none */
	TERM_COLOR_ALWAYS, /* even with NO_COLOR */
	TERM_COLOR_NEVER
};

enum term_event {
	TERM_KEY = 1,     /* term_input() may have something */
	TERM_WAKE = 2,    /* the other descriptor is readable */
	TERM_INTERRUPT = 8, /* Ctrl-C */
	TERM_SIGNAL = 16, /* told to end: term_signal() says by which signal */
	TERM_GONE = 32    /* no more input will come: the terminal was closed */
};

/* `theme` as for theme_palette(). ERR_USAGE: there is no terminal, or none that can be used; the sentence says why. */
enum err_code term_open(struct terminal **out, enum term_color color, const char *theme, struct err *e);
void term_close(struct terminal *t); /* restores; NULL is fine */
void term_size(const struct terminal *t, int *w, int *h);

/* Wait for input, for fd to be readable, or for a signal, for so many milliseconds at most; -1: for ever. */
unsigned term_wait(struct terminal *t, int fd, int most_ms);
bool term_input(struct terminal *t, struct input_event *ev); /* false: no more for now */
void term_take_mouse(struct terminal *t, bool on); /* have the terminal tell clicks, or not */
bool term_is_mono(const struct terminal *t); /* no colours, as the theme or the terminal has it */
int term_signal(const struct terminal *t);
void term_show(struct terminal *t, const struct canvas *c, bool all); /* all: from nothing */

#endif
