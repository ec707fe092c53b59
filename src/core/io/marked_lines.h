/* What a program of ours prints in a job, among whatever else the job prints: lines that have a mark, wherever in the
 * line it begins, since launchers put words of their own in front. A last line without end is not whole, and none. */
#ifndef PAS2P_MARKED_LINES_H
#define PAS2P_MARKED_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MARKED_WORDS 16

struct marked_lines {
	char *at, *end;      /* text that is cut into words; the byte at `end` is a NUL */
	const char *mark;    /* "pas2p-probe " */
};

struct marked_line {
	char *word[MARKED_WORDS]; /* behind the mark; words beyond the last are left out */
	size_t count;
};

/* The next line that has the mark. False: there is none. */
bool marked_next(struct marked_lines *m, struct marked_line *l);

/* Words as numbers; false: the word is none such. "-" is a real number that is not known: NAN. */
bool marked_real(const char *word, double *to);
bool marked_whole(const char *word, uint64_t most, uint64_t *to);
bool marked_small(const char *word, uint32_t *to); /* below UINT32_MAX */

#endif
