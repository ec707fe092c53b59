#include <math.h>
#include <string.h>

#include "formula.h"
#include "language_int.h"

#define MOST_LOOKS 2000 /* parts that are looked at: functions that call functions may be many more */

struct polynomial_look {
	const struct library *l;
	uint32_t left;
	unsigned depth; /* of functions */
};

static bool polynomial(struct polynomial_look *k, const struct expression *x, const char *name);

/* A call of a function that is a polynomial in each argument that is one. */
static bool call_is_polynomial(struct polynomial_look *k, const struct expression *x, const char *name)
{
	uint32_t function = word_of(x->name) == WORD_NONE ? library_find(k->l, x->name) : LIBRARY_NONE;
	const struct expression *part = x->first;
	const struct function *f;
	bool good = true;

	if (function == LIBRARY_NONE || k->depth == FUNCTION_DEPTH)
		return false;
	f = library_function(k->l, function);
	if (f->piece_count != 1 || f->argument_count != x->count)
		return false;
	k->depth++;
	for (uint32_t i = 0; part && good; part = part->next, i++)
		good = !expression_names(part, name) ||
		       (polynomial(k, part, name) && polynomial(k, f->pieces[0].value, f->arguments[i]));
	k->depth--;
	return good;
}

/* Sums over ends that are polynomials are polynomials, if what is added up is one in the index as well. */
static bool over_is_polynomial(struct polynomial_look *k, const struct expression *x, const char *name)
{
	const struct expression *from = x->first, *to = from->next, *body = to->next;
	bool ends = expression_names(from, name) || expression_names(to, name);

	if (word_of(x->name) != WORD_SUM)
		return false;
	return polynomial(k, from, name) && polynomial(k, to, name) &&
	       (!strcmp(x->index, name) || polynomial(k, body, name)) && (!ends || polynomial(k, body, x->index));
}

static bool polynomial(struct polynomial_look *k, const struct expression *x, const char *name)
{
	const struct expression *second = x->first ? x->first->next : NULL;

	if (!k->left)
		return false;
	k->left--;
	if (!expression_names(x, name))
		return true;
	switch ((enum expression_kind)x->kind) {
	case EXPRESSION_NAME:
		return true;
	case EXPRESSION_CALL:
		return call_is_polynomial(k, x, name);
	case EXPRESSION_OVER:
		return over_is_polynomial(k, x, name);
	case EXPRESSION_NEGATE:
		return polynomial(k, x->first, name);
	case EXPRESSION_ADD:
	case EXPRESSION_SUB:
	case EXPRESSION_MUL:
		return polynomial(k, x->first, name) && polynomial(k, second, name);
	case EXPRESSION_DIV:
		return !expression_names(second, name) && polynomial(k, x->first, name);
	case EXPRESSION_POW:
		return second->kind == EXPRESSION_NUMBER && floor(second->value) == second->value && polynomial(k, x->first, name);
	default:
		return false;
	}
}

bool library_polynomial(const struct library *l, const struct expression *x, const char *name)
{
	struct polynomial_look k = {.l = l, .left = MOST_LOOKS};

	return polynomial(&k, x, name);
}
