#include "graph.h"

#include <stdio.h>
#include <string.h>

#include "graph_int.h"
#include "core/io/out.h"

#define MOST_PARTS 4000000u /* of all trees and sums of a pass together, with those that are not printed */
#define MOST_TERMS 40       /* of an expression with ranks in it, before their values are put in */

/* ---- names of operations ---- */

/* One that has the same time on all nodes, and a name that no parameter has. */
static bool has_name(const struct program_run *r, const char *name)
{
	const struct machine *m = r->in->machine;
	const struct machine_op *first = m ? machine_op(m, 0, name) : NULL;

	if (!first || first->seconds.lo < 0 || model_parameter(r->in->model, name) != UINT32_MAX || expression_is_reserved(name))
		return false;
	for (uint32_t g = 1; g < m->group_count; g++) {
		const struct machine_op *op = machine_op(m, g, name);

		if (!op || op->seconds.lo < first->seconds.lo || op->seconds.lo > first->seconds.lo ||
		    op->seconds.hi < first->seconds.hi || op->seconds.hi > first->seconds.hi)
			return false;
	}
	return true;
}

static enum err_code find_names(struct bounding *b, struct bounds *t)
{
	const struct program_run *r = b->run;
	uint32_t n = r->program.op_count;

	b->named = arena_alloc(&t->arena, (n + 1) * sizeof *b->named);
	t->names = arena_alloc(&t->arena, (n + 1) * sizeof *t->names);
	if (!b->named || !t->names)
		return err_memory(r->e, "names of operations");
	for (uint32_t i = 0; i < n; i++) {
		const char *name = r->program.ops[i];
		struct bounds_name *kept = &t->names[t->name_count];

		b->named[i] = has_name(r, name);
		if (!b->named[i])
			continue;
		*kept = (struct bounds_name){arena_strndup(&t->arena, name, strlen(name)), machine_op(r->in->machine, 0, name)->seconds};
		if (!kept->name)
			return err_memory(r->e, "names of operations");
		t->name_count++;
	}
	return ERR_OK;
}

/* ---- processes ---- */

/* What `times` processes on one node need. */
static void add_loads(struct bounding *b, const struct bounds_work *w, uint32_t node, double times, struct bounds_sum *loads)
{
	struct program_run *r = b->run;
	const struct expression *n = maker_number(&b->terms.maker, times);

	for (uint32_t i = 0; i < RUN_LOADS(r); i++) {
		struct bounds_sum *load = &loads[i < r->resource_count ? i : bounds_load(r, LOAD_NODE, node)];

		*load = bounds_add(&b->terms, *load, bounds_times(&b->terms, n, w->loads[i]));
	}
}

static enum err_code one_process(struct bounding *b, uint32_t rank, struct bounds_work *w, struct bounds_clock *end)
{
	struct program_run *r = b->run;
	struct work_cost cost = {.free = {0, 0}};
	struct bounds_path path;
	enum err_code code;

	run_home(r, rank);
	run_frame(r, r->locals);
	code = work_loads(r, &cost.loads);
	if (code || !bounds_work_init(b, w))
		return code;
	code = work_chain(r, r->program.main->body, &cost);
	work_loads_drop(r);
	if (!code)
		code = bounds_chain(b, r->program.main->body, w);
	bounds_by_speed(b, w);
	path = (struct bounds_path){w->free, cost.free};
	bounds_join(b, end, &path);
	return code;
}

/* A program without messages: each process by itself; without rank one for all on nodes of one kind. */
static enum err_code separate_processes(struct bounding *b, struct bounds_clock *end, struct bounds_sum *loads)
{
	struct program_run *r = b->run;
	const struct home *homes = r->placement.homes;
	bool differ = r->program.main->rank;
	uint32_t groups = r->in->machine ? r->in->machine->group_count : 1;
	struct bounds_work *works = maker_room(&b->terms.maker, groups, sizeof *works);
	double *on_node = mem_zero(r->placement.node_count, sizeof *on_node);
	enum err_code code = ERR_OK;

	if (!on_node)
		b->terms.maker.code = ERR_MEMORY;
	for (uint32_t rank = 0; rank < r->process_count && on_node; rank++)
		on_node[homes[rank].node]++;
	for (uint32_t rank = 0; rank < r->process_count && !code && !b->terms.maker.code; rank++) {
		struct home home = homes[rank];
		struct bounds_work *w = &works[home.group];

		if (!w->loads || differ)
			code = one_process(b, rank, w, end);
		/* If all do the same, the first process on a node stands for those there. */
		if (!code && !b->terms.maker.code && (differ || on_node[home.node] > 0))
			add_loads(b, w, home.node, differ ? 1 : on_node[home.node], loads);
		on_node[home.node] = 0;
	}
	mem_free(on_node);
	return code;
}

/* ---- results ---- */

static const struct expression *greatest_path(struct bounding *b, const struct bounds_clock *c)
{
	struct bounds_sum sums[BOUNDS_PATHS + 1];
	struct bounds_clock longest = *c;

	/* Where some were left out, those that are not the longest here say nothing. */
	if (c->partial)
		bounds_longest(&longest);
	for (uint32_t i = 0; i < longest.count; i++)
		sums[i] = longest.path[i].sum;
	return bounds_tree(&b->terms, bounds_greatest(&b->terms, sums, longest.count));
}

static void put_bound(struct bounding *b, struct bounds *t, const char *name, const struct expression *x, struct interval value)
{
	char text[96];

	snprintf(text, sizeof text, "T_%.80s", name);
	t->items[t->count] = (struct bound){.name = arena_strndup(&t->arena, text, strlen(text)), .x = x,
					    .text = expression_text(&t->arena, x), .value = value, .nodes = 1};
	if (!t->items[t->count].name || !t->items[t->count].text)
		b->terms.maker.code = ERR_MEMORY;
	t->count++;
	t->value = interval_max(t->value, value);
}

/* A node that needs what the one before it needs is counted with that. */
static void join_nodes(struct bounds *t)
{
	const struct bound *last = &t->items[t->count - 1];
	struct bound *before = &t->items[t->count - 2];

	if (!last->is_node || !before->is_node || strcmp(last->text, before->text) != 0 || last->value.lo < before->value.lo ||
	    last->value.lo > before->value.lo || last->value.hi < before->value.hi || last->value.hi > before->value.hi)
		return;
	before->nodes++;
	t->count--;
}

static void put_load(struct bounding *b, struct bounds *t, const struct outcome_load *l, struct bounds_sum load)
{
	const struct expression *by = l->kind == LOAD_RESOURCE ? b->run->in->model->resources[l->index].count :
				      maker_range(&b->terms.maker, l->count);

	put_bound(b, t, l->name, bounds_tree(&b->terms, bounds_divide(&b->terms, load, by)), l->time);
	t->items[t->count - 1].is_node = l->kind == LOAD_NODE;
	if (!b->terms.maker.code)
		join_nodes(t);
}

static void put_bounds(struct bounding *b, struct bounds *t, const struct bounds_clock *end, const struct bounds_sum *loads)
{
	const struct outcome *o = &t->outcome;

	t->items = maker_room(&b->terms.maker, (size_t)o->load_count + 1, sizeof *t->items);
	t->partial = end->partial;
	if (b->terms.maker.code)
		return;
	put_bound(b, t, "0", greatest_path(b, end), o->free);
	for (uint32_t i = 0; i < o->load_count && !b->terms.maker.code; i++)
		put_load(b, t, &o->loads[i], loads[bounds_load(b->run, o->loads[i].kind, o->loads[i].index)]);
}

static void bounds_put_text(struct bounding *b, struct bounds *t)
{
	struct out o;

	out_init(&o);
	out_str(&o, t->count > 1 ? "max(" : "");
	for (uint32_t i = 0; i < t->count; i++)
		out_printf(&o, "%s%s", i ? ", " : "", t->items[i].name);
	out_str(&o, t->count > 1 ? ")" : "");
	t->text = o.failed ? NULL : arena_strndup(&t->arena, o.text, o.len);
	if (!t->text)
		b->terms.maker.code = ERR_MEMORY;
	out_release(&o);
}

/* ---- with ranks or with numbers ---- */

/* All sums of one pass over the program, and the terms that they consist of. */
struct bounds_pass {
	struct bounds_terms terms;
	struct bounds_clock end;
	struct bounds_sum *loads;
};

static enum err_code make_pass(struct bounding *b, struct bounds_pass *p, bool numbers)
{
	enum err_code code = ERR_OK;

	b->terms = (struct bounds_terms){.maker = {.arena = b->run->arena, .left = MOST_PARTS}};
	b->numbers = numbers;
	b->symbol_count = b->scope = 0;
	p->loads = maker_room(&b->terms.maker, bounds_load_count(b->run), sizeof *p->loads);
	if (p->loads)
		code = b->run->program.main->messages ? bounds_clocks(b, &p->end, p->loads) : separate_processes(b, &p->end, p->loads);
	p->terms = b->terms;
	return code;
}

static bool is_too_long(const struct bounding *b, const struct bounds_pass *p)
{
	if (p->terms.maker.code)
		return p->terms.maker.code == ERR_LIMIT;
	for (uint32_t i = 0; i < bounds_load_count(b->run); i++)
		if (p->loads[i].count > MOST_TERMS)
			return true;
	return false;
}

/* With ranks in expressions; if these are too long or lack paths, with the values that ranks lead to, if that helps. */
static enum err_code make_all(struct bounding *b, struct bounds *t)
{
	struct bounds_pass ranks = {.loads = NULL}, numbers = {.loads = NULL}, *chosen = &ranks;
	enum err_code code = make_pass(b, &ranks, false);
	bool too_long = !code && is_too_long(b, &ranks);

	if (!code && b->run->program.main->rank && (too_long || ranks.end.partial)) {
		code = make_pass(b, &numbers, true);
		if (numbers.terms.maker.code == ERR_MEMORY || (!numbers.terms.maker.code && (too_long || !numbers.end.partial)))
			chosen = &numbers;
	}
	b->terms = chosen->terms;
	if (!code && !b->terms.maker.code)
		put_bounds(b, t, &chosen->end, chosen->loads);
	bounds_terms_release(chosen == &ranks ? &numbers.terms : &ranks.terms);
	return code;
}

static enum err_code maker_error(const struct bounding *b, struct err *e)
{
	const char *file = b->run->in->model->file;

	if (b->terms.maker.code == ERR_LIMIT)
		return err_set(e, ERR_LIMIT, "%s: its expressions would be too long", file ? file : "the model");
	return b->terms.maker.code ? err_memory(e, "a model's expressions") : ERR_OK;
}

enum err_code bounds_make(struct bounds *t, const struct evaluate_input *in, struct err *e)
{
	struct bounding *b;
	struct program_run *r;
	enum err_code code;

	*t = (struct bounds){.count = 0};
	arena_init(&t->arena);
	code = evaluate(&t->outcome, in, e);
	if (code)
		return code;
	r = mem_zero(1, sizeof *r);
	b = mem_zero(1, sizeof *b);
	if (r && b) {
		*r = (struct program_run){.in = in, .arena = &t->arena, .e = e};
		b->run = r;
		code = run_prepare(r);
		if (!code)
			code = find_names(b, t);
		if (!code)
			code = make_all(b, t);
		if (!code && !b->terms.maker.code)
			bounds_put_text(b, t);
		if (!code)
			code = maker_error(b, e);
		run_release(r);
		bounds_terms_release(&b->terms);
	} else {
		code = err_memory(e, "a model's expressions");
	}
	mem_free(r);
	mem_free(b);
	return code;
}

void bounds_release(struct bounds *t)
{
	outcome_release(&t->outcome);
	arena_release(&t->arena);
	*t = (struct bounds){.count = 0};
}
