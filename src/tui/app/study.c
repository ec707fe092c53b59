#include "app_int.h"

#include <string.h>

#include "tui/model/open_study.h"

enum err_code app_study_begin(struct app *a, const struct tui_options *o, struct err *e)
{
	struct settings s = a->work.model.settings;
	enum err_code code = o->study ? open_study_file(&a->study, o->study, &s, o->given, e) : ERR_OK;

	if (code || !o->study)
		return code;
	a->work.tab = VIEW_RUNS;
	a->work.here = VIEW_STUDY;
	if (!o->count && !o->model_count)
		a->work.home = VIEW_RUNS;
	app_settings(a, &s, -1);
	return ERR_OK;
}

void app_study_news(struct app *a)
{
	const char *say = open_study_work(&a->work.model);

	/* Where it is shown it says so itself. */
	if (say && a->work.here != VIEW_STUDY)
		app_say(a, ROLE_WARN, "%s", say);
}

enum err_code app_study_open(struct app *a, const char *path, struct err *e)
{
	struct settings s = a->work.model.settings;
	char full[PROMPT_TEXT * 2];
	enum err_code code;

	app_full_path(path, full, sizeof full);
	code = open_study_file(&a->study, full, &s, NULL, e);
	if (code)
		return code;
	app_settings(a, &s, -1);
	app_show(a, VIEW_STUDY);
	app_study_news(a);
	return ERR_OK;
}

enum err_code app_study_ask(struct app *a, const char *text, struct err *e)
{
	const struct view *v = a->work.views[VIEW_STUDY];
	struct view_look before, now;
	enum err_code code;

	if (!a->study.made)
		return err_set(e, ERR_USAGE, a->study.path ? "the study's runs are still being loaded" : "no study is open; :study FILE opens one");
	before = view_look(v);
	code = open_study_set(&a->study, text, e);
	now = view_look(v);
	undo_end_gesture(&a->history.undo);
	undo_record_view(&a->history.undo, v->id, &before, &now, -1);
	return code;
}

enum view_id app_study_or_runs(const struct app *a)
{
	return a->study.path && (a->work.here == VIEW_RUNS || !a->runs.count) ? VIEW_STUDY : VIEW_RUNS;
}

bool app_study_alone(const struct app *a)
{
	return a->work.here == VIEW_STUDY && !a->runs.count;
}

void app_study_open_run(struct app *a)
{
	const struct settings s = a->work.model.settings;
	const struct study_run *run;
	const struct study_source *source;
	uint32_t index;
	struct err e;

	if (!a->study.made)
		return;
	run = &a->study.made->runs.list[a->study.run];
	source = &a->study.made->file.runs[a->study.run];
	if (!run->reads_trace) {
		app_say(a, ROLE_WARN, "%s is a phase table; the workbench opens traces.", run->name);
		return;
	}
	index = runs_by_path(&a->runs, source->files[0]);
	if (index == UINT32_MAX) {
		if (runs_add(&a->runs, source->files, source->file_count, &e)) {
			app_say(a, ROLE_WARN, "%s", e.text);
			return;
		}
		index = runs_by_path(&a->runs, source->files[0]);
	}
	if (app_runs_open_at(a, index, false, &s))
		app_show(a, VIEW_PHASES);
}
