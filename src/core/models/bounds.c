#include "bounds.h"

#include <stdio.h>
#include <string.h>

#include "bounds_clocks.h"
#include "work_cost.h"
#include "core/io/out.h"

#define MOST_PARTS 4000000u /* of all trees and sums together, with those that are not printed */
#define MOST_TERMS 40       /* of an expression with ranks in it, before their values are put in */

/* Where the loads of all processes gather: resources, nodes, the network. */
static uint32_t load_count(const struct run *r)
{
	return r->resource_count + r->placement.node_count + 1;
}

/* ---- names of operations ---- */

/* One that has the same time on all nodes, and a name that no parameter has. */
static bool has_name(const struct run *r, const char *name)
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

static void find_names(struct bounding *b, struct bounds *t)
{
	const struct run *r = b->run;

	b->named = maker_room(&b->terms.maker, r->program.op_count, sizeof *b->named);
	t->names = maker_room(&b->terms.maker, r->program.op_count, sizeof *t->names);
	for (uint32_t i = 0; i < r->program.op_count && !b->terms.maker.code; i++) {
		const char *name = r->program.ops[i];

		b->named[i] = has_name(r, name);
		if (b->named[i])
			t->names[t->name_count++] = (struct bounds_name){arena_strndup(&t->arena, name, strlen(name)),
									 machine_op(r->in->machine, 0, name)->seconds};
	}
}

/* ---- processes ---- */

/* What `times` processes on one node need. */
static void add_loads(struct bounding *b, const struct bounds_work *w, uint32_t node, double times, struct bounds_sum *loads)
{
	struct run *r = b->run;
	const struct expression *n = maker_number(&b->terms.maker, times);

	for (uint32_t i = 0; i < RUN_LOADS(r); i++) {
		struct bounds_sum *load = &loads[i < r->resource_count ? i : r->resource_count + node];

		*load = bounds_add(&b->terms, *load, bounds_times(&b->terms, n, w->loads[i]));
	}
}

static enum err_code one_process(struct bounding *b, uint32_t rank, struct bounds_work *w, struct bounds_clock *end)
{
	struct run *r = b->run;
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
static enum err_code alone(struct bounding *b, struct bounds_clock *end, struct bounds_sum *loads)
{
	struct run *r = b->run;
	const struct home *homes = r->placement.homes;
	uint32_t groups = r->in->machine ? r->in->machine->group_count : 1;
	struct bounds_work *works = maker_room(&b->terms.maker, groups, sizeof *works);
	double *on_node = mem_zero(r->placement.node_count, sizeof *on_node);
	enum err_code code = ERR_OK;

	if (!on_node)
		b->terms.maker.code = ERR_MEMORY;
	for (uint32_t rank = 0; rank < r->process_count && !code && !b->terms.maker.code; rank++) {
		struct bounds_work *w = &works[homes[rank].group];

		if (!w->loads || r->program.main->rank)
			code = one_process(b, rank, w, end);
		if (!code && !b->terms.maker.code && r->program.main->rank)
			add_loads(b, w, homes[rank].node, 1, loads);
		on_node[homes[rank].node]++;
	}
	for (uint32_t rank = 0; rank < r->process_count && !r->program.main->rank && !code && !b->terms.maker.code; rank++) {
		double *times = &on_node[homes[rank].node];

		if (*times > 0)
			add_loads(b, &works[homes[rank].group], homes[rank].node, *times, loads);
		*times = 0;
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
	if (c->here)
		bounds_longest(&longest);
	for (uint32_t i = 0; i < longest.count; i++)
		sums[i] = longest.path[i].sum;
	return bounds_tree(&b->terms, bounds_greatest(&b->terms, sums, longest.count));
}

static void put_bound(struct bounding *b, struct bounds *t, const char *name, const struct expression *x, struct interval value)
{
	char text[96];

	snprintf(text, sizeof text, "T_%.80s", name);
	t->items[t->count] = (struct bound){arena_strndup(&t->arena, text, strlen(text)), x, expression_text(&t->arena, x), value, 1};
	if (!t->items[t->count].name || !t->items[t->count].text)
		b->terms.maker.code = ERR_MEMORY;
	t->count++;
	t->value = interval_max(t->value, value);
}

/* Which load of the outcome is which of ours, and by how many it is divided. */
static uint32_t load_of(struct bounding *b, const struct outcome *o, uint32_t at, const struct bounds_sum *loads, const struct expression **by)
{
	struct run *r = b->run;
	const struct outcome_load *l = &o->loads[at];
	uint32_t resource = model_resource(r->in->model, l->name), first = 0;
	unsigned node;

	*by = maker_range(&b->terms.maker, l->count);
	/* A resource of the model may be called as a node or the network is, which come behind it. */
	while (strcmp(o->loads[first].name, l->name) != 0)
		first++;
	if (resource != UINT32_MAX && loads[resource].count && first == at) {
		*by = r->in->model->resources[resource].count;
		return resource;
	}
	if (sscanf(l->name, "cpu%u", &node) == 1)
		return r->resource_count + node;
	return r->resource_count + r->placement.node_count;
}

/* A node that does what the one before it does is told with that. */
static bool is_alike(const struct bounds *t, bool node)
{
	const struct bound *last = &t->items[t->count - 1], *before = last - 1;

	return node && !strncmp(before->name, "T_cpu", 5) && !strcmp(last->text, before->text) && last->value.lo >= before->value.lo &&
	       last->value.lo <= before->value.lo && last->value.hi >= before->value.hi && last->value.hi <= before->value.hi;
}

static void put_bounds(struct bounding *b, struct bounds *t, const struct bounds_clock *end, const struct bounds_sum *loads)
{
	t->count = 0;
	t->value = (struct interval){0, 0};
	t->items = maker_room(&b->terms.maker, (size_t)t->outcome.load_count + 1, sizeof *t->items);
	t->here = end->here;
	if (b->terms.maker.code)
		return;
	put_bound(b, t, "0", greatest_path(b, end), t->outcome.free);
	for (uint32_t i = 0; i < t->outcome.load_count && !b->terms.maker.code; i++) {
		const struct outcome_load *l = &t->outcome.loads[i];
		const struct expression *by;
		uint32_t load = load_of(b, &t->outcome, i, loads, &by);

		put_bound(b, t, l->name, bounds_tree(&b->terms, bounds_divide(&b->terms, loads[load], by)), l->time);
		if (b->terms.maker.code || !is_alike(t, load >= b->run->resource_count && load < load_count(b->run) - 1))
			continue;
		t->count--;
		t->items[t->count - 1].nodes++;
	}
}

static void put_text(struct bounding *b, struct bounds *t)
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

/* What one pass found. */
struct pass {
	struct bounds_terms terms;
	struct bounds_clock end;
	struct bounds_sum *loads;
};

static bool has_long_load(const struct bounding *b, const struct pass *p)
{
	for (uint32_t i = 0; i < load_count(b->run); i++)
		if (p->loads[i].count > MOST_TERMS)
			return true;
	return false;
}

static enum err_code make_pass(struct bounding *b, struct pass *p, bool numbers)
{
	enum err_code code = ERR_OK;

	b->numbers = numbers;
	b->symbol_count = b->scope = 0;
	p->loads = maker_room(&b->terms.maker, load_count(b->run), sizeof *p->loads);
	if (p->loads)
		code = b->run->program.main->messages ? bounds_clocks(b, &p->end, p->loads) : alone(b, &p->end, p->loads);
	return code;
}

/* With ranks in expressions; where these are long with the values that they lead to, if that is shorter. */
static enum err_code make_all(struct bounding *b, struct bounds *t)
{
	struct pass ranks = {.loads = NULL}, numbers = {.loads = NULL};
	enum err_code code = make_pass(b, &ranks, false);
	bool many = !code && !b->terms.maker.code && has_long_load(b, &ranks);

	if (!code && !b->terms.maker.code && b->run->program.main->rank && (many || ranks.end.here)) {
		ranks.terms = b->terms;
		b->terms = (struct bounds_terms){.maker = ranks.terms.maker};
		code = make_pass(b, &numbers, true);
		if (!code && !b->terms.maker.code && (many || !numbers.end.here)) {
			put_bounds(b, t, &numbers.end, numbers.loads);
			bounds_terms_release(&ranks.terms);
			return ERR_OK;
		}
		ranks.terms.maker = b->terms.maker;
		bounds_terms_release(&b->terms);
		b->terms = ranks.terms;
	}
	if (!code && !b->terms.maker.code)
		put_bounds(b, t, &ranks.end, ranks.loads);
	return code;
}

/* What the maker stopped at. */
static enum err_code made(const struct bounding *b, const struct evaluate_input *in, struct err *e)
{
	const char *file = in->model->file ? in->model->file : "the model";

	if (b->terms.maker.code == ERR_LIMIT)
		return err_set(e, ERR_LIMIT, "%s: its expressions would be too long", file);
	return b->terms.maker.code ? err_memory(e, "a model's expressions") : ERR_OK;
}

enum err_code bounds_make(struct bounds *t, const struct evaluate_input *in, struct err *e)
{
	struct bounding *b;
	struct run *r;
	enum err_code code;

	*t = (struct bounds){.count = 0};
	arena_init(&t->arena);
	code = evaluate(&t->outcome, in, e);
	if (code)
		return code;
	r = mem_zero(1, sizeof *r);
	b = mem_zero(1, sizeof *b);
	if (r && b) {
		*r = (struct run){.in = in, .arena = &t->arena, .e = e};
		b->run = r;
		b->terms.maker = (struct expression_maker){.arena = &t->arena, .left = MOST_PARTS};
		code = run_prepare(r);
		if (!code) {
			find_names(b, t);
			code = make_all(b, t);
		}
		if (!code && !b->terms.maker.code)
			put_text(b, t);
		if (!code)
			code = made(b, in, e);
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
