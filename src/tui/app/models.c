#include "app_int.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/io/out.h"

enum err_code app_models_begin(struct app *a, const struct tui_options *o, struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < o->model_count; i++)
		code = models_open(&a->models, o->models[i], e);
	if (!code && o->machine)
		code = models_open_machine(&a->models, o->machine, e);
	if (!code && o->measured)
		code = models_open_measured(&a->models, o->measured, e);
	for (uint32_t i = 0; !code && i < o->vary_count; i++)
		code = models_set(&a->models, o->vary[i], e);
	a->models.undo_count = a->models.undo_at = 0; /* what it begins with */
	a->models.gesture = false;
	if (!code && o->model_count && !o->view)
		a->work.here = a->work.tab = VIEW_MODELS;
	return code;
}

void app_models_news(struct app *a)
{
	const char *say;

	models_work(&a->work.model, a->work.here == VIEW_MODELS);
	say = models_news(&a->models);
	if (say)
		app_say(a, ROLE_WARN, "%s", say);
}

const char *app_models_title(const struct app *a)
{
	const struct models_program *p = a->models.program;

	if (p && p->model.program && p->model.name)
		return p->model.name;
	return p && p->path ? p->path : a->models.readings ? a->models.reading[0].path : "models";
}

enum err_code app_models_open(struct app *a, const char *const *paths, int count, struct err *e)
{
	char full[PROMPT_TEXT * 2];
	enum err_code code = ERR_OK;

	for (int i = 0; !code && i < count; i++) {
		app_full_path(paths[i], full, sizeof full);
		code = models_open(&a->models, full, e);
	}
	if (!code && a->work.here != VIEW_MODELS)
		app_show(a, VIEW_MODELS);
	app_models_news(a);
	return code;
}

enum err_code app_models_machine(struct app *a, const char *path, struct err *e)
{
	char full[PROMPT_TEXT * 2];
	enum err_code code;

	app_full_path(path, full, sizeof full);
	code = models_open_machine(&a->models, full, e);
	if (!code && a->work.here != VIEW_MODELS)
		app_show(a, VIEW_MODELS);
	return code;
}

enum err_code app_models_measured(struct app *a, const char *path, struct err *e)
{
	char full[PROMPT_TEXT * 2];
	enum err_code code;

	app_full_path(path, full, sizeof full);
	code = models_open_measured(&a->models, full, e);
	if (!code && a->work.here != VIEW_MODELS)
		app_show(a, VIEW_MODELS);
	app_models_news(a);
	return code;
}

enum err_code app_models_vary(struct app *a, const char *text, struct err *e)
{
	enum err_code code = models_set(&a->models, text, e);

	if (!code && a->work.here != VIEW_MODELS)
		app_show(a, VIEW_MODELS);
	return code;
}

void app_models_ask(struct app *a)
{
	char text[128], value[64];

	models_knob_text(&a->models, a->models.selected, value, sizeof value);
	snprintf(text, sizeof text, "param %s=%s", a->models.knob[a->models.selected].name, value);
	prompt_open(&a->shell.prompt, PROMPT_COMMAND, ":", text);
}

enum err_code app_models_write(struct app *a, const char *path, bool force, struct err *e)
{
	const struct models *m = &a->models;
	const struct models_row *row = models_selected(m);
	bool fit = row && row->kind == MODELS_FIT;
	char full[PROMPT_TEXT * 2], safe[256];
	struct out out;
	enum err_code code;

	app_full_path(path, full, sizeof full);
	text_safe(safe, sizeof safe, full, SIZE_MAX, TEXT_UTF8);
	if (!fit && !(m->program && m->program->model.program))
		return err_set(e, ERR_USAGE, "no fit is selected and no program is open");
	if (app_refuse_inputs(a, full, e))
		return e->code;
	if (!force && access(full, F_OK) == 0)
		return err_set(e, ERR_USAGE, "%s exists; --force replaces it", safe);
	out_init(&out);
	code = fit ? models_write_fits(m, &out, e) : models_write_prediction(m, &out, e);
	if (!code && out.failed)
		code = err_memory(e, "the file's text");
	if (!code)
		code = out_replace_file(full, out.text ? out.text : "", out.len, e);
	out_release(&out);
	if (!code)
		app_say(a, ROLE_BETTER, fit ? "Wrote the fits as functions to %s." : "Wrote the prediction to %s.", safe);
	return code;
}
