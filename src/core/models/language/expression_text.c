#include "language.h"

#include <string.h>

#include "core/io/out.h"
#include "language_int.h"

/* How much an operator binds; a part that binds less stands in parentheses. */
enum { BINDS_OR = 1, BINDS_AND, BINDS_NOT, BINDS_COMPARE, BINDS_ADD, BINDS_MUL, BINDS_NEGATE, BINDS_POW, BINDS_VALUE };

static const struct {
	const char *text;
	int binds;
} shapes[] = {
	[EXPRESSION_NEGATE] = {"-", BINDS_NEGATE},
	[EXPRESSION_NOT] = {"not ", BINDS_NOT},
	[EXPRESSION_OR] = {" or ", BINDS_OR},
	[EXPRESSION_AND] = {" and ", BINDS_AND},
	[EXPRESSION_LESS] = {" < ", BINDS_COMPARE},
	[EXPRESSION_LESS_EQUAL] = {" <= ", BINDS_COMPARE},
	[EXPRESSION_GREATER] = {" > ", BINDS_COMPARE},
	[EXPRESSION_GREATER_EQUAL] = {" >= ", BINDS_COMPARE},
	[EXPRESSION_EQUAL] = {" == ", BINDS_COMPARE},
	[EXPRESSION_NOT_EQUAL] = {" != ", BINDS_COMPARE},
	[EXPRESSION_ADD] = {" + ", BINDS_ADD},
	[EXPRESSION_SUB] = {" - ", BINDS_ADD},
	[EXPRESSION_MUL] = {"*", BINDS_MUL},
	[EXPRESSION_DIV] = {"/", BINDS_MUL},
	[EXPRESSION_POW] = {"^", BINDS_POW},
};

static void write(struct out *o, const struct expression *x, int least);

static void write_parts(struct out *o, const struct expression *first)
{
	for (const struct expression *part = first; part; part = part->next) {
		write(o, part, BINDS_OR);
		if (part->next)
			out_str(o, ", ");
	}
}

static void write_call(struct out *o, const struct expression *x)
{
	/* Four values, the first a bare name, would go over an index. */
	bool taken = (!strcmp(x->name, "min") || !strcmp(x->name, "max")) &&
		     x->count == 4 && x->first->kind == EXPRESSION_NAME;

	out_printf(o, "%s(", x->name);
	if (taken) {
		out_printf(o, "(%s), ", x->first->name);
		write_parts(o, x->first->next);
	} else {
		write_parts(o, x->first);
	}
	out_str(o, ")");
}

/* Comparisons are not chained, ^ goes from right to left, the rest from left to right. */
static void write_binary(struct out *o, const struct expression *x)
{
	int binds = shapes[x->kind].binds;

	write(o, x->first, binds + (binds == BINDS_COMPARE || binds == BINDS_POW));
	out_str(o, shapes[x->kind].text);
	write(o, x->first->next, binds == BINDS_POW ? BINDS_NEGATE : binds + 1);
}

static void write(struct out *o, const struct expression *x, int least)
{
	bool closed = x->kind < EXPRESSION_NEGATE || shapes[x->kind].binds >= least;

	if (!closed)
		out_str(o, "(");
	switch ((enum expression_kind)x->kind) {
	case EXPRESSION_NUMBER:
		out_double(o, x->value);
		break;
	case EXPRESSION_INTERVAL:
		out_str(o, "[");
		write_parts(o, x->first);
		out_str(o, "]");
		break;
	case EXPRESSION_NAME:
		out_str(o, x->name);
		break;
	case EXPRESSION_CALL:
		write_call(o, x);
		break;
	case EXPRESSION_OVER:
		out_printf(o, "%s(%s, ", x->name, x->index);
		write_parts(o, x->first);
		out_str(o, ")");
		break;
	case EXPRESSION_NEGATE:
	case EXPRESSION_NOT:
		out_str(o, shapes[x->kind].text);
		write(o, x->first, shapes[x->kind].binds);
		break;
	default:
		write_binary(o, x);
	}
	if (!closed)
		out_str(o, ")");
}

const char *expression_text(struct arena *arena, const struct expression *x)
{
	const char *text = NULL;
	struct out o;

	out_init(&o);
	write(&o, x, BINDS_OR);
	if (!o.failed)
		text = arena_strndup(arena, o.text, o.len);
	out_release(&o);
	return text;
}

static const struct {
	const char *text;
	uint32_t least, most; /* values; 0: no function of plain values */
} words[WORDS] = {
	[WORD_AND] = {"and", 0, 0},
	[WORD_OR] = {"or", 0, 0},
	[WORD_NOT] = {"not", 0, 0},
	[WORD_RANK] = {"rank", 0, 0},
	[WORD_INF] = {"inf", 0, 0},
	[WORD_SUM] = {"sum", 0, 0},
	[WORD_MIN] = {"min", 1, UINT32_MAX},
	[WORD_MAX] = {"max", 1, UINT32_MAX},
	[WORD_ABS] = {"abs", 1, 1},
	[WORD_SQRT] = {"sqrt", 1, 1},
	[WORD_LOG] = {"log", 1, 1},
	[WORD_LOG2] = {"log2", 1, 1},
	[WORD_EXP] = {"exp", 1, 1},
	[WORD_FLOOR] = {"floor", 1, 1},
	[WORD_CEIL] = {"ceil", 1, 1},
	[WORD_ROUND] = {"round", 1, 1},
	[WORD_SHARE] = {"share", 1, 1},
	[WORD_PART] = {"part", 2, 2},
};

enum word word_of(const char *text)
{
	for (enum word w = WORD_NONE + 1; w < WORDS; w++)
		if (!strcmp(words[w].text, text))
			return w;
	return WORD_NONE;
}

const char *word_text(enum word w)
{
	return words[w].text;
}

int word_is_function(enum word w, uint32_t *least, uint32_t *most)
{
	*least = words[w].least;
	*most = words[w].most;
	return words[w].least > 0;
}
