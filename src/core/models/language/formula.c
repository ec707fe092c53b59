#include "formula.h"

#include <stdio.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/text.h"
#include "language_int.h"

#define MOST_INSTRUCTIONS (1u << 24)

/* An index of a sum around the place that is bound, or an argument of the function. */
struct name_binding {
	const char *name;
	uint32_t slot;
	const struct name_binding *outer;
};

struct binder {
	struct library *l;
	const struct scope *scope;        /* NULL: in a function */
	const struct name_binding *innermost;
	struct instruction *code;
	size_t count, cap;
	uint32_t height, room;
	bool foldable;                    /* numbers and built-in functions only */
	struct err *e;
};

static enum err_code binder_bind(struct binder *b, const struct expression *x);

static bool same_parameter(const void *records, uint32_t i, const void *key)
{
	return !strcmp(((const char *const *)records)[i], key);
}

static uint64_t hash_parameter(const void *records, uint32_t i)
{
	return hash_text(0, ((const char *const *)records)[i]);
}

static bool same_function(const void *records, uint32_t i, const void *key)
{
	return !strcmp(((const struct bound_function *)records)[i].f->name, key);
}

static uint64_t hash_function(const void *records, uint32_t i)
{
	return hash_text(0, ((const struct bound_function *)records)[i].f->name);
}

static enum err_code index_parameters(struct library *l, struct err *e)
{
	for (uint32_t i = 0; i < l->parameter_count; i++) {
		const char *name = l->parameters[i];
		uint32_t *slot = index_slot(&l->parameters_by_name, hash_text(0, name), l->parameters, i, same_parameter,
					    hash_parameter, name);

		if (!slot)
			return err_memory(e, "the names of parameters");
		if (!*slot)
			*slot = i + 1;
	}
	return ERR_OK;
}

static enum err_code index_functions(struct library *l, const struct expression_functions *const *lists,
				     uint32_t list_count, struct err *e)
{
	for (uint32_t k = 0; k < list_count; k++)
		for (uint32_t i = 0; lists[k] && i < lists[k]->count; i++) {
			const struct function *f = &lists[k]->items[i];
			uint32_t *slot = index_slot(&l->functions_by_name, hash_text(0, f->name), l->functions, l->function_count,
						    same_function, hash_function, f->name);

			if (!slot)
				return err_memory(e, "the names of functions");
			if (*slot) /* one of a list before it wins */
				continue;
			l->functions[l->function_count++] = (struct bound_function){.f = f};
			*slot = l->function_count;
		}
	return ERR_OK;
}

enum err_code library_init(struct library *l, const char *const *parameters, uint32_t parameter_count,
			   const struct expression_functions *const *lists, uint32_t list_count, struct err *e)
{
	enum err_code code;
	size_t most = 0;

	*l = (struct library){.parameters = parameters, .parameter_count = parameter_count, .waiting = LIBRARY_NONE,
			      .room = 1};
	arena_init(&l->arena);
	for (uint32_t k = 0; k < list_count; k++)
		most += lists[k] ? lists[k]->count : 0;
	l->functions = mem_alloc(most, sizeof *l->functions);
	code = l->functions ? index_parameters(l, e) : err_memory(e, "functions");
	if (!code)
		code = index_functions(l, lists, list_count, e);
	if (code)
		library_release(l);
	return code;
}

void library_release(struct library *l)
{
	index_release(&l->parameters_by_name);
	index_release(&l->functions_by_name);
	mem_free(l->functions);
	arena_release(&l->arena);
	*l = (struct library){.waiting = LIBRARY_NONE};
}

uint32_t library_find(const struct library *l, const char *name)
{
	return index_find(&l->functions_by_name, hash_text(0, name), l->functions, same_function, name) - 1;
}

const struct function *library_function(const struct library *l, uint32_t function)
{
	return l->functions[function].f;
}

static uint32_t find_parameter(const struct library *l, const char *name)
{
	return index_find(&l->parameters_by_name, hash_text(0, name), l->parameters, same_parameter, name) - 1;
}

static enum err_code binder_emit(struct binder *b, enum code_op op, const struct expression *at, int change)
{
	struct instruction *grown = mem_grow(b->code, b->count, &b->cap, sizeof *b->code);

	if (!grown)
		return err_memory(b->e, "a formula");
	b->code = grown;
	if (b->count == MOST_INSTRUCTIONS)
		return place_err(&at->at, ERR_LIMIT, b->e, "the expression is too long");
	b->code[b->count++] = (struct instruction){.op = (uint8_t)op, .at = at};
	b->height = (uint32_t)((int)b->height + change);
	if (b->room < b->height)
		b->room = b->height;
	return ERR_OK;
}

static struct instruction *binder_last(struct binder *b)
{
	return &b->code[b->count - 1];
}

/* " n, p, rank": as many names as fit in a sentence. */
struct names {
	char text[160];
	size_t len;
	bool more;
};

static void add_name(struct names *n, const char *name)
{
	size_t size = strlen(name) + (n->len ? 2 : 0);

	if (n->more)
		return;
	if (n->len + size + sizeof ", ..." > sizeof n->text) {
		n->more = true;
		memcpy(n->text + n->len, n->len ? ", ..." : "...", n->len ? 6 : 4);
		return;
	}
	n->len += (size_t)snprintf(n->text + n->len, sizeof n->text - n->len, "%s%s", n->len ? ", " : "", name);
}

static enum err_code unknown_name(struct binder *b, const struct expression *x)
{
	uint32_t function = library_find(b->l, x->name);
	struct names names = {.len = 0};

	if (!strcmp(x->name, word_text(WORD_RANK)))
		return place_err(&x->at, ERR_FORMAT, b->e, b->scope ? "'rank' is not available here" :
				 "'rank' is not available inside a function: pass it as an argument");
	if (function != LIBRARY_NONE)
		return place_err(&x->at, ERR_FORMAT, b->e, "'%s' is a function: expected '(' and its values after "
				 "it", x->name);
	for (const struct name_binding *i = b->innermost; i; i = i->outer)
		add_name(&names, i->name);
	for (uint32_t i = b->scope ? b->scope->local_count : 0; i-- > 0;)
		add_name(&names, b->scope->locals[i]);
	for (uint32_t i = 0; i < b->l->parameter_count; i++)
		add_name(&names, b->l->parameters[i]);
	if (b->scope && b->scope->rank)
		add_name(&names, word_text(WORD_RANK));
	if (!names.len && !names.more)
		return place_err(&x->at, ERR_FORMAT, b->e, "'%s' is unknown here: expected a number", x->name);
	return place_err(&x->at, ERR_FORMAT, b->e, "unknown name '%s': expected one of %s", x->name, names.text);
}

static enum err_code bind_name(struct binder *b, const struct expression *x)
{
	enum code_op op = CODE_PARAMETER;
	uint32_t index = LIBRARY_NONE;
	enum err_code code;

	b->foldable = false;
	for (const struct name_binding *i = b->innermost; i && index == LIBRARY_NONE; i = i->outer)
		if (!strcmp(i->name, x->name)) {
			op = CODE_SLOT;
			index = i->slot;
		}
	for (uint32_t i = b->scope ? b->scope->local_count : 0; i-- > 0 && index == LIBRARY_NONE;)
		if (!strcmp(b->scope->locals[i], x->name)) {
			op = CODE_LOCAL;
			index = i;
		}
	if (index == LIBRARY_NONE && b->scope && b->scope->rank && !strcmp(x->name, word_text(WORD_RANK))) {
		op = CODE_RANK;
		index = 0;
	}
	if (index == LIBRARY_NONE)
		index = find_parameter(b->l, x->name);
	if (index == LIBRARY_NONE)
		return unknown_name(b, x);
	code = binder_emit(b, op, x, 1);
	if (!code)
		binder_last(b)->index = index;
	return code;
}

static enum err_code unknown_function(struct binder *b, const struct expression *x)
{
	struct names names = {.len = 0};

	if (find_parameter(b->l, x->name) != LIBRARY_NONE)
		return place_err(&x->at, ERR_FORMAT, b->e, "'%s' is a parameter, not a function", x->name);
	for (uint32_t i = 0; i < b->l->function_count; i++)
		add_name(&names, b->l->functions[i].f->name);
	return place_err(&x->at, ERR_FORMAT, b->e, "unknown function '%s': expected one of %s%s", x->name, names.text,
			 names.len || names.more ? "" : "the built-in functions");
}

static void ask_for(struct library *l, uint32_t function)
{
	struct bound_function *f = &l->functions[function];

	if (f->asked)
		return;
	f->asked = true;
	f->next = l->waiting;
	l->waiting = function;
}

static enum err_code bind_call(struct binder *b, const struct expression *x)
{
	uint32_t function = library_find(b->l, x->name), takes;
	enum err_code code = ERR_OK;

	b->foldable = false;
	if (function == LIBRARY_NONE)
		return unknown_function(b, x);
	takes = b->l->functions[function].f->argument_count;
	if (takes != x->count)
		return place_err(&x->at, ERR_FORMAT, b->e, "%s takes %u value%s, found %u", x->name, takes, takes == 1 ? "" : "s",
				 x->count);
	for (const struct expression *part = x->first; part && !code; part = part->next)
		code = binder_bind(b, part);
	if (!code)
		code = binder_emit(b, CODE_CALL, x, 1 - (int)takes);
	if (code)
		return code;
	binder_last(b)->index = function;
	binder_last(b)->count = (uint16_t)takes;
	ask_for(b->l, function);
	return ERR_OK;
}

static enum err_code bind_over(struct binder *b, const struct expression *x)
{
	enum word w = word_of(x->name);
	struct name_binding index = {.name = x->index, .outer = b->innermost};
	const struct expression *body = x->first->next->next;
	enum err_code code;
	size_t at;

	b->foldable = false;
	code = binder_bind(b, x->first);
	if (!code)
		code = binder_bind(b, x->first->next);
	if (!code) /* takes two, and puts the index */
		code = binder_emit(b, w == WORD_SUM ? CODE_SUM : w == WORD_MIN ? CODE_LEAST : CODE_GREATEST, x, -1);
	if (code)
		return code;
	at = b->count - 1;
	index.slot = b->height - 1;
	b->innermost = &index;
	code = binder_bind(b, body);
	b->innermost = index.outer;
	b->height--; /* the value of the body stands where the index was */
	b->code[at].index = (uint32_t)(b->count - 1 - at);
	return code;
}

static enum err_code bind_builtin(struct binder *b, const struct expression *x, enum word w)
{
	static const uint8_t ops[WORDS] = {
		[WORD_MIN] = CODE_AND, [WORD_MAX] = CODE_OR, [WORD_ABS] = CODE_ABS, [WORD_SQRT] = CODE_SQRT, [WORD_LOG] = CODE_LOG,
		[WORD_LOG2] = CODE_LOG2, [WORD_EXP] = CODE_EXP, [WORD_FLOOR] = CODE_FLOOR, [WORD_CEIL] = CODE_CEIL,
		[WORD_ROUND] = CODE_ROUND, [WORD_SHARE] = CODE_SHARE, [WORD_PART] = CODE_PART,
	};
	bool chain = w == WORD_MIN || w == WORD_MAX;
	enum err_code code = ERR_OK;

	if (w == WORD_SHARE || w == WORD_PART)
		b->foldable = false;
	for (const struct expression *part = x->first; part && !code; part = part->next) {
		code = binder_bind(b, part);
		if (!code && chain && part != x->first)
			code = binder_emit(b, ops[w], x, -1);
	}
	return code || chain ? code : binder_emit(b, ops[w], x, 1 - (int)x->count);
}

static enum err_code bind_operator(struct binder *b, const struct expression *x)
{
	static const uint8_t ops[] = {
		[EXPRESSION_INTERVAL] = CODE_INTERVAL, [EXPRESSION_NEGATE] = CODE_NEGATE, [EXPRESSION_NOT] = CODE_NOT,
		[EXPRESSION_OR] = CODE_OR, [EXPRESSION_AND] = CODE_AND, [EXPRESSION_LESS] = CODE_LESS,
		[EXPRESSION_LESS_EQUAL] = CODE_LESS_EQUAL, [EXPRESSION_GREATER] = CODE_GREATER,
		[EXPRESSION_GREATER_EQUAL] = CODE_GREATER_EQUAL, [EXPRESSION_EQUAL] = CODE_EQUAL,
		[EXPRESSION_NOT_EQUAL] = CODE_NOT_EQUAL, [EXPRESSION_ADD] = CODE_ADD, [EXPRESSION_SUB] = CODE_SUB,
		[EXPRESSION_MUL] = CODE_MUL, [EXPRESSION_DIV] = CODE_DIV, [EXPRESSION_POW] = CODE_POW,
	};
	enum err_code code = binder_bind(b, x->first);

	if (!code && x->count == 2)
		code = binder_bind(b, x->first->next);
	return code ? code : binder_emit(b, ops[x->kind], x, 1 - (int)x->count);
}

/* Depth is bounded by the parser. */
static enum err_code binder_bind(struct binder *b, const struct expression *x)
{
	enum err_code code;
	enum word w;

	switch ((enum expression_kind)x->kind) {
	case EXPRESSION_NUMBER:
		code = binder_emit(b, CODE_NUMBER, x, 1);
		if (!code)
			binder_last(b)->value = x->value;
		return code;
	case EXPRESSION_NAME:
		return bind_name(b, x);
	case EXPRESSION_CALL:
		w = word_of(x->name);
		return w == WORD_NONE ? bind_call(b, x) : bind_builtin(b, x, w);
	case EXPRESSION_OVER:
		return bind_over(b, x);
	default:
		return bind_operator(b, x);
	}
}

/* The instructions as a formula of the library's. */
static enum err_code binder_finish(struct binder *b, const struct expression *x, const struct formula **out)
{
	struct formula *f = arena_alloc(&b->l->arena, sizeof *f);
	struct instruction *code = f ? arena_alloc(&b->l->arena, b->count * sizeof *code) : NULL;

	if (!code)
		return err_memory(b->e, "a formula");
	memcpy(code, b->code, b->count * sizeof *code);
	*f = (struct formula){.x = x, .code = code, .count = (uint32_t)b->count, .room = b->room};
	if (b->l->room < f->room)
		b->l->room = f->room;
	f->constant = b->foldable && formula_fold(b->l, f, &f->value);
	*out = f;
	return ERR_OK;
}

static enum err_code bind_one(struct library *l, const struct expression *x, const struct scope *scope,
			      const struct name_binding *arguments, uint32_t argument_count, const struct formula **f, struct err *e)
{
	struct binder b = {.l = l, .scope = scope, .innermost = arguments, .height = argument_count,
			   .room = argument_count + 1, .foldable = true, .e = e};
	enum err_code code = binder_bind(&b, x);

	if (!code)
		code = binder_finish(&b, x, f);
	mem_free(b.code);
	return code;
}

static enum err_code bind_function(struct library *l, struct bound_function *function, struct err *e)
{
	const struct function *f = function->f;
	struct name_binding arguments[EXPRESSION_ARGUMENTS];
	const struct formula **pieces = arena_alloc(&l->arena, f->piece_count * sizeof *pieces);
	enum err_code code = ERR_OK;

	if (!pieces)
		return err_memory(e, "a function");
	for (uint32_t i = 0; i < f->argument_count; i++)
		arguments[i] = (struct name_binding){.name = f->arguments[i], .slot = i, .outer = i ? &arguments[i - 1] : NULL};
	for (uint32_t i = 0; i < f->piece_count && !code; i++)
		code = bind_one(l, f->pieces[i].value, NULL, f->argument_count ? &arguments[f->argument_count - 1] : NULL,
				f->argument_count, &pieces[i], e);
	if (!code)
		function->pieces = pieces;
	return code;
}

static enum err_code bind_waiting(struct library *l, struct err *e)
{
	enum err_code code = ERR_OK;

	while (l->waiting != LIBRARY_NONE && !code) {
		struct bound_function *f = &l->functions[l->waiting];

		l->waiting = f->next;
		code = bind_function(l, f, e);
	}
	return code;
}

enum err_code library_use(struct library *l, uint32_t function, struct err *e)
{
	ask_for(l, function);
	return bind_waiting(l, e);
}

enum err_code library_bind(struct library *l, const struct expression *x, const struct scope *scope,
			   const struct formula **f, struct err *e)
{
	static const struct scope none = {.rank = false};
	enum err_code code = bind_one(l, x, scope ? scope : &none, NULL, 0, f, e);

	return code ? code : bind_waiting(l, e);
}

