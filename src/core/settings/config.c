#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/io/fields.h"
#include "settings_tree.h"

#define CONFIG_BYTES ((size_t)1 << 20) /* of a file that a person wrote */

/* A file being taken in. What it says goes into `into`, a copy that replaces the config if all is well. */
struct taking {
	struct config *into;
	struct fields f;
	const char *file;
};

static char *keep(struct taking *t, const char *text)
{
	char *copy = t->f.code ? NULL : arena_strndup(&t->into->arena, text, strlen(text));

	if (!copy)
		fields_memory(&t->f);
	return copy;
}

static void put_preset(struct taking *t, const struct preset *p)
{
	struct config *c = t->into;
	struct preset *list;
	size_t i = 0;

	while (i < c->preset_count && strcmp(c->presets[i].name, p->name) != 0)
		i++;
	list = mem_grow(c->presets, i, &c->preset_cap, sizeof *list);
	if (!list) {
		fields_memory(&t->f);
		return;
	}
	c->presets = list;
	list[i] = *p;
	c->preset_count += i == c->preset_count;
}

static void take_presets(struct taking *t, const struct yaml_node *map)
{
	if (yaml_is_null(map))
		return;
	if (map->kind != YAML_MAP)
		fields_wrong_kind(&t->f, map, "presets", "names, each with its settings");
	for (const struct yaml_node *n = map->first; n && !t->f.code; n = n->next) {
		struct preset p = {0};

		if (!*n->key)
			fields_fail(&t->f, n->key_line, "a preset needs a name");
		settings_init(&p.settings);
		p.name = keep(t, n->key);
		if (!t->f.code)
			settings_read_given(&t->f, n, n->key, &p.settings, p.given);
		if (!t->f.code)
			put_preset(t, &p);
	}
}

static void add_entry(struct taking *t, const char *path, const struct yaml_node *n, bool empty)
{
	struct config *c = t->into;
	struct config_entry *list = mem_grow(c->entries, c->entry_count, &c->entry_cap, sizeof *list);
	struct config_entry entry = {.file = t->file, .line = n->line};

	if (!list) {
		fields_memory(&t->f);
		return;
	}
	c->entries = list;
	entry.path = keep(t, path);
	if (!empty)
		entry.value = keep(t, n->text);
	if (!t->f.code)
		list[c->entry_count++] = entry;
}

/* Hand on a section that is not ours, whatever its shape: mappings become paths, lists repeat theirs. */
static void take_entries(struct taking *t, const struct yaml_node *n, const char *path)
{
	if (n->kind == YAML_SCALAR || (n->kind == YAML_LIST && !n->count)) {
		add_entry(t, path, n, n->kind == YAML_LIST || yaml_is_null(n));
		return;
	}
	for (const struct yaml_node *m = n->first; m && !t->f.code; m = m->next) {
		char below[256];
		int length = snprintf(below, sizeof below, "%s.%s", path, m->key ? m->key : "");

		if (n->kind == YAML_LIST && m->kind != YAML_SCALAR)
			fields_wrong_kind(&t->f, m, path, "single values in a list");
		else if (length >= (int)sizeof below)
			fields_fail(&t->f, m->key_line, "the names are too long");
		else
			take_entries(t, m, n->kind == YAML_LIST ? path : below);
	}
}

static void take_section(struct taking *t, const struct yaml_node *n)
{
	char safe[64];

	if (!strcmp(n->key, "analysis"))
		settings_read_given(&t->f, n, "analysis", &t->into->settings, NULL);
	else if (!strcmp(n->key, "presets"))
		take_presets(t, n);
	else if (!strcmp(n->key, "keys") || !strcmp(n->key, "theme") || !strcmp(n->key, "ui") ||
		 !strcmp(n->key, "memory") || !strcmp(n->key, "scratch"))
		take_entries(t, n, n->key);
	else
		fields_fail(&t->f, n->key_line, "there is no section '%s': expected analysis, presets, memory, scratch, keys, theme or ui",
			    text_safe(safe, sizeof safe, n->key, SIZE_MAX, TEXT_UTF8));
}

static void take_document(struct taking *t)
{
	const struct yaml_node *root = t->f.y->root;

	if (!root || yaml_is_null(root))
		return;
	if (root->kind != YAML_MAP)
		fields_wrong_kind(&t->f, root, "the file", "the sections analysis, presets, memory, scratch, keys, theme and ui");
	t->file = keep(t, t->f.y->name);
	for (const struct yaml_node *n = root->first; n && !t->f.code; n = n->next)
		take_section(t, n);
}

/* The lists of c, copied into a config that shares its arena: what a failed load adds to the arena stays there
 * unused until the release. */
static enum err_code copy_lists(struct config *to, const struct config *c, struct err *e)
{
	*to = *c;
	to->presets = mem_alloc(c->preset_cap, sizeof *to->presets);
	to->entries = mem_alloc(c->entry_cap, sizeof *to->entries);
	if (!to->presets || !to->entries) {
		mem_free(to->presets);
		mem_free(to->entries);
		return err_memory(e, "the config");
	}
	if (c->preset_count)
		memcpy(to->presets, c->presets, c->preset_count * sizeof *to->presets);
	if (c->entry_count)
		memcpy(to->entries, c->entries, c->entry_count * sizeof *to->entries);
	return ERR_OK;
}

static enum err_code take_tree(struct config *c, struct yaml_in *yaml, struct err *e)
{
	struct config changed;
	struct taking t = {.into = &changed};
	enum err_code code = copy_lists(&changed, c, e);

	fields_init(&t.f, yaml, &changed.arena, ERR_USAGE, e);
	if (!code) {
		take_document(&t);
		code = t.f.code;
		c->arena = changed.arena;
		mem_free(code ? changed.presets : c->presets);
		mem_free(code ? changed.entries : c->entries);
		if (!code)
			*c = changed;
	}
	yaml_in_release(yaml);
	return code;
}

/* For a person, a config that is no YAML is a wrong argument like any other mistake in it. */
static enum err_code as_usage(enum err_code code, struct err *e)
{
	if (code != ERR_FORMAT && code != ERR_LIMIT)
		return code;
	if (e)
		e->code = ERR_USAGE;
	return ERR_USAGE;
}

void config_init(struct config *c)
{
	*c = (struct config){0};
	arena_init(&c->arena);
	settings_init(&c->settings);
}

void config_release(struct config *c)
{
	mem_free(c->presets);
	mem_free(c->entries);
	arena_release(&c->arena);
	config_init(c);
}

enum err_code config_load_text(struct config *c, const char *name, const char *text, size_t size, struct err *e)
{
	struct yaml_in yaml;
	enum err_code code = yaml_in_init(&yaml, name, text, size, e);

	return code ? as_usage(code, e) : take_tree(c, &yaml, e);
}

enum err_code config_load_file(struct config *c, const char *path, struct err *e)
{
	struct yaml_in yaml;
	enum err_code code = yaml_in_file(&yaml, path, CONFIG_BYTES, e);

	return code ? as_usage(code, e) : take_tree(c, &yaml, e);
}

/* The base directory rules: a relative path counts as unset. */
static bool path_of(const char *xdg, const char *usual, const char *file, char *buf, size_t size)
{
	const char *home = getenv("HOME");
	int n;

	if (xdg && xdg[0] == '/')
		n = snprintf(buf, size, "%s/pas2p/%s", xdg, file);
	else if (home && home[0] == '/')
		n = snprintf(buf, size, "%s/%s/pas2p/%s", home, usual, file);
	else
		return false;
	return n > 0 && (size_t)n < size;
}

bool config_default_path(char *buf, size_t size)
{
	return path_of(getenv("XDG_CONFIG_HOME"), ".config", "config.yaml", buf, size);
}

bool config_saved_path(char *buf, size_t size)
{
	return path_of(getenv("XDG_CONFIG_HOME"), ".config", "saved.yaml", buf, size);
}

bool config_state_path(const char *file, char *buf, size_t size)
{
	return path_of(getenv("XDG_STATE_HOME"), ".local/state", file, buf, size);
}

enum err_code config_load_default(struct config *c, struct err *e)
{
	char path[4096];
	enum err_code code = ERR_OK;

	if (config_default_path(path, sizeof path) && access(path, F_OK) == 0)
		code = config_load_file(c, path, e);
	if (!code && config_saved_path(path, sizeof path) && access(path, F_OK) == 0)
		code = config_load_file(c, path, e);
	return code;
}

const char *config_value(const struct config *c, const char *path)
{
	const char *value = NULL;

	for (size_t i = 0; c && i < c->entry_count; i++)
		if (!strcmp(c->entries[i].path, path) && c->entries[i].value)
			value = c->entries[i].value;
	return value;
}

const struct preset *config_preset(const struct config *c, const char *name)
{
	for (size_t i = 0; i < c->preset_count; i++)
		if (!strcmp(c->presets[i].name, name))
			return &c->presets[i];
	return NULL;
}

void preset_apply(const struct preset *p, struct settings *settings)
{
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		if (p->given[id])
			settings_copy(settings, &p->settings, id);
}
