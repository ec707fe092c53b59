/* Text out of a trace must never act on the terminal that shows it, nor make a name look like another: control
 * characters, direction overrides, invisible and private characters and invalid UTF-8 are replaced, and all else
 * stays as it is. The result always fits, ends in NUL, and is whole characters. */
#include "core/base/text.h"

#include <stdio.h>
#include <string.h>

#include "tap.h"

static void replaced(const char *from, const char *utf8, const char *ascii, const char *what)
{
	char buf[100];

	is_str(text_safe(buf, sizeof buf, from, SIZE_MAX, TEXT_UTF8), utf8, "%s", what);
	is_str(text_safe(buf, sizeof buf, from, SIZE_MAX, TEXT_ASCII), ascii, "%s, in ASCII", what);
}

static void characters(void)
{
	unsigned wrong = 0;

	for (uint32_t c = 0; c < 0x110000; c++) {
		char bytes[4];
		uint32_t back = 0;
		size_t n = text_encode(c, bytes), m = text_decode(bytes, n, &back);
		uint32_t want = c >= 0xD800 && c <= 0xDFFF ? 0xFFFD : c;

		wrong += c ? m != n || back != want : m != 0;
	}
	is_int(wrong, 0, "every character is encoded and decoded to itself, surrogates to U+FFFD");
	ok(!text_is_safe(0) && !text_is_safe(0x1B) && !text_is_safe(0x9B) && !text_is_safe(0x7F), "controls are unsafe");
	ok(!text_is_safe(0x202E) && !text_is_safe(0x2066) && !text_is_safe(0x200F), "direction overrides are unsafe");
	ok(!text_is_safe(0xE000) && !text_is_safe(0xE0041) && !text_is_safe(0x10FFFD) && !text_is_safe(UINT32_MAX),
	   "private characters, tags and what is beyond Unicode are unsafe");
	ok(text_is_safe(' ') && text_is_safe('~') && text_is_safe(0xE9) && text_is_safe(0x4F5C) && text_is_safe(0x2588) &&
	   text_is_safe(0xFFFD) && text_is_safe(0x1F600), "letters, blocks and emoji are safe");
}

static void cuts(void)
{
	char buf[8];
	uint32_t c = 0;
	unsigned wrong = 0;

	for (size_t size = 1; size <= sizeof buf; size++) {
		memset(buf, 'x', sizeof buf);
		text_safe(buf, size, "\xC3\xA9\xE4\xBD\x9C", SIZE_MAX, TEXT_UTF8);
		wrong += strlen(buf) != (size < 3 ? 0u : size < 6 ? 2u : 5u);
		wrong += size < sizeof buf && buf[size] != 'x';
	}
	is_int(wrong, 0, "a cut falls between characters and nothing is written behind it");
	is_str(text_safe(buf, sizeof buf, "4µ±1", SIZE_MAX, TEXT_ASCII), "4u+-1", "signs have their like in ASCII");
	ok(!text_sign('u') && !text_sign(0xE4), "letters are no signs");
	is_str(text_safe(buf, sizeof buf, "a\0b", 3, TEXT_ASCII), "a?b", "a NUL among counted bytes is one more control");
	is_str(text_safe(buf, sizeof buf, "abcdef", 3, TEXT_UTF8), "abc", "no more than the bytes counted");
	is_str(text_safe(buf, sizeof buf, "ab\xE4\xBD\x9C", 4, TEXT_ASCII), "ab??",
	       "a character that the count cuts is invalid");
	buf[0] = 'k';
	text_safe(buf, 0, "abc", SIZE_MAX, TEXT_UTF8);
	is_int(buf[0], 'k', "no room, nothing written");
	is_u64(text_decode("", 1, &c), 0, "a NUL ends the text");
	is_u64(text_decode("a", 0, &c), 0, "so does its length");
}

int main(void)
{
	replaced("MPI_Send", "MPI_Send", "MPI_Send", "a plain name");
	replaced("Schritt \xC3\xA4\xE4\xBD\x9C\xE8\x80\x85", "Schritt \xC3\xA4\xE4\xBD\x9C\xE8\x80\x85", "Schritt ???",
		 "a name in other scripts");
	replaced("\x1B[2Jx", "\xEF\xBF\xBD[2Jx", "?[2Jx", "an escape sequence");
	replaced("a\tb\nc\rd\x7F", "a\xEF\xBF\xBD" "b\xEF\xBF\xBD" "c\xEF\xBF\xBD" "d\xEF\xBF\xBD", "a?b?c?d?",
		 "tab, newline, DEL");
	replaced("\xC2\x9B" "31m", "\xEF\xBF\xBD" "31m", "?31m", "a C1 escape");
	replaced("a\xE2\x80\xAE" "b", "a\xEF\xBF\xBD" "b", "a?b", "a direction override");
	replaced("\xFF\xFEz", "\xEF\xBF\xBD\xEF\xBF\xBDz", "??z", "bytes that are no UTF-8");
	replaced("\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD", "??", "an overlong slash");
	replaced("\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", "???", "a surrogate");
	replaced("\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", "????", "beyond Unicode");
	replaced("\xE4\xBD", "\xEF\xBF\xBD\xEF\xBF\xBD", "??", "a character cut short");
	characters();
	cuts();
	return done_testing();
}
