/* The language of models: expressions over parameters as intervals, and the operations and functions that they know.
 * formula.h is how they are evaluated fast.
 */
#ifndef PAS2P_CORE_MODELS_LANGUAGE_LANGUAGE_H
#define PAS2P_CORE_MODELS_LANGUAGE_LANGUAGE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/mem.h"

/* ---- interval ---- */

/* Intervals of numbers, and arithmetic on them (docs/explain/models-language.md, "Model files", "Intervals").
 *
 * A value that is not known exactly is [lo, hi], lo <= hi, both finite; one that is known is a point, lo == hi. Each
 * operation gives an interval that holds every result of points of its operands. (Ends are ordinary doubles, not
 * rounded outward.)
 *
 * A condition is a number too: 0 no, 1 yes, [0, 1] not decided. `and` is the smaller, `or` the greater, `not` 1 - x.
 *
 * A result without a value (a division by an interval that contains 0, a root of less than 0) has an end that is not
 * finite: callers check interval_is_finite() after interval_div(), interval_pow() and the functions; expressions turn
 * it into a sentence.
 */

struct interval {
	double lo, hi;
};

static inline struct interval interval_point(double v)
{
	return (struct interval){v, v};
}

static inline bool interval_is_point(struct interval x)
{
	return x.lo == x.hi;
}

static inline bool interval_is_finite(struct interval x)
{
	return isfinite(x.lo) && isfinite(x.hi);
}

static inline double interval_middle(struct interval x)
{
	return x.lo == x.hi ? x.lo : x.lo / 2 + x.hi / 2;
}

static inline struct interval interval_add(struct interval a, struct interval b)
{
	return (struct interval){a.lo + b.lo, a.hi + b.hi};
}

static inline struct interval interval_sub(struct interval a, struct interval b)
{
	return (struct interval){a.lo - b.hi, a.hi - b.lo};
}

static inline struct interval interval_negate(struct interval a)
{
	return (struct interval){-a.hi, -a.lo};
}

static inline struct interval interval_min(struct interval a, struct interval b)
{
	return (struct interval){a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

static inline struct interval interval_max(struct interval a, struct interval b)
{
	return (struct interval){a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static inline struct interval interval_hull(struct interval a, struct interval b)
{
	return (struct interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

struct interval interval_mul(struct interval a, struct interval b);
struct interval interval_div(struct interval a, struct interval b); /* 0 in b: NAN */
/* By the four corners. NAN: a base below 0 to a power that is no whole point, 0 in the base to a power below 0. */
struct interval interval_pow(struct interval a, struct interval b);
struct interval interval_abs(struct interval a);

/* Conditions. */
struct interval interval_less(struct interval a, struct interval b);       /* a < b */
struct interval interval_less_equal(struct interval a, struct interval b); /* a <= b */
struct interval interval_equal(struct interval a, struct interval b);
struct interval interval_not(struct interval a);

/* One number to a power, as interval_pow() has it at the corners. */
double interval_power(double base, double exponent);

/* ---- expression ---- */

/* Expressions: the formulas of models and machines as text and as trees (docs/explain/models-language.md, "Model
 * files", "Expressions").
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
/* Whether the expression uses `rank`, so that ranks differ. */
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

/* ---- expression_make ---- */

/* Expressions made by programs: trees out of parts, as small as they can be said (docs/explain/models-language.md,
 * "Evaluation"; docs/internals/model-rules.md, "Bounds as expressions").
 *
 * One maker makes all trees of a result, in one arena. What goes wrong (no memory, more parts than `left`) stays with
 * it, and whatever is asked after that gives some tree: who made them looks at `code` once, at the end. Trees that
 * are given are not changed, and may be used any number of times. Values are taken not to be below 0.
 */

struct expression_maker {
	struct arena *arena;
	uint64_t left;       /* parts that may still be made */
	enum err_code code;
};

/* Room for n things of a size, all 0; NULL: see code. */
void *maker_room(struct expression_maker *m, size_t n, size_t size);

const struct expression *maker_number(struct expression_maker *m, double v);
const struct expression *maker_name(struct expression_maker *m, const char *name);
/* [lo, hi], or the number that both are. */
const struct expression *maker_range(struct expression_maker *m, struct interval v);
const struct expression *maker_interval(struct expression_maker *m, const struct expression *a, const struct expression *b);
/* A sum, difference, quotient, power or comparison. */
const struct expression *maker_two(struct expression_maker *m, enum expression_kind kind, const struct expression *a,
				  const struct expression *b);
/* a*b; numbers are multiplied, 1 is left out, and b's factors stand in a row with a's. */
const struct expression *maker_product(struct expression_maker *m, const struct expression *a, const struct expression *b);
/* A call of a function, or of max, min and the like. */
const struct expression *maker_call(struct expression_maker *m, const char *name, const struct expression *const *parts,
				   uint32_t count);
/* max(0, x) */
const struct expression *maker_not_negative(struct expression_maker *m, const struct expression *x);
/* sum(index, from, to, body), or max instead of sum. */
const struct expression *maker_over(struct expression_maker *m, const char *name, const char *index, const struct expression *from,
				   const struct expression *to, const struct expression *body);
/* A copy of x alone, for a tree that is changed or linked again; NULL: see code. */
struct expression *maker_copy(struct expression_maker *m, const struct expression *x);
/* Parts in a row behind x, whose depth grows with them. */
void maker_parts(struct expression_maker *m, struct expression *x, const struct expression *const *parts, uint32_t count);

static inline bool expression_is(const struct expression *x, double v)
{
	return x->kind == EXPRESSION_NUMBER && x->value >= v && x->value <= v;
}

/* ---- function ---- */

/* Functions of models and machines: a name, arguments, and an expression over them, or several by the first argument's
 * size (docs/explain/models-language.md, "Model files" and "Machine files").
 *
 *     T_inic(n): 2.12e-7*n^2 - 1.27e-6*n - 0.00043
 *     send(b): {65536: 0.0879182us*b - 82.0523us, inf: 0.0849931us*b + 2065.49us}     up to 65536 inclusive the first
 *
 * A function knows its arguments and the parameters, nothing else. Which functions there are is one list of a document;
 * formula.h binds the lists of model and machine together.
 */

struct function_piece {
	double most; /* holds to there, inclusive; the last one's is INFINITY */
	const struct expression *value;
};

struct function {
	const char *name;
	const char *const *arguments;
	uint32_t argument_count;
	uint32_t piece_count; /* at least 1; by the first argument if there is more than one */
	const struct function_piece *pieces; /* ascending */
	struct place at;
};

struct expression_functions {
	struct function *items;
	uint32_t count;
};

/* ---- operations ---- */

/* Names of operations: sum_double, compare, read (operations.c). */

enum operation_family {
	OPERATION_UNKNOWN,
	OPERATION_PROCESSOR, /* of `ops` */
	OPERATION_MEMORY     /* of `memory`: per byte */
};

enum operation_family operation_family(const char *name);

/* For sentences: "sum, sub, ... with _int, _long, _float or _double; compare, access, assign, call", "read, write,
 * copy". */
const char *operation_names(enum operation_family family);

#endif
