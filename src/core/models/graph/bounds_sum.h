/* Sums of times as expressions: so many of each term, like ones together. Private to bounds*.c.
 *
 * A term is a tree that is no sum, known by its text. Sums are values: their parts lie in the maker's arena, by
 * number of the term, and never change. No term is below 0, so that a sum all of whose parts another has is never
 * greater.
 */
#ifndef PAS2P_CORE_MODELS_GRAPH_BOUNDS_SUM_H
#define PAS2P_CORE_MODELS_GRAPH_BOUNDS_SUM_H

#include "core/base/index.h"
#include "core/models/language/language.h"

struct bounds_term {
	const struct expression *x;
	const char *text;
};

struct bounds_terms {
	struct expression_maker maker;
	struct bounds_term *items;
	size_t count, cap;
	struct index by_text;
};

struct bounds_part {
	uint32_t term;
	double n;
};

struct bounds_sum {
	const struct bounds_part *parts;
	uint32_t count;
};

void bounds_terms_release(struct bounds_terms *t);

/* n of a tree; nothing if it is 0. */
struct bounds_sum bounds_one(struct bounds_terms *t, double n, const struct expression *x);
struct bounds_sum bounds_add(struct bounds_terms *t, struct bounds_sum a, struct bounds_sum b);
/* n times a sum: n is a tree. */
struct bounds_sum bounds_times(struct bounds_terms *t, const struct expression *n, struct bounds_sum a);
struct bounds_sum bounds_divide(struct bounds_terms *t, struct bounds_sum a, const struct expression *by);
/* The greatest, without those that another one contains. */
struct bounds_sum bounds_greatest(struct bounds_terms *t, const struct bounds_sum *sums, uint32_t count);
/* Whether b has all that a has. */
bool bounds_contains(struct bounds_sum b, struct bounds_sum a);
const struct expression *bounds_tree(struct bounds_terms *t, struct bounds_sum a);

#endif
