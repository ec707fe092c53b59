/* The terminal: bytes in become keys, a canvas goes out. canvas.h is what is drawn on, keys.h the actions and their
 * keys, theme.h the colours.
 */
#ifndef PAS2P_TUI_SCREEN_SCREEN_H
#define PAS2P_TUI_SCREEN_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "canvas.h"

/* ---- input ---- */

/* Input: the bytes that a terminal sends, as keys, clicks and pasted text.
 *
 *     input_init(&in); input_known(&in, "\033OA", KEYCODE_UP);     the keys of terminfo, beside those known anyway
 *     for each byte:   input_byte(&in, byte, now);
 *     when none comes: input_pause(&in, now);                      at the latest after input_wait(&in, now)
 *     while (input_next(&in, &ev)) ...
 *
 * Escape sequences are taken whole: CSI, SS3, and the strings OSC, DCS, APC up to their end, however slowly they come.
 * What is known becomes a key; any other is one INPUT_UNKNOWN, and none of its bytes is ever a key. A lone ESC is the
 * key Esc after a short while without another byte; what then looks like the rest of a sequence still is that, within a
 * second (so that the keys Esc and [ take that second, if no other key follows). ESC and a character is Alt with that
 * key, or a person's Esc and that key, typed fast or sent as one packet: it is marked, and the owner knows what is
 * bound. (PM and SOS, ESC ^ and ESC X, no terminal sends.) Text between the marks of bracketed paste is INPUT_PASTE.
 * Time is in milliseconds, from anywhere.
 * No curses in here, and nothing is allocated.
 */

#define INPUT_ESC_MS 25     /* after ESC, before it is the key: less than between two keys of a fast typist */
#define INPUT_REST_MS 1000  /* in the middle of a sequence, before it is given up */
#define INPUT_KNOWN 64
#define INPUT_SEQUENCE 16   /* bytes of a known one, with the end */
#define INPUT_SHOWN 32

enum input_kind {
	INPUT_KEY,       /* key */
	INPUT_MOUSE,     /* x, y from 0; wheel: -1 up, 1 down, 0: button 1 */
	INPUT_PASTE,     /* key: a character of pasted text, control characters too */
	INPUT_PASTE_END,
	INPUT_UNKNOWN    /* text: what came, to be shown */
};

struct input_event {
	enum input_kind kind;
	uint32_t key;
	bool escaped; /* of a key with Alt: it came as ESC and the key */
	int x, y, wheel;
	char text[INPUT_SHOWN];
};

enum input_state {
	INPUT_PLAIN, INPUT_ESC, INPUT_ESC_ESC, INPUT_CSI, INPUT_SS3, INPUT_STRING, INPUT_STRING_ESC, INPUT_X10,
	INPUT_LINGER,    /* an ESC has been taken for the key: the rest of a sequence may follow */
	INPUT_LINGER_CSI /* and this may be it */
};

struct input {
	enum input_state state;
	int64_t since;                 /* the last byte, or what the state began with */
	bool alt, pasting;
	bool mouse;                    /* set by the owner: clicks are told */
	int esc_ms;                    /* set by the owner, if not INPUT_ESC_MS */
	unsigned char bytes[64];       /* of the sequence, as far as they fit; length counts all */
	size_t length;
	unsigned char utf8[4];
	int utf8_have, utf8_need;
	struct {
		char bytes[INPUT_SEQUENCE];
		uint32_t key;
	} known[INPUT_KNOWN];
	int known_count;
	struct input_event events[4];  /* to be taken; no byte makes more */
	int event_count;
};

void input_init(struct input *in);
/* A sequence of this terminal, from ESC on; others, NULL and what there is no room for are ignored. */
void input_known(struct input *in, const char *bytes, uint32_t key);
void input_reset(struct input *in); /* forget what has begun */

void input_byte(struct input *in, unsigned char byte, int64_t now); /* take all events before the next one */
void input_pause(struct input *in, int64_t now);
int input_wait(const struct input *in, int64_t now); /* ms until a pause means something; -1: it never will */
bool input_next(struct input *in, struct input_event *ev);

/* ---- term ---- */

/* The terminal: the only place that knows curses, and signals other than crashes.
 *
 * A canvas is copied to the screen by what has changed of it. Keys come as input makes them of the bytes: curses
 * takes those apart that it does not know, and their rest for keys. Signals that end a program set a flag, so that the
 * loop leaves in order and the terminal is as it was; screen_int.h has what happens to it in a crash. Ctrl-Z leaves the
 * screen and stops.
 *
 * What is written to stderr while the screen is up is kept, and shown once the screen is gone.
 */

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
/* Restores what was before, but ignores Ctrl-C from then on: the program is about to end. NULL is fine. */
void term_close(struct terminal *t);
void term_size(const struct terminal *t, int *w, int *h);

/* Wait for input, for fd to be readable, or for a signal, for so many milliseconds at most; -1: for ever. */
unsigned term_wait(struct terminal *t, int fd, int most_ms);
bool term_input(struct terminal *t, struct input_event *ev); /* false: no more for now */
void term_take_mouse(struct terminal *t, bool on); /* have the terminal tell clicks, or not */
bool term_is_mono(const struct terminal *t); /* no colours, as the theme or the terminal has it */
int term_signal(const struct terminal *t);
void term_show(struct terminal *t, const struct canvas *c, bool all); /* all: from nothing */

/* ---- term_known ---- */

/* What is known of a kind of terminal, without one: for who only asks. */

/* Whether the kind of terminal (as in TERM) is known here and text can be placed on it, as term_open() needs it;
 * *colours that it has, 0: none. Before term_open() only. */
bool term_known(const char *name, int *colours);

#endif
