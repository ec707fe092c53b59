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

void must_be_sentence(int code, const struct err *e)
{
	char safe[2 * ERR_TEXT];

	must(code == (int)e->code, "the error's code is the one returned");
	must(e->text[0] != '\0', "an error says something");
	text_safe(safe, sizeof safe, e->text, SIZE_MAX, TEXT_UTF8);
	if (strcmp(safe, e->text))
		fprintf(stderr, "the sentence: %s\n", safe);
	must(!strcmp(safe, e->text), "an error's sentence is safe to print");
}
