#include "graph_int.h"

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
		return place_err(&c->node->place, ERR_FORMAT, r->e, "%s: %s must be one whole number, found [%.9g, %.9g]",
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
	if ((++r->nodes & 0xffff) == 0 && job_stopped(r->in->job))
		return err_set(r->e, ERR_CANCELLED, "stopped");
	return ERR_OK;
}
