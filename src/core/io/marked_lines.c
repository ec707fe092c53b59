#include "marked_lines.h"

#include <math.h>
#include <string.h>

#include "core/base/number.h"

static void split(struct marked_line *l, char *text)
{
	l->count = 0;
	while (l->count < MARKED_WORDS && *(text += strspn(text, " \t\r"))) {
		l->word[l->count++] = text;
		text += strcspn(text, " \t\r");
		if (*text)
			*text++ = '\0';
	}
}

bool marked_next(struct marked_lines *m, struct marked_line *l)
{
	while (m->at < m->end) {
		char *line = m->at, *next = memchr(line, '\n', (size_t)(m->end - line)), *found;

		if (!next)
			return false;
		*next = '\0';
		m->at = next + 1;
		found = strstr(line, m->mark);
		if (found) {
			split(l, found + strlen(m->mark));
			return true;
		}
	}
	return false;
}

bool marked_real(const char *word, double *to)
{
	*to = NAN;
	return !strcmp(word, "-") || number_parse(word, strlen(word), to);
}

bool marked_whole(const char *word, uint64_t most, uint64_t *to)
{
	return number_parse_whole(word, strlen(word), to) && *to <= most;
}

bool marked_small(const char *word, uint32_t *to)
{
	uint64_t v;
	bool good = marked_whole(word, UINT32_MAX - 1, &v);

	*to = good ? (uint32_t)v : 0;
	return good;
}
