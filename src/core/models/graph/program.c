#include "program.h"

#include <string.h>

#include "graph_int.h"

enum { UNBOUND, BINDING, BOUND };

struct program_binding {
	struct program *p;
	const struct program_model *m;
	struct routine *routine;
	const char *names[PROGRAM_DEPTH + EXPRESSION_ARGUMENTS]; /* of the frame */
	uint32_t name_count;
	uint32_t depth;
	const struct model_node *around; /* the par or use that messages must not be in */
	struct err *e;
};

static void *binding_room(struct program_binding *b, size_t n, size_t size)
{
	void *p = n <= SIZE_MAX / size ? arena_alloc(&b->p->arena, n * size) : NULL;

	if (!p)
		err_memory(b->e, "the model's program");
	return p;
}

/* The first value of the frame that is named; UINT32_MAX: none. */
static uint32_t lowest_named(const struct program_binding *b, const struct expression *x)
{
	for (uint32_t i = 0; i < b->name_count; i++)
		if (expression_names(x, b->names[i]))
			return i;
	return UINT32_MAX;
}

static enum err_code operand_bind(struct program_binding *b, struct code *code, struct operand *o, const struct expression *x)
{
	struct scope scope = {b->names, b->name_count, true};
	uint32_t lowest;
	bool rank;

	if (!x)
		return ERR_OK;
	rank = expression_names_rank(x);
	lowest = lowest_named(b, x);
	code->rank |= rank;
	if (lowest < code->lowest)
		code->lowest = lowest;
	o->fixed = !rank && lowest == UINT32_MAX;
	return library_bind(&b->p->library, x, &scope, &o->formula, b->e);
}

static enum err_code bind_operations(struct program_binding *b, struct code *code)
{
	const struct model_node *n = code->node;
	enum err_code code_of = ERR_OK;

	code->many = binding_room(b, n->operation_count, sizeof *code->many);
	code->ops = binding_room(b, n->operation_count, sizeof *code->ops);
	if (!code->many || !code->ops)
		return ERR_MEMORY;
	for (uint32_t i = 0; !code_of && i < n->operation_count; i++) {
		uint32_t op = 0;
		const char **grown;
		size_t cap = b->p->op_cap;

		while (op < b->p->op_count && strcmp(b->p->ops[op], n->operations[i].name) != 0)
			op++;
		if (op == b->p->op_count) {
			grown = mem_grow(b->p->ops, op, &cap, sizeof *grown);
			if (!grown)
				return err_memory(b->e, "the model's operations");
			b->p->ops = grown;
			b->p->op_cap = (uint32_t)cap;
			b->p->ops[b->p->op_count++] = n->operations[i].name;
		}
		code->ops[i] = op;
		code_of = operand_bind(b, code, &code->many[i], n->operations[i].count);
	}
	return code_of;
}

static enum err_code bind_chain(struct program_binding *b, const struct model_node *n, struct code **chain, struct code *around);

/* The body of a loop or par over an index, which is a name more in it. */
static enum err_code bind_indexed(struct program_binding *b, struct code *code)
{
	enum err_code result;

	code->slot = b->name_count;
	b->names[b->name_count++] = code->node->word;
	if (b->name_count > b->routine->frame)
		b->routine->frame = b->name_count;
	result = bind_chain(b, code->node->body, &code->body, code);
	b->name_count--;
	if (!result)
		program_index(b->p, code);
	return result;
}

static enum err_code bind_routine(struct program_binding *b, struct routine *r);

static enum err_code bind_call(struct program_binding *b, struct code *code)
{
	const struct model_node *n = code->node;
	uint32_t block = model_block(b->m, n->word);
	struct routine *r;
	enum err_code result = ERR_OK;

	if (block == UINT32_MAX)
		return place_err(&n->place, ERR_FORMAT, b->e, "unknown block '%s'", n->word);
	r = &b->p->routines[block];
	if (r->state == BINDING)
		return place_err(&n->place, ERR_FORMAT, b->e, "block '%s' calls itself, directly or through "
				 "others", n->word);
	if (n->argument_count != r->block->argument_count)
		return place_err(&n->place, ERR_FORMAT, b->e, "block '%s' takes %u arguments, found %u", n->word,
				 r->block->argument_count, n->argument_count);
	code->many = binding_room(b, n->argument_count, sizeof *code->many);
	if (!code->many)
		return ERR_MEMORY;
	for (uint32_t i = 0; !result && i < n->argument_count; i++)
		result = operand_bind(b, code, &code->many[i], n->arguments[i]);
	if (!result && r->state == UNBOUND) {
		struct program_binding *inner = mem_zero(1, sizeof *inner);

		if (!inner)
			return err_memory(b->e, "the model's program");
		*inner = (struct program_binding){.p = b->p, .m = b->m, .depth = b->depth, .e = b->e};
		result = bind_routine(inner, r);
		mem_free(inner);
	}
	if (result)
		return result;
	code->block = r;
	code->rank |= r->rank;
	code->messages = r->messages;
	if (r->calls + 1 > b->routine->calls)
		b->routine->calls = r->calls + 1;
	if (b->routine->calls > BLOCK_DEPTH)
		return place_err(&n->place, ERR_LIMIT, b->e, "calls of blocks are nested more than %d "
				 "deep", BLOCK_DEPTH);
	if (r->frames > b->routine->frames)
		b->routine->frames = r->frames; /* of those that are called; its own is added at its end */
	if (b->depth + r->levels > b->routine->levels)
		b->routine->levels = b->depth + r->levels;
	return ERR_OK;
}

static enum err_code bind_structure(struct program_binding *b, struct code *code)
{
	const struct model_node *n = code->node, *around = b->around;
	enum err_code result = ERR_OK;

	if (n->kind == NODE_CALL)
		return bind_call(b, code);
	if (n->kind == NODE_USE) {
		code->resource = model_resource(b->m, n->word);
		if (code->resource == UINT32_MAX)
			return place_err(&n->place, ERR_FORMAT, b->e, "unknown resource '%s'", n->word);
	}
	if (!around && (n->kind == NODE_PAR || n->kind == NODE_USE))
		b->around = n;
	if (n->word && n->kind != NODE_USE) {
		result = operand_bind(b, code, &code->operand[OPERAND_FIRST], n->first);
		if (!result)
			result = operand_bind(b, code, &code->operand[OPERAND_LAST], n->last);
		if (!result)
			result = bind_indexed(b, code);
	} else {
		result = operand_bind(b, code, &code->operand[OPERAND_VALUE], n->value);
		if (!result)
			result = bind_chain(b, n->body, &code->body, code);
	}
	if (!result)
		result = bind_chain(b, n->otherwise, &code->otherwise, code);
	b->around = around;
	return result;
}

static enum err_code bind_node(struct program_binding *b, struct code *code)
{
	const struct model_node *n = code->node;
	const struct model_node_info *info = model_node_info(n->kind);
	enum err_code result = ERR_OK;

	b->p->used[n->kind] = true;
	switch (info->family) {
	case MODEL_WORK:
		if (n->kind == NODE_OPS)
			return bind_operations(b, code);
		b->p->split |= n->split_compute != NULL;
		result = operand_bind(b, code, &code->operand[OPERAND_VALUE], n->value);
		if (!result)
			result = operand_bind(b, code, &code->operand[OPERAND_SPLIT_COMPUTE], n->split_compute);
		if (!result)
			result = operand_bind(b, code, &code->operand[OPERAND_SPLIT_BYTES], n->split_bytes);
		return result;
	case MODEL_MESSAGE:
	case MODEL_COLLECTIVE:
		code->messages = true;
		result = operand_bind(b, code, &code->operand[OPERAND_PEER], n->peer);
		if (!result)
			result = operand_bind(b, code, &code->operand[OPERAND_BYTES], n->bytes);
		if (!result)
			result = operand_bind(b, code, &code->operand[OPERAND_TAG],
				      info->family == MODEL_MESSAGE ? n->tag : n->root);
		break;
	case MODEL_STRUCTURE:
		result = bind_structure(b, code);
		break;
	}
	if (!result && b->around && code->messages)
		return place_err(&n->place, ERR_FORMAT, b->e, "%s%s inside %s (line %u): messages are not allowed there",
				 info->family == MODEL_STRUCTURE ? "messages of " : "", info->name,
				 model_node_info(b->around->kind)->name, b->around->place.line);
	return result;
}

static enum err_code bind_chain(struct program_binding *b, const struct model_node *n, struct code **chain, struct code *around)
{
	enum err_code result = ERR_OK;

	if (!n)
		return ERR_OK;
	if (++b->depth > PROGRAM_DEPTH)
		return place_err(&n->place, ERR_LIMIT, b->e, "nodes are nested more than %d deep", PROGRAM_DEPTH);
	if (b->depth > b->routine->levels)
		b->routine->levels = b->depth;
	for (; !result && n; n = n->next) {
		struct code *code = binding_room(b, 1, sizeof *code);

		if (!code)
			return ERR_MEMORY;
		code->node = n;
		code->kind = (uint8_t)n->kind;
		code->lowest = UINT32_MAX;
		code->routine = b->routine;
		*chain = code;
		chain = &code->next;
		result = bind_node(b, code);
		code->locals = code->lowest < b->name_count;
		if (around) {
			around->messages |= code->messages;
			around->rank |= code->rank;
			if (code->lowest < around->lowest)
				around->lowest = code->lowest;
		}
	}
	b->depth--;
	return result;
}

static enum err_code bind_routine(struct program_binding *b, struct routine *r)
{
	struct code around = {.lowest = UINT32_MAX};
	enum err_code result;

	b->routine = r;
	if (r->block)
		for (uint32_t i = 0; i < r->block->argument_count && i < EXPRESSION_ARGUMENTS; i++)
			b->names[b->name_count++] = r->block->arguments[i];
	if (r->block && r->block->argument_count > EXPRESSION_ARGUMENTS)
		return place_err(&r->block->place, ERR_LIMIT, b->e, "a block takes at most %d arguments, found "
				 "%u", EXPRESSION_ARGUMENTS,
				 r->block->argument_count);
	r->frame = b->name_count;
	r->polynomial = binding_room(b, r->frame, sizeof *r->polynomial);
	if (!r->polynomial)
		return ERR_MEMORY;
	r->state = BINDING;
	result = bind_chain(b, r->block ? r->block->body : b->m->program, &r->body, &around);
	r->messages = around.messages;
	r->rank = around.rank;
	r->frames += r->frame;
	r->state = BOUND;
	return result;
}

enum err_code program_init(struct program *p, const struct program_model *m, const struct machine *machine, struct err *e)
{
	const struct expression_functions *lists[] = {&m->functions, machine ? &machine->functions : NULL};
	struct program_binding *b = NULL;
	enum err_code code = ERR_OK;

	*p = (struct program){0};
	arena_init(&p->arena);
	p->parameters = mem_zero(m->parameter_count, sizeof *p->parameters);
	p->routines = mem_zero((size_t)m->block_count + 1, sizeof *p->routines);
	b = mem_zero(1, sizeof *b);
	if (!p->parameters || !p->routines || !b)
		code = err_memory(e, "the model's program");
	for (uint32_t i = 0; !code && i < m->parameter_count; i++)
		p->parameters[i] = m->parameters[i].name;
	if (!code)
		code = library_init(&p->library, p->parameters, m->parameter_count, lists, machine ? 2 : 1, e);
	for (uint32_t i = 0; !code && i < m->block_count; i++)
		p->routines[i].block = &m->blocks[i];
	if (!code) {
		p->main = &p->routines[m->block_count];
		*b = (struct program_binding){.p = p, .m = m, .e = e};
		code = bind_routine(b, p->main);
	}
	mem_free(b);
	return code;
}

void program_release(struct program *p)
{
	library_release(&p->library);
	arena_release(&p->arena);
	mem_free(p->parameters);
	mem_free(p->routines);
	mem_free(p->ops);
	*p = (struct program){0};
}
