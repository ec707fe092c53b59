/* Expressions made by programs: trees out of parts, as small as they can be said (docs/models.md 8, "As expressions").
 *
 * One maker makes all trees of a result, in one arena. What goes wrong (no memory, more parts than `left`) stays with it,
 * and whatever is asked after that gives some tree: who made them looks at `code` once, at the end. Trees that are given
 * are not changed, and may be used any number of times. Values are taken not to be below 0.
 */
#ifndef PAS2P_EXPRESSION_MAKE_H
#define PAS2P_EXPRESSION_MAKE_H

#include "expression.h"

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
/* A copy of x alone, for a tree that is changed or linked anew; NULL: see code. */
struct expression *maker_copy(struct expression_maker *m, const struct expression *x);
/* Parts in a row behind x, whose depth grows with them. */
void maker_parts(struct expression_maker *m, struct expression *x, const struct expression *const *parts, uint32_t count);

static inline bool expression_is(const struct expression *x, double v)
{
	return x->kind == EXPRESSION_NUMBER && x->value >= v && x->value <= v;
}

#endif
