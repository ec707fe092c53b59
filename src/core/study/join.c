#include "study.h"

#include <string.h>

#include "core/base/text.h"
#include "core/formats/runs.h"

/* Into the place that its name has; the same twice is nothing new. */
static enum err_code add_parameter(struct study_source *run, const struct study_parameter *p, const char *file, struct err *e)
{
	struct study_parameters *to = &run->parameters;
	const struct study_parameter *there = study_parameter_find(to, p->name);
	char safe[256];
	uint32_t at = 0;

	text_safe(safe, sizeof safe, file, SIZE_MAX, TEXT_UTF8);
	if (there)
		return strcmp(there->text, p->text) == 0 ? ERR_OK :
			err_set(e, ERR_USAGE, "%s: %s is %.60s here, but %.60s in another file of the same run", safe, p->name, p->text,
				there->text);
	if (to->count == STUDY_PARAMETERS)
		return err_set(e, ERR_USAGE, "%s: more than %u parameters", safe, STUDY_PARAMETERS);
	while (at < to->count && strcmp(to->list[at].name, p->name) < 0)
		at++;
	memmove(&to->list[at + 1], &to->list[at], (to->count - at) * sizeof *to->list);
	to->list[at] = *p;
	to->count++;
	return ERR_OK;
}

static enum err_code study_join_runs(struct study_file *f, const uint32_t *run_of, uint32_t runs, struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t r = 0, i = 0; !code && r < runs; r++) {
		struct study_source run;
		uint32_t count = 0;

		for (uint32_t k = 0; k < f->run_count; k++)
			count += run_of[k] == r;
		while (run_of[i] != r)
			i++;
		run = f->runs[i];
		run.files = arena_alloc(&f->arena, count * sizeof *run.files);
		if (!run.files)
			return err_memory(e, "the study");
		for (uint32_t k = i; !code && k < f->run_count; k++) {
			if (run_of[k] != r)
				continue;
			run.files[run.file_count - 1] = f->runs[k].files[0];
			for (uint32_t p = 0; !code && k > i && p < f->runs[k].parameters.count; p++)
				code = add_parameter(&run, &f->runs[k].parameters.list[p], f->runs[k].files[0], e);
			run.file_count += run.file_count < count;
		}
		/* Runs are numbered by their first files, so none that is still needed is written over. */
		f->runs[r] = run;
	}
	f->run_count = code ? f->run_count : runs;
	return code;
}

enum err_code study_join(struct study_file *f, struct err *e)
{
	uint32_t n = (uint32_t)f->run_count, runs = 0;
	const char **files = mem_alloc(n, sizeof *files);
	uint32_t *run_of = mem_alloc(n, sizeof *run_of);
	enum err_code code = files && run_of ? ERR_OK : err_memory(e, "the study");

	for (uint32_t i = 0; !code && i < n; i++)
		files[i] = f->runs[i].files[0];
	if (!code && n)
		code = runs_of_files(files, n, run_of, &runs, e);
	if (!code && runs < n)
		code = study_join_runs(f, run_of, runs, e);
	mem_free(files);
	mem_free(run_of);
	return code;
}
