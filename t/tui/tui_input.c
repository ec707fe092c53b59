/* Bytes from a terminal as keys: a sequence that means nothing must do nothing. Taken apart, its bytes would be keys,
 * and such keys turn knobs and change settings without a word. So every sequence is one event, known or not, whatever
 * it is, and however slowly it comes; a lone Esc still is a key; what is pasted is text, never keys.
 */
#include <stdio.h>
#include <string.h>

#include "tap.h"
#include "tui/screen/screen.h"
#include "tui/screen/keys.h"

static char told[400];

static void tell(const struct input_event *ev)
{
	size_t n = strlen(told);
	char name[16];

	switch (ev->kind) {
	case INPUT_KEY: snprintf(told + n, sizeof told - n, "%s%s ", ev->escaped ? "Esc+" : "", keycode_name(ev->key, name)); break;
	case INPUT_MOUSE: snprintf(told + n, sizeof told - n, "mouse:%d,%d,%d ", ev->x, ev->y, ev->wheel); break;
	case INPUT_PASTE: snprintf(told + n, sizeof told - n, "paste:%x ", (unsigned)ev->key); break;
	case INPUT_PASTE_END: snprintf(told + n, sizeof told - n, "end "); break;
	case INPUT_UNKNOWN: snprintf(told + n, sizeof told - n, "unknown:%s ", ev->text); break;
	}
}

static void take(struct input *in)
{
	struct input_event ev;

	while (input_next(in, &ev))
		tell(&ev);
}

/* What bytes are that come `apart` ms one after the other, and then nothing. */
static const char *keys_of(const char *bytes, size_t n, int apart, bool mouse)
{
	struct input in;
	int64_t now = 1000000;
	int ms;

	told[0] = 0;
	input_init(&in);
	in.mouse = mouse;
	input_known(&in, "\033Oq", KEYCODE_F9);
	input_known(&in, "\033A", KEYCODE_F8);
	for (size_t i = 0; i < n; i++, now += apart) {
		input_byte(&in, (unsigned char)bytes[i], now);
		take(&in);
	}
	while ((ms = input_wait(&in, now)) >= 0) {
		now += ms;
		input_pause(&in, now);
		take(&in);
	}
	return told;
}

static void are(const char *bytes, const char *want)
{
	char shown[100] = "";

	for (const char *c = bytes; *c && strlen(shown) + 8 < sizeof shown; c++)
		sprintf(shown + strlen(shown), (unsigned char)*c > 32 && (unsigned char)*c < 127 ? "%c" : "\\%03o", (unsigned char)*c);
	is_str(keys_of(bytes, strlen(bytes), 0, true), want, "%s", shown);
}

static void test_keys(void)
{
	are("a1[", "a 1 [ ");
	are("\t\r\n\b\177\x12", "Tab Enter Enter Backspace Backspace C-r ");
	are("\303\251\342\234\223\360\237\230\200", "\303\251 \342\234\223 \360\237\230\200 ");
	are("\377\200a\303", "a ");
	are("\303a", "a ");
	are("\033", "Esc ");
	are("\033\033", "Esc Esc ");
	are("\033[A\033OB\033[1;2C\033[1;3D\033[H\033OF", "Up Down S-Right A-Left Home End ");
	are("\033[2~\033[3~\033[5~\033[6;3~\033[Z", "Insert Delete PgUp A-PgDn S-Tab ");
	are("\033OP\033[11~\033[24~\033[[B\033[R\033[S", "F1 F1 F12 F2 F3 F4 ");
	are("\033OM\033Oj\033Ok\033Op\033Oy", "Enter * + 0 9 ");
	are("\033Oq\033A", "F9 F8 ");
	are("\033o\033\r\033\303\251", "Esc+A-o Esc+A-Enter Esc+A-\303\251 ");
	are("\033\033[A", "Esc+A-Up ");
	are("\033\033x", "Esc Esc+A-x ");
	are("\033[", "Esc+A-[ ");
	are("\033O", "Esc+A-O ");
	are("\033]", "Esc+A-] ");
	/* No terminal's answers begin so: they are keys, typed fast. */
	are("\033Xa.txt\r", "Esc+A-X a . t x t Enter ");
	are("\033^j", "Esc+A-^ j ");
	are("\033]]]", "Esc+A-] ] ] ");
	are("\033Pu", "Esc+A-P u ");
	are("\033__", "Esc+A-_ _ ");
	are("\033:set\r", "Esc+A-: s e t Enter ");
}

static void test_unknown(void)
{
	static const char *const bytes[] = {
		"\033[25~", "\033[29~", "\033[E", "\033[27;5;13~", "\033[?62;1;4c", "\033[1;5D", "\033[3;1R", "\033[1;3R", "\033[I", "\033[13;5u",
		"\033[?2026;2$y", "\033[3$", "\033[0n", "\033[;~", "\033[1;2;3A", "\033[99999999999999999999~", "\033[12;;;;;A", "\033OE", "\033O5P",
		"\033]11;rgb:0000/0000/0000\007", "\033]11;?\033\\", "\033P>|XTerm(370)\033\\", "\033_Gi=31;OK\033\\",
		"\033[[F", "\033[ q", "\033[!p", "\033[>0;276;0c", "\033[<0;1M",
	};
	char want[400];

	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
		for (int apart = 0; apart < 1000; apart += 99) {
			const char *got = keys_of(bytes[i], strlen(bytes[i]), apart, true);

			/* The first of slow bytes is an Esc; the strings that few terminals send may then begin with a key. */
			if (apart >= INPUT_ESC_MS && !strncmp(got, "Esc ", 4))
				got += 4;
			if (apart >= INPUT_ESC_MS && (!strchr("[O]", bytes[i][1]) || !strncmp(bytes[i], "\033[[", 3)))
				break;
			ok(!strncmp(got, "unknown:", 8) && strchr(got, ' ') == got + strlen(got) - 1, "%s is nothing, %d ms apart: %s",
			   bytes[i] + 1, apart, got);
		}
	snprintf(want, sizeof want, "unknown:ESC[25~ ");
	is_str(keys_of("\033[25~", 5, 0, false), want, "and is told");
	are("\033[25\033[A", "unknown:ESC[25 Up ");
	are("\033[25\030a", "unknown:ESC[25 a ");
	are("\033]0;x\033[A", "unknown:ESC]0;xESC Up ");
	is_str(keys_of("\033[1\001x", 5, 0, false), "unknown:ESC[1? x ", "a control character ends a sequence");
	memset(want, ';', sizeof want - 1);
	memcpy(want, "\033[", 2);
	strcpy(want + sizeof want - 3, "A1");
	keys_of(want, sizeof want - 2, 0, false);
	ok(!strncmp(told, "unknown:ESC[;;", 14) && strstr(told, "... ") == told + strlen(told) - 4, "a long one is one: %s", told);
}

/* The network can hold back what comes behind an ESC: that is Esc, but the rest of it is not keys. */
static void test_slow(void)
{
	struct input in;

	told[0] = 0;
	input_init(&in);
	input_byte(&in, 27, 0);
	is_int(input_wait(&in, 0), INPUT_ESC_MS, "an ESC is waited for");
	input_pause(&in, INPUT_ESC_MS - 1);
	take(&in);
	is_str(told, "", "but not too long");
	input_pause(&in, INPUT_ESC_MS);
	take(&in);
	is_str(told, "Esc ", "then it is Esc");
	for (int i = 0; i < 4; i++)
		input_byte(&in, (unsigned char)"[25~"[i], 400);
	take(&in);
	is_str(told, "Esc unknown:ESC[25~ ", "the rest, later, is no keys");
	told[0] = 0;
	input_byte(&in, 27, 2000);
	input_pause(&in, 2100);
	input_byte(&in, '[', 2300);
	take(&in);
	is_str(told, "Esc ", "a key that could begin such a rest");
	input_pause(&in, 2300 + INPUT_REST_MS);
	take(&in);
	is_str(told, "Esc [ ", "is the key if nothing follows");
	input_byte(&in, '2', 3420);
	take(&in);
	is_str(told, "Esc [ 2 ", "and those behind it are keys");
	told[0] = 0;
	input_byte(&in, 27, 5000);
	input_byte(&in, ']', 5150);
	input_byte(&in, ']', 5180);
	take(&in);
	is_str(told, "Esc ] ] ", "keys typed fast behind Esc are keys");
	told[0] = 0;
	input_byte(&in, 27, 7000);
	input_byte(&in, 'x', 7150);
	take(&in);
	is_str(told, "Esc x ", "as is any other");
	told[0] = 0;
	for (int i = 0; i < 5; i++)
		input_byte(&in, (unsigned char)"\033[25~"[i], 9000 + 999 * i);
	take(&in);
	/* The first pause is an Esc's, the others are in the middle of the sequence. */
	is_str(told, "Esc unknown:ESC[25~ ", "a second between the bytes");
}

static void test_paste(void)
{
	are("\033[200~Q]\033[201~x", "paste:51 paste:5d end x ");
	are("\033[200~a\n\033[A\303\251\033[201~", "paste:61 paste:a paste:41 paste:e9 end ");
	are("\033[200~a\033[201\033[201~b", "paste:61 end b ");
	is_str(keys_of("\033[200~ab", 8, 50000, false), "Esc [ 2 0 0 ~ a b ", "marks that come in minutes are none");
	is_str(keys_of("\033[200~a\033[201~", 13, INPUT_ESC_MS - 1, false), "paste:61 end ", "a slow one");
	is_str(keys_of("\033[200~a\033[201~", 13, 90, false), "Esc paste:61 end ", "a slower one");
	are("\033[201~", "");
}

static void test_mouse(void)
{
	are("\033[<0;20;2M\033[<0;20;2m", "mouse:19,1,0 ");
	are("\033[<64;1;1M\033[<65;3;4M\033[<4;3;4M\033[<2;3;4M\033[<35;1;1M", "mouse:0,0,-1 mouse:2,3,1 mouse:2,3,0 ");
	are("\033[M !!\033[M#!!a", "mouse:0,0,0 a ");
	is_str(keys_of("\033[<0;20;2Ma", 11, 0, false), "a ", "clicks that were not asked for");
}

int main(void)
{
	test_keys();
	test_unknown();
	test_slow();
	test_paste();
	test_mouse();
	return done_testing();
}
