#include "graph_int.h"

#include <string.h>

enum { UNKNOWN, YES, NO };

struct use_of_index {
	bool named, polynomial;
};

static void index_look_chain(struct program *p, struct code *chain, const char *name, struct use_of_index *u);

static void index_look_expression(struct program *p, const struct expression *x, const char *name, struct use_of_index *u)
{
	if (!x || !expression_names(x, name))
		return;
	u->named = true;
	u->polynomial = u->polynomial && library_polynomial(&p->library, x, name);
}

/* Whether what a block takes is a polynomial in its argument. */
static bool of_argument(struct program *p, struct routine *r, uint32_t argument)
{
	if (r->polynomial[argument] == UNKNOWN) {
		struct use_of_index u = {false, true};

		index_look_chain(p, r->body, r->block->arguments[argument], &u);
		r->polynomial[argument] = u.polynomial ? YES : NO;
	}
	return r->polynomial[argument] == YES;
}

static void index_look_chain(struct program *p, struct code *chain, const char *name, struct use_of_index *u)
{
	for (struct code *c = chain; c; c = c->next) {
		const struct model_node *n = c->node;
		const struct expression *const all[] = {n->value, n->split_compute, n->split_bytes, n->peer, n->bytes, n->tag, n->root,
							n->first, n->last};
		struct use_of_index inside = {false, true};

		for (size_t i = 0; i < sizeof all / sizeof *all; i++)
			index_look_expression(p, all[i], name, &inside);
		for (uint32_t i = 0; i < n->operation_count; i++)
			index_look_expression(p, n->operations[i].count, name, &inside);
		for (uint32_t i = 0; i < n->argument_count; i++) {
			index_look_expression(p, n->arguments[i], name, &inside);
			if (expression_names(n->arguments[i], name) && !of_argument(p, c->block, i))
				inside.polynomial = false;
		}
		/* An inner index of the same name hides this one. */
		if (!((c->kind == NODE_LOOP || c->kind == NODE_PAR) && n->word && strcmp(n->word, name) == 0))
			index_look_chain(p, c->body, name, &inside);
		index_look_chain(p, c->otherwise, name, &inside);
		u->named |= inside.named;
		u->polynomial &= inside.polynomial && !(c->kind == NODE_PAR && inside.named); /* the greatest of several is none */
	}
}

void program_index(struct program *p, struct code *code)
{
	struct use_of_index u = {false, true};

	index_look_chain(p, code->body, code->node->word, &u);
	code->index_named = u.named;
	code->index_polynomial = u.polynomial;
}
