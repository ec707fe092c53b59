#include "models.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/models/graph/model_read.h"

#define SAME 1e-9 /* relative: a slider's value and a table's digits */

enum err_code models_open_measured(struct models *s, const char *path, struct err *e)
{
	char safe[256], *copy;
	enum err_code code;

	if (model_file_kind(path) != MODEL_FILE_MEASUREMENTS)
		return err_set(e, ERR_USAGE, "%s: expected a table of measurements (CSV)",
			       text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8));
	copy = mem_strdup(path);
	if (!copy)
		return err_memory(e, "measurements");
	code = models_open(s, path, e);
	if (code) {
		mem_free(copy);
		return code;
	}
	mem_free(s->measured);
	s->measured = copy;
	return ERR_OK;
}

static const struct models_measured *file_of(const struct models *s)
{
	for (uint32_t i = 0; s->measured && i < s->fits; i++)
		if (!strcmp(s->fit[i].file->path, s->measured))
			return s->fit[i].file;
	return NULL;
}

static const struct models_knob *knob_of(const struct models *s, const char *name)
{
	for (uint32_t i = 0; i < s->knobs; i++)
		if (s->knob[i].kind == KNOB_PARAMETER && s->knob[i].known && !strcmp(s->knob[i].name, name))
			return &s->knob[i];
	return NULL;
}

static bool is_here(const struct models_knob *k, double at)
{
	return interval_is_point(k->value) && fabs(k->value.lo - at) <= SAME * fabs(at);
}

double models_measured_here(const struct models *s, const char **why)
{
	const struct models_measured *file = file_of(s);
	const struct measured_set *set;

	*why = file ? "not measured here" : "not read";
	if (!file)
		return NAN;
	if (file->sets.count != 1) {
		*why = "several groups measured";
		return NAN;
	}
	set = &file->sets.set[0];
	for (uint32_t k = 0, varied = 0; k < file->measurements.parameters; k++) {
		const char *name = file->measurements.parameter[k];
		const struct models_knob *knob = knob_of(s, name);

		if (!knob) {
			*why = "measured with other parameters";
			return NAN;
		}
		/* Of a set's parameters those that vary are left. */
		if (varied < set->parameters && !strcmp(set->parameter[varied], name))
			varied++;
		else if (!is_here(knob, file->measurements.at[k]))
			return NAN;
	}
	for (uint32_t i = 0; i < set->points; i++) {
		bool here = true;

		for (uint32_t k = 0; here && k < set->parameters; k++)
			here = is_here(knob_of(s, set->parameter[k]), set->at[(size_t)i * set->parameters + k]);
		if (here)
			return set->value[i];
	}
	return NAN;
}
