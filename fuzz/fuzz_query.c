/* Patterns that a person typed against texts from a trace. Input: a byte of flags, the pattern, a newline, the text. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "core/base/query.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const uint8_t *newline = size ? memchr(bytes + 1, '\n', size - 1) : NULL;
	size_t pattern_size, text_size, column = 0, from = 0, to = 0;
	enum query_result result;
	struct query *q = NULL;
	char *pattern, *text;
	struct err e = {0};
	enum err_code code;

	if (!newline)
		return 0;
	pattern_size = (size_t)(newline - bytes) - 1;
	text_size = size - pattern_size - 2;
	pattern = calloc(pattern_size + 1, 1);
	text = malloc(text_size ? text_size : 1);
	memcpy(pattern, bytes + 1, pattern_size);
	if (text_size)
		memcpy(text, newline + 1, text_size);
	code = query_new(&q, pattern, bytes[0] & 3, &column, &e);
	if (code) {
		must_be_sentence((int)code, &e);
		must(!q, "an error leaves no query");
		must(column <= strlen(pattern) + 1, "the column lies in the pattern");
	} else {
		result = query_match(q, text, text_size, &from, &to);
		if (result == QUERY_YES)
			must(from <= to && to <= text_size, "a match lies in the text");
		must(query_match(q, text, text_size, NULL, NULL) == result, "a match is found again");
		if (result == QUERY_GAVE_UP)
			must_be_sentence((int)query_gave_up(q, &e), &e);
	}
	query_free(q);
	free(pattern);
	free(text);
	return 0;
}
