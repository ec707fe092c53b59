#include "graph_int.h"

#include <string.h>

enum err_code work_loads(struct program_run *r, struct interval **loads)
{
	if (r->scratch_used == r->scratch_count)
		return err_set(r->e, ERR_LIMIT, "the parts of the program are nested too deeply");
	if (!r->scratch[r->scratch_used]) {
		r->scratch[r->scratch_used] = mem_alloc(RUN_LOADS(r), sizeof **r->scratch);
		if (!r->scratch[r->scratch_used])
			return err_memory(r->e, "loads of resources");
	}
	*loads = r->scratch[r->scratch_used++];
	memset(*loads, 0, RUN_LOADS(r) * sizeof **loads);
	return ERR_OK;
}

void work_loads_drop(struct program_run *r)
{
	r->scratch_used--;
}

static void interval_add_product(struct interval *to, struct interval v, struct interval n)
{
	to->lo += n.lo * v.lo;
	to->hi += n.hi * v.hi;
}

/* *to += n times *part */
static void work_add(const struct program_run *r, struct work_cost *to, const struct work_cost *part, struct interval n)
{
	interval_add_product(&to->free, part->free, n);
	interval_add_product(&to->nested, part->nested, n);
	for (uint32_t i = 0; i < RUN_LOADS(r); i++)
		interval_add_product(&to->loads[i], part->loads[i], n);
}

static enum err_code work_cost_node(struct program_run *r, struct code *c, struct work_cost *cost)
{
	struct interval t = {0, 0}, n, part, bytes;
	enum err_code code = ERR_OK;

	if (c->kind == NODE_COMPUTE) {
		code = run_value(r, &c->operand[OPERAND_VALUE], &t);
		if (!code)
			code = run_clip(r, c, "compute", &t);
		if (!code && r->other.asked) {
			bool split = c->operand[OPERAND_SPLIT_COMPUTE].formula != NULL;

			part = bytes = interval_point(0);
			if (split)
				code = run_value(r, &c->operand[OPERAND_SPLIT_COMPUTE], &part);
			if (!code && split)
				code = run_value(r, &c->operand[OPERAND_SPLIT_BYTES], &bytes);
			if (!code)
				code = other_machine_time(&r->other, r->group, t, part, split ? &bytes : NULL, &t, r->e);
		}
	}
	for (uint32_t i = 0; !code && i < c->node->operation_count; i++) {
		const char *name = r->program.ops[c->ops[i]];
		const struct machine_op *op = r->in->machine ? machine_op(r->in->machine, r->group, name) : NULL;

		if (!op && !r->in->machine)
			return place_err(&c->node->place, ERR_USAGE, r->e, "operation '%s': no machine is given\n"
					 "hint: give --machine FILE, such as sample-models/celeron-16.yaml", name);
		if (!op)
			return place_err(&c->node->place, ERR_FORMAT, r->e, "the machine has no operation '%s'", name);
		code = run_value(r, &c->many[i], &n);
		if (!code)
			code = run_clip(r, c, name, &n);
		part = interval_mul(n, op->seconds);
		t = interval_add(t, interval_max(part, interval_point(0)));
	}
	t = (struct interval){t.lo / r->speed.hi, t.hi / r->speed.lo};
	cost->free = interval_add(cost->free, t);
	cost->nested = interval_add(cost->nested, t);
	cost->loads[r->resource_count] = interval_add(cost->loads[r->resource_count], t);
	return code;
}

/* How often the body of a loop or par without a named index runs. */
static enum err_code times(struct program_run *r, struct code *c, struct interval *n)
{
	struct interval first, last;
	enum err_code code;

	if (!c->node->word) {
		code = run_value(r, &c->operand[OPERAND_VALUE], n);
		if (!code && n->lo < 0) {
			r->clipped++;
			*n = interval_max(*n, interval_point(0));
		}
		return code;
	}
	code = run_value(r, &c->operand[OPERAND_FIRST], &first);
	if (!code)
		code = run_value(r, &c->operand[OPERAND_LAST], &last);
	if (code)
		return code;
	*n = (struct interval){floor(last.lo - first.hi) + 1, floor(last.hi - first.lo) + 1};
	if (n->lo < 0) {
		r->clipped++;
		*n = interval_max(*n, interval_point(0));
	}
	return ERR_OK;
}

/* For a body that runs n times, in order or at the same time. */
static enum err_code repeated(struct program_run *r, struct code *c, struct work_cost *cost)
{
	struct work_cost body = {.free = {0, 0}};
	struct interval n;
	enum err_code code = times(r, c, &n), cleared;

	if (code || n.hi == 0)
		return code;
	cleared = work_loads(r, &body.loads);
	if (cleared)
		return cleared;
	code = formula_step(&r->formulas, 1, &c->node->place, r->e);
	if (!code)
		code = work_chain(r, c->body, &body);
	if (!code)
		work_add(r, cost, &body, n);
	work_loads_drop(r);
	return code;
}

/* The longest of what runs at the same time, unless what they need together takes longer. */
static void work_cost_join(struct program_run *r, struct work_cost *cost, struct work_cost *all)
{
	for (uint32_t i = 0; i < RUN_LOADS(r); i++) {
		struct interval m = i < r->resource_count ? r->counts[i] : interval_point((double)r->cores);

		if (m.lo > 0)
			all->nested = interval_max(all->nested, (struct interval){all->loads[i].lo / m.hi, all->loads[i].hi / m.lo});
		cost->loads[i] = interval_add(cost->loads[i], all->loads[i]);
	}
	cost->free = interval_add(cost->free, all->free);
	cost->nested = interval_add(cost->nested, all->nested);
}

static enum err_code branch(struct program_run *r, struct code *c, struct code *body, struct work_cost *all)
{
	struct work_cost one = {.loads = all->loads};
	enum err_code code = formula_step(&r->formulas, 1, &c->node->place, r->e);

	if (!code)
		code = work_chain(r, body, &one);
	all->free = interval_max(all->free, one.free);
	all->nested = interval_max(all->nested, one.nested);
	return code;
}

static enum err_code par_indexed(struct program_run *r, struct code *c, struct work_cost *all)
{
	struct interval *index = r->frame + c->slot;
	double first, last;
	enum err_code code = run_whole(r, c, &c->operand[OPERAND_FIRST], "the first index", &first);

	if (!code)
		code = run_whole(r, c, &c->operand[OPERAND_LAST], "the last index", &last);
	for (double i = first; !code && i <= last; i++) {
		*index = interval_point(i);
		code = branch(r, c, c->body, all);
	}
	return code;
}

static enum err_code work_cost_par(struct program_run *r, struct code *c, struct work_cost *cost)
{
	struct work_cost all = {.free = {0, 0}}, body = {.free = {0, 0}};
	struct interval n;
	enum err_code code = work_loads(r, &all.loads);

	if (code)
		return code;
	if (c->node->word && c->index_named) {
		code = par_indexed(r, c, &all);
	} else if (!c->node->word && !c->node->value) {
		for (struct code *b = c->body; !code && b; b = b->next)
			code = branch(r, c, b->body, &all);
	} else {
		code = times(r, c, &n);
		body.loads = NULL;
		if (!code && n.hi > 0) {
			code = work_loads(r, &body.loads);
			if (code) {
				work_loads_drop(r);
				return code;
			}
			code = branch(r, c, c->body, &body);
			for (uint32_t i = 0; i < RUN_LOADS(r); i++)
				interval_add_product(&all.loads[i], body.loads[i], n);
			all.free = (struct interval){n.lo > 0 ? body.free.lo : 0, body.free.hi};
			all.nested = (struct interval){n.lo > 0 ? body.nested.lo : 0, body.nested.hi};
			work_loads_drop(r);
		}
	}
	if (!code)
		work_cost_join(r, cost, &all);
	work_loads_drop(r);
	return code;
}

static enum err_code work_cost_use(struct program_run *r, struct code *c, struct work_cost *cost)
{
	struct work_cost body = {.loads = cost->loads};
	enum err_code code;

	r->held[c->resource]++;
	code = work_chain(r, c->body, &body);
	r->held[c->resource]--;
	if (!r->held[c->resource])
		cost->loads[c->resource] = interval_add(cost->loads[c->resource], body.free);
	cost->free = interval_add(cost->free, body.free);
	cost->nested = interval_add(cost->nested, body.nested);
	return code;
}

/* q a + (1 - q) b, least and greatest over the ends of q. */
static struct interval mixed(struct interval q, struct interval a, struct interval b)
{
	double at_lo = q.lo * a.lo + (1 - q.lo) * b.lo, at_hi = q.hi * a.lo + (1 - q.hi) * b.lo;
	double up_lo = q.lo * a.hi + (1 - q.lo) * b.hi, up_hi = q.hi * a.hi + (1 - q.hi) * b.hi;

	return (struct interval){fmin(at_lo, at_hi), fmax(up_lo, up_hi)};
}

static enum err_code either(struct program_run *r, struct code *c, struct work_cost *cost)
{
	struct work_cost yes = {.free = {0, 0}}, no = {.free = {0, 0}};
	struct interval q;
	enum err_code code = run_value(r, &c->operand[OPERAND_VALUE], &q);

	if (code)
		return code;
	if (q.lo < 0 || q.hi > 1)
		return place_err(&c->node->place, ERR_FORMAT, r->e, "if: expected a probability from 0 to 1, found "
				 "[%.9g, %.9g]", q.lo, q.hi);
	if (q.hi == 0)
		return work_chain(r, c->otherwise, cost);
	if (q.lo == 1)
		return work_chain(r, c->body, cost);
	code = work_loads(r, &yes.loads);
	if (code)
		return code;
	code = work_loads(r, &no.loads);
	if (code) {
		work_loads_drop(r);
		return code;
	}
	code = work_chain(r, c->body, &yes);
	if (!code)
		code = work_chain(r, c->otherwise, &no);
	cost->free = interval_add(cost->free, mixed(q, yes.free, no.free));
	cost->nested = interval_add(cost->nested, mixed(q, yes.nested, no.nested));
	for (uint32_t i = 0; i < RUN_LOADS(r); i++)
		cost->loads[i] = interval_add(cost->loads[i], mixed(q, yes.loads[i], no.loads[i]));
	work_loads_drop(r);
	work_loads_drop(r);
	return code;
}

static enum err_code work_cost_loop(struct program_run *r, struct code *c, struct work_cost *cost)
{
	struct interval first, last;
	enum err_code code;

	if (!c->node->word || !c->index_named)
		return repeated(r, c, cost);
	code = run_value(r, &c->operand[OPERAND_FIRST], &first);
	if (!code)
		code = run_value(r, &c->operand[OPERAND_LAST], &last);
	if (code)
		return code;
	if (!interval_is_point(first) || !interval_is_point(last))
		return place_err(&c->node->place, ERR_FORMAT, r->e, "loop: the index needs numbers as limits, found "
				 "[%.9g, %.9g] to [%.9g, %.9g]",
				 first.lo, first.hi, last.lo, last.hi);
	return work_sum(r, c, first.lo, floor(last.lo - first.lo) + 1, cost);
}

static enum err_code work_cost_call(struct program_run *r, struct code *c, struct work_cost *cost)
{
	struct interval *frame = r->frame, *inner = frame + c->routine->frame;
	enum err_code code = formula_step(&r->formulas, 1, &c->node->place, r->e);

	for (uint32_t i = 0; !code && i < c->node->argument_count; i++)
		code = run_value(r, &c->many[i], &inner[i]);
	if (code)
		return code;
	run_frame(r, inner);
	code = work_chain(r, c->block->body, cost);
	run_frame(r, frame);
	return code;
}

enum err_code work_node(struct program_run *r, struct code *c, struct work_cost *cost)
{
	enum err_code code = run_count_node(r);

	if (code)
		return code;
	switch ((enum model_node_kind)c->kind) {
	case NODE_COMPUTE:
	case NODE_OPS:
		return work_cost_node(r, c, cost);
	case NODE_LOOP:
		return work_cost_loop(r, c, cost);
	case NODE_PAR:
		return work_cost_par(r, c, cost);
	case NODE_USE:
		return work_cost_use(r, c, cost);
	case NODE_IF:
		return either(r, c, cost);
	case NODE_CALL:
		return work_cost_call(r, c, cost);
	default: /* messages are elsewhere (processes.c) */
		return work_chain(r, c->body, cost);
	}
}

enum err_code work_chain(struct program_run *r, struct code *chain, struct work_cost *cost)
{
	enum err_code code = ERR_OK;

	for (struct code *c = chain; !code && c; c = c->next)
		code = work_node(r, c, cost);
	return code;
}
