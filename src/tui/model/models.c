#include "model_int.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/models/graph/model_read.h"

void models_init(struct models *s)
{
	*s = (struct models){.serial = 1};
	s->now.bottleneck = s->before.bottleneck = UINT32_MAX;
}

static void release_fit(struct models_fit *f)
{
	if (f->has_fit)
		fit_release(&f->fit);
	models_measured_unref(f->file);
}

void models_release(struct models *s)
{
	for (uint32_t i = 0; i < s->fits; i++)
		release_fit(&s->fit[i]);
	for (uint32_t i = 0; i < s->readings; i++)
		mem_free(s->reading[i].path);
	mem_free(s->measured);
	mem_free(s->fit);
	mem_free(s->reading);
	mem_free(s->row);
	made_unref(s->graphed);
	derived_release(&s->fitting);
	derived_release(&s->evaluating);
	derived_release(&s->sweeping);
	derived_release(&s->drawing);
	models_program_unref(s->program);
	models_init(s);
}

/* --- rows --- */

/* A function of the machine that the model defines too is never called. */
static bool hidden(const struct models_program *p, const char *name)
{
	for (uint32_t i = 0; i < p->model.functions.count; i++)
		if (!strcmp(p->model.functions.items[i].name, name))
			return true;
	return false;
}

static enum err_code find_rows(struct models *s, struct err *e)
{
	const struct models_program *p = s->program;
	size_t most = 1 + (size_t)s->fits + (p ? p->model.functions.count + p->machine.functions.count : 0);
	struct models_row *row = mem_alloc(most, sizeof *row);
	uint32_t n = 0;

	if (!row)
		return err_memory(e, "the list of models");
	if (p && p->model.program)
		row[n++] = (struct models_row){MODELS_PROGRAM, 0};
	for (uint32_t i = 0; p && i < p->model.functions.count; i++)
		row[n++] = (struct models_row){MODELS_FUNCTION, i};
	for (uint32_t i = 0; p && i < p->machine.functions.count; i++)
		if (!hidden(p, p->machine.functions.items[i].name))
			row[n++] = (struct models_row){MODELS_MESSAGES, i};
	for (uint32_t i = 0; i < s->fits; i++)
		row[n++] = (struct models_row){MODELS_FIT, i};
	mem_free(s->row);
	s->row = row;
	s->rows = n;
	if (s->selected_row >= n)
		s->selected_row = n ? n - 1 : 0;
	s->rows_serial++;
	return ERR_OK;
}

enum err_code models_settle(struct models *s, struct err *e)
{
	enum err_code code = find_rows(s, e);

	if (!code)
		models_find_knobs(s);
	s->serial++;
	return code;
}

const struct models_row *models_selected(const struct models *s)
{
	return s->selected_row < s->rows ? &s->row[s->selected_row] : NULL;
}

struct models_fit *models_selected_fit(const struct models *s)
{
	const struct models_row *r = models_selected(s);

	return r && r->kind == MODELS_FIT ? &s->fit[r->index] : NULL;
}

const struct function *models_function(const struct models *s, const struct models_row *r)
{
	switch (r->kind) {
	case MODELS_FUNCTION: return &s->program->model.functions.items[r->index];
	case MODELS_MESSAGES: return &s->program->machine.functions.items[r->index];
	default: return NULL;
	}
}

const char *models_row_name(const struct models *s, const struct models_row *r)
{
	const struct function *f = models_function(s, r);
	const struct models_fit *fit;

	if (f)
		return f->name;
	if (r->kind == MODELS_PROGRAM)
		return s->program->model.name ? s->program->model.name : path_name(s->program->path);
	fit = &s->fit[r->index];
	return fit->file->sets.set[fit->set].name[0] ? fit->file->sets.set[fit->set].name : path_name(fit->file->path);
}

/* --- opening --- */

static enum err_code open_program(struct models *s, const char *path, const char *machine, struct err *e)
{
	struct models_program *p, *old = s->program;
	enum err_code code = models_program_open(&p, path, machine, e);

	if (code)
		return code;
	s->program = p;
	s->say[0] = 0;
	s->before = (struct models_figures){.bottleneck = UINT32_MAX};
	code = models_settle(s, e);
	models_program_unref(old);
	return code;
}

/* To be read; once more if it was before. */
static enum err_code ask_measurements(struct models *s, const char *path, struct err *e)
{
	struct models_reading *list;

	for (uint32_t i = 0; i < s->readings; i++) {
		if (strcmp(s->reading[i].path, path) != 0)
			continue;
		s->reading[i].state = MODELS_WAITING;
		s->reading[i].say[0] = 0;
		return ERR_OK;
	}
	list = mem_resize(s->reading, (size_t)s->readings + 1, sizeof *list);
	if (!list)
		return err_memory(e, "measurements");
	s->reading = list;
	list[s->readings] = (struct models_reading){.path = mem_strdup(path)};
	if (!list[s->readings].path)
		return err_memory(e, "measurements");
	s->readings++;
	return ERR_OK;
}

enum err_code models_open(struct models *s, const char *path, struct err *e)
{
	char safe[256];

	switch (model_file_kind(path)) {
	case MODEL_FILE_MACHINE: return models_open_machine(s, path, e);
	case MODEL_FILE_MEASUREMENTS: return ask_measurements(s, path, e);
	case MODEL_FILE_MODEL:
	case MODEL_FILE_NONE: break;
	}
	if (model_file_kind(path) == MODEL_FILE_MODEL)
		return open_program(s, path, s->program ? s->program->machine_path : NULL, e);
	/* Reading it says best what is wrong, of a file that is there and might be meant as one. */
	if (strstr(path, ".yaml") || strstr(path, ".yml"))
		return open_program(s, path, s->program ? s->program->machine_path : NULL, e);
	return err_set(e, ERR_USAGE, "%s: expected a model, a machine, or measurements (CSV)",
		       text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8));
}

enum err_code models_open_machine(struct models *s, const char *path, struct err *e)
{
	return open_program(s, s->program ? s->program->path : NULL, path, e);
}

void models_place(const struct models *s, const struct models_fit *f, double *x)
{
	const struct measured_set *set = &f->file->sets.set[f->set];

	for (uint32_t k = 0; k < set->parameters; k++) {
		x[k] = set->at[(size_t)(set->points / 2) * set->parameters + k];
		for (uint32_t i = 0; i < s->knobs; i++)
			if (s->knob[i].kind <= KNOB_PLACE && s->knob[i].known && !strcmp(s->knob[i].name, set->parameter[k]))
				x[k] = interval_middle(s->knob[i].value);
	}
}
