#include "model_int.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/models/graph/predict.h"

void models_point_init(struct models_point *p, const struct models *s)
{
	const struct models_program *from = s->program;
	uint32_t n = from->model.parameter_count, groups = from->machine.group_count ? from->machine.group_count : 1;

	*p = (struct models_point){.program = models_program_ref(s->program), .speed = {1, 1}, .contention = s->contention};
	p->values = mem_zero(n, sizeof *p->values);
	p->given = mem_zero(n, sizeof *p->given);
	p->machine = from->machine;
	p->machine.nodes = mem_zero(groups, sizeof *p->machine.nodes);
	p->machine.group_count = groups;
	p->complete = p->values && p->given && p->machine.nodes;
	if (!p->complete)
		return;
	p->machine.nodes[0].count = 1;
	for (uint32_t i = 0; i < s->knobs; i++) {
		const struct models_knob *k = &s->knob[i];

		if (k->kind == KNOB_SPEED)
			p->speed = k->value;
		if (k->kind != KNOB_PARAMETER || !k->given)
			continue;
		p->values[k->parameter] = k->value;
		p->given[k->parameter] = true;
	}
	models_point_speed(p, p->speed);
}

void models_point_release(struct models_point *p)
{
	models_program_unref(p->program);
	mem_free(p->values);
	mem_free(p->given);
	mem_free(p->machine.nodes);
	*p = (struct models_point){.program = NULL};
}

void models_point_speed(struct models_point *p, struct interval speed)
{
	const struct machine *from = &p->program->machine;

	p->speed = speed;
	p->has_machine = p->program->machine_path || speed.lo < 1 || speed.lo > 1 || speed.hi < 1 || speed.hi > 1;
	for (uint32_t i = 0; i < p->machine.group_count; i++) {
		if (from->group_count)
			p->machine.nodes[i] = from->nodes[i];
		else
			p->machine.nodes[i].speed = (struct interval){1, 1};
		p->machine.nodes[i].speed = interval_mul(p->machine.nodes[i].speed, speed);
	}
}

enum err_code models_point_resolve(struct models_point *p, struct err *e)
{
	const struct program_model *m = &p->program->model;
	enum err_code code = p->complete ? ERR_OK : err_memory(e, "a model's values");

	for (uint32_t i = 0; !code && i < m->parameter_count; i++)
		if (!p->given[i])
			code = predict_default(m, i, p->values, &p->values[i], e);
	return code;
}

void models_point_input(const struct models_point *p, const struct progress *progress, struct evaluate_input *in)
{
	*in = (struct evaluate_input){.model = &p->program->model, .machine = p->has_machine ? &p->machine : NULL, .values = p->values,
				      .contention = p->contention, .progress = progress};
}
