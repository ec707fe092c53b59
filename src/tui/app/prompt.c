/* The prompt at the foot of the screen and the effects of its text: commands, searches, filters, values, paths. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/number.h"
#include "app_int.h"
#include "core/formats/api/format.h"
#include "core/io/out.h"

void app_ask_path(struct app *a)
{
	const char *path = a->work.path_count ? a->work.paths[0] : "phases", *file = strrchr(path, '/');
	char name[PROMPT_TEXT];
	size_t n;

	file = file ? file + 1 : path;
	n = format_stem(file, strlen(file));
	snprintf(name, sizeof name, "%.*s.yaml", (int)n, file);
	prompt_open(&a->shell.prompt, PROMPT_PATH, "write to: ", a->shell.path[0] ? a->shell.path : name);
}

void app_full_path(const char *path, char *full, size_t size)
{
	const char *home = getenv("HOME");
	bool tilde = *path == '~' && path[1] == '/' && home;

	snprintf(full, size, "%s%s", tilde ? home : "", tilde ? path + 1 : path);
}

enum err_code app_write_table(struct app *a, const char *path, bool overwrite, struct err *e)
{
	char full[PROMPT_TEXT * 2], label[96];

	app_full_path(path, full, sizeof full);
	snprintf(a->shell.path, sizeof a->shell.path, "%s", path);
	if (!a->work.table)
		return err_set(e, ERR_USAGE, "the phase table is still being made");
	if (app_refuse_inputs(a, full, e))
		return e->code;
	if (!overwrite && access(full, F_OK) == 0) {
		snprintf(label, sizeof label, "%.60s exists; overwrite it? (y/n) ", path);
		prompt_open(&a->shell.prompt, PROMPT_OVERWRITE, label, "");
		return ERR_OK;
	}
	if (out_replace_file(full, a->work.table, a->work.model.table_size, e))
		return e->code;
	a->work.tables_written++;
	app_say(a, ROLE_BETTER, "Wrote the phase table to %s.", full);
	if (a->work.here == VIEW_TABLE)
		app_show(a, a->work.tab);
	return ERR_OK;
}

/* As asked for in a prompt: what fails is said. */
static void write_table(struct app *a, const char *path, bool overwrite)
{
	struct err e;

	if (app_write_table(a, path, overwrite, &e))
		app_say(a, ROLE_ERROR, "%s", e.text);
}

static void take_search(struct app *a)
{
	struct list *l = view_list(a->work.views[a->work.here]);
	struct err e = {0};

	if (list_search(l, a->shell.prompt.text, &e)) {
		snprintf(a->shell.prompt.error, sizeof a->shell.prompt.error, "%.150s", e.text);
		return;
	}
	prompt_close(&a->shell.prompt);
	if (l->search)
		app_search(a, true, false);
}

static void take_filter(struct app *a)
{
	struct view *v = workspace_front(&a->work);
	const struct row_source *rows = workspace_rows(&a->work);
	struct err e = {0};

	if (rows && list_filter(view_list(v), rows, v, a->shell.prompt.text, &e)) {
		snprintf(a->shell.prompt.error, sizeof a->shell.prompt.error, "%.150s", e.text);
		return;
	}
	if (rows)
		history_record_filter(&a->history, a->work.here, a->shell.prompt.text);
	prompt_close(&a->shell.prompt);
}

/* What is proposed is a percentage, so a whole number is one, and all that is no fraction. */
static bool lacks_percent(enum setting_id id, const char *text)
{
	size_t n = strlen(text);
	double v;

	return setting_info(id)->kind == SETTING_FRACTION && number_parse(text, n, &v) && (v > 1 || strspn(text, "0123456789") == n);
}

static void take_value(struct app *a)
{
	struct settings s = a->work.model.settings;
	char text[PROMPT_TEXT + 1];
	struct err e = {0};

	snprintf(text, sizeof text, "%s%s", a->shell.prompt.text,
		 lacks_percent(a->shell.panel.selected, a->shell.prompt.text) ? "%" : "");
	if (settings_set(&s, a->shell.panel.selected, text, &e) || settings_check(&s, &e)) {
		snprintf(a->shell.prompt.error, sizeof a->shell.prompt.error, "%.150s", e.text);
		return;
	}
	prompt_close(&a->shell.prompt);
	undo_end_gesture(&a->history.undo);
	app_settings(a, &s, -1);
}

static void take_iteration(struct app *a)
{
	char text[PROMPT_TEXT];
	struct err e = {0};

	memcpy(text, a->shell.prompt.text, sizeof text);
	if (app_iteration(a, text, &e))
		snprintf(a->shell.prompt.error, sizeof a->shell.prompt.error, "%.150s", e.text);
	else
		prompt_close(&a->shell.prompt);
}

static void take_command(struct app *a)
{
	char line[PROMPT_TEXT];
	struct err e = {0};

	memcpy(line, a->shell.prompt.text, sizeof line);
	prompt_close(&a->shell.prompt);
	if (command_run(a, line, &e))
		app_say(a, ROLE_ERROR, "%s", e.text);
}

static void take_answer(struct app *a, bool yes)
{
	bool settings = a->shell.prompt.kind == PROMPT_SETTINGS;
	char path[PROMPT_TEXT];

	memcpy(path, a->shell.path, sizeof path);
	prompt_close(&a->shell.prompt);
	if (!yes)
		app_say(a, ROLE_DIM, settings ? "Settings unchanged." : "Not written.");
	else if (settings)
		app_take_offered(a);
	else
		write_table(a, path, true);
}

void app_prompt_key(struct app *a, uint32_t key)
{
	char path[PROMPT_TEXT];

	if (prompt_is_question(&a->shell.prompt)) {
		take_answer(a, key == 'y' || key == 'Y');
		return;
	}
	switch (prompt_key(&a->shell.prompt, key)) {
	case PROMPT_TYPING: return;
	case PROMPT_CANCELLED: prompt_close(&a->shell.prompt); return;
	case PROMPT_ACCEPTED: break;
	}
	if (app_ask_refused(a))
		return;
	switch (a->shell.prompt.kind) {
	case PROMPT_COMMAND: take_command(a); break;
	case PROMPT_SEARCH: take_search(a); break;
	case PROMPT_FILTER: take_filter(a); break;
	case PROMPT_VALUE: take_value(a); break;
	case PROMPT_ITERATION: take_iteration(a); break;
	case PROMPT_PATH:
		prompt_close(&a->shell.prompt);
		if (a->shell.prompt.len) {
			memcpy(path, a->shell.prompt.text, sizeof path);
			write_table(a, path, false);
		}
		break;
	default: prompt_close(&a->shell.prompt);
	}
}

/* A fraction as the panel has it, and exactly: "0.07" is 7%. */
static void in_percent(char *value, size_t size)
{
	double fraction, back;
	char percent[32];

	if (!number_parse(value, strlen(value), &fraction))
		return;
	for (int digits = 3; digits <= 17; digits++) { /* 3: 100 % has no exponent */
		snprintf(percent, sizeof percent, "%.*g", digits, fraction * 100);
		if (number_parse_shifted(percent, strlen(percent), -2, &back) && !(back < fraction) && !(back > fraction)) {
			snprintf(value, size, "%s%%", percent);
			return;
		}
	}
}

enum err_code app_can_turn(const struct app *a, struct err *e)
{
	/* A view with knobs of its own has none of the thresholds on the screen, and would have taken the key for its own. */
	return workspace_front(&a->work)->ops->knobs ? err_set(e, ERR_USAGE, "There is no setting to change here.") : ERR_OK;
}

void app_ask_value(struct app *a)
{
	const struct setting_info *i = setting_info(a->shell.panel.selected);
	char label[96], value[64];

	snprintf(label, sizeof label, "%s = ", i->key);
	settings_get(&a->work.model.settings, i->id, value, sizeof value);
	if (i->kind == SETTING_FRACTION)
		in_percent(value, sizeof value);
	prompt_open(&a->shell.prompt, PROMPT_VALUE, label, value);
}

/* What is asked already can be edited. */
static void ask_what_if(struct app *a)
{
	char text[sizeof a->work.model.projected.text + 16];

	snprintf(text, sizeof text, "what-if %s", a->work.model.projected.text);
	prompt_open(&a->shell.prompt, PROMPT_COMMAND, ":", text);
}

/* Commands say themselves, when they are run, why they cannot; but where it is known before, it is said before. */
static const struct asking {
	enum action action;
	enum prompt_kind kind;       /* all but commands: of this action alone */
	const char *label, *text;    /* what the prompt begins with */
	void (*open)(struct app *a); /* in their place, where that depends */
	enum err_code (*check)(const struct app *a, struct err *e); /* whether something can come of it; NULL: it can */
} askings[] = {
	{ACTION_COMMAND, PROMPT_COMMAND, ":", "", NULL, NULL},
	{ACTION_SEARCH, PROMPT_SEARCH, "/", "", NULL, app_can_search},
	{ACTION_FILTER, PROMPT_FILTER, "filter: ", "", NULL, app_can_filter},
	{ACTION_KNOB_TYPE, PROMPT_VALUE, NULL, NULL, app_ask_value, app_can_turn},
	{ACTION_ITERATION, PROMPT_ITERATION, NULL, NULL, app_ask_iteration, app_can_iterate},
	{ACTION_EXPORT_ROWS, PROMPT_COMMAND, ":", "export ", NULL, app_can_export},
	{ACTION_SCREEN, PROMPT_COMMAND, ":", "screen ", NULL, NULL},
	{ACTION_PRESET, PROMPT_COMMAND, ":", "preset ", NULL, NULL},
	{ACTION_WHAT_IF, PROMPT_COMMAND, NULL, NULL, ask_what_if, NULL},
	{ACTION_WRITE_CORRECTED, PROMPT_COMMAND, NULL, NULL, app_ask_corrected, app_can_correct},
};
#define ASKINGS (sizeof askings / sizeof *askings)

bool app_ask(struct app *a, enum action action)
{
	struct prompt *p = &a->shell.prompt;
	struct err e = {0};

	for (size_t i = 0; i < ASKINGS; i++) {
		const struct asking *x = &askings[i];

		if (x->action != action)
			continue;
		if (x->open)
			x->open(a);
		else
			prompt_open(p, x->kind, x->label, x->text);
		if (x->check && x->check(a, &e))
			snprintf(p->error, sizeof p->error, "%.150s", e.text);
		return true;
	}
	return false;
}

bool app_ask_by_key(struct app *a, uint32_t key)
{
	return app_ask(a, keymap_only(&a->shell.keymap, key));
}

bool app_ask_refused(struct app *a)
{
	struct prompt *p = &a->shell.prompt;
	struct err e = {0};

	for (size_t i = 0; p->kind != PROMPT_COMMAND && i < ASKINGS; i++)
		if (askings[i].kind == p->kind && askings[i].check && askings[i].check(a, &e)) {
			prompt_close(p);
			app_say(a, ROLE_WARN, "%s", e.text);
			return true;
		}
	return false;
}
