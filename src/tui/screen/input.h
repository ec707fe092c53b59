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
#ifndef PAS2P_TUI_INPUT_H
#define PAS2P_TUI_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
