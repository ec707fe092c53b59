/* Declarations that only the files of src/core/models/language use. Each part begins with its own description. */
#ifndef PAS2P_CORE_MODELS_LANGUAGE_LANGUAGE_INT_H
#define PAS2P_CORE_MODELS_LANGUAGE_LANGUAGE_INT_H

#include <stdbool.h>
#include <stdint.h>

#include "formula.h"

/* ---- apportion ---- */

/* Whole tasks shared out in proportion, by the method of the largest remainder (docs/explain/models-language.md, "Model
 * files", part()).
 *
 * Each rank first gets its quota n x share, rounded down. The tasks that are left go one each to the ranks with the
 * largest remainders, of equal ones to the lower rank. Remainders within APPORTION_EQUAL of each other are equal: that
 * is what rounding of the shares may make of them. The parts always add up to n.
 */

#define APPORTION_EQUAL 1e-9
#define APPORTION_MOST 9007199254740992.0 /* tasks: above, numbers have gaps */

/* Whether there can be n tasks: a whole number from 0 to APPORTION_MOST. */
bool apportion_whole(double n);

/* The part of each rank. share: of each rank, adding up to 1; NULL: all alike. false: no memory. */
bool apportion(double n, const double *share, uint32_t ranks, double *part);

/* The quota of n tasks rounded down, and rounded up: a part is one of the two. */
double apportion_least(double n, double share);
double apportion_most(double n, double share);

/* ---- expression_words ---- */

/* The words of the expression language, in one table: built-in functions and the operators that are words. */

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

/* ---- formula_code ---- */

/* What formula.c makes and formula_run.c runs: an expression as instructions in post-order, for a machine with a stack.
 *
 * A formula has a frame of the stack: the arguments of a function are its first slots, then come intermediate values
 * and the indices of sums. OVER takes from and to, puts the index in the slot on top, and runs the `index` instructions
 * behind it once for each.
 */

enum code_op {
	CODE_NUMBER,    /* value */
	CODE_PARAMETER, /* index */
	CODE_LOCAL,     /* index */
	CODE_SLOT,      /* index, in the frame */
	CODE_RANK,
	CODE_INTERVAL,
	CODE_NEGATE,
	CODE_NOT,
	CODE_OR,        /* = the greater, as max */
	CODE_AND,
	CODE_LESS,
	CODE_LESS_EQUAL,
	CODE_GREATER,
	CODE_GREATER_EQUAL,
	CODE_EQUAL,
	CODE_NOT_EQUAL,
	CODE_ADD,
	CODE_SUB,
	CODE_MUL,
	CODE_DIV,
	CODE_POW,
	CODE_ABS,
	CODE_SQRT,
	CODE_LOG,
	CODE_LOG2,
	CODE_EXP,
	CODE_FLOOR,
	CODE_CEIL,
	CODE_ROUND,
	CODE_SHARE,
	CODE_PART,
	CODE_CALL,      /* index: the function; count: its values */
	CODE_SUM,       /* index: instructions of the body */
	CODE_LEAST,
	CODE_GREATEST
};

struct instruction {
	uint8_t op; /* enum code_op */
	uint16_t count;
	uint32_t index;
	double value;
	const struct expression *at;
};

struct formula {
	const struct expression *x;
	const struct instruction *code;
	uint32_t count, room; /* instructions; slots of the stack that they need */
	bool constant;
	struct interval value; /* if constant */
};

struct bound_function {
	const struct function *f;
	const struct formula **pieces; /* NULL: not bound */
	bool asked;                    /* bound, or waits for it */
	uint32_t next;                 /* that waits */
};

/* Runs a formula that needs no values; false: it has none. */
bool formula_fold(const struct library *l, const struct formula *f, struct interval *value);

#endif
