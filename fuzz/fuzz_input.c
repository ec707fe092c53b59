/* Bytes from a terminal. The first one chooses: whether there is a mouse, and what the rest is. As it is, it may be
 * anything, with pauses (0xfe: short, 0xff: long). Made the inside of a sequence, it must be one event at most, and
 * never a key that no terminal sends so.
 */
#include <string.h>

#include "fuzz.h"
#include "tui/screen/screen.h"
#include "tui/screen/keys.h"

#define LONGEST 1024

enum { MOUSE = 1, CSI = 2, STRING = 4, SLOW = 8 };

struct heard {
	struct input_event events[2 * LONGEST + 8];
	int n;
};

static void take(struct input *in, struct heard *h)
{
	struct input_event ev;

	while (input_next(in, &ev)) {
		must(h->n < 2 * LONGEST + 8, "no byte is more than two events");
		must(ev.kind != INPUT_UNKNOWN || (*ev.text && memchr(ev.text, 0, sizeof ev.text)), "what is not known has a text");
		must(ev.kind != INPUT_MOUSE || (in->mouse && ev.x >= 0 && ev.y >= 0 && ev.wheel >= -1 && ev.wheel <= 1), "a click is somewhere");
		must(ev.kind != INPUT_KEY || ev.key, "a key is one");
		for (const char *c = ev.text; ev.kind == INPUT_UNKNOWN && *c; c++)
			must(*c > 32 && *c < 127, "what is told of it can be shown");
		h->events[h->n++] = ev;
	}
}

/* Bytes, `apart` ms one after the other. */
static void hear(struct heard *h, const uint8_t *bytes, size_t n, bool mouse, bool pauses, int apart)
{
	struct input in;
	int64_t now = 0;
	int ms;

	h->n = 0;
	input_init(&in);
	in.mouse = mouse;
	input_known(&in, "\033OA", KEYCODE_UP);
	input_known(&in, "\033[25~", KEYCODE_F12);
	for (size_t i = 0; i < n; i++, now += apart) {
		if (pauses && bytes[i] >= 0xfe) {
			now += bytes[i] == 0xfe ? 150 : 2000;
			input_pause(&in, now);
		} else {
			input_byte(&in, bytes[i], now);
		}
		take(&in, h);
	}
	while ((ms = input_wait(&in, now)) >= 0) {
		now += ms;
		input_pause(&in, now);
		take(&in, h);
	}
	must(in.pasting || in.state == INPUT_PLAIN, "in the end all has been taken");
}

static bool same(const struct heard *a, const struct heard *b)
{
	for (int i = 0; i < a->n && i < b->n; i++)
		if (a->events[i].kind != b->events[i].kind || a->events[i].key != b->events[i].key)
			return false;
	return a->n == b->n;
}

/* A whole sequence with these bytes inside: never taken apart. */
static void wrapped(const uint8_t *bytes, size_t n, unsigned how)
{
	static struct heard h;
	uint8_t whole[LONGEST + 8] = {27, how & CSI ? '[' : ']', '0', ';'};
	size_t len = how & CSI ? 2 : 4;

	for (size_t i = 0; i < n; i++) {
		if (how & CSI ? bytes[i] >= 0x20 && bytes[i] < 0x40 && (bytes[i] != '$' || len > 5) : bytes[i] >= 0x20)
			whole[len++] = bytes[i];
	}
	whole[len++] = how & CSI ? '~' : 7;
	hear(&h, whole, len, how & MOUSE, false, how & SLOW ? INPUT_ESC_MS - 1 : 0);
	if (how & CSI && !memcmp(whole, "\033[200~", 6))
		return;
	must(h.n == 1 || (h.n == 0 && !memcmp(whole, "\033[201~", 6)), "a sequence is one event");
	must(h.n == 0 || h.events[0].kind == INPUT_UNKNOWN ||
		     (how & CSI && h.events[0].kind == INPUT_KEY && (h.events[0].key & ~(uint32_t)KEYCODE_ALT) > KEYCODE_FIRST),
	     "and never a character");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct heard fast, slow;
	unsigned how = size ? bytes[0] : 0;

	if (!size || size > LONGEST)
		return 0;
	bytes++;
	size--;
	if (how & (CSI | STRING)) {
		wrapped(bytes, size, how);
		return 0;
	}
	hear(&fast, bytes, size, how & MOUSE, true, 0);
	hear(&slow, bytes, size, how & MOUSE, false, INPUT_ESC_MS - 1);
	hear(&fast, bytes, size, how & MOUSE, false, 0);
	must(same(&fast, &slow), "bytes mean the same one by one");
	return 0;
}
