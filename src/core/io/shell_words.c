#include "shell_words.h"

#include <string.h>

#include "core/base/text.h"

/* Every character can be shown as it is. U+FFFD is shown for what cannot be, so it is none of them. */
static bool can_be_shown(const char *word)
{
	size_t left = strlen(word), n;
	uint32_t c;

	for (; (n = text_decode(word, left, &c)) > 0; word += n, left -= n)
		if (!text_is_safe(c) || c == 0xfffd)
			return false;
	return true;
}

static void escaped(struct out *o, const char *word)
{
	out_str(o, "$'");
	for (const unsigned char *p = (const unsigned char *)word; *p; p++) {
		if (*p == '\n')
			out_str(o, "\\n");
		else if (*p == '\'' || *p == '\\')
			out_printf(o, "\\%c", *p);
		else if (*p < 0x20 || *p > 0x7e)
			out_printf(o, "\\%03o", *p); /* not \x: that would take digits that follow with it */
		else
			out_add(o, (const char *)p, 1);
	}
	out_str(o, "'");
}

void shell_word(struct out *o, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";

	if (*word && !word[strspn(word, plain)]) {
		out_str(o, word);
	} else if (!can_be_shown(word)) {
		escaped(o, word);
	} else {
		out_str(o, "'");
		for (; *word; word++)
			out_str(o, *word == '\'' ? "'\\''" : (const char[]){*word, '\0'});
		out_str(o, "'");
	}
}

void shell_file(struct out *o, const char *path)
{
	if (path[0] == '-')
		out_str(o, "./");
	shell_word(o, path);
}

void shell_word_ascii(struct out *o, const char *word)
{
	bool ascii = true;

	for (const char *c = word; *c; c++)
		ascii &= (unsigned char)*c < 0x80;
	if (ascii)
		shell_word(o, word);
	else
		escaped(o, word);
}

void shell_words(struct out *o, const char *const *argv)
{
	for (const char *const *word = argv; *word; word++) {
		if (word > argv)
			out_str(o, " ");
		shell_word(o, *word);
	}
}
