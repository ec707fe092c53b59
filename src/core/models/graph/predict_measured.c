/* What was measured as the points of a prediction: its parameters are set from it. */
#include <string.h>

#include "predict.h"

/* The column of a parameter among those that vary; UINT32_MAX: it is the same everywhere. */
static uint32_t column_of(const struct measured_set *set, const char *name)
{
	for (uint32_t i = 0; i < set->parameters; i++)
		if (strcmp(set->parameter[i], name) == 0)
			return i;
	return UINT32_MAX;
}

static enum err_code prediction_take_points(struct prediction *p, const struct measurements *m, const struct measured_set *set, const char *file, struct err *e)
{
	struct predict_points *to = &p->points;

	to->parameters = mem_alloc(m->parameters, sizeof *to->parameters);
	to->at = mem_alloc((size_t)m->parameters * set->points, sizeof *to->at);
	to->measured = mem_alloc(set->points, sizeof *to->measured);
	if (!to->parameters || !to->at || !to->measured)
		return err_memory(e, "what was measured");
	to->parameter_count = m->parameters;
	to->count = set->points;
	memcpy(to->measured, set->value, set->points * sizeof *to->measured);
	for (uint32_t k = 0; k < m->parameters; k++) {
		uint32_t column = column_of(set, m->parameter[k]);

		to->parameters[k] = model_parameter(p->model, m->parameter[k]);
		if (to->parameters[k] == UINT32_MAX)
			return err_set(e, ERR_FORMAT, "%s: the model has no parameter '%s', which was measured for", file, m->parameter[k]);
		for (uint32_t i = 0; i < set->points; i++)
			to->at[(size_t)i * m->parameters + k] = column == UINT32_MAX ? m->at[k] : set->at[(size_t)i * set->parameters + column];
	}
	return ERR_OK;
}

enum err_code predict_measured(struct prediction *p, const struct measurements *m, const char *file, struct err *e)
{
	struct measured_sets sets;
	enum err_code code = measurements_sets(m, VALUE_MEAN, &sets, e);

	if (code)
		return code;
	if (sets.count != 1 || !sets.set[0].points)
		code = err_set(e, ERR_FORMAT, "%s: %s: a model's time is compared with one group of measurements", file,
			       sets.count ? "several groups" : "nothing was measured");
	else
		code = prediction_take_points(p, m, &sets.set[0], file, e);
	measured_sets_release(&sets);
	return code;
}
