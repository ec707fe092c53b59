#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/text.h"

void fuzz_must(int holds, const char *file, int line, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s:%d: %s\n", file, line, what);
	abort();
}

static void must_be_safe(const char *line)
{
	char safe[2 * ERR_TEXT];

	text_safe(safe, sizeof safe, line, SIZE_MAX, TEXT_UTF8);
	if (strcmp(safe, line))
		fprintf(stderr, "the sentence: %s\n", safe);
	must(!strcmp(safe, line), "an error's sentence is safe to print");
}

void must_be_sentence(int code, const struct err *e)
{
	char first[sizeof e->text];
	const char *hint = strstr(e->text, "\nhint: ");
	size_t length = hint ? (size_t)(hint - e->text) : strlen(e->text);

	must(code == (int)e->code, "the error's code is the one returned");
	must(e->text[0] != '\0', "an error says something");
	memcpy(first, e->text, length);
	first[length] = '\0';
	must_be_safe(first);
	if (hint)
		must_be_safe(hint + 1);
}
