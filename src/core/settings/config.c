#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/io/yaml_in.h"

#define CONFIG_BYTES ((size_t)1 << 20) /* of a file that a person wrote */

/* A file being taken in. What it says goes into `into`, a copy that replaces the config if all is well. */
struct taking {
	struct config *into;
	const struct yaml_in *y;
	const char *file;
	struct err *e;
};

static enum err_code at_line(struct taking *t, uint32_t line, const char *what)
{
	return err_set(t->e, ERR_USAGE, "%s: line %u: %s", t->y->name, line, what);
}

static enum err_code not_a(struct taking *t, const struct yaml_node *n, const char *path, const char *expected)
{
	char safe[128];

	text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8);
	return err_set(t->e, ERR_USAGE, "%s: line %u: %s is %s: expected %s", t->y->name, n->line, safe,
		       yaml_kind_name(n), expected);
}

static enum err_code no_memory(struct taking *t)
{
	return err_memory(t->e, t->y->name);
}

/* The setting at a place in YAML, -1 if there is none; *group: the place is a mapping of settings. */
static int setting_at(const char *path, bool *group)
{
	size_t n = strlen(path);

	*group = false;
	for (int id = 0; id < SETTING_COUNT; id++) {
		const char *yaml = setting_info((enum setting_id)id)->yaml;

		if (!strcmp(yaml, path))
			return id;
		if (!strncmp(yaml, path, n) && yaml[n] == '.')
			*group = true;
	}
	return -1;
}

static enum err_code unknown(struct taking *t, const struct yaml_node *n, const char *in)
{
	char safe[64], in_safe[64];

	return err_set(t->e, ERR_USAGE, "%s: line %u: '%s' is not a setting of %s", t->y->name, n->key_line,
		       text_safe(safe, sizeof safe, n->key, SIZE_MAX, TEXT_UTF8),
		       text_safe(in_safe, sizeof in_safe, in, SIZE_MAX, TEXT_UTF8));
}

static enum err_code take_setting(struct taking *t, const struct yaml_node *n, int id, struct settings *s, bool *given)
{
	enum err_code code;

	if (n->kind != YAML_SCALAR)
		return not_a(t, n, setting_info((enum setting_id)id)->yaml, "one value");
	code = settings_set(s, (enum setting_id)id, n->text, t->e);
	if (code != ERR_OK) {
		err_prefix(t->e, "%s: line %u", t->y->name, n->line);
		return code;
	}
	if (given)
		given[id] = true;
	return ERR_OK;
}

/* A mapping of settings, with the one level of grouping that they have. */
static enum err_code take_settings(struct taking *t, const struct yaml_node *map, const char *name, struct settings *s,
				   bool *given)
{
	enum err_code code = ERR_OK;

	if (yaml_is_null(map))
		return ERR_OK;
	if (map->kind != YAML_MAP)
		return not_a(t, map, name, "settings, each with its value");
	for (const struct yaml_node *n = map->first; n && code == ERR_OK; n = n->next) {
		bool group;
		int id = setting_at(n->key, &group);

		if (id >= 0) {
			code = take_setting(t, n, id, s, given);
			continue;
		}
		if (!group)
			return unknown(t, n, name);
		if (yaml_is_null(n))
			continue;
		if (n->kind != YAML_MAP)
			return not_a(t, n, n->key, "settings, each with its value");
		for (const struct yaml_node *m = n->first; m && code == ERR_OK; m = m->next) {
			char path[64];

			snprintf(path, sizeof path, "%.20s.%.40s", n->key, m->key);
			id = setting_at(path, &group);
			code = id < 0 ? unknown(t, m, n->key) : take_setting(t, m, id, s, given);
		}
	}
	return code;
}

static enum err_code take_presets(struct taking *t, const struct yaml_node *map)
{
	struct config *c = t->into;

	if (yaml_is_null(map))
		return ERR_OK;
	if (map->kind != YAML_MAP)
		return not_a(t, map, "presets", "names, each with its settings");
	for (const struct yaml_node *n = map->first; n; n = n->next) {
		struct preset p = {0}, *list;
		enum err_code code;
		size_t i = 0;

		if (!*n->key)
			return at_line(t, n->key_line, "a preset needs a name");
		settings_init(&p.settings);
		p.name = arena_strndup(&c->arena, n->key, strlen(n->key));
		if (!p.name)
			return no_memory(t);
		code = take_settings(t, n, n->key, &p.settings, p.given);
		if (code != ERR_OK)
			return code;
		while (i < c->preset_count && strcmp(c->presets[i].name, p.name) != 0)
			i++;
		list = mem_grow(c->presets, i, &c->preset_cap, sizeof *list);
		if (!list)
			return no_memory(t);
		c->presets = list;
		list[i] = p;
		c->preset_count += i == c->preset_count;
	}
	return ERR_OK;
}

static enum err_code add_entry(struct taking *t, const char *path, const struct yaml_node *n, bool empty)
{
	struct config *c = t->into;
	struct config_entry *list = mem_grow(c->entries, c->entry_count, &c->entry_cap, sizeof *list);
	struct config_entry entry = {.file = t->file, .line = n->line};

	if (!list)
		return no_memory(t);
	c->entries = list;
	entry.path = arena_strndup(&c->arena, path, strlen(path));
	if (!empty)
		entry.value = arena_strndup(&c->arena, n->text, strlen(n->text));
	if (!entry.path || (!empty && !entry.value))
		return no_memory(t);
	list[c->entry_count++] = entry;
	return ERR_OK;
}

/* Hand on a section that is not ours, whatever its shape: mappings become paths, lists repeat theirs. */
static enum err_code take_entries(struct taking *t, const struct yaml_node *n, const char *path)
{
	enum err_code code = ERR_OK;

	if (n->kind == YAML_SCALAR)
		return add_entry(t, path, n, yaml_is_null(n));
	if (n->kind == YAML_LIST && !n->count)
		return add_entry(t, path, n, true);
	for (const struct yaml_node *m = n->first; m && code == ERR_OK; m = m->next) {
		char below[256];
		int length = snprintf(below, sizeof below, "%s.%s", path, m->key ? m->key : "");

		if (n->kind == YAML_LIST && m->kind != YAML_SCALAR)
			return not_a(t, m, path, "single values in a list");
		if (length >= (int)sizeof below)
			return at_line(t, m->key_line, "the names are too long");
		code = take_entries(t, m, n->kind == YAML_LIST ? path : below);
	}
	return code;
}

static enum err_code take_section(struct taking *t, const struct yaml_node *n)
{
	char safe[64];

	if (!strcmp(n->key, "analysis"))
		return take_settings(t, n, "analysis", &t->into->settings, NULL);
	if (!strcmp(n->key, "presets"))
		return take_presets(t, n);
	if (!strcmp(n->key, "keys") || !strcmp(n->key, "theme") || !strcmp(n->key, "ui"))
		return take_entries(t, n, n->key);
	return err_set(t->e, ERR_USAGE,
		       "%s: line %u: there is no section '%s': expected analysis, presets, keys, theme or ui",
		       t->y->name, n->key_line, text_safe(safe, sizeof safe, n->key, SIZE_MAX, TEXT_UTF8));
}

static enum err_code take_document(struct taking *t)
{
	const struct yaml_node *root = t->y->root;
	enum err_code code = ERR_OK;

	if (!root || yaml_is_null(root))
		return ERR_OK;
	if (root->kind != YAML_MAP)
		return not_a(t, root, "the file", "the sections analysis, presets, keys, theme and ui");
	t->file = arena_strndup(&t->into->arena, t->y->name, strlen(t->y->name));
	if (!t->file)
		return no_memory(t);
	for (const struct yaml_node *n = root->first; n && code == ERR_OK; n = n->next)
		code = take_section(t, n);
	return code;
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

static enum err_code take_tree(struct config *c, struct yaml_in *y, struct err *e)
{
	struct config changed;
	struct taking t = {.into = &changed, .y = y, .e = e};
	enum err_code code = copy_lists(&changed, c, e);

	if (code == ERR_OK) {
		code = take_document(&t);
		c->arena = changed.arena;
		mem_free(code == ERR_OK ? c->presets : changed.presets);
		mem_free(code == ERR_OK ? c->entries : changed.entries);
		if (code == ERR_OK)
			*c = changed;
	}
	yaml_in_release(y);
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
	struct yaml_in y;
	enum err_code code = yaml_in_init(&y, name, text, size, e);

	return code == ERR_OK ? take_tree(c, &y, e) : as_usage(code, e);
}

enum err_code config_load_file(struct config *c, const char *path, struct err *e)
{
	struct yaml_in y;
	enum err_code code = yaml_in_file(&y, path, CONFIG_BYTES, e);

	return code == ERR_OK ? take_tree(c, &y, e) : as_usage(code, e);
}

static bool path_of(const char *file, char *buf, size_t size)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n;

	/* The base directory rules: a relative path counts as unset. */
	if (xdg && xdg[0] == '/')
		n = snprintf(buf, size, "%s/pas2p/%s", xdg, file);
	else if (home && home[0] == '/')
		n = snprintf(buf, size, "%s/.config/pas2p/%s", home, file);
	else
		return false;
	return n > 0 && (size_t)n < size;
}

bool config_default_path(char *buf, size_t size)
{
	return path_of("config.yaml", buf, size);
}

bool config_saved_path(char *buf, size_t size)
{
	return path_of("saved.yaml", buf, size);
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

const struct preset *config_preset(const struct config *c, const char *name)
{
	for (size_t i = 0; i < c->preset_count; i++)
		if (!strcmp(c->presets[i].name, name))
			return &c->presets[i];
	return NULL;
}

void preset_apply(const struct preset *p, struct settings *s)
{
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		if (p->given[id])
			settings_set_number(s, id, settings_number(&p->settings, id));
}
