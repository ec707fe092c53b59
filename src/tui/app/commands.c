/* Commands: every action by its name, and the few that take arguments. */
#include <stdio.h>
#include <string.h>

#include "core/settings/config.h"
#include "core/base/text.h"
#include "core/formats/api/format.h"
#include "core/io/packing.h"
#include "app_int.h"
#include "tui/widgets/widgets.h"

/* "volume 7%", and also "volume=7%" with or without blanks. */
static enum err_code run_set(struct app *a, const struct words *w, struct err *e)
{
	struct settings s = a->work.model.settings;
	const char *equals = strchr(w->word[0], '='), *value = w->count > 1 ? w->word[w->count - 1] : equals ? equals + 1 : "";
	const struct setting_info *i;
	char key[64], safe[64];
	enum err_code code;

	if ((w->count > 1 && equals && equals[1]) || (w->count == 3 && (equals || strcmp(w->word[1], "=") != 0)))
		return err_set(e, ERR_USAGE, "unexpected '%s': set takes SETTING [VALUE]",
			       text_safe(safe, sizeof safe, value, SIZE_MAX, TEXT_UTF8));
	if (w->count == 2 && *value == '=')
		value++;
	snprintf(key, sizeof key, "%.*s", equals ? (int)(equals - w->word[0]) : 63, w->word[0]);
	i = setting_find(key);
	if (!i)
		return err_set(e, ERR_USAGE, "unknown setting '%s'; Tab lists the settings",
			       text_safe(safe, sizeof safe, key, SIZE_MAX, TEXT_UTF8));
	if (!*value) {
		settings_get(&s, i->id, key, sizeof key);
		app_say(a, ROLE_DEFAULT, "%s = %s: %s", i->key, key, i->help);
		return ERR_OK;
	}
	code = settings_set(&s, i->id, value, e);
	if (!code)
		code = settings_check(&s, e);
	if (code)
		return code;
	undo_end_gesture(&a->history.undo);
	app_settings(a, &s, -1);
	return ERR_OK;
}

static enum err_code run_goto(struct app *a, const struct words *w, struct err *e)
{
	char name[PROMPT_TEXT + WORDS] = "";

	for (int i = 0; i < w->count; i++)
		snprintf(name + strlen(name), sizeof name - strlen(name), "%s%s", i ? " " : "", w->word[i]);
	return app_goto(a, name, e);
}

static enum err_code run_sort(struct app *a, const struct words *w, struct err *e)
{
	struct view *v = workspace_front(&a->work);
	const struct row_source *rows = workspace_rows(&a->work);
	struct list *l = view_list(v);
	char names[256] = "";

	if (!rows || !rows->key)
		return err_set(e, ERR_USAGE, "this view has no rows to sort");
	for (int c = 0; c < rows->column_count; c++) {
		if (!strcmp(rows->columns[c].name, w->word[0]) || !strcmp(rows->columns[c].title, w->word[0])) {
			list_sort(l, rows, v, c, l->sort_column == c ? !l->descending : rows->columns[c].align == LOOK_RIGHT);
			app_say_sorted(a);
			return ERR_OK;
		}
		snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", c ? ", " : "", rows->columns[c].name);
	}
	return err_set(e, ERR_USAGE, "unknown column; this view has %s", names);
}

static enum err_code run_screen(struct app *a, const struct words *w, struct err *e)
{
	enum err_code code = app_save_screen(a, w->word[0], e);
	char safe[256];

	if (!code)
		app_say(a, ROLE_BETTER, "Saved the screen to %s.", text_safe(safe, sizeof safe, w->word[0], SIZE_MAX, TEXT_UTF8));
	return code;
}

static enum err_code run_write(struct app *a, const struct words *w, struct err *e)
{
	if (a->work.here == VIEW_MODELS)
		return app_models_write(a, w->word[0], w->options & 1, e);
	if (a->work.here != VIEW_TABLE || !a->work.table) {
		app_show(a, VIEW_TABLE);
		session_wait_idle(a->work.session);
		app_news(a);
	}
	return app_write_table(a, w->word[0], false, e);
}

static enum err_code run_preset(struct app *a, const struct words *w, struct err *e)
{
	return app_ask_preset(a, w->word[0], e);
}

static enum err_code run_save_config(struct app *a, const struct words *w, struct err *e)
{
	return app_save_config(a, w->count ? w->word[0] : "", e);
}

static enum err_code run_export(struct app *a, const struct words *w, struct err *e)
{
	return app_export(a, w->word[0], w->options & 1, w->options & 2, e);
}

static enum err_code run_result(struct app *a, const struct words *w, struct err *e)
{
	return app_result(a, w->word[0], e);
}

static enum err_code run_clocks(struct app *a, const struct words *w, struct err *e)
{
	struct settings s = a->work.model.settings;
	enum err_code code = settings_set(&s, SETTING_clocks, w->word[0], e);

	if (code)
		return code;
	undo_end_gesture(&a->history.undo);
	app_settings(a, &s, -1);
	return ERR_OK;
}

static enum err_code run_write_corrected(struct app *a, const struct words *w, struct err *e)
{
	return app_write_corrected(a, w->word[0], w->options & 1, e);
}

static enum err_code run_open(struct app *a, const struct words *w, struct err *e)
{
	return app_open_files(a, w->word, (uint32_t)w->count, e);
}

static enum err_code run_add(struct app *a, const struct words *w, struct err *e)
{
	return app_runs_add(a, w->word, (uint32_t)w->count, e);
}

static enum err_code run_diff(struct app *a, const struct words *w, struct err *e)
{
	return app_runs_compare(a, w->word, (uint32_t)w->count, e);
}

static enum err_code run_remove(struct app *a, const struct words *w, struct err *e)
{
	return app_runs_remove(a, w->count ? w->word[0] : NULL, e);
}

static enum err_code run_plan(struct app *a, const struct words *w, struct err *e)
{
	return app_plan(a, w->count ? w->word[0] : NULL, w->count > 1 ? w->word[1] : NULL, e);
}

static enum err_code run_model(struct app *a, const struct words *w, struct err *e)
{
	return app_models_open(a, w->word, w->count, e);
}

static enum err_code run_study(struct app *a, const struct words *w, struct err *e)
{
	return app_study_open(a, w->word[0], e);
}

static enum err_code run_machine(struct app *a, const struct words *w, struct err *e)
{
	return app_models_machine(a, w->word[0], e);
}

static enum err_code run_measured(struct app *a, const struct words *w, struct err *e)
{
	return app_models_measured(a, w->word[0], e);
}

static enum err_code run_param(struct app *a, const struct words *w, struct err *e)
{
	char text[PROMPT_TEXT + WORDS] = "";

	for (int i = 0; i < w->count; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "", w->word[i]);
	return a->work.here == VIEW_STUDY ? app_study_ask(a, text, e) : app_models_vary(a, text, e);
}

static enum err_code run_what_if(struct app *a, const struct words *w, struct err *e)
{
	char text[PROMPT_TEXT + WORDS] = "";
	enum err_code code;

	for (int i = 0; i < w->count; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "", w->word[i]);
	code = projected_ask(&a->work.model, text, e);
	if (!code && a->work.here != VIEW_METRICS)
		app_show(a, VIEW_METRICS);
	return code;
}

static enum err_code run_tutorial(struct app *a, const struct words *w, struct err *e)
{
	return app_tutorial(a, w->count ? w->word[0] : NULL, e);
}

static enum err_code run_q(struct app *a, const struct words *w, struct err *e)
{
	(void)w;
	(void)e;
	app_act(a, ACTION_QUIT);
	return ERR_OK;
}

static const struct command {
	const char *name, *arguments;
	int least, most;
	const char *options;
	enum err_code (*run)(struct app *a, const struct words *w, struct err *e);
} commands[] = {
#define COMMAND(id, name, arguments, least, most, options, help) {name, arguments, least, most, options, run_##id},
#include "tui/screen/prompt_commands.def"
};
#define COMMANDS (sizeof commands / sizeof *commands)

static const struct {
	const char *name, *command;
} aliases[] = {
#define COMMAND(id, name, arguments, least, most, options, help)
#define ALIAS(name, command) {name, command},
#include "tui/screen/prompt_commands.def"
};

enum err_code command_run(struct app *a, const char *line, struct err *e)
{
	const char *rest;
	char name[64], safe[64];
	enum action action;
	struct words w;
	enum err_code code;
	size_t n;

	line += strspn(line, " ");
	n = strcspn(line, " ");
	rest = line + n + strspn(line + n, " ");
	snprintf(name, sizeof name, "%.*s", (int)n, line);
	if (!n)
		return ERR_OK;
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
		if (!strcmp(aliases[i].name, name))
			snprintf(name, sizeof name, "%s", aliases[i].command);
	action = action_find(name);
	for (size_t i = 0; i < COMMANDS; i++) {
		const struct command *c = &commands[i];

		if (strcmp(c->name, name) || (!*rest && action != ACTION_NONE))
			continue;
		code = words_split(&w, rest, c->name, c->arguments, c->least, c->most, c->options, e);
		return code ? code : c->run(a, &w, e);
	}
	if (action != ACTION_NONE) {
		code = words_split(&w, rest, name, "", 0, 0, "", e);
		if (!code)
			app_act(a, action);
		return code;
	}
	return err_set(e, ERR_USAGE, "unknown command '%s'; Tab lists the commands, ? explains them",
		       text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8));
}

/* Where the last word of a line begins, from `at` on: behind a blank that is in no quotes. */
static size_t last_word(const char *line, size_t at)
{
	size_t word = at;

	for (char quote = 0; line[at]; at++) {
		if (quote)
			quote = line[at] == quote ? 0 : quote;
		else if (line[at] == '"' || line[at] == '\'')
			quote = line[at];
		else if (line[at] == ' ')
			word = at + 1;
	}
	return word;
}

/* The nth file whose name goes on from the word that begins at `at`, behind what was typed before it. */
static bool complete_path(const char *typed, size_t at, const char *ending, int nth, char *out, size_t size)
{
	const char *word = typed + at + (typed[at] == '"' || typed[at] == '\'');
	char path[PROMPT_TEXT], quoted[PROMPT_TEXT];

	return path_complete(word, ending, nth, path, sizeof path) && words_quote(path, quoted, sizeof quoted) &&
	       snprintf(out, size, "%.*s%s", (int)at, typed, quoted) < (int)size;
}

/* The last word as a trace, compressed or not. */
static bool complete_trace(const struct app *a, const char *typed, size_t at, int nth, char *out, size_t size)
{
	(void)a;
	char endings[256] = "";
	size_t used = 0;

	for (const struct format *const *format = formats; *format; format++)
		for (enum packing packing = PACKING_NONE; packing < PACKINGS && used < sizeof endings; packing++)
			used += (size_t)snprintf(endings + used, sizeof endings - used, "%s%s%s", used ? " " : "", (*format)->ending,
						 packing_ending(packing));
	return complete_path(typed, last_word(typed, at), endings, nth, out, size);
}

/* The trace's counters, and none. */
static bool complete_counter(const struct app *a, const char *typed, int nth, char *out, size_t size)
{
	const struct trace *t = a->work.model.trace;
	const char *word = typed + (*typed == '"' || *typed == '\'');
	char quoted[PROMPT_TEXT];

	for (uint32_t i = 0; t && i < t->counter_count; i++)
		if (!strncmp(t->counters[i].name, word, strlen(word)) && nth-- == 0)
			return words_quote(t->counters[i].name, quoted, sizeof quoted) &&
			       snprintf(out, size, "set compute-counter %s", quoted) < (int)size;
	return !strncmp("none", word, strlen(word)) && nth == 0 && snprintf(out, size, "set compute-counter none") < (int)size;
}

static bool complete_preset(const struct app *a, const char *typed, size_t at, int nth, char *out, size_t size)
{
	const struct config *config = a->work.options->config;
	const char *name, *word = typed + at + (typed[at] == '"' || typed[at] == '\'');
	char quoted[PROMPT_TEXT];

	for (size_t i = 0; (name = config_preset_name(config, i)); i++)
		if (!strncmp(name, word, strlen(word)) && nth-- == 0)
			return words_quote(name, quoted, sizeof quoted) && snprintf(out, size, "preset %s", quoted) < (int)size;
	return false;
}

static bool complete_run(const struct app *a, const char *typed, size_t at, int nth, char *out, size_t size)
{
	const char *word = typed + at + (typed[at] == '"' || typed[at] == '\'');
	const struct runs *r = &a->runs;
	char quoted[PROMPT_TEXT];

	for (uint32_t i = 0; i < r->count; i++)
		if (i != r->open && !strncmp(r->list[i].paths[0], word, strlen(word)) && nth-- == 0)
			return words_quote(r->list[i].paths[0], quoted, sizeof quoted) && snprintf(out, size, "remove %s", quoted) < (int)size;
	return false;
}

/* A setting, then one of its choices. */
static bool complete_setting(const struct app *a, const char *typed, size_t at, int nth, char *out, size_t size)
{
	const char *key = typed + at, *blank = strchr(key, ' ');
	const struct setting_info *i;
	char name[64];

	if (!blank) {
		for (int id = 0; id < SETTING_COUNT; id++)
			if (!strncmp(setting_info((enum setting_id)id)->key, key, strlen(key)) && nth-- == 0)
				return snprintf(out, size, "set %s ", setting_info((enum setting_id)id)->key) < (int)size;
		return false;
	}
	snprintf(name, sizeof name, "%.*s", (int)(blank - key), key);
	i = setting_find(name);
	if (i && i->id == SETTING_compute_counter)
		return complete_counter(a, blank + 1, nth, out, size);
	for (const char *c = i ? i->choices : NULL; c && *c;) {
		size_t len = strcspn(c, "|");

		if (!strncmp(c, blank + 1, strlen(blank + 1)) && nth-- == 0)
			return snprintf(out, size, "set %s %.*s", name, (int)len, c) < (int)size;
		c += len + (c[len] == '|');
	}
	return false;
}

/* What stands behind a command's name: files that end so, or what only the application knows. Behind any other name
 * nothing is completed. */
static const struct command_completion {
	const char *command;
	const char *ending;  /* of files */
	bool several;        /* words: the last one is completed */
	bool (*complete)(const struct app *a, const char *typed, size_t at, int nth, char *out, size_t size);
} completions[] = {
	{"set", NULL, false, complete_setting},
	{"preset", NULL, false, complete_preset},
	{"remove", NULL, false, complete_run},
	{"open", NULL, true, complete_trace},
	{"add", NULL, true, complete_trace},
	{"diff", NULL, true, complete_trace},
	{"result", ".yaml", false, NULL},
	{"study", ".yaml", false, NULL},
	{"machine", ".yaml", false, NULL},
	{"measured", ".csv", false, NULL},
	{"model", "", true, NULL},
	{"write", "", true, NULL},
	{"export", "", true, NULL},
	{"screen", "", true, NULL},
	{"write-corrected", "", true, NULL},
	{"save-config", "", true, NULL},
};

/* The nth candidate for what is typed: a name as the palette has them; behind a name and a blank, that with what may
 * follow it. */
bool command_complete(void *app, const char *typed, int nth, char *out, size_t size)
{
	struct palette_entry entry;
	size_t n;

	typed += strspn(typed, " ");
	n = strcspn(typed, " ");
	if (!typed[n])
		return palette_entry(typed, nth, &entry) && snprintf(out, size, "%s%s", entry.name, *entry.arguments ? " " : "") < (int)size;
	for (size_t i = 0; i < sizeof completions / sizeof *completions; i++) {
		const struct command_completion *c = &completions[i];

		if (strlen(c->command) != n || strncmp(c->command, typed, n))
			continue;
		return c->complete ? c->complete(app, typed, n + 1, nth, out, size) :
			complete_path(typed, c->several ? last_word(typed, n + 1) : n + 1, c->ending, nth, out, size);
	}
	return false;
}
