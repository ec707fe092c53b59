#include "markdown.h"

#include <ctype.h>
#include <string.h>

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

/* Whether a backslash must stand before c. Within a word _ is nothing but itself; everything else that could be markup is
 * escaped wherever it stands, and so are the colon of an address and the dot of "www.". */
static bool is_markup(uint32_t before, uint32_t c, const char *behind)
{
	switch (c) {
	case '\\': case '`': case '*': case '[': case ']': case '<': case '>': case '|': case '~': case '!': case '#': case '&':
	case '{': case '}': case '$':
		return true;
	case '_': return !is_word(before) || !is_word((unsigned char)*behind);
	case ':': return behind[0] == '/' || is_word((unsigned char)behind[0]);
	case '.': return before == 'w' || before == 'W';
	case '-': case '+': case '=': return before == 0;
	default: return false;
	}
}

void markdown_text(struct out *o, const char *text)
{
	uint32_t c, before = 0;
	size_t n;

	for (; (n = text_decode(text, SIZE_MAX, &c)) > 0; text += n, before = c) {
		if (c == '@') { /* a mention would call somebody */
			out_str(o, "`@`");
			continue;
		}
		if (is_markup(before, c, text + n))
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
