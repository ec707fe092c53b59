#include "graph_int.h"

#include <math.h>
#include <string.h>

#include "core/base/hash.h"

static bool same_term(const void *records, uint32_t i, const void *key)
{
	return !strcmp(((const struct bounds_term *)records)[i].text, key);
}

static uint64_t hash_term(const void *records, uint32_t i)
{
	return hash_text(0, ((const struct bounds_term *)records)[i].text);
}

void bounds_terms_release(struct bounds_terms *t)
{
	index_release(&t->by_text);
	mem_free(t->items);
	*t = (struct bounds_terms){.count = 0};
}

/* The number of a tree's term. */
static uint32_t term_of(struct bounds_terms *t, const struct expression *x)
{
	struct bounds_term *grown;
	const char *text;
	uint32_t *slot;

	if (t->maker.code)
		return 0;
	text = expression_text(t->maker.arena, x);
	grown = text ? mem_grow(t->items, t->count, &t->cap, sizeof *grown) : NULL;
	if (grown)
		t->items = grown;
	slot = grown ? index_slot(&t->by_text, hash_text(0, text), t->items, (uint32_t)t->count, same_term, hash_term, text) : NULL;
	if (!slot) {
		t->maker.code = ERR_MEMORY;
		return 0;
	}
	if (strlen(text) > t->maker.left)
		t->maker.code = ERR_LIMIT;
	else
		t->maker.left -= strlen(text);
	if (!*slot) {
		t->items[t->count++] = (struct bounds_term){x, text};
		*slot = (uint32_t)t->count;
	}
	return *slot - 1;
}

struct bounds_sum bounds_one(struct bounds_terms *t, double n, const struct expression *x)
{
	struct bounds_part *part;

	if (t->maker.code || !(n > 0))
		return (struct bounds_sum){NULL, 0};
	/* Numbers are so many times 1, and those in front of products go to the count. */
	if (x->kind == EXPRESSION_NUMBER && !expression_is(x, 1))
		return bounds_one(t, n * x->value, maker_number(&t->maker, 1));
	if (x->kind == EXPRESSION_MUL && x->first->kind == EXPRESSION_NUMBER)
		return bounds_one(t, n * x->first->value, x->first->next);
	part = maker_room(&t->maker, 1, sizeof *part);
	if (!part)
		return (struct bounds_sum){NULL, 0};
	*part = (struct bounds_part){term_of(t, x), n};
	return (struct bounds_sum){part, !t->maker.code};
}

struct bounds_sum bounds_add(struct bounds_terms *t, struct bounds_sum a, struct bounds_sum b)
{
	struct bounds_part *parts;
	uint32_t i = 0, k = 0, n = 0;

	if (!a.count || !b.count || t->maker.code)
		return a.count ? a : b;
	parts = maker_room(&t->maker, (size_t)a.count + b.count, sizeof *parts);
	if (!parts)
		return a;
	while (i < a.count || k < b.count) {
		if (k == b.count || (i < a.count && a.parts[i].term < b.parts[k].term)) {
			parts[n++] = a.parts[i++];
		} else if (i == a.count || b.parts[k].term < a.parts[i].term) {
			parts[n++] = b.parts[k++];
		} else {
			parts[n] = a.parts[i++];
			parts[n++].n += b.parts[k++].n;
		}
	}
	return (struct bounds_sum){parts, n};
}

static const struct expression *part_tree(struct bounds_terms *t, struct bounds_part part)
{
	return maker_product(&t->maker, maker_number(&t->maker, part.n), t->items[part.term].x);
}

const struct expression *bounds_tree(struct bounds_terms *t, struct bounds_sum a)
{
	const struct expression *x;

	if (!a.count || t->maker.code)
		return maker_number(&t->maker, 0);
	x = part_tree(t, a.parts[0]);
	for (uint32_t i = 1; i < a.count && !t->maker.code; i++)
		x = maker_two(&t->maker, EXPRESSION_ADD, x, part_tree(t, a.parts[i]));
	return x;
}

struct bounds_sum bounds_times(struct bounds_terms *t, const struct expression *n, struct bounds_sum a)
{
	struct bounds_part *parts;

	if (!a.count || expression_is(n, 1))
		return a;
	if (a.count == 1)
		return bounds_one(t, a.parts[0].n, maker_product(&t->maker, n, t->items[a.parts[0].term].x));
	if (n->kind != EXPRESSION_NUMBER)
		return bounds_one(t, 1, maker_product(&t->maker, n, bounds_tree(t, a)));
	if (!(n->value > 0))
		return (struct bounds_sum){NULL, 0};
	parts = maker_room(&t->maker, a.count, sizeof *parts);
	for (uint32_t i = 0; parts && i < a.count; i++)
		parts[i] = (struct bounds_part){a.parts[i].term, n->value * a.parts[i].n};
	return (struct bounds_sum){parts, parts ? a.count : 0};
}

struct bounds_sum bounds_divide(struct bounds_terms *t, struct bounds_sum a, const struct expression *by)
{
	if (!a.count || expression_is(by, 1))
		return a;
	if (a.count == 1)
		return bounds_one(t, a.parts[0].n, maker_two(&t->maker, EXPRESSION_DIV, t->items[a.parts[0].term].x, by));
	return bounds_one(t, 1, maker_two(&t->maker, EXPRESSION_DIV, bounds_tree(t, a), by));
}

/* How often it has a term. */
static double term_count(struct bounds_sum a, uint32_t term)
{
	for (uint32_t i = 0; i < a.count && a.parts[i].term <= term; i++)
		if (a.parts[i].term == term)
			return a.parts[i].n;
	return 0;
}

bool bounds_contains(struct bounds_sum b, struct bounds_sum a)
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < a.count; i++, k++) {
		while (k < b.count && b.parts[k].term < a.parts[i].term)
			k++;
		if (k == b.count || b.parts[k].term != a.parts[i].term || b.parts[k].n < a.parts[i].n)
			return false;
	}
	return true;
}

/* What all of them have. */
static struct bounds_sum common_parts(struct bounds_terms *t, const struct bounds_sum *sums, uint32_t count)
{
	struct bounds_part *parts = maker_room(&t->maker, sums[0].count, sizeof *parts);
	uint32_t n = 0;

	for (uint32_t i = 0; parts && i < sums[0].count; i++) {
		struct bounds_part part = sums[0].parts[i];

		for (uint32_t k = 1; k < count && part.n > 0; k++)
			part.n = fmin(part.n, term_count(sums[k], part.term));
		if (part.n > 0)
			parts[n++] = part;
	}
	return (struct bounds_sum){parts, n};
}

static struct bounds_sum sum_without(struct bounds_terms *t, struct bounds_sum a, struct bounds_sum less)
{
	struct bounds_part *parts = maker_room(&t->maker, a.count, sizeof *parts);
	uint32_t n = 0;

	for (uint32_t i = 0; parts && i < a.count; i++) {
		struct bounds_part part = a.parts[i];

		part.n -= term_count(less, part.term);
		if (part.n > 0)
			parts[n++] = part;
	}
	return (struct bounds_sum){parts, n};
}

struct bounds_sum bounds_greatest(struct bounds_terms *t, const struct bounds_sum *sums, uint32_t count)
{
	struct bounds_sum *needed = maker_room(&t->maker, count, sizeof *needed), all;
	const struct expression **trees = maker_room(&t->maker, count, sizeof *trees);
	uint32_t n = 0;

	for (uint32_t i = 0; i < count && trees; i++) {
		bool greater = sums[i].count > 0;

		/* Of equal ones the first stays. */
		for (uint32_t k = 0; greater && k < count; k++)
			greater = k == i || !bounds_contains(sums[k], sums[i]) || (k > i && bounds_contains(sums[i], sums[k]));
		if (greater)
			needed[n++] = sums[i];
	}
	if (!trees || !n)
		return (struct bounds_sum){NULL, 0};
	if (n == 1)
		return needed[0];
	all = common_parts(t, needed, n);
	for (uint32_t i = 0; i < n; i++)
		trees[i] = bounds_tree(t, sum_without(t, needed[i], all));
	return bounds_add(t, all, bounds_one(t, 1, maker_call(&t->maker, "max", trees, n)));
}
