#include "evaluate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "graph_int.h"

/* What gathered over all processes: the resources', then each node's processors. */
struct loads {
	struct interval *resources, *nodes;
};

/* A program without messages: each process by itself; without rank one for all on nodes of one kind. */
static enum err_code alone(struct program_run *r, struct outcome *out, struct loads *l)
{
	uint32_t groups = r->in->machine ? r->in->machine->group_count : 1;
	struct work_cost cost = {.free = {0, 0}}, *costs = mem_zero(groups, sizeof *costs);
	enum err_code code = costs ? ERR_OK : err_memory(r->e, "the processes' costs");

	for (uint32_t rank = 0; !code && rank < r->process_count; rank++) {
		struct work_cost *mine = &costs[r->placement.homes[rank].group];

		run_home(r, rank);
		if (!mine->loads || r->program.main->rank) {
			if (!mine->loads)
				mine->loads = mem_zero(RUN_LOADS(r), sizeof *mine->loads);
			if (!mine->loads) {
				code = err_memory(r->e, "the processes' costs");
				break;
			}
			cost = (struct work_cost){.loads = mine->loads};
			memset(cost.loads, 0, RUN_LOADS(r) * sizeof *cost.loads);
			code = work_chain(r, r->program.main->body, &cost);
			*mine = cost;
		}
		out->processes[rank] = (struct outcome_process){mine->free, mine->nested, mine->free};
		for (uint32_t i = 0; i < r->resource_count; i++)
			l->resources[i] = interval_add(l->resources[i], mine->loads[i]);
		l->nodes[r->placement.homes[rank].node] = interval_add(l->nodes[r->placement.homes[rank].node], mine->loads[r->resource_count]);
	}
	for (uint32_t g = 0; costs && g < groups; g++)
		mem_free(costs[g].loads);
	mem_free(costs);
	return code;
}

static enum err_code processes_evaluate(struct program_run *r, struct outcome *out, struct loads *l)
{
	struct processes p;
	enum err_code code = processes_run(&p, r, r->e);

	for (uint32_t i = 0; !code && i < r->process_count; i++) {
		const struct model_process *one = &p.items[i];
		struct interval *node = &l->nodes[r->placement.homes[i].node];

		out->processes[i] = (struct outcome_process){{one->clock[0], one->clock[1]}, {one->clock[2], one->clock[3]}, one->compute};
		*node = interval_add(*node, one->processor);
	}
	if (!code)
		memcpy(l->resources, p.loads, r->resource_count * sizeof *l->resources);
	processes_release(&p);
	return code;
}

/* All of it is known but its time. */
static enum err_code add_load(struct program_run *r, struct outcome *out, struct outcome_load l)
{
	if (l.load.hi == 0)
		return ERR_OK;
	l.name = arena_strndup(&out->arena, l.name, strlen(l.name));
	l.time = (struct interval){l.load.lo / l.count.hi, l.load.hi / l.count.lo};
	out->loads[out->load_count++] = l;
	return l.name ? ERR_OK : err_memory(r->e, "loads of resources");
}

static enum err_code gather_loads(struct program_run *r, struct outcome *out, const struct loads *l)
{
	const struct machine *machine = r->in->machine;
	uint32_t seen = 0; /* nodes, which ranks enter in order */
	enum err_code code = ERR_OK;

	out->loads = mem_zero((size_t)r->resource_count + r->placement.node_count + 1, sizeof *out->loads);
	if (!out->loads)
		return err_memory(r->e, "loads of resources");
	for (uint32_t i = 0; !code && i < r->resource_count; i++)
		code = add_load(r, out, (struct outcome_load){.kind = LOAD_RESOURCE, .index = i, .name = r->in->model->resources[i].name,
							      .load = l->resources[i], .count = r->counts[i]});
	for (uint32_t i = 0; !code && i < r->process_count && seen < r->placement.node_count; i++) {
		struct home h = r->placement.homes[i];
		uint64_t cores = placement_cores(machine, h.group);
		char name[24];

		if (h.node != seen)
			continue;
		seen++;
		snprintf(name, sizeof name, "cpu%" PRIu32, h.node);
		if (cores)
			code = add_load(r, out, (struct outcome_load){.kind = LOAD_NODE, .index = h.node, .name = name, .load = l->nodes[h.node],
								      .count = interval_point((double)cores)});
	}
	if (!code && machine && machine->network)
		code = add_load(r, out, (struct outcome_load){.kind = LOAD_NETWORK, .name = "network", .load = r->network,
							      .count = interval_point((double)machine->network)});
	return code;
}

static void conclude(struct program_run *r, struct outcome *out)
{
	uint32_t most = UINT32_MAX;

	out->free = out->time = (struct interval){0, 0};
	for (uint32_t i = 0; i < out->process_count; i++) {
		out->free = interval_max(out->free, out->processes[i].free);
		out->time = interval_max(out->time, outcome_end(&out->processes[i], r->in->contention));
	}
	for (uint32_t i = 0; i < out->load_count; i++) {
		out->time = interval_max(out->time, out->loads[i].time);
		if (most == UINT32_MAX || out->loads[i].time.hi > out->loads[most].time.hi)
			most = i;
	}
	/* The nested clocks may say the same in another order of additions. */
	if (most != UINT32_MAX && out->loads[most].time.hi < out->time.hi * (1 - 1e-12))
		most = UINT32_MAX;
	out->bottleneck = most;
	out->steps = r->nodes;
}

static enum err_code notes(struct program_run *r, struct outcome *out)
{
	enum err_code code = ERR_OK;

	if (r->other.asked && r->other.lacks_ops)
		code = run_note(r, NULL, "the machines have no common operation, so compute times stay unchanged");
	if (!code && r->other.asked && r->program.split && r->other.lacks_recv)
		code = run_note(r, NULL, "a machine has no function recv, so times other than computation stay "
				"unchanged");
	if (!code && r->other.asked && !r->program.split)
		code = run_note(r, NULL, "no compute node has a split, so all its time counts as computation");
	out->notes = r->notes.text;
	out->note_count = (uint32_t)r->notes.count;
	r->notes.text = NULL;
	return code;
}

enum err_code evaluate_recorded(struct outcome *out, const struct evaluate_input *in, struct recorder *recorder, struct err *e)
{
	struct program_run *r = mem_zero(1, sizeof *r);
	struct loads l = {NULL, NULL};
	enum err_code code;

	*out = (struct outcome){.bottleneck = UINT32_MAX};
	arena_init(&out->arena);
	if (!r)
		return err_memory(e, "the evaluation of a model");
	r->in = in;
	r->recorder = recorder;
	r->e = e;
	r->arena = &out->arena;
	code = run_prepare(r);
	if (!code) {
		out->process_count = r->process_count;
		out->processes = mem_zero(out->process_count, sizeof *out->processes);
		l.resources = mem_zero(r->resource_count, sizeof *l.resources);
		l.nodes = mem_zero(r->placement.node_count, sizeof *l.nodes);
		if (!out->processes || !l.resources || !l.nodes)
			code = err_memory(e, "the model's processes");
	}
	if (!code)
		code = r->program.main->messages || recorder ? processes_evaluate(r, out, &l) : alone(r, out, &l);
	if (!code)
		code = gather_loads(r, out, &l);
	if (!code) {
		conclude(r, out);
		code = interval_is_finite(out->time) && interval_is_finite(out->free) ? notes(r, out) :
		       err_set(e, ERR_FORMAT, "%s: the times are too large", in->model->file ? in->model->file : "the model");
	}
	mem_free(l.resources);
	mem_free(l.nodes);
	run_release(r);
	mem_free(r);
	return code;
}

enum err_code evaluate(struct outcome *out, const struct evaluate_input *in, struct err *e)
{
	return evaluate_recorded(out, in, NULL, e);
}

void outcome_release(struct outcome *out)
{
	mem_free(out->processes);
	mem_free(out->loads);
	mem_free(out->notes);
	arena_release(&out->arena);
	*out = (struct outcome){.bottleneck = UINT32_MAX};
}

struct interval outcome_end(const struct outcome_process *p, enum contention contention)
{
	return contention == CONTENTION_NESTED ? p->nested : p->free;
}
