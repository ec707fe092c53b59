#include "graph_int.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ANY_VALUE ((struct interval){-1e300, 1e300}) /* of what is not known */

/* ---- names ---- */

void bounds_let(struct bounding *b, const char *name, const struct expression *x, bool index)
{
	if (b->symbol_count == BOUNDS_SYMBOLS)
		b->terms.maker.code = ERR_LIMIT;
	else
		b->symbols[b->symbol_count++] = (struct bounds_symbol){name, x, index};
}

static const struct expression *symbol_of(const struct bounding *b, const char *name)
{
	for (uint32_t i = b->symbol_count; i-- > b->scope;)
		if (!strcmp(b->symbols[i].name, name))
			return b->symbols[i].x;
	return NULL;
}

static bool is_taken(const struct bounding *b, const char *name)
{
	const struct program_run *r = b->run;

	for (uint32_t i = 0; i < b->symbol_count; i++)
		if (b->symbols[i].index && !strcmp(b->symbols[i].x->name, name))
			return true;
	for (uint32_t i = 0; i < r->program.op_count; i++)
		if (!strcmp(r->program.ops[i], name))
			return true;
	return model_parameter(r->in->model, name) != UINT32_MAX || expression_is_reserved(name);
}

/* A name for an index that nothing else has: i, i2, i3 ... */
static const char *index_name(struct bounding *b, const char *name)
{
	char other[80];
	const char *kept;

	if (!is_taken(b, name))
		return name;
	for (unsigned n = 2;; n++) {
		snprintf(other, sizeof other, "%.60s%u", name, n);
		if (!is_taken(b, other))
			break;
	}
	kept = arena_strndup(b->terms.maker.arena, other, strlen(other));
	if (!kept)
		b->terms.maker.code = ERR_MEMORY;
	return kept ? kept : name;
}

static bool names_index(const struct bounding *b, const struct expression *x)
{
	for (uint32_t i = 0; i < b->symbol_count; i++)
		if (b->symbols[i].index && expression_names(x, b->symbols[i].x->name))
			return true;
	return false;
}

static const struct expression *put_symbols(struct bounding *b, const struct expression *x);

static const struct expression *put_in_over(struct bounding *b, const struct expression *x)
{
	const struct expression *from = x->first, *to = from->next, *body = to->next;
	const struct expression *a = put_symbols(b, from), *z = put_symbols(b, to);
	const char *index = index_name(b, x->index);
	uint32_t count = b->symbol_count;

	bounds_let(b, x->index, maker_name(&b->terms.maker, index), true);
	body = put_symbols(b, body);
	b->symbol_count = count;
	return maker_over(&b->terms.maker, x->name, index, a, z, body);
}

/* The tree with what its names stand for. Depth is bounded by the parser, and by the maker. */
static const struct expression *put_symbols(struct bounding *b, const struct expression *x)
{
	struct expression_maker *m = &b->terms.maker;
	const struct expression **parts, *symbol;
	struct expression *copy;
	uint32_t n = 0;

	if (m->code)
		return x;
	if (x->kind == EXPRESSION_OVER)
		return put_in_over(b, x);
	if (x->kind == EXPRESSION_NAME) {
		symbol = symbol_of(b, x->name);
		return symbol ? symbol : strcmp(x->name, "rank") ? x : maker_number(m, b->run->rank);
	}
	if (!x->first)
		return x;
	parts = maker_room(m, x->count, sizeof *parts);
	copy = maker_copy(m, x);
	if (!parts || !copy)
		return x;
	for (const struct expression *part = x->first; part; part = part->next)
		parts[n++] = put_symbols(b, part);
	maker_parts(m, copy, parts, n);
	return copy;
}

/* ---- values ---- */

/* Over all of an index's range it may have no value, such as 1/i from -1 to 1. */
static struct interval operand_value(struct bounding *b, struct operand *o)
{
	struct err ignored, *e = b->run->e;
	struct interval value;

	b->run->e = &ignored;
	if (run_value(b->run, o, &value))
		value = ANY_VALUE;
	b->run->e = e;
	return value;
}

/* An operand as a tree, and its value: of what is not known for all of an index's range, any. */
static const struct expression *bounds_operand(struct bounding *b, const struct expression *x, struct operand *o, struct interval *value)
{
	*value = operand_value(b, o);
	if (!x)
		return maker_number(&b->terms.maker, 0);
	if (b->numbers && interval_is_point(*value) && expression_names_rank(x))
		return maker_number(&b->terms.maker, value->lo);
	return put_symbols(b, x);
}

const struct expression *bounds_count(struct bounding *b, const struct expression *x, struct operand *o, struct interval *value)
{
	const struct expression *n = bounds_operand(b, x, o, value);

	if (value->lo >= 0)
		return n;
	*value = interval_max(*value, interval_point(0));
	return maker_not_negative(&b->terms.maker, n);
}

/* ---- works ---- */

bool bounds_work_init(struct bounding *b, struct bounds_work *w)
{
	*w = (struct bounds_work){.loads = maker_room(&b->terms.maker, RUN_LOADS(b->run), sizeof *w->loads)};
	return w->loads != NULL;
}

static void bounds_work_add(struct bounding *b, struct bounds_work *to, const struct bounds_work *part)
{
	to->free = bounds_add(&b->terms, to->free, part->free);
	for (uint32_t i = 0; i < RUN_LOADS(b->run); i++)
		to->loads[i] = bounds_add(&b->terms, to->loads[i], part->loads[i]);
}

void bounds_by_speed(struct bounding *b, struct bounds_work *w)
{
	const struct expression *speed = maker_range(&b->terms.maker, b->run->speed);

	w->free = bounds_divide(&b->terms, w->free, speed);
	for (uint32_t i = 0; i < RUN_LOADS(b->run); i++)
		w->loads[i] = bounds_divide(&b->terms, w->loads[i], speed);
}

static void add_time(struct bounding *b, struct bounds_work *w, struct bounds_sum t)
{
	uint32_t processor = b->run->resource_count;

	w->free = bounds_add(&b->terms, w->free, t);
	w->loads[processor] = bounds_add(&b->terms, w->loads[processor], t);
}

static void add_operation(struct bounding *b, struct code *c, uint32_t i, struct bounds_work *w)
{
	struct expression_maker *m = &b->terms.maker;
	const struct program_run *r = b->run;
	const char *name = r->program.ops[c->ops[i]];
	struct interval value, seconds = machine_op(r->in->machine, r->group, name)->seconds;
	const struct expression *n = bounds_count(b, c->node->operations[i].count, &c->many[i], &value);
	const struct expression *op = b->named[c->ops[i]] ? maker_name(m, name) : maker_range(m, interval_max(seconds, interval_point(0)));

	if (value.hi > 0)
		add_time(b, w, bounds_times(&b->terms, n, bounds_one(&b->terms, 1, op)));
}

static void add_work(struct bounding *b, struct code *c, struct bounds_work *w)
{
	struct interval value;
	const struct expression *t;

	for (uint32_t i = 0; i < c->node->operation_count && !b->terms.maker.code; i++)
		add_operation(b, c, i, w);
	if (c->kind != NODE_COMPUTE)
		return;
	t = bounds_count(b, c->node->value, &c->operand[OPERAND_VALUE], &value);
	if (value.hi > 0)
		add_time(b, w, bounds_one(&b->terms, 1, t));
}

static enum err_code copies_undecided(struct bounding *b, struct code *c)
{
	return place_err(&c->node->place, ERR_FORMAT, b->run->e, "%s: no expression is possible, because some "
			 "iterations of the loop around it have no copies", model_node_info(c->kind)->name);
}

/* ---- structures ---- */

/* Sums of whole numbers and indices are whole. */
static bool expression_is_whole(const struct bounding *b, const struct expression *x)
{
	uint32_t parameter;

	switch ((enum expression_kind)x->kind) {
	case EXPRESSION_NUMBER:
		return floor(x->value) == x->value;
	case EXPRESSION_NAME:
		parameter = model_parameter(b->run->in->model, x->name);
		return parameter == UINT32_MAX || (floor(b->run->in->values[parameter].lo) == b->run->in->values[parameter].lo &&
						   floor(b->run->in->values[parameter].hi) == b->run->in->values[parameter].hi);
	case EXPRESSION_ADD:
	case EXPRESSION_SUB:
	case EXPRESSION_MUL:
		return expression_is_whole(b, x->first) && expression_is_whole(b, x->first->next);
	case EXPRESSION_NEGATE:
		return expression_is_whole(b, x->first);
	case EXPRESSION_CALL:
		return !strcmp(x->name, "floor") || !strcmp(x->name, "ceil") || !strcmp(x->name, "round") || !strcmp(x->name, "part");
	default:
		return false;
	}
}

/* How many indices there are from ... to. */
static const struct expression *index_count(struct bounding *b, const struct expression *from, const struct expression *to)
{
	struct expression_maker *m = &b->terms.maker;
	const struct expression *more;

	if (expression_is(from, 1) && expression_is_whole(b, to))
		return to;
	more = maker_two(m, EXPRESSION_SUB, to, from);
	if (!expression_is_whole(b, more))
		more = maker_call(m, "floor", &more, 1);
	return maker_two(m, EXPRESSION_ADD, more, maker_number(m, 1));
}

/* What a loop or par says about its index, and how often it runs. */
struct iterations {
	const struct expression *from, *to, *n;
	struct interval first, last, count; /* count: at least 0, how often it may run */
};

static struct iterations iterations_of(struct bounding *b, struct code *c)
{
	struct iterations t = {.first = {0, 0}};

	if (!c->node->word) {
		t.n = bounds_count(b, c->node->value, &c->operand[OPERAND_VALUE], &t.count);
		return t;
	}
	t.from = bounds_operand(b, c->node->first, &c->operand[OPERAND_FIRST], &t.first);
	t.to = bounds_operand(b, c->node->last, &c->operand[OPERAND_LAST], &t.last);
	t.n = index_count(b, t.from, t.to);
	t.count = (struct interval){floor(t.last.lo - t.first.hi) + 1, floor(t.last.hi - t.first.lo) + 1};
	if (t.count.lo < 0)
		t.n = maker_not_negative(&b->terms.maker, t.n);
	t.count = interval_max(t.count, interval_point(0));
	return t;
}

static void scale(struct bounding *b, const struct expression *n, struct bounds_work *w)
{
	w->free = bounds_times(&b->terms, n, w->free);
	for (uint32_t i = 0; i < RUN_LOADS(b->run); i++)
		w->loads[i] = bounds_times(&b->terms, n, w->loads[i]);
}

static struct bounds_sum over_index(struct bounding *b, const char *name, const char *index, const struct iterations *t, struct bounds_sum a)
{
	const struct expression *body = bounds_tree(&b->terms, a);

	if (!a.count || b->terms.maker.code)
		return a;
	if (!expression_names(body, index))
		return strcmp(name, "sum") ? a : bounds_times(&b->terms, t->n, a);
	return bounds_one(&b->terms, 1, maker_over(&b->terms.maker, name, index, t->from, t->to, body));
}

/* For a body over an index the sums of what it needs; its time with `name`, which is sum or max. */
static enum err_code body_over(struct bounding *b, struct code *c, const char *name, const struct iterations *t, struct bounds_work *w)
{
	const char *index = index_name(b, c->node->word);
	uint32_t count = b->symbol_count;
	enum err_code code;

	b->run->frame[c->slot] = (struct interval){t->first.lo, t->last.hi};
	bounds_let(b, c->node->word, maker_name(&b->terms.maker, index), true);
	code = bounds_chain(b, c->body, w);
	b->symbol_count = count;
	w->free = over_index(b, name, index, t, w->free);
	for (uint32_t i = 0; i < RUN_LOADS(b->run); i++)
		w->loads[i] = over_index(b, "sum", index, t, w->loads[i]);
	return code;
}

static enum err_code bounds_work_loop(struct bounding *b, struct code *c, struct bounds_work *w)
{
	struct iterations t = iterations_of(b, c);
	struct bounds_work body;
	enum err_code code;

	if (!(t.count.hi > 0) || !bounds_work_init(b, &body))
		return ERR_OK;
	if (c->node->word && c->index_named) {
		code = body_over(b, c, "sum", &t, &body);
	} else {
		code = bounds_chain(b, c->body, &body);
		scale(b, t.n, &body);
	}
	if (!code)
		bounds_work_add(b, w, &body);
	return code;
}

static enum err_code branches(struct bounding *b, struct code *c, struct bounds_work *w)
{
	struct bounds_work all;
	struct bounds_sum *times;
	uint32_t n = 0;
	enum err_code code = ERR_OK;

	for (struct code *one = c->body; one; one = one->next)
		n++;
	times = maker_room(&b->terms.maker, n, sizeof *times);
	if (!bounds_work_init(b, &all))
		return ERR_OK;
	n = 0;
	for (struct code *one = c->body; one && !code && !b->terms.maker.code; one = one->next) {
		all.free = (struct bounds_sum){NULL, 0};
		code = bounds_chain(b, one->body, &all);
		times[n++] = all.free;
	}
	all.free = bounds_greatest(&b->terms, times, n);
	if (!code)
		bounds_work_add(b, w, &all);
	return code;
}

static enum err_code copies(struct bounding *b, struct code *c, struct bounds_work *w)
{
	struct expression_maker *m = &b->terms.maker;
	struct iterations t = iterations_of(b, c);
	struct bounds_work body;
	struct bounds_sum one;
	enum err_code code;

	if (!(t.count.hi > 0) || !bounds_work_init(b, &body))
		return ERR_OK;
	if (!(t.count.lo > 0) && names_index(b, t.n))
		return copies_undecided(b, c);
	if (c->node->word && c->index_named) {
		code = body_over(b, c, "max", &t, &body);
	} else {
		code = bounds_chain(b, c->body, &body);
		one = body.free;
		scale(b, t.n, &body);
		/* Copies take as long as one; where there may be none, from 0 on. */
		body.free = t.count.lo > 0 || !one.count ? one :
			    bounds_one(&b->terms, 1, maker_interval(m, maker_number(m, 0), bounds_tree(&b->terms, one)));
	}
	if (!code)
		bounds_work_add(b, w, &body);
	return code;
}

static enum err_code bounds_work_use(struct bounding *b, struct code *c, struct bounds_work *w)
{
	struct bounds_work body;
	enum err_code code;

	if (!bounds_work_init(b, &body))
		return ERR_OK;
	b->run->held[c->resource]++;
	code = bounds_chain(b, c->body, &body);
	b->run->held[c->resource]--;
	if (!b->run->held[c->resource])
		body.loads[c->resource] = bounds_add(&b->terms, body.loads[c->resource], body.free);
	if (!code)
		bounds_work_add(b, w, &body);
	return code;
}

/* ---- branches ---- */

struct chance {
	const struct expression *q, *not_q;
	struct interval value;
	bool both; /* an interval that is no index's: each end of the result has one end of q */
};

/* q a + (1 - q) b with a number for q. */
static const struct expression *mixed_at(struct bounding *b, double q, struct bounds_sum yes, struct bounds_sum no)
{
	struct expression_maker *m = &b->terms.maker;

	return bounds_tree(&b->terms, bounds_add(&b->terms, bounds_times(&b->terms, maker_number(m, q), yes),
						 bounds_times(&b->terms, maker_number(m, 1 - q), no)));
}

static struct bounds_sum mixed(struct bounding *b, const struct chance *q, struct bounds_sum yes, struct bounds_sum no)
{
	struct expression_maker *m = &b->terms.maker;
	const struct expression *ends[2];

	if (!q->both || !yes.count || !no.count)
		return bounds_add(&b->terms, bounds_times(&b->terms, q->q, yes), bounds_times(&b->terms, q->not_q, no));
	ends[0] = mixed_at(b, q->value.lo, yes, no);
	ends[1] = mixed_at(b, q->value.hi, yes, no);
	return bounds_one(&b->terms, 1, maker_interval(m, maker_call(m, "min", ends, 2), maker_call(m, "max", ends, 2)));
}

static enum err_code either(struct bounding *b, struct code *c, struct bounds_work *w)
{
	struct expression_maker *m = &b->terms.maker;
	struct chance q;
	struct bounds_work yes, no;
	enum err_code code;

	q.q = bounds_operand(b, c->node->value, &c->operand[OPERAND_VALUE], &q.value);
	if (q.value.hi <= 0)
		return bounds_chain(b, c->otherwise, w);
	if (q.value.lo >= 1)
		return bounds_chain(b, c->body, w);
	if (!bounds_work_init(b, &yes) || !bounds_work_init(b, &no))
		return ERR_OK;
	q.not_q = q.q->kind == EXPRESSION_NUMBER ? maker_number(m, 1 - q.q->value) : maker_two(m, EXPRESSION_SUB, maker_number(m, 1), q.q);
	q.both = !interval_is_point(q.value) && !names_index(b, q.q);
	code = bounds_chain(b, c->body, &yes);
	if (!code)
		code = bounds_chain(b, c->otherwise, &no);
	w->free = bounds_add(&b->terms, w->free, mixed(b, &q, yes.free, no.free));
	for (uint32_t i = 0; i < RUN_LOADS(b->run); i++)
		w->loads[i] = bounds_add(&b->terms, w->loads[i], mixed(b, &q, yes.loads[i], no.loads[i]));
	return code;
}

/* ---- blocks ---- */

enum err_code bounds_open(struct bounding *b, struct code *call, uint32_t *scope, uint32_t *count)
{
	struct program_run *r = b->run;
	struct interval *inner = r->frame + call->routine->frame;
	const struct expression *argument[EXPRESSION_ARGUMENTS];
	uint32_t n = call->node->argument_count;

	*scope = b->scope;
	*count = b->symbol_count;
	for (uint32_t i = 0; i < n; i++)
		argument[i] = bounds_operand(b, call->node->arguments[i], &call->many[i], &inner[i]);
	b->scope = b->symbol_count;
	for (uint32_t i = 0; i < n; i++)
		bounds_let(b, call->block->block->arguments[i], argument[i], false);
	run_frame(r, inner);
	return formula_step(&r->formulas, 1, &call->node->place, r->e);
}

void bounds_close(struct bounding *b, struct code *call, uint32_t scope, uint32_t count)
{
	run_frame(b->run, b->run->frame - call->routine->frame);
	b->scope = scope;
	b->symbol_count = count;
}

static enum err_code bounds_work_call(struct bounding *b, struct code *c, struct bounds_work *w)
{
	uint32_t scope, count;
	enum err_code code = bounds_open(b, c, &scope, &count);

	if (!code)
		code = bounds_chain(b, c->block->body, w);
	bounds_close(b, c, scope, count);
	return code;
}

enum err_code bounds_node(struct bounding *b, struct code *c, struct bounds_work *w)
{
	enum err_code code = run_count_node(b->run);

	if (code)
		return code;
	switch ((enum model_node_kind)c->kind) {
	case NODE_COMPUTE:
	case NODE_OPS:
		add_work(b, c, w);
		return ERR_OK;
	case NODE_LOOP:
		return bounds_work_loop(b, c, w);
	case NODE_PAR:
		return c->node->word || c->node->value ? copies(b, c, w) : branches(b, c, w);
	case NODE_USE:
		return bounds_work_use(b, c, w);
	case NODE_IF:
		return either(b, c, w);
	case NODE_CALL:
		return bounds_work_call(b, c, w);
	default:
		return bounds_chain(b, c->body, w);
	}
}

enum err_code bounds_chain(struct bounding *b, struct code *chain, struct bounds_work *w)
{
	enum err_code code = ERR_OK;

	for (struct code *c = chain; c && !code && !b->terms.maker.code; c = c->next)
		code = bounds_node(b, c, w);
	return code;
}
