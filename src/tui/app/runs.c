#include "app_int.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "exit.h"
#include "tui/model/runs_work.h"

enum err_code app_runs_begin(struct app *a, const struct tui_options *o, struct err *e)
{
	enum err_code code;

	runs_init(&a->runs);
	a->runs.threads = o->threads;
	if (!o->count)
		return ERR_OK;
	code = runs_add(&a->runs, o->paths, o->beside ? o->beside : o->count, e);
	if (code || !o->beside)
		return code;
	a->runs.beside = a->runs.last_id + 1;
	return runs_add(&a->runs, o->paths + o->beside, o->count - o->beside, e);
}

void app_runs_news(struct app *a)
{
	const struct run *run = runs_work(&a->work.model);

	/* Where runs are shown, each says it itself. */
	if (run && a->work.here != VIEW_RUNS)
		app_say(a, ROLE_WARN, "%s", run->say);
}

enum err_code app_runs_add(struct app *a, const char *const *paths, uint32_t count, struct err *e)
{
	char full[WORDS][PROMPT_TEXT * 2];
	const char *list[WORDS];
	uint32_t last = a->runs.last_id, added;
	enum err_code code;

	if (!a->runs.count)
		return err_set(e, ERR_USAGE, "no trace is open to compare runs with; start pas2p with a trace");
	for (uint32_t i = 0; i < count; i++) {
		app_full_path(paths[i], full[i], sizeof full[i]);
		list[i] = full[i];
	}
	code = runs_add(&a->runs, list, count, e);
	added = runs_by_id(&a->runs, last + 1);
	for (uint32_t i = 0; added != UINT32_MAX && i < a->runs.shown; i++)
		if (a->runs.order[i] == added)
			runs_select(&a->runs, i);
	app_show(a, VIEW_RUNS);
	app_runs_news(a);
	return code;
}

static uint32_t app_run_find(const struct app *a, const char *path)
{
	char full[PROMPT_TEXT * 2];
	uint32_t index;

	app_full_path(path, full, sizeof full);
	index = runs_by_path(&a->runs, full);
	for (uint32_t i = 0; index == UINT32_MAX && i < a->runs.count; i++)
		if (!strcmp(run_name(&a->runs.list[i]), path))
			index = i;
	return index;
}

enum err_code app_runs_compare(struct app *a, const char *const *paths, uint32_t count, struct err *e)
{
	const struct run *selected = runs_selected(&a->runs), *open = &a->runs.list[a->runs.open];
	uint32_t index = count ? app_run_find(a, paths[0]) : a->work.here == VIEW_RUNS && selected ? (uint32_t)(selected - a->runs.list) : UINT32_MAX;
	enum err_code code = ERR_OK;
	uint32_t last = a->runs.last_id;

	if (!a->runs.count)
		return err_set(e, ERR_USAGE, "no run is open to compare with");
	if (!count && index == UINT32_MAX && a->runs.count < 2)
		return err_set(e, ERR_USAGE, "expected the file of another run: :diff FILE");
	if (index != UINT32_MAX && &a->runs.list[index] == open)
		return err_set(e, ERR_USAGE, "this is the open trace; expected the file of another run");
	if (count && index == UINT32_MAX) {
		code = app_runs_add(a, paths, count, e);
		index = runs_by_id(&a->runs, last + 1);
		if (code && index == UINT32_MAX)
			return code;
	}
	if (index != UINT32_MAX)
		a->runs.beside = a->runs.list[index].id;
	if (run_pair_failure(&a->work.model.pair)[0])
		run_pair_again(&a->work.model.pair);
	a->work.model.pair.show = true;
	app_show(a, VIEW_COMPARE);
	return code;
}

enum err_code app_runs_remove(struct app *a, const char *path, struct err *e)
{
	const struct run *selected = runs_selected(&a->runs);
	uint32_t index = path ? app_run_find(a, path) : selected ? (uint32_t)(selected - a->runs.list) : UINT32_MAX;
	char safe[200] = "";
	bool reading;
	uint32_t id;
	enum err_code code;

	if (path)
		text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8);
	else if (a->work.here != VIEW_RUNS)
		return err_set(e, ERR_USAGE, "expected the file of a run, or a run selected in Runs");
	if (index == UINT32_MAX)
		return path ? err_set(e, ERR_USAGE, "%s is not among the runs", safe) : err_set(e, ERR_USAGE, "no run is selected");
	text_safe(safe, sizeof safe, run_name(&a->runs.list[index]), SIZE_MAX, TEXT_UTF8);
	reading = a->runs.list[index].state == RUN_READING;
	id = a->runs.list[index].id;
	code = runs_remove(&a->runs, index, e);
	if (code)
		return code;
	kept_traces_drop(&a->kept, id);
	if (reading)
		background_cancel(a->work.model.background, a->work.model.slots.run);
	app_say(a, ROLE_DEFAULT, "Removed %s; :add adds it again.", safe);
	app_runs_news(a);
	return ERR_OK;
}

bool app_runs_open_at(struct app *a, uint32_t index, bool added, const struct settings *settings)
{
	const struct run *run = &a->runs.list[index];
	/* Without an open trace the first run is the list's, but is not read yet. */
	uint32_t before = a->work.path_count ? a->runs.list[a->runs.open].id : 0;
	struct err e;

	if (run->id == before)
		return true;
	if (run->state == RUN_FAILED) {
		app_say(a, ROLE_WARN, "%s; :add reads it again", run->say);
		return false;
	}
	if (app_reopen(a, index, &e)) {
		shell_leave(&a->shell, (int)exit_of_err(e.code), e.text);
		return false;
	}
	a->runs.opened_from = before;
	a->runs.opened_new = added;
	if (settings)
		app_settings(a, settings, -1);
	app_news(a);
	return a->runs.list[a->runs.open].id != before; /* else it cannot be read, which was found out already */
}

void app_runs_open(struct app *a)
{
	const struct run *run = runs_selected(&a->runs);
	char safe[200], key[16];

	if (!run)
		return;
	text_safe(safe, sizeof safe, run_name(run), SIZE_MAX, TEXT_UTF8);
	if (run == &a->runs.list[a->runs.open]) {
		app_say(a, ROLE_DIM, "%s is already the open trace; the other views show it.", safe);
		return;
	}
	if (!app_runs_open_at(a, (uint32_t)(run - a->runs.list), false, NULL))
		return;
	app_say(a, ROLE_DEFAULT, "%s is open; %s shows the runs again.", safe, keymap_first(&a->shell.keymap, ACTION_RUNS, key));
}

bool app_runs_back(struct app *a, const struct err *why)
{
	uint32_t before = a->runs.opened_from ? runs_by_id(&a->runs, a->runs.opened_from) : UINT32_MAX;
	struct run *run = &a->runs.list[a->runs.open];
	const struct err said = *why;
	struct err e;

	if (before == UINT32_MAX || a->runs.opened_new)
		return app_open_failed(a, why);
	a->runs.opened_from = 0;
	run->state = said.code == ERR_CANCELLED ? RUN_STOPPED : RUN_FAILED;
	snprintf(run->say, sizeof run->say, "%s", said.code == ERR_CANCELLED ? "reading stopped" : said.text);
	if (app_reopen(a, before, &e)) {
		shell_leave(&a->shell, (int)exit_of_err(e.code), e.text);
		return true;
	}
	app_news(a);
	app_show(a, VIEW_RUNS);
	app_say(a, ROLE_WARN, "%s", said.code == ERR_CANCELLED ? "Opening stopped: the previous trace is open again." : said.text);
	return true;
}
