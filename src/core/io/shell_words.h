/* A command as a person would type it into a shell. */
#ifndef PAS2P_SHELL_WORDS_H
#define PAS2P_SHELL_WORDS_H

#include "out.h"

/* The words (argv ends with NULL) with blanks between them, quoted where a shell would read them otherwise: each word
 * can be told from the next, and pasted they are the same again. What could fool a terminal is written in $'...' by its
 * bytes. */
void shell_words(struct out *o, const char *const *argv);
void shell_word(struct out *o, const char *word);
void shell_file(struct out *o, const char *path); /* a file among operands: never read as an option */
void shell_word_ascii(struct out *o, const char *word); /* for a terminal that shows nothing else */

#endif
