#include "wrap.h"

#include <stdint.h>
#include <string.h>

#include "core/base/text.h"

size_t wrap_columns(const char *text, size_t n)
{
	size_t columns = 0, step;
	uint32_t c;

	for (; n && (step = text_decode(text, n, &c)) > 0; text += step, n -= step)
		columns++;
	return columns;
}

static bool is_unit(const char *word, size_t n)
{
	static const char *const units[] = {"%", "s", "ms", "us", "µs", "ns"};

	while (n && strchr(".,;:()", word[n - 1]))
		n--;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strlen(units[i]) == n && !memcmp(units[i], word, n))
			return true;
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The length of a word and of what belongs to it: a factor behind its "x", thousands, a unit. */
static size_t word_length(const char *word)
{
	size_t n = strcspn(word, " ");

	if (n == 1 && *word == 'x' && word[1])
		return 2 + strcspn(word + 2, " ");
	while (n && is_digit(word[n - 1]) && word[n] && is_digit(word[n + 1]) && is_digit(word[n + 2]) && is_digit(word[n + 3]) &&
	       !is_digit(word[n + 4]))
		n += 4;
	if (word[n] && is_unit(word + n + 1, strcspn(word + n + 1, " ")))
		n += 1 + strcspn(word + n + 1, " ");
	return n;
}

void wrap_text(struct out *o, const char *text, size_t indent, size_t width)
{
	size_t at = 0;
	bool first = true;

	while (*text) {
		size_t gap = strspn(text, " "), n = word_length(text + gap), wide = wrap_columns(text + gap, n);

		if (!first && at + gap + wide > width && at > indent) {
			out_printf(o, "\n%*s", (int)indent, "");
			at = indent;
		} else {
			out_add(o, text, gap);
			at += gap;
		}
		out_add(o, text + gap, n);
		at += wide;
		text += gap + n;
		first = false;
	}
	out_str(o, "\n");
}
