/* The words of a command line: between blanks, or in quotes ("my file.csv", 'it'). What begins with -- is an option and
 * stands anywhere; behind a word -- alone nothing is. */
#ifndef PAS2P_TUI_WORDS_H
#define PAS2P_TUI_WORDS_H

#include <stdbool.h>

#include "core/base/err.h"
#include "tui/widgets/prompt.h"

#define WORDS 32

struct words {
	char text[PROMPT_TEXT + WORDS];
	const char *word[WORDS + 1]; /* NULL behind the last */
	int count;
	unsigned options;            /* bits, in the order of those that there are */
};

/* What a command called `name` takes: from `least` to `most` words, said as `arguments`, and options between bars.
 * ERR_USAGE: too few or too many words, no such option, or a quote that does not end. */
enum err_code words_split(struct words *w, const char *line, const char *name, const char *arguments, int least, int most,
			  const char *options, struct err *e);

/* A word as it has to be typed: in quotes if it needs them. False: there is no room. */
bool words_quote(const char *word, char *out, size_t size);

#endif
