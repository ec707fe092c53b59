/* Expressions: the formulas of models and machines as text and as trees (docs/models.md 6, "Expressions").
 *
 * expression_parse() makes a tree of a text, by precedence:
 *
 *     or   and   not   < <= > >= == != (not chained)   + -   * /   unary -   ^ (right to left: -2^2 is -4)
 *
 * with numbers that may have a unit (3us is 0.000003), intervals [a, b], names, and calls of functions. Nothing is
 * known yet of what the names mean: that is what binding is for (formula.h), which also evaluates. A tree never
 * changes; it and its names lie in the arena that it was given. Each part knows where it begins, so that every error
 * can say where.
 *
 * Limits: EXPRESSION_DEPTH levels of nesting, EXPRESSION_ARGUMENTS values of a call (any number of min and max).
 */
#ifndef PAS2P_EXPRESSION_H
#define PAS2P_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "interval.h"

#define EXPRESSION_DEPTH 64
#define EXPRESSION_ARGUMENTS 16
#define EXPRESSION_TEXT 65536 /* characters */

/* Where a text stands, for sentences. */
struct place {
	const char *file; /* its name, safe; outlives what was made from the text */
	uint32_t line;    /* from 1 */
	uint32_t column;  /* from 1; 0: not known (a text folded from several lines) */
};

enum expression_kind {
	EXPRESSION_NUMBER,   /* value */
	EXPRESSION_INTERVAL, /* [first, second] */
	EXPRESSION_NAME,     /* name */
	EXPRESSION_CALL,     /* name(parts); of a built-in function, or of one of model and machine */
	EXPRESSION_OVER,     /* sum, max or min (name) over an index: parts are from, to, and what is added up or compared */
	EXPRESSION_NEGATE,   /* unary; the rest binary */
	EXPRESSION_NOT,
	EXPRESSION_OR,
	EXPRESSION_AND,
	EXPRESSION_LESS,
	EXPRESSION_LESS_EQUAL,
	EXPRESSION_GREATER,
	EXPRESSION_GREATER_EQUAL,
	EXPRESSION_EQUAL,
	EXPRESSION_NOT_EQUAL,
	EXPRESSION_ADD,
	EXPRESSION_SUB,
	EXPRESSION_MUL,
	EXPRESSION_DIV,
	EXPRESSION_POW
};

struct expression {
	uint8_t kind;                    /* enum expression_kind */
	uint16_t depth;                  /* levels from here down, 1 for a leaf */
	uint32_t count;                  /* parts */
	struct place at;                 /* a binary one: of its operator */
	double value;                    /* of a number, in seconds if it had a unit */
	const char *name;                /* of a name, a call, an OVER */
	const char *index;               /* of an OVER: the name of its index */
	const struct expression *first, *next; /* the parts: first, then next of each */
};

/* ERR_FORMAT: "matmul.yaml: line 14, column 9: expected ')', found 'n'". */
enum err_code expression_parse(struct arena *arena, const char *text, struct place at, const struct expression **x,
			       struct err *e);

/* A number as a tree, for what has a default; NULL: no memory. */
const struct expression *expression_number(struct arena *arena, double value, struct place at);
/* [a, b], as YAML's own lists have it. NULL: no memory. a and b are parts of it from now on, and of nothing else. */
const struct expression *expression_interval(struct arena *arena, const struct expression *a,
					     const struct expression *b);

/* The canonical text: the fewest parentheses, numbers with the fewest digits that read back, times in seconds. What
 * it gives reads back to the same tree. In the arena; NULL: no memory. */
const char *expression_text(struct arena *arena, const struct expression *x);

/* Whether the name occurs, other than as the index of a sum inside. */
bool expression_names(const struct expression *x, const char *name);
/* Whether some rank is told apart: `rank` is named. */
static inline bool expression_names_rank(const struct expression *x)
{
	return expression_names(x, "rank");
}

/* A word of the language that no parameter, argument, index, block or function may be called. */
bool expression_is_reserved(const char *name);
/* Letters, digits and _, no digit first. */
bool expression_is_name(const char *text, size_t n);

/* "matmul.yaml: line 14, column 9: WHAT" as an error of that code. */
enum err_code place_err(const struct place *at, enum err_code code, struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
