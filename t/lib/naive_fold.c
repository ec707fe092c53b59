#include "naive_fold.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive_parts.h"

#define LONGEST 4096

/* Symbols by their texts. */
struct texts {
	char **text;
	uint32_t count;
};

static uint32_t symbol_of(struct texts *t, char *text)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (!strcmp(t->text[i], text)) {
			free(text);
			return i;
		}
	t->text = realloc(t->text, (t->count + 1) * sizeof *t->text);
	if (!t->text)
		abort();
	t->text[t->count] = text;
	return t->count++;
}

static char *join(const struct texts *t, const uint32_t *s, uint32_t n)
{
	size_t room = 1;
	char *text, *to;

	for (uint32_t i = 0; i < n; i++)
		room += strlen(t->text[s[i]]) + 1;
	to = text = naive_room(room, 1);
	for (uint32_t i = 0; i < n; i++)
		to += sprintf(to, "%s%s", i ? " " : "", t->text[s[i]]);
	return text;
}

static uint32_t loop_of(struct texts *t, const uint32_t *body, uint32_t p, uint32_t count)
{
	char *inside = join(t, body, p);
	char *text = naive_room(strlen(inside) + 16, 1);
	bool id = strspn(inside, "0123456789") == strlen(inside);

	sprintf(text, id ? "%" PRIu32 "*%s" : "%" PRIu32 "(%s)", count, inside);
	free(inside);
	return symbol_of(t, text);
}

/* Step 2: scan s, n symbols of it, with period p; returns how many symbols the new sequence has. */
static uint32_t scan(struct texts *t, uint32_t *s, uint32_t n, uint32_t p)
{
	uint32_t *made = naive_room(n + 1, sizeof *made), m = 0;

	for (uint32_t i = 0; i < n; ) {
		uint32_t r = 0;

		while (i + r + p < n && s[i + r] == s[i + r + p])
			r++;
		if (r >= p) {
			made[m++] = loop_of(t, s + i, p, r / p + 1);
			i += p * (r / p + 1);
		} else
			made[m++] = s[i++];
	}
	memcpy(s, made, m * sizeof *s);
	free(made);
	return m;
}

char *naive_fold(const uint32_t *sequence, uint32_t length)
{
	struct texts t = {0};
	uint32_t *s = naive_room(length + 1, sizeof *s), n = length, p = 1;
	char *result;

	for (uint32_t i = 0; i < n; i++) {
		char *text = naive_room(16, 1);

		sprintf(text, "%" PRIu32, sequence[i]);
		s[i] = symbol_of(&t, text);
	}
	while (2 * p <= n && p <= LONGEST) {
		uint32_t m = scan(&t, s, n, p);

		p = m < n ? 1 : p + 1;
		n = m;
	}
	result = join(&t, s, n);
	for (uint32_t i = 0; i < t.count; i++)
		free(t.text[i]);
	free(t.text);
	free(s);
	return result;
}
