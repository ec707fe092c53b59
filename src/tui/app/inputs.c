#include "app_int.h"

#include <limits.h>

#include "core/formats/inputs.h"
#include "core/settings/config.h"
#include "tui/model/model.h"

static enum err_code refuse_one(const char *path, const char *input, struct err *e)
{
	return input ? inputs_refuse(path, &input, 1, e) : ERR_OK;
}

static enum err_code refuse_runs(const struct runs *r, const char *path, struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < r->count; i++)
		code = inputs_refuse(path, (const char *const *)r->list[i].paths, r->list[i].path_count, e);
	return code;
}

static enum err_code refuse_results(const struct results *r, const char *path, struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < r->count; i++)
		code = refuse_one(path, r->list[i].path, e);
	return code;
}

static enum err_code refuse_models(const struct models *m, const char *path, struct err *e)
{
	const struct models_program *p = m->program;
	enum err_code code = refuse_one(path, m->measured, e);

	if (!code && p)
		code = inputs_refuse(path, p->model.files, p->model.file_count, e);
	if (!code && p)
		code = refuse_one(path, p->machine_path, e);
	for (uint32_t i = 0; !code && i < m->fits; i++)
		code = refuse_one(path, m->fit[i].file->path, e);
	for (uint32_t i = 0; !code && i < m->readings; i++)
		code = refuse_one(path, m->reading[i].path, e);
	return code;
}

static enum err_code refuse_study(const struct open_study *s, const char *path, struct err *e)
{
	enum err_code code = refuse_one(path, s->path, e);

	for (size_t i = 0; !code && s->made && i < s->made->file.run_count; i++) {
		const struct study_source *run = &s->made->file.runs[i];

		code = inputs_refuse(path, run->files, run->file_count, e);
		if (!code)
			code = refuse_one(path, run->result, e);
	}
	return code;
}

enum err_code app_refuse_open(const struct app *a, const char *path, struct err *e)
{
	enum err_code code = inputs_refuse(path, a->work.paths, a->work.path_count, e);

	if (!code)
		code = refuse_runs(&a->runs, path, e);
	if (!code)
		code = refuse_results(&a->work.model.results, path, e);
	if (!code)
		code = refuse_models(&a->models, path, e);
	if (!code)
		code = refuse_study(&a->study, path, e);
	return code ? code : refuse_one(path, a->work.options->script, e);
}

enum err_code app_refuse_inputs(const struct app *a, const char *path, struct err *e)
{
	char config[PATH_MAX];
	enum err_code code = app_refuse_open(a, path, e);

	if (!code)
		code = refuse_one(path, a->work.options->config_file, e);
	if (!code && config_default_path(config, sizeof config))
		code = refuse_one(path, config, e);
	if (!code && config_saved_path(config, sizeof config))
		code = refuse_one(path, config, e);
	return code;
}
