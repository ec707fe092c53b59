#include "app_int.h"

#include <string.h>
#include <sys/stat.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/trace/trace.h"
#include "exit.h"
#include "tui/jobs/session.h"
#include "tui/model/model.h"

enum err_code app_open_begin(struct app *a, const struct tui_options *o, struct err *e)
{
	char path[PROMPT_TEXT];

	a->picker.alone = o->folder != NULL;
	if (app_state_file(o, "recent.yaml", path, sizeof path)) {
		a->picker.recent_file = mem_strdup(path);
		if (!a->picker.recent_file)
			return err_memory(e, "the recent traces");
	}
	return o->folder ? picker_go(&a->picker, o->folder, e) : ERR_OK;
}

/* A trace is remembered once it could be read; a file that cannot be written is no reason to complain. */
static void note_trace(struct app *a)
{
	const struct trace *t = a->work.model.recorded;
	struct err e;

	if (!t || a->work.noted || !a->picker.recent_file)
		return;
	a->work.noted = true;
	app_make_directories(a->picker.recent_file);
	recent_note(a->picker.recent_file, a->work.paths, a->work.path_count, t, &e);
}

void app_open_news(struct app *a)
{
	note_trace(a);
	picker_work(&a->work.model);
}

bool app_open_alone(const struct app *a)
{
	return a->work.here == VIEW_OPEN && a->picker.alone && !a->work.path_count;
}

/* --- opening --- */

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !strcmp(a, b) || (!stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

/* By any of its names. */
static uint32_t runs_find_path(const struct runs *r, const char *path)
{
	for (uint32_t i = 0; i < r->count; i++)
		for (uint32_t k = 0; k < r->list[i].path_count; k++)
			if (same_file(r->list[i].paths[k], path))
				return i;
	return UINT32_MAX;
}

/* What could not be read is tried again. */
static enum err_code open_at(struct app *a, uint32_t index, bool added, struct err *e)
{
	struct run *run = &a->runs.list[index];
	bool failed = run->state == RUN_FAILED || run->state == RUN_STOPPED;
	char safe[200];
	const char *path = run->paths[0];
	enum err_code code = failed ? runs_add(&a->runs, &path, 1, e) : ERR_OK;

	if (code)
		return code;
	text_safe(safe, sizeof safe, run_name(run), SIZE_MAX, TEXT_UTF8);
	if (a->work.path_count && index == a->runs.open) {
		app_show(a, a->work.tab);
		app_say(a, ROLE_DIM, "%s is the open trace already.", safe);
		return ERR_OK;
	}
	app_runs_open_at(a, index, added, NULL);
	return ERR_OK;
}

static enum err_code open_run(struct app *a, const char *const *paths, uint32_t count, struct err *e)
{
	uint32_t index = runs_find_path(&a->runs, paths[0]), last = a->runs.last_id;
	enum err_code code;

	if (index != UINT32_MAX)
		return open_at(a, index, false, e);
	code = runs_add(&a->runs, paths, count, e);
	index = runs_by_id(&a->runs, last + 1);
	return index == UINT32_MAX ? code : open_at(a, index, true, e);
}

enum err_code app_open_files(struct app *a, const char *const *paths, uint32_t count, struct err *e)
{
	char full[WORDS][PROMPT_TEXT * 2];
	const char *list[WORDS];
	enum err_code code;

	for (uint32_t i = 0; i < count; i++) {
		app_full_path(paths[i], full[i], sizeof full[i]);
		list[i] = full[i];
	}
	if (count > 1 || !trace_folder_is(full[0]))
		return open_run(a, list, count, e);
	code = picker_go(&a->picker, full[0], e);
	if (!code)
		app_show(a, VIEW_OPEN);
	return code;
}

void app_open_selected(struct app *a)
{
	uint32_t row = list_row(&a->work.views[VIEW_OPEN]->list), count;
	const struct found_run *run = picker_row(&a->picker, row);
	struct err e;
	char **paths;

	if (run->gone) {
		app_say(a, ROLE_WARN, "This trace does not exist any more.");
		return;
	}
	/* The list is another one by the time that the trace is open. */
	count = run->path_count;
	paths = mem_zero(count, sizeof *paths);
	for (uint32_t i = 0; paths && i < count; i++)
		paths[i] = mem_strdup(run->paths[i]);
	if (!paths || !paths[count - 1])
		app_say(a, ROLE_ERROR, "Not enough memory to open it.");
	else if (open_run(a, (const char *const *)paths, count, &e))
		app_say(a, ROLE_WARN, "%s", e.text);
	for (uint32_t i = 0; paths && i < count; i++)
		mem_free(paths[i]);
	mem_free(paths);
}

bool app_open_failed(struct app *a, const struct err *why)
{
	uint32_t before = a->runs.opened_from ? runs_by_id(&a->runs, a->runs.opened_from) : UINT32_MAX;
	uint32_t failed = a->runs.list[a->runs.open].id;
	const struct err said = *why;
	struct err e;

	if (before == UINT32_MAX && !a->picker.alone)
		return false;
	a->runs.opened_from = 0;
	a->runs.opened_new = false;
	if (app_reopen(a, before, &e)) {
		shell_leave(&a->shell, (int)exit_of_err(e.code), e.text);
		return true;
	}
	if (runs_by_id(&a->runs, failed) != UINT32_MAX)
		runs_drop(&a->runs, runs_by_id(&a->runs, failed));
	app_news(a);
	app_show(a, VIEW_OPEN);
	if (said.code == ERR_CANCELLED)
		app_say(a, ROLE_WARN, "Opening stopped.");
	else
		app_say(a, ROLE_WARN, "%s", said.text);
	return true;
}

/* --- several --- */

static bool can_be_open(const struct run *run)
{
	return run->state != RUN_FAILED && run->state != RUN_STOPPED;
}

bool app_open_place(const struct app *a, uint32_t *place, uint32_t *of)
{
	*place = *of = 0;
	for (uint32_t i = 0; a->work.path_count && i < a->runs.count; i++) {
		*of += i == a->runs.open || can_be_open(&a->runs.list[i]);
		if (i == a->runs.open)
			*place = *of;
	}
	return *of > 1;
}

void app_open_next(struct app *a, int by)
{
	uint32_t count = a->runs.count, at = a->runs.open, place, of;
	char safe[200], key[16];

	if (!app_open_place(a, &place, &of)) {
		app_say(a, ROLE_DIM, "No other trace is open; %s lists traces to open.", keymap_first(&a->shell.keymap, ACTION_OPEN, key));
		return;
	}
	do
		at = (at + (by > 0 ? 1 : count - 1)) % count;
	while (!can_be_open(&a->runs.list[at]));
	if (!app_runs_open_at(a, at, false, NULL) || !app_open_place(a, &place, &of))
		return;
	text_safe(safe, sizeof safe, run_name(&a->runs.list[a->runs.open]), SIZE_MAX, TEXT_UTF8);
	app_say(a, ROLE_DEFAULT, "%s: trace %u of %u", safe, (unsigned)place, (unsigned)of);
}

void app_open_leave(struct app *a)
{
	struct kept_trace left = {.settings = a->work.model.settings, .history = a->history, .files = a->work.files_seen};
	const struct trace *t = a->work.model.recorded;
	bool known = a->work.path_count > 0;

	/* About: it is known better once what goes on of it has ended. */
	if (t)
		left.bytes = kept_trace_bytes(t, a->work.model.analysis && a->work.model.analysis->source != t);
	if (known)
		left.id = a->runs.list[a->runs.open].id;
	out_init(&left.state);
	known = known && app_state_write(a, &left.state);
	if (known) {
		left.lists = a->work.lists;
		a->work.lists = (struct kept_lists){0};
		kept_lists_take(&left.lists, a->work.views);
	}
	left.leaving = workspace_leave(&a->work);
	if (known) {
		kept_traces_put(&a->kept, &left);
		return;
	}
	if (left.leaving)
		session_loaded_free(leaving_end(left.leaving));
	out_release(&left.state);
}
