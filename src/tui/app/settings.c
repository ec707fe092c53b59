/* Ways to change many settings at once: presets, two sets to flip between, and a file of what differs from the
 * defaults. Marks too, for they are set and reached by the same kind of key. */
#include <langinfo.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/settings/config.h"
#include "core/settings/settings_tree.h"
#include "core/base/text.h"
#include "core/io/tree_out.h"
#include "app_int.h"
#include "tui/screen/theme.h"

#define QUESTION "Replace %s by %s? (y/n) "

/* Tuned settings are hours of work, and the way back by undo ends with the visit. */
static void offer_settings(struct app *a, const struct settings *to, const char *name)
{
	int room = (a->shell.canvas.w < PROMPT_LABEL ? a->shell.canvas.w : PROMPT_LABEL - 1) - (int)sizeof QUESTION - text_width(name);
	char list[PROMPT_LABEL], label[PROMPT_LABEL + sizeof QUESTION + sizeof a->shell.offered_as];
	uint32_t count = changed_settings(&a->work.model.settings, to, room, list, sizeof list);

	if (!count) {
		app_say(a, ROLE_DIM, "All settings already equal %s.", name);
		return;
	}
	a->shell.offered = *to;
	snprintf(a->shell.offered_as, sizeof a->shell.offered_as, "%s", name);
	if (*list)
		snprintf(label, sizeof label, QUESTION, list, name);
	else
		snprintf(label, sizeof label, "Change %u setting%s? (y/n) ", (unsigned)count, count == 1 ? "" : "s");
	prompt_open(&a->shell.prompt, PROMPT_SETTINGS, label, "");
}

enum err_code app_ask_preset(struct app *a, const char *name, struct err *e)
{
	struct settings s = a->work.model.settings;
	struct preset p;
	char safe[32], what[sizeof safe + sizeof "preset "];

	if (config_preset(a->work.options->config, name, &p, e))
		return ERR_USAGE;
	preset_apply(&p, &s);
	if (settings_check(&s, e))
		return ERR_USAGE;
	snprintf(what, sizeof what, "preset %s", text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8));
	offer_settings(a, &s, what);
	return ERR_OK;
}

void app_ask_defaults(struct app *a)
{
	struct settings defaults;

	settings_init(&defaults);
	offer_settings(a, &defaults, "the defaults");
}

void app_take_offered(struct app *a)
{
	struct settings s = a->shell.offered;
	char key[16];

	undo_end_gesture(&a->history.undo);
	app_say(a, ROLE_DEFAULT, "Using %s; %s undoes this.", a->shell.offered_as, keymap_first(&a->shell.keymap, ACTION_UNDO, key));
	app_settings(a, &s, -1);
}

void app_pin(struct app *a)
{
	history_pin(&a->history, &a->work.model.settings, &a->shell.panel.now);
	a->shell.panel.other = NULL;
	app_say(a, ROLE_DEFAULT, "These settings are A. Change some, then switch between A and B.");
}

void app_flip(struct app *a)
{
	struct history *h = &a->history;
	char key[16];

	if (!h->pinned) {
		app_say(a, ROLE_DIM, "No settings are pinned; %s pins the current ones as A.",
			keymap_first(&a->shell.keymap, ACTION_PIN, key));
		return;
	}
	if (!history_flip(h, &a->work.model.settings, &a->shell.panel.now)) {
		app_say(a, ROLE_DIM, "Settings A and B are equal.");
		return;
	}
	undo_end_gesture(&h->undo);
	app_settings(a, &h->pin[h->pin_side], -1);
	h->before = h->pin_summary[!h->pin_side];
	a->shell.panel.other = h->pin_side ? "A" : "B";
	app_say(a, ROLE_DEFAULT, "Settings %c; the values of %c are next to them.", 'A' + h->pin_side, 'B' - h->pin_side);
}

void app_mark_key(struct app *a, uint32_t letter)
{
	enum action what = a->shell.pending;
	int i = mark_index(letter);

	a->shell.pending = ACTION_NONE;
	if (i < 0) {
		app_say(a, ROLE_DIM, "expected a letter");
	} else if (what == ACTION_MARK) {
		mark_here(&a->work.model, &a->work.model.marks[i]);
		app_say(a, ROLE_DEFAULT, "Marked as %c.", (int)letter);
	} else if (!a->work.model.marks[i].set) {
		app_say(a, ROLE_WARN, "There is no mark %c.", (int)letter);
	} else {
		struct trace_place p = mark_place(&a->work.model, &a->work.model.marks[i]);

		app_jump(a, p.process, p.tick);
		app_show_place(a);
	}
}

static void save_keys(struct tree_out *t, const struct keymap *now, const struct keymap *def)
{
	char name[16];
	bool any = false;

	for (int x = ACTION_NONE + 1; x < ACTION_COUNT; x++) {
		if (!memcmp(now->keys[x], def->keys[x], sizeof now->keys[x]))
			continue;
		if (!any) {
			tree_put_map(t, "keys", false);
			any = true;
		}
		tree_key(t, action_info((enum action)x)->name);
		tree_list(t, true);
		for (int i = 0; i < ACTION_KEYS; i++)
			if (now->keys[x][i])
				tree_text(t, keycode_name(now->keys[x][i], name));
		tree_end(t);
	}
	if (any)
		tree_end(t);
}

void app_make_directories(const char *path)
{
	char part[1024];

	/* What cannot be made is told by whoever writes into it. */
	for (const char *slash = strchr(path + (*path == '/'), '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
		if (mkdir(part, 0777))
			continue;
	}
}

/* What config.yaml alone says, which is read before what is saved. */
static void load_own(struct config *c)
{
	char path[PROMPT_TEXT * 2];
	struct err e;

	config_init(c);
	/* If there is none, or it has been broken since, there are the defaults. */
	if (config_default_path(path, sizeof path) && config_load_file(c, path, &e))
		config_release(c);
}

static bool config_has_path(const struct config *c, const char *path)
{
	for (size_t i = 0; i < c->entry_count; i++)
		if (!strcmp(c->entries[i].path, path))
			return true;
	return false;
}

/* A C locale's ASCII is no choice of the user's. */
static void save_ui(struct tree_out *t, const struct app *a, const struct config *own)
{
	const char *theme = a->work.options->theme;
	bool ascii = a->work.options->ascii && !strcmp(nl_langinfo(CODESET), "UTF-8");
	bool mouse = a->shell.mouse || config_has_path(own, "ui.mouse");
	const char *view = a->work.options->view;

	if (theme && (strcmp(theme, theme_list()->name) || config_has_path(own, "theme")))
		tree_put_text(t, "theme", theme);
	if (!ascii && !mouse && !view)
		return;
	tree_put_map(t, "ui", false);
	if (ascii)
		tree_put_bool(t, "ascii", true);
	if (mouse)
		tree_put_bool(t, "mouse", a->shell.mouse);
	if (view)
		tree_put_text(t, "view", view);
	tree_end(t);
}

/* What differs from the defaults, or from config.yaml: read behind that, or alone, it gives what there is now. */
static enum err_code write_config(struct app *a, const char *path, const char *comment, struct err *e)
{
	struct settings defaults;
	struct keymap def;
	struct config own;
	struct tree_out t;
	enum err_code code;
	struct out o;

	load_own(&own);
	keymap_init(&def);
	settings_init(&defaults);
	out_init(&o);
	out_str(&o, comment);
	tree_out_init(&t, &o, false);
	tree_map(&t, false);
	if (!settings_equal(&a->work.model.settings, &defaults) || !settings_equal(&a->work.model.settings, &own.settings))
		settings_write_changed(&t, "analysis", &a->work.model.settings, &defaults, &own.settings);
	save_keys(&t, &a->shell.keymap, &def);
	save_ui(&t, a, &own);
	tree_end(&t);
	code = tree_out_finish(&t, e);
	if (!code)
		code = out_replace_file(path, o.text, o.len, e);
	out_release(&o);
	config_release(&own);
	return code;
}

enum err_code app_save_config(struct app *a, const char *path, struct err *e)
{
	char full[PROMPT_TEXT * 2], safe[256];
	enum err_code code;

	if (*path) {
		app_full_path(path, full, sizeof full);
		code = app_refuse_open(a, full, e);
		if (!code)
			code = write_config(a, full, "# Settings that differ from the defaults of pas2p, saved by the workbench for --config.\n", e);
		if (!code)
			app_say(a, ROLE_BETTER, "Saved to %s; use it with --config.",
				text_safe(safe, sizeof safe, full, SIZE_MAX, TEXT_UTF8));
		return code;
	}
	if (!config_saved_path(full, sizeof full))
		return err_set(e, ERR_USAGE, "XDG_CONFIG_HOME and HOME are not set; give a file name");
	app_make_directories(full);
	code = write_config(a, full, "# Saved by the workbench. pas2p reads it after config.yaml in this folder; it overrides that file.\n"
		"# Delete this file to use config.yaml alone.\n", e);
	if (!code)
		app_say(a, ROLE_BETTER, "Saved to %s; pas2p uses it from now on.",
			text_safe(safe, sizeof safe, full, SIZE_MAX, TEXT_UTF8));
	return code;
}
