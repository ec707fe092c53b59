#include "report_int.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/base/text.h"

#define REPLACEMENT 0xFFFDu

static void add_safe(struct out *o, uint32_t c)
{
	char bytes[4];

	out_add(o, bytes, text_encode(text_is_safe(c) ? c : REPLACEMENT, bytes));
}

static bool is_word(uint32_t c)
{
	return c > 127 || isalnum((int)c);
}

/* Whether a backslash must stand before c, the character `at` of `text`. Within a word _ is nothing but itself;
 * everything else that could be markup is escaped wherever it stands, and so are the colon of an address and the dot of
 * "www.". */
static bool is_markup(const char *text, size_t at, uint32_t before, uint32_t c)
{
	const char *behind = text + at + 1;

	switch (c) {
	case '\\': case '`': case '*': case '[': case ']': case '<': case '>': case '|': case '~': case '!': case '#': case '&':
	case '{': case '}': case '$':
		return true;
	case '_': return !is_word(before) || !is_word((unsigned char)*behind);
	case ':': return behind[0] == '/' || is_word((unsigned char)behind[0]);
	case '.': return at >= 3 && !strncasecmp(text + at - 3, "www", 3);
	default: return false;
	}
}

/* What would begin a list or a line under a heading, at the beginning of a line: how many characters stand before the
 * one that must be escaped; SIZE_MAX: none. */
static size_t begins_block(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	if (*text == '-' || *text == '+' || *text == '=')
		return 0;
	return digits && (text[digits] == '.' || text[digits] == ')') ? digits : SIZE_MAX;
}

void markdown_text(struct out *o, const char *text, bool begins_line)
{
	size_t block = begins_line ? begins_block(text) : SIZE_MAX, n;
	uint32_t c, before = 0;

	for (size_t at = 0; (n = text_decode(text + at, SIZE_MAX, &c)) > 0; at += n, before = c) {
		if (c == '@') { /* a mention would call somebody */
			out_str(o, "`@`");
			continue;
		}
		if (at == block || is_markup(text, at, before, c))
			out_str(o, "\\");
		add_safe(o, c);
	}
}

/* The longest run of backticks. */
static size_t ticks(const char *text)
{
	size_t most = 0;

	for (size_t n; *text; text += n ? n : 1) {
		n = strspn(text, "`");
		most = n > most ? n : most;
	}
	return most;
}

static void add_ticks(struct out *o, size_t n)
{
	while (n--)
		out_str(o, "`");
}

void markdown_span(struct out *o, const char *text, bool in_table)
{
	size_t fence = ticks(text) + 1, n;
	bool pad = !*text || *text == '`' || *text == ' ' || text[strlen(text) - 1] == '`' || text[strlen(text) - 1] == ' ';
	uint32_t c;

	add_ticks(o, fence);
	if (pad)
		out_str(o, " ");
	for (; (n = text_decode(text, SIZE_MAX, &c)) > 0; text += n) {
		if (c == '|' && in_table)
			out_str(o, "\\");
		add_safe(o, c);
	}
	if (pad)
		out_str(o, " ");
	add_ticks(o, fence);
}

void markdown_block(struct out *o, const char *text)
{
	size_t fence = ticks(text) + 1, n;
	uint32_t c = '\n';

	fence = fence < 3 ? 3 : fence;
	add_ticks(o, fence);
	out_str(o, "text\n");
	for (; (n = text_decode(text, SIZE_MAX, &c)) > 0; text += n)
		if (c == '\n')
			out_str(o, "\n");
		else
			add_safe(o, c);
	if (c != '\n')
		out_str(o, "\n");
	add_ticks(o, fence);
	out_str(o, "\n");
}
