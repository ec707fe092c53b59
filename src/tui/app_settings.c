/* Ways to change many settings at once: presets, two sets to flip between, and a file of what differs from the
 * defaults. Marks too, for they are set and reached by the same kind of key. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../core/config.h"
#include "../core/text.h"
#include "../core/tree_out.h"
#include "app.h"

enum err_code app_preset(struct app *a, const char *name, struct err *e)
{
	const struct preset *p = a->options->config ? config_preset(a->options->config, name) : NULL;
	struct settings s = a->model.settings;
	char safe[64];

	if (!a->options->config || !a->options->config->preset_count)
		return err_set(e, ERR_USAGE, "no config file has presets; pas2p-config(5) shows how to write them");
	if (!p)
		return err_set(e, ERR_USAGE, "no preset is called '%s'; Tab shows their names",
			       text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8));
	preset_apply(p, &s);
	undo_end_gesture(&a->undo);
	if (settings_equal(&s, &a->model.settings))
		app_say(a, ROLE_DIM, "The settings are those of %s already.", text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8));
	else
		app_say(a, ROLE_DEFAULT, "Settings of %s; u takes them back.", text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8));
	app_settings(a, &s, -1);
	return ERR_OK;
}

void app_pin(struct app *a)
{
	a->pinned = true;
	a->pin_side = 0;
	a->pin[0] = a->pin[1] = a->model.settings;
	a->pin_summary[0] = a->pin_summary[1] = a->panel.now;
	a->panel.other = NULL;
	app_say(a, ROLE_DEFAULT, "These settings are A. Change some, then flip between the two.");
}

void app_flip(struct app *a)
{
	int here = a->pin_side;
	char key[16];

	if (!a->pinned) {
		app_say(a, ROLE_DIM, "Nothing is pinned; %s pins the present settings as A.",
			keymap_first(&a->keymap, ACTION_PIN, key));
		return;
	}
	/* Whatever has been changed since A was pinned, or last shown, is B. */
	if (here == 0 && !settings_equal(&a->model.settings, &a->pin[0]))
		here = 1;
	a->pin[here] = a->model.settings;
	a->pin_summary[here] = a->panel.now;
	if (settings_equal(&a->pin[0], &a->pin[1])) {
		app_say(a, ROLE_DIM, "A and B are the same as yet.");
		return;
	}
	a->pin_side = !here;
	undo_end_gesture(&a->undo);
	app_settings(a, &a->pin[a->pin_side], -1);
	a->before = a->pin_summary[here];
	a->panel.other = here ? "B" : "A";
	app_say(a, ROLE_DEFAULT, "Settings %c; the figures of %c beside them.", 'A' + a->pin_side, 'A' + here);
}

void app_mark_key(struct app *a, uint32_t letter)
{
	enum action what = a->pending;
	int i = mark_index(letter);

	a->pending = ACTION_NONE;
	if (i < 0) {
		app_say(a, ROLE_DIM, "A mark is a letter.");
	} else if (what == ACTION_MARK) {
		mark_here(&a->model, &a->model.marks[i]);
		app_say(a, ROLE_DEFAULT, "Marked as %c.", (int)letter);
	} else if (!a->model.marks[i].set) {
		app_say(a, ROLE_WARN, "There is no mark %c.", (int)letter);
	} else {
		struct place p = mark_place(&a->model, &a->model.marks[i]);

		app_jump(a, p.process, p.tick);
		app_show_place(a);
	}
}

/* A setting under its place in the file, which opens and closes mappings as needed: "thresholds.volume". */
static void save_setting(struct tree_out *t, const struct settings *s, enum setting_id id, const char **group)
{
	const char *yaml = setting_info(id)->yaml, *dot = strchr(yaml, '.');
	size_t n = dot ? (size_t)(dot - yaml) : 0;
	char name[64], value[64];

	if (*group && (!dot || strncmp(*group, yaml, n + 1))) {
		tree_end(t);
		*group = NULL;
	}
	if (dot && !*group) {
		snprintf(name, sizeof name, "%.*s", (int)n, yaml);
		tree_key(t, name);
		tree_map(t, false);
		*group = yaml;
	}
	tree_key(t, dot ? dot + 1 : yaml);
	settings_get(s, id, value, sizeof value);
	if (setting_info(id)->kind == SETTING_CHOICE)
		tree_text(t, value);
	else
		tree_real(t, settings_number(s, id));
}

void app_save_settings(struct tree_out *t, const struct settings *s, const struct settings *unless)
{
	const char *group = NULL;

	tree_map(t, false);
	for (int id = 0; id < SETTING_COUNT; id++) {
		double v = settings_number(s, (enum setting_id)id);

		if (!unless || v < settings_number(unless, (enum setting_id)id) || v > settings_number(unless, (enum setting_id)id))
			save_setting(t, s, (enum setting_id)id, &group);
	}
	if (group)
		tree_end(t);
	tree_end(t);
}

static void save_keys(struct tree_out *t, const struct keymap *now, const struct keymap *def)
{
	char name[16];
	bool any = false;

	for (int x = ACTION_NONE + 1; x < ACTION_COUNT; x++) {
		if (!memcmp(now->keys[x], def->keys[x], sizeof now->keys[x]))
			continue;
		if (!any) {
			tree_key(t, "keys");
			tree_map(t, false);
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

enum err_code app_save_config(struct app *a, const char *path, struct err *e)
{
	struct keymap def;
	struct settings thesis;
	struct tree_out t;
	struct out o;
	char full[PROMPT_TEXT * 2], safe[256];
	enum err_code code;

	if (*path) {
		app_full_path(path, full, sizeof full);
	} else {
		char *slash;

		if (!config_default_path(full, sizeof full) || !(slash = strrchr(full, '/')))
			return err_set(e, ERR_USAGE, "neither XDG_CONFIG_HOME nor HOME says where; name a file");
		snprintf(slash + 1, sizeof full - (size_t)(slash + 1 - full), "saved.yaml");
		app_make_directories(full);
	}
	keymap_init(&def);
	settings_init(&thesis);
	out_init(&o);
	out_str(&o, "# What differs from the defaults of pas2p, as saved by the workbench. Read it with --config, or\n"
		"# copy what you want to keep for good into config.yaml beside it, which is always read.\n");
	tree_out_yaml(&t, &o);
	tree_map(&t, false);
	if (!settings_equal(&a->model.settings, &thesis)) {
		tree_key(&t, "analysis");
		app_save_settings(&t, &a->model.settings, &thesis);
	}
	save_keys(&t, &a->keymap, &def);
	if (a->options->theme && strcmp(a->options->theme, "default")) {
		tree_key(&t, "theme");
		tree_text(&t, a->options->theme);
	}
	if (a->options->ascii || a->mouse) {
		tree_key(&t, "ui");
		tree_map(&t, false);
		if (a->options->ascii) {
			tree_key(&t, "ascii");
			tree_bool(&t, true);
		}
		if (a->mouse) {
			tree_key(&t, "mouse");
			tree_bool(&t, true);
		}
		tree_end(&t);
	}
	tree_end(&t);
	code = tree_out_finish(&t, e);
	if (!code)
		code = out_replace_file(full, o.text, o.len, e);
	out_release(&o);
	if (!code)
		app_say(a, ROLE_BETTER, "Saved to %s: start with --config and that name to use it.", text_safe(safe, sizeof safe, full, SIZE_MAX, TEXT_UTF8));
	return code;
}
