#include "graph_int.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NOTES_MOST 100

void run_home(struct program_run *r, uint32_t rank)
{
	r->rank = rank;
	r->group = r->placement.homes[rank].group;
	r->speed = placement_speed(r->in->machine, r->group);
	r->cores = placement_cores(r->in->machine, r->group);
	r->formulas.values.rank = rank;
}

enum err_code run_value(struct program_run *r, struct operand *o, struct interval *v)
{
	enum err_code code;

	if (o->known) {
		*v = o->value;
		return ERR_OK;
	}
	if (!o->formula) {
		*v = interval_point(0);
		return ERR_OK;
	}
	code = formula_value(&r->formulas, o->formula, v, r->e);
	if (!code && o->fixed) {
		o->value = *v;
		o->known = true;
	}
	return code;
}

enum err_code run_whole(struct program_run *r, struct code *c, struct operand *o, const char *what, double *v)
{
	struct interval value;
	enum err_code code = run_value(r, o, &value);

	if (code)
		return code;
	if (!interval_is_point(value) || value.lo != floor(value.lo) || fabs(value.lo) > 9007199254740992.0)
		return place_err(&c->node->place, ERR_FORMAT, r->e, "%s: %s must be a single whole number, found "
				 "[%.9g, %.9g]",
				 model_node_info(c->node->kind)->name, what, value.lo, value.hi);
	*v = value.lo;
	return ERR_OK;
}

enum err_code run_note(struct program_run *r, const struct place *at, const char *fmt, ...)
{
	char text[400], line[64] = "";
	const char **grown;
	va_list args;
	char *kept;
	size_t size;

	if (r->notes.count == NOTES_MOST)
		return ERR_OK;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	if (at && at->line)
		snprintf(line, sizeof line, "line %u: ", at->line);
	size = strlen(text) + strlen(line) + (at && at->file ? strlen(at->file) : 0) + 4;
	kept = arena_alloc(r->arena, size);
	grown = mem_grow(r->notes.text, r->notes.count, &r->notes.cap, sizeof *grown);
	if (grown)
		r->notes.text = grown;
	if (!kept || !grown)
		return err_memory(r->e, "notes");
	snprintf(kept, size, "%s%s%s%s", at && at->file ? at->file : "", at && at->file ? ": " : "", line, text);
	r->notes.text[r->notes.count++] = kept;
	return ERR_OK;
}

enum err_code run_clip(struct program_run *r, struct code *c, const char *what, struct interval *v)
{
	double was = v->lo;

	if (v->lo >= 0)
		return ERR_OK;
	r->clipped++;
	*v = interval_max(*v, interval_point(0));
	if (c->told)
		return ERR_OK;
	c->told = true;
	return run_note(r, &c->node->place, "%s is %.6g, which counts as 0", what, was);
}

enum err_code run_count_node(struct program_run *r)
{
	if ((++r->nodes & 0xffff) == 0 && progress_stopped(r->in->progress))
		return err_set(r->e, ERR_CANCELLED, "stopped");
	return ERR_OK;
}

/* p, which may come from elsewhere than the model's text. */
static enum err_code count_processes(struct program_run *r)
{
	uint32_t at = model_parameter(r->in->model, "p");
	struct interval p = at == UINT32_MAX ? interval_point(1) : r->in->values[at];
	const char *file = r->in->model->file, *in = file ? ": " : "";

	file = file ? file : "";
	if (!interval_is_point(p) || p.lo != floor(p.lo) || p.lo < 1)
		return err_set(r->e, ERR_FORMAT, "%s%sp is [%.9g, %.9g]: expected a whole number of processes, at "
			       "least 1", file, in, p.lo,
			       p.hi);
	if (p.lo > EVALUATE_PROCESSES)
		return err_set(r->e, ERR_LIMIT, "%s%sp is %.0f: expected at most %u "
			       "processes", file, in, p.lo, EVALUATE_PROCESSES);
	r->process_count = (uint32_t)p.lo;
	return ERR_OK;
}

/* How many there are of each resource: they may depend on parameters alone. */
static enum err_code bind_resources(struct program_run *r, const struct formula **formulas)
{
	const struct program_model *m = r->in->model;
	const struct scope scope = {NULL, 0, false};
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < m->resource_count; i++)
		code = library_bind(&r->program.library, m->resources[i].count, &scope, &formulas[i], r->e);
	return code;
}

static enum err_code count_resources(struct program_run *r, const struct formula *const *formulas)
{
	const struct program_model *m = r->in->model;
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < m->resource_count; i++) {
		code = formula_value(&r->formulas, formulas[i], &r->counts[i], r->e);
		if (!code && !(r->counts[i].lo > 0))
			return place_err(&m->resources[i].place, ERR_FORMAT, r->e, "the resource %s needs a capacity "
					 "above 0, found %.9g",
					 m->resources[i].name, r->counts[i].lo);
	}
	return code;
}

enum err_code run_prepare(struct program_run *r)
{
	const struct evaluate_input *in = r->in;
	const struct formula **formulas = NULL;
	enum err_code code = count_processes(r);

	r->resource_count = in->model->resource_count;
	if (!code)
		code = placement_init(&r->placement, in->machine, r->process_count, r->e);
	if (!code)
		code = program_init(&r->program, in->model, in->machine, r->e);
	if (!code)
		code = transfers_init(&r->transfers, &r->program, r->e);
	if (!code) {
		r->shares = placement_shares(&r->placement, in->machine);
		r->counts = mem_zero(r->resource_count, sizeof *r->counts);
		r->held = mem_zero(r->resource_count, sizeof *r->held);
		r->locals = mem_zero((size_t)r->program.main->frames + 1, sizeof *r->locals);
		r->scratch_count = 3 * (r->program.main->levels + 2);
		r->scratch = mem_zero(r->scratch_count, sizeof *r->scratch);
		formulas = mem_zero(r->resource_count, sizeof *formulas);
		if (!r->shares || !r->counts || !r->held || !r->locals || !r->scratch || !formulas)
			code = err_memory(r->e, "the evaluation of a model");
	}
	if (!code)
		code = bind_resources(r, formulas);
	if (!code) {
		formula_run_init(&r->formulas, &r->program.library, in->progress, FORMULA_STEPS);
		r->formulas.values = (struct formula_values){.parameters = in->values, .shares = r->shares, .processes = r->process_count};
		run_frame(r, r->locals);
		code = count_resources(r, formulas);
	}
	if (!code)
		code = other_machine_init(&r->other, in->base, in->machine, r->program.parameters, in->model->parameter_count, in->values,
					  in->progress, r->e);
	mem_free(formulas);
	return code;
}

void run_release(struct program_run *r)
{
	other_machine_release(&r->other);
	formula_run_release(&r->formulas);
	program_release(&r->program);
	placement_release(&r->placement);
	for (uint32_t i = 0; r->scratch && i < r->scratch_count; i++)
		mem_free(r->scratch[i]);
	mem_free(r->scratch);
	mem_free(r->shares);
	mem_free(r->counts);
	mem_free(r->held);
	mem_free(r->locals);
	mem_free(r->notes.text);
}
