/* The words of the expression language, in one table: built-in functions and the operators that are words. */
#ifndef PAS2P_EXPRESSION_WORDS_H
#define PAS2P_EXPRESSION_WORDS_H

#include <stdint.h>

enum word {
	WORD_NONE, /* none of the language's */
	WORD_AND,
	WORD_OR,
	WORD_NOT,
	WORD_RANK,
	WORD_INF,
	WORD_SUM,
	WORD_MIN,
	WORD_MAX,
	WORD_ABS,
	WORD_SQRT,
	WORD_LOG,
	WORD_LOG2,
	WORD_EXP,
	WORD_FLOOR,
	WORD_CEIL,
	WORD_ROUND,
	WORD_SHARE,
	WORD_PART,
	WORDS
};

enum word word_of(const char *text);
const char *word_text(enum word w);
/* Whether it is a function, from the values that it takes: least and most (UINT32_MAX: any number). */
int word_is_function(enum word w, uint32_t *least, uint32_t *most);

#endif
