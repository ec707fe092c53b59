/* Commands: every action by its name, and the few that take arguments. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/config.h"
#include "../core/text.h"
#include "app.h"
#include "path_complete.h"

struct command {
	const char *name, *arguments;
	enum err_code (*run)(struct app *a, const char *rest, struct err *e);
};

static enum err_code run_set(struct app *a, const char *rest, struct err *e)
{
	struct settings s = a->model.settings;
	size_t n = strcspn(rest, " =");
	const char *value = rest + n + strspn(rest + n, " =");
	const struct setting_info *i;
	char key[64], safe[64];
	enum err_code code;

	snprintf(key, sizeof key, "%.*s", (int)n, rest);
	i = setting_find(key);
	if (!i)
		return err_set(e, ERR_USAGE, "no setting is called '%s'; Tab shows their names",
			       text_safe(safe, sizeof safe, key, SIZE_MAX, TEXT_UTF8));
	if (!*value) {
		settings_get(&s, i->id, key, sizeof key);
		app_say(a, ROLE_DEFAULT, "%s = %s: %s", i->key, key, i->help);
		return ERR_OK;
	}
	code = settings_set(&s, i->id, value, e);
	if (code)
		return code;
	undo_end_gesture(&a->undo);
	app_settings(a, &s, -1);
	return ERR_OK;
}

/* The tick of a process's last event by a moment (its first one if there is none by then). */
static uint32_t tick_at(const struct logical *l, uint32_t process, double seconds)
{
	const struct trace *t = l->trace;
	uint32_t first = t->first[process], lo = first, hi = t->first[process + 1];

	if (lo == hi)
		return 0;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (t->time[mid] - t->start <= seconds)
			lo = mid + 1;
		else
			hi = mid;
	}
	return l->tick[lo > first ? lo - 1 : lo];
}

/* "phase 3": its first occurrence; "event P2 17": the 17th of a process's events. */
static enum err_code goto_named(struct app *a, const char *rest, struct err *e)
{
	const struct logical *l = model_logical(&a->model);
	const struct phases *found = l ? a->model.analysis->phases : NULL;
	unsigned process, number;

	if (!l || !l->tick_count)
		return err_set(e, ERR_USAGE, "there is no place to go to yet");
	if (sscanf(rest, "phase %u", &number) == 1) {
		if (!found || number < 1 || number > found->count)
			return err_set(e, ERR_USAGE, "the phases are 1 to %u", found ? (unsigned)found->count : 0);
		app_jump(a, a->model.cursor.process, found->occurrences[found->by_phase[found->phase_first[number - 1]]].first);
	} else if (sscanf(rest, "event P%u %u", &process, &number) == 2 || sscanf(rest, "event p%u %u", &process, &number) == 2) {
		if (process < 1 || process > l->trace->process_count)
			return err_set(e, ERR_USAGE, "the processes are P1 to P%u", (unsigned)l->trace->process_count);
		if (number < 1 || number > l->trace->first[process] - l->trace->first[process - 1])
			return err_set(e, ERR_USAGE, "the events of P%u are 1 to %u", process,
				       (unsigned)(l->trace->first[process] - l->trace->first[process - 1]));
		app_jump(a, process - 1, l->tick[l->trace->first[process - 1] + number - 1]);
	} else {
		return err_set(e, ERR_USAGE, "goto takes a phase as in phase 3, an event as in event P2 17");
	}
	app_show_place(a);
	return ERR_OK;
}

static enum err_code run_goto(struct app *a, const char *rest, struct err *e)
{
	const struct logical *l = model_logical(&a->model);
	uint32_t process = a->model.cursor.process, tick = a->model.cursor.tick;
	bool rank = !strncmp(rest, "rank ", 5), is_tick = !strncmp(rest, "tick ", 5);
	const char *number = rank || is_tick ? rest + 5 : *rest == 'P' || *rest == 'p' ? rest + 1 : rest;
	char *end;
	double v = strtod(number, &end);

	if (!strncmp(rest, "phase ", 6) || !strncmp(rest, "event ", 6))
		return goto_named(a, rest, e);

	if (!l || !l->tick_count)
		return err_set(e, ERR_USAGE, "there is no place to go to yet");
	if (end == number || !isfinite(v) || v < 0 || v > 4e9)
		return err_set(e, ERR_USAGE, "goto takes a tick (2040, tick 2040), a process (P3, rank 2) or a time (1.25s)");
	if (rank || number == rest + 1) {
		if (v - (rank ? 0 : 1) < 0 || v - (rank ? 0 : 1) >= l->trace->process_count)
			return err_set(e, ERR_USAGE, "the processes are P1 to P%u (ranks 0 to %u)", (unsigned)l->trace->process_count,
				       (unsigned)l->trace->process_count - 1);
		process = (uint32_t)v - (rank ? 0 : 1);
	} else if (!strcmp(end, "s")) {
		tick = tick_at(l, process, v);
	} else if (*end) {
		return err_set(e, ERR_USAGE, "goto takes a tick (2040, tick 2040), a process (P3, rank 2) or a time (1.25s)");
	} else {
		tick = (uint32_t)v;
	}
	app_jump(a, process, tick);
	app_show_place(a);
	return ERR_OK;
}

static enum err_code run_screen(struct app *a, const char *rest, struct err *e)
{
	enum err_code code;

	if (!*rest)
		return err_set(e, ERR_USAGE, "screen takes a file to save the screen to: text, or a picture if it ends in .svg");
	code = app_save_screen(a, rest, e);
	if (!code)
		app_say(a, ROLE_BETTER, "Saved the screen to %s.", rest);
	return code;
}

static enum err_code run_write(struct app *a, const char *rest, struct err *e)
{
	if (!*rest)
		return err_set(e, ERR_USAGE, "write takes the file to write the phase table to");
	if (a->here != APP_TABLE || !a->table) {
		app_show(a, APP_TABLE);
		session_wait_idle(a->session);
		app_news(a);
	}
	return app_write_table(a, rest, false, e);
}

static enum err_code run_preset(struct app *a, const char *rest, struct err *e)
{
	return app_preset(a, rest, e);
}

static enum err_code run_save_config(struct app *a, const char *rest, struct err *e)
{
	return app_save_config(a, rest, e);
}

static enum err_code run_export(struct app *a, const char *rest, struct err *e)
{
	return app_export(a, rest, e);
}

static enum err_code run_result(struct app *a, const char *rest, struct err *e)
{
	return app_result(a, rest, e);
}

static enum err_code run_quit(struct app *a, const char *rest, struct err *e)
{
	(void)rest;
	(void)e;
	app_act(a, ACTION_QUIT);
	return ERR_OK;
}

static const struct command commands[] = {
	{"set", "SETTING VALUE", run_set},   {"goto", "TICK|PROCESS|TIME|phase N|event P N", run_goto}, {"screen", "FILE", run_screen},
	{"write", "FILE", run_write},        {"q", "", run_quit},
	{"preset", "NAME", run_preset},      {"save-config", "[FILE]", run_save_config},
	{"export", "FILE [--all]", run_export}, {"result", "FILE", run_result},
};
#define COMMANDS (sizeof commands / sizeof *commands)

enum err_code command_run(struct app *a, const char *line, struct err *e)
{
	const char *rest;
	char name[64], safe[64];
	enum action action;
	size_t n;

	line += strspn(line, " ");
	n = strcspn(line, " ");
	rest = line + n + strspn(line + n, " ");
	snprintf(name, sizeof name, "%.*s", (int)n, line);
	if (!n)
		return ERR_OK;
	for (size_t i = 0; i < COMMANDS; i++)
		if (!strcmp(commands[i].name, name) && (*rest || action_find(name) == ACTION_NONE))
			return commands[i].run(a, rest, e);
	action = action_find(name);
	if (action != ACTION_NONE) {
		app_act(a, action);
		return ERR_OK;
	}
	return err_set(e, ERR_USAGE, "no command is called '%s'; Tab shows their names, ? all of them",
		       text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8));
}

/* The nth candidate that begins as typed: names of commands and actions, then settings and choices for `set`. */
bool command_complete(void *app, const char *typed, int nth, char *out, size_t size)
{
	size_t n = strlen(typed);
	const struct config *config = ((const struct app *)app)->options->config;

	if (!strncmp(typed, "preset ", 7)) {
		for (size_t i = 0; config && i < config->preset_count; i++)
			if (!strncmp(config->presets[i].name, typed + 7, n - 7) && nth-- == 0)
				return snprintf(out, size, "preset %s", config->presets[i].name) > 0;
		return false;
	}

	if (!strncmp(typed, "result ", 7)) {
		char path[PROMPT_TEXT];

		return path_complete(typed + 7, ".yaml", nth, path, sizeof path) && snprintf(out, size, "result %s", path) < (int)size;
	}
	if (!strncmp(typed, "set ", 4)) {
		const char *key = typed + 4, *blank = strchr(key, ' ');

		if (!blank) {
			for (int id = 0; id < SETTING_COUNT; id++)
				if (!strncmp(setting_info((enum setting_id)id)->key, key, n - 4) && nth-- == 0)
					return snprintf(out, size, "set %s ", setting_info((enum setting_id)id)->key) > 0;
		} else {
			char name[64];
			const struct setting_info *i;

			snprintf(name, sizeof name, "%.*s", (int)(blank - key), key);
			i = setting_find(name);
			for (const char *c = i ? i->choices : NULL; c && *c;) {
				size_t len = strcspn(c, "|");

				if (!strncmp(c, blank + 1, strlen(blank + 1)) && nth-- == 0)
					return snprintf(out, size, "set %s %.*s", name, (int)len, c) > 0;
				c += len + (c[len] == '|');
			}
		}
		return false;
	}
	for (size_t i = 0; i < COMMANDS; i++)
		if (!strncmp(commands[i].name, typed, n) && nth-- == 0)
			return snprintf(out, size, "%s%s", commands[i].name, *commands[i].arguments ? " " : "") > 0;
	for (int x = ACTION_NONE + 1; x < ACTION_COUNT; x++)
		if (!strncmp(action_info((enum action)x)->name, typed, n) && nth-- == 0)
			return snprintf(out, size, "%s", action_info((enum action)x)->name) > 0;
	return false;
}
