#include "screen.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "keys.h"

#define ESC 27
#define BEL 7
#define CANCEL 24
#define SUBSTITUTE 26
#define X10_BYTES 6 /* ESC [ M button column row */

void input_init(struct input *in)
{
	memset(in, 0, sizeof *in);
	in->esc_ms = INPUT_ESC_MS;
}

void input_reset(struct input *in)
{
	in->state = INPUT_PLAIN;
	in->alt = in->pasting = false;
	in->length = 0;
	in->utf8_have = in->utf8_need = 0;
}

void input_known(struct input *in, const char *bytes, uint32_t key)
{
	if (!bytes || bytes[0] != ESC || !bytes[1] || strlen(bytes) >= INPUT_SEQUENCE || in->known_count == INPUT_KNOWN)
		return;
	strcpy(in->known[in->known_count].bytes, bytes);
	in->known[in->known_count++].key = key;
}

bool input_next(struct input *in, struct input_event *ev)
{
	if (!in->event_count)
		return false;
	*ev = in->events[0];
	memmove(in->events, in->events + 1, (size_t)--in->event_count * sizeof *in->events);
	return true;
}

static struct input_event *input_add_event(struct input *in, enum input_kind kind, uint32_t key)
{
	struct input_event *ev = &in->events[in->event_count];

	if (in->event_count == (int)(sizeof in->events / sizeof *in->events))
		return ev - 1;
	in->event_count++;
	*ev = (struct input_event){.kind = kind, .key = key};
	return ev;
}

static void input_go_state(struct input *in, enum input_state state)
{
	in->state = state;
	if (state != INPUT_PLAIN)
		return;
	in->alt = false;
	in->length = 0;
}

static void input_keep_byte(struct input *in, unsigned char byte)
{
	if (in->length < sizeof in->bytes)
		in->bytes[in->length] = byte;
	in->length++;
}

/* "ESC[25~" */
static void add_unknown(struct input *in)
{
	struct input_event *ev = input_add_event(in, INPUT_UNKNOWN, 0);
	size_t kept = in->length < sizeof in->bytes ? in->length : sizeof in->bytes, len = 0;

	for (size_t i = 0; i < kept && len + 8 < sizeof ev->text; i++) {
		unsigned char c = in->bytes[i];

		if (c == ESC)
			len += (size_t)snprintf(ev->text + len, sizeof ev->text - len, "ESC");
		else
			ev->text[len++] = c > 32 && c < 127 ? (char)c : '?';
		if (i + 1 < in->length && len + 8 >= sizeof ev->text)
			len += (size_t)snprintf(ev->text + len, sizeof ev->text - len, "...");
	}
	ev->text[len] = 0;
	input_go_state(in, INPUT_PLAIN);
}

static void add_key(struct input *in, uint32_t key)
{
	bool alt = in->alt;

	if (!key) {
		add_unknown(in);
		return;
	}
	input_go_state(in, INPUT_PLAIN);
	input_add_event(in, INPUT_KEY, key | (alt ? KEYCODE_ALT : 0))->escaped = alt;
}

static uint32_t plain_key(uint32_t c)
{
	return c == 8 ? KEYCODE_BACKSPACE : c == '\n' ? KEYCODE_ENTER : c;
}

/* A character, from one byte or several; what is no UTF-8 is dropped. */
static void take_plain(struct input *in, unsigned char byte)
{
	uint32_t c;

	if (in->utf8_need && (byte & 0xC0) != 0x80)
		in->utf8_have = in->utf8_need = 0;
	if (byte < 0x80) {
		c = byte;
	} else {
		if (!in->utf8_need)
			in->utf8_need = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 0;
		if (!in->utf8_need) {
			input_go_state(in, INPUT_PLAIN);
			return;
		}
		in->utf8[in->utf8_have++] = byte;
		if (in->utf8_have < in->utf8_need)
			return;
		if (text_decode((const char *)in->utf8, (size_t)in->utf8_need, &c) != (size_t)in->utf8_need)
			c = 0;
		in->utf8_have = in->utf8_need = 0;
	}
	if (in->pasting && c)
		input_add_event(in, INPUT_PASTE, c);
	else if (c)
		add_key(in, plain_key(c));
	else
		input_go_state(in, INPUT_PLAIN);
}

static uint32_t known_key(const struct input *in)
{
	for (int i = 0; i < in->known_count; i++)
		if (in->length == strlen(in->known[i].bytes) && !memcmp(in->bytes, in->known[i].bytes, in->length))
			return in->known[i].key;
	return 0;
}

static uint32_t final_key(unsigned char final)
{
	switch (final) {
	case 'A': return KEYCODE_UP;
	case 'B': return KEYCODE_DOWN;
	case 'C': return KEYCODE_RIGHT;
	case 'D': return KEYCODE_LEFT;
	case 'H': return KEYCODE_HOME;
	case 'F': return KEYCODE_END;
	case 'P':
	case 'Q':
	case 'R':
	case 'S': return KEYCODE_F1 + (uint32_t)(final - 'P');
	default: return 0;
	}
}

static uint32_t number_key(unsigned n)
{
	static const uint32_t keys[] = {
		0, KEYCODE_HOME, KEYCODE_INSERT, KEYCODE_DELETE, KEYCODE_END, KEYCODE_PAGE_UP, KEYCODE_PAGE_DOWN, KEYCODE_HOME, KEYCODE_END,
		0, 0, KEYCODE_F1, KEYCODE_F2, KEYCODE_F3, KEYCODE_F4, KEYCODE_F5, 0, KEYCODE_F6, KEYCODE_F7, KEYCODE_F8,
		KEYCODE_F9, KEYCODE_F10, 0, KEYCODE_F11, KEYCODE_F12,
	};

	return n < sizeof keys / sizeof *keys ? keys[n] : 0;
}

/* The modifiers as xterm numbers them: 1 none, 2 Shift, 3 Alt; with others a key is none of ours. */
static uint32_t modified(uint32_t key, unsigned modifier)
{
	static const uint32_t plain[] = {KEYCODE_UP, KEYCODE_DOWN, KEYCODE_LEFT, KEYCODE_RIGHT},
			      shifted[] = {KEYCODE_SHIFT_UP, KEYCODE_SHIFT_DOWN, KEYCODE_SHIFT_LEFT, KEYCODE_SHIFT_RIGHT};

	if (!key || modifier == 1)
		return key;
	if (modifier == 3)
		return key | KEYCODE_ALT;
	for (int i = 0; i < 4 && modifier == 2; i++)
		if (key == plain[i])
			return shifted[i];
	return 0;
}

/* Up to `most` numbers between semicolons, from a place to before the final byte; -1: there is something else. */
static int numbers(const struct input *in, size_t at, unsigned *out, int most)
{
	int n = 0;

	if (at + 1 >= in->length)
		return 0;
	for (bool first = true; at + 1 < in->length; at++) {
		unsigned char c = in->bytes[at];

		if (first) {
			if (n == most)
				return -1;
			out[n++] = 0;
		}
		first = c == ';';
		if (first)
			continue;
		if (c < '0' || c > '9' || out[n - 1] > 100000)
			return -1;
		out[n - 1] = out[n - 1] * 10 + (unsigned)(c - '0');
	}
	return n;
}

static uint32_t csi_key(const struct input *in)
{
	unsigned char final = in->bytes[in->length - 1];
	unsigned n[2] = {1, 1};
	int count = numbers(in, 2, n, 2);

	if (count < 0)
		return 0;
	if (final == '~' && count)
		return modified(number_key(n[0]), n[1]);
	if (final == 'Z')
		return count ? 0 : KEYCODE_BACK_TAB;
	/* CSI row ; column R is where the cursor is. */
	if (n[0] != 1 || (final == 'R' && count))
		return 0;
	return modified(final_key(final), n[1]);
}

/* The keypad too, where it has its own codes: digits and signs are what they say. */
static uint32_t ss3_key(const struct input *in)
{
	unsigned char final = in->bytes[in->length - 1];
	unsigned n = 1;

	if (numbers(in, 2, &n, 1) < 0)
		return 0;
	if (final == 'M' && n == 1)
		return KEYCODE_ENTER;
	if (final >= 'j' && final <= 'y' && n == 1)
		return final - 'j' + '*';
	return modified(final_key(final), n);
}

static void add_click(struct input *in, unsigned button, unsigned x, unsigned y)
{
	struct input_event *ev;

	input_go_state(in, INPUT_PLAIN);
	/* Shift, Alt and Ctrl add 4, 8 and 16. */
	button &= ~28u;
	if ((button != 0 && button != 64 && button != 65) || !x || !y)
		return;
	ev = input_add_event(in, INPUT_MOUSE, 0);
	ev->x = (int)x - 1;
	ev->y = (int)y - 1;
	ev->wheel = button == 64 ? -1 : button == 65;
}

static unsigned above(unsigned n, unsigned start)
{
	return n > start ? n - start : 0;
}

static bool is_sequence(const struct input *in, const char *text)
{
	return in->length == strlen(text) && !memcmp(in->bytes, text, in->length);
}

static void end_csi(struct input *in)
{
	unsigned char final = in->bytes[in->length - 1];
	unsigned n[3];
	uint32_t key = known_key(in);

	if (is_sequence(in, "\033[200~")) {
		input_go_state(in, INPUT_PLAIN);
		in->pasting = true;
	} else if (is_sequence(in, "\033[201~")) {
		input_go_state(in, INPUT_PLAIN); /* of a paste that Ctrl-C has ended */
	} else if (in->bytes[2] == '<' && (final == 'M' || final == 'm')) {
		if (numbers(in, 3, n, 3) != 3)
			add_unknown(in);
		else if (final == 'M' && in->mouse)
			add_click(in, n[0], n[1], n[2]);
		else
			input_go_state(in, INPUT_PLAIN);
	} else {
		add_key(in, key ? key : csi_key(in));
	}
}

/* The console's F1 to F5 are ESC [ [ A to E; rxvt ends some with a $, as ESC [ 3 $. */
static void take_csi(struct input *in, unsigned char byte)
{
	bool whole = in->length < sizeof in->bytes;

	input_keep_byte(in, byte);
	if (in->length == 3 && byte == 'M' && in->mouse)
		in->state = INPUT_X10;
	else if (in->length == 3 && byte == '[')
		return;
	else if (in->length == 4 && in->bytes[2] == '[')
		add_key(in, byte >= 'A' && byte <= 'E' ? KEYCODE_F1 + (uint32_t)(byte - 'A') : 0);
	else if (byte == '$' && in->length >= 4 && in->length <= 5 && in->bytes[2] >= '0' && in->bytes[2] <= '9' &&
		 in->bytes[in->length - 2] != ';')
		add_unknown(in);
	else if (byte < 0x20 || byte > 0x7E || (byte >= 0x40 && !whole))
		add_unknown(in);
	else if (byte >= 0x40)
		end_csi(in);
}

static void take_ss3(struct input *in, unsigned char byte)
{
	uint32_t key;

	input_keep_byte(in, byte);
	if ((byte >= '0' && byte <= '9') || byte == ';')
		return;
	key = in->length <= sizeof in->bytes ? known_key(in) : 0;
	add_key(in, key ? key : in->length <= sizeof in->bytes ? ss3_key(in) : 0);
}

/* Behind ESC. */
static void take_escaped(struct input *in, unsigned char byte)
{
	input_keep_byte(in, byte);
	switch (byte) {
	case '[': in->state = INPUT_CSI; return;
	case 'O': in->state = INPUT_SS3; return;
	case ']':
	case 'P':
	case '_': in->state = INPUT_STRING; return;
	default: break;
	}
	if (known_key(in)) {
		add_key(in, known_key(in));
		return;
	}
	in->state = INPUT_PLAIN;
	in->alt = true;
	take_plain(in, byte);
}

/* Whether an answer of a terminal's begins so: OSC 11;rgb, OSC l title, DCS > | name, APC G. */
static bool begins_string(unsigned char kind, unsigned char byte)
{
	bool digit = byte >= '0' && byte <= '9';

	return kind == ']' ? digit || byte == 'l' || byte == 'L' : kind == 'P' ? digit || byte == '>' || byte == '!' : byte == 'G';
}

static void input_begin_sequence(struct input *in)
{
	in->utf8_have = in->utf8_need = 0;
	in->length = 0;
	input_keep_byte(in, ESC);
	in->state = INPUT_ESC;
}

/* Pasted text, up to ESC [ 201 ~. What only looks like that is dropped, as all escapes in a paste are. */
static void take_pasted(struct input *in, unsigned char byte)
{
	static const char end[] = "\033[201~";

	if (in->length && byte == (unsigned char)end[in->length]) {
		input_keep_byte(in, byte);
		if (in->length == sizeof end - 1) {
			input_reset(in);
			input_add_event(in, INPUT_PASTE_END, 0);
		}
		return;
	}
	in->length = 0;
	if (byte == ESC)
		input_keep_byte(in, byte);
	else
		take_plain(in, byte);
}

/* An ESC within a sequence ends it and begins another. */
static bool begins_again(struct input *in, unsigned char byte)
{
	bool inside = in->state == INPUT_CSI || in->state == INPUT_SS3;

	if (!inside || (byte != ESC && byte != CANCEL && byte != SUBSTITUTE))
		return false;
	add_unknown(in);
	if (byte == ESC)
		input_begin_sequence(in);
	return true;
}

/* Whether a sequence may begin so, whose ESC came long before. */
static bool goes_on(unsigned char kind, unsigned char byte)
{
	bool digit = byte >= '0' && byte <= '9', letter = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');

	return kind == '[' ? byte >= ' ' && byte <= '~' && byte != '[' : digit || (kind == 'O' && letter);
}

static void input_take_byte(struct input *in, unsigned char byte)
{
	if (begins_again(in, byte))
		return;
	switch (in->state) {
	case INPUT_LINGER:
		input_go_state(in, INPUT_PLAIN);
		if (byte == '[' || byte == 'O' || byte == ']') {
			input_begin_sequence(in);
			input_keep_byte(in, byte);
			in->state = INPUT_LINGER_CSI;
			return;
		}
		break;
	case INPUT_LINGER_CSI:
		if (goes_on(in->bytes[1], byte)) {
			in->state = in->bytes[1] == '[' ? INPUT_CSI : in->bytes[1] == 'O' ? INPUT_SS3 : INPUT_STRING;
			input_take_byte(in, byte);
			return;
		}
		add_key(in, in->bytes[1]);
		break;
	case INPUT_ESC:
		if (byte == ESC)
			in->state = INPUT_ESC_ESC;
		else
			take_escaped(in, byte);
		return;
	case INPUT_ESC_ESC:
		/* Alt with a key that is a sequence; otherwise Esc twice, or Esc and Alt. */
		if (byte == '[' || byte == 'O') {
			in->alt = true;
		} else {
			input_add_event(in, INPUT_KEY, KEYCODE_ESC);
			if (byte == ESC)
				return;
		}
		take_escaped(in, byte);
		return;
	case INPUT_CSI: take_csi(in, byte); return;
	case INPUT_SS3: take_ss3(in, byte); return;
	case INPUT_X10:
		input_keep_byte(in, byte);
		if (in->length == X10_BYTES)
			add_click(in, above(in->bytes[3], 32), above(in->bytes[4], 32), above(in->bytes[5], 32));
		return;
	case INPUT_STRING:
		if (in->length == 2 && !begins_string(in->bytes[1], byte)) {
			in->alt = true;
			add_key(in, in->bytes[1]);
			break;
		}
		input_keep_byte(in, byte);
		if (byte == BEL || byte == CANCEL || byte == SUBSTITUTE)
			add_unknown(in);
		else if (byte == ESC)
			in->state = INPUT_STRING_ESC;
		return;
	case INPUT_STRING_ESC:
		if (byte == '\\') {
			input_keep_byte(in, byte);
			add_unknown(in);
			return;
		}
		add_unknown(in);
		input_begin_sequence(in);
		input_take_byte(in, byte);
		return;
	case INPUT_PLAIN: break;
	}
	if (byte == ESC)
		input_begin_sequence(in);
	else
		take_plain(in, byte);
}

void input_byte(struct input *in, unsigned char byte, int64_t now)
{
	input_pause(in, now); /* the byte may have come too late */
	in->since = now;
	if (in->pasting)
		take_pasted(in, byte);
	else
		input_take_byte(in, byte);
}

/* How long the state lasts without a byte; -1: for ever. */
static int lasts(const struct input *in)
{
	if (in->pasting)
		return -1; /* however slow the line is; Ctrl-C ends it */
	switch (in->state) {
	case INPUT_PLAIN: return in->utf8_need ? INPUT_REST_MS : -1;
	case INPUT_ESC:
	case INPUT_ESC_ESC: return in->esc_ms;
	default: return INPUT_REST_MS;
	}
}

int input_wait(const struct input *in, int64_t now)
{
	int ms = lasts(in);
	int64_t left = in->since + ms - now;

	return ms < 0 ? -1 : left < 0 ? 0 : (int)left;
}

void input_pause(struct input *in, int64_t now)
{
	enum input_state state = in->state;

	if (input_wait(in, now) != 0)
		return;
	in->utf8_have = in->utf8_need = 0;
	switch (state) {
	case INPUT_ESC_ESC:
		input_add_event(in, INPUT_KEY, KEYCODE_ESC);
		/* fall through */
	case INPUT_ESC:
		input_go_state(in, INPUT_PLAIN);
		input_add_event(in, INPUT_KEY, KEYCODE_ESC);
		in->state = INPUT_LINGER;
		in->since = now;
		break;
	case INPUT_LINGER_CSI: add_key(in, in->bytes[1]); break;
	case INPUT_PLAIN:
	case INPUT_LINGER: input_go_state(in, INPUT_PLAIN); break;
	default:
		/* What has begun with Alt and this key, and went no further. */
		in->alt = in->length == 2;
		add_key(in, in->length == 2 ? in->bytes[1] : 0);
	}
}
