#include "language_int.h"

#include <string.h>

static const struct {
	const char *text;
	uint32_t least, most; /* values; 0: no function of plain values */
} words[WORDS] = {
	[WORD_AND] = {"and", 0, 0},
	[WORD_OR] = {"or", 0, 0},
	[WORD_NOT] = {"not", 0, 0},
	[WORD_RANK] = {"rank", 0, 0},
	[WORD_INF] = {"inf", 0, 0},
	[WORD_SUM] = {"sum", 0, 0},
	[WORD_MIN] = {"min", 1, UINT32_MAX},
	[WORD_MAX] = {"max", 1, UINT32_MAX},
	[WORD_ABS] = {"abs", 1, 1},
	[WORD_SQRT] = {"sqrt", 1, 1},
	[WORD_LOG] = {"log", 1, 1},
	[WORD_LOG2] = {"log2", 1, 1},
	[WORD_EXP] = {"exp", 1, 1},
	[WORD_FLOOR] = {"floor", 1, 1},
	[WORD_CEIL] = {"ceil", 1, 1},
	[WORD_ROUND] = {"round", 1, 1},
	[WORD_SHARE] = {"share", 1, 1},
	[WORD_PART] = {"part", 2, 2},
};

enum word word_of(const char *text)
{
	for (enum word w = WORD_NONE + 1; w < WORDS; w++)
		if (!strcmp(words[w].text, text))
			return w;
	return WORD_NONE;
}

const char *word_text(enum word w)
{
	return words[w].text;
}

int word_is_function(enum word w, uint32_t *least, uint32_t *most)
{
	*least = words[w].least;
	*most = words[w].most;
	return words[w].least > 0;
}
