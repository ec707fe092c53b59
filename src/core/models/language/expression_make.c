#include "language.h"

#include <string.h>

#define MOST_LEVELS 900 /* of a tree: what is printed can be read again */

/* Stands for what could not be made. */
static const struct expression nothing = {.kind = EXPRESSION_NUMBER, .depth = 1, .at = {"", 0, 0}};

void *maker_room(struct expression_maker *m, size_t n, size_t size)
{
	void *room = NULL;

	if (!m->code && n > m->left)
		m->code = ERR_LIMIT;
	if (!m->code) {
		m->left -= n;
		room = arena_alloc(m->arena, (n ? n : 1) * size);
		if (!room)
			m->code = ERR_MEMORY;
	}
	return room;
}

struct expression *maker_copy(struct expression_maker *m, const struct expression *x)
{
	struct expression *copy = maker_room(m, 1, sizeof *copy);

	if (copy) {
		*copy = *x;
		copy->next = NULL;
	}
	return copy;
}

void maker_parts(struct expression_maker *m, struct expression *x, const struct expression *const *parts, uint32_t count)
{
	struct expression *last = NULL;

	x->first = NULL;
	x->count = count;
	x->depth = 1;
	for (uint32_t i = 0; i < count && !m->code; i++) {
		struct expression *part = maker_copy(m, parts[i]);

		if (!part)
			return;
		if (last)
			last->next = part;
		else
			x->first = part;
		last = part;
		if (x->depth <= part->depth)
			x->depth = (uint16_t)(part->depth + 1);
	}
	if (!m->code && x->depth > MOST_LEVELS)
		m->code = ERR_LIMIT;
}

static const struct expression *make_tree(struct expression_maker *m, struct expression x, const struct expression *const *parts,
					  uint32_t count)
{
	struct expression *made;

	x.at = nothing.at;
	x.depth = 1;
	made = maker_copy(m, &x);
	if (!made)
		return &nothing;
	maker_parts(m, made, parts, count);
	return m->code ? &nothing : made;
}

const struct expression *maker_number(struct expression_maker *m, double v)
{
	return make_tree(m, (struct expression){.kind = EXPRESSION_NUMBER, .value = v}, NULL, 0);
}

const struct expression *maker_name(struct expression_maker *m, const char *name)
{
	return make_tree(m, (struct expression){.kind = EXPRESSION_NAME, .name = name}, NULL, 0);
}

const struct expression *maker_interval(struct expression_maker *m, const struct expression *a, const struct expression *b)
{
	return maker_two(m, EXPRESSION_INTERVAL, a, b);
}

const struct expression *maker_range(struct expression_maker *m, struct interval v)
{
	return interval_is_point(v) ? maker_number(m, v.lo) : maker_interval(m, maker_number(m, v.lo), maker_number(m, v.hi));
}

const struct expression *maker_two(struct expression_maker *m, enum expression_kind kind, const struct expression *a,
				  const struct expression *b)
{
	return make_tree(m, (struct expression){.kind = (uint8_t)kind}, (const struct expression *const[]){a, b}, 2);
}

const struct expression *maker_product(struct expression_maker *m, const struct expression *a, const struct expression *b)
{
	if (expression_is(a, 1))
		return b;
	if (expression_is(b, 1))
		return a;
	if (a->kind == EXPRESSION_NUMBER && b->kind == EXPRESSION_NUMBER)
		return maker_number(m, a->value * b->value);
	if (b->kind == EXPRESSION_MUL || b->kind == EXPRESSION_DIV)
		return maker_two(m, (enum expression_kind)b->kind, maker_product(m, a, b->first), b->first->next);
	return maker_two(m, EXPRESSION_MUL, a, b);
}

const struct expression *maker_call(struct expression_maker *m, const char *name, const struct expression *const *parts,
				   uint32_t count)
{
	return make_tree(m, (struct expression){.kind = EXPRESSION_CALL, .name = name}, parts, count);
}

const struct expression *maker_not_negative(struct expression_maker *m, const struct expression *x)
{
	return maker_call(m, "max", (const struct expression *const[]){maker_number(m, 0), x}, 2);
}

const struct expression *maker_over(struct expression_maker *m, const char *name, const char *index, const struct expression *from,
				   const struct expression *to, const struct expression *body)
{
	return make_tree(m, (struct expression){.kind = EXPRESSION_OVER, .name = name, .index = index},
			 (const struct expression *const[]){from, to, body}, 3);
}
