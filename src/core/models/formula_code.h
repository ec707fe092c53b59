/* What formula.c makes and formula_run.c runs: an expression as instructions in post-order, for a machine with a stack.
 *
 * A formula has a frame of the stack: the arguments of a function are its first slots, then come intermediate values
 * and the indices of sums. OVER takes from and to, puts the index in the slot on top, and runs the `index` instructions
 * behind it once for each.
 */
#ifndef PAS2P_FORMULA_CODE_H
#define PAS2P_FORMULA_CODE_H

#include "formula.h"

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
