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

static char *config_keep_text(struct taking *t, const char *text)
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
		fields_wrong_kind(&t->f, map, "presets", "names with their settings");
	for (const struct yaml_node *n = map->first; n && !t->f.code; n = n->next) {
		struct preset p = {0};

		if (!*n->key)
			fields_fail(&t->f, n->key_line, "a preset needs a name");
		settings_init(&p.settings);
		p.name = config_keep_text(t, n->key);
		if (!t->f.code)
			settings_read_given(&t->f, n, n->key, &p.settings, p.given);
		if (!t->f.code)
			put_preset(t, &p);
	}
}

static void take_preset(struct taking *t, const struct yaml_node *n)
{
	struct preset p;
	struct err e;

	if (yaml_is_null(n))
		return;
	if (n->kind != YAML_SCALAR)
		fields_wrong_kind(&t->f, n, "preset", "a name");
	else if (config_preset(t->into, n->text, &p, &e))
		fields_fail(&t->f, n->line, "%s", e.text);
	else
		preset_apply(&p, &t->into->settings);
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
	entry.path = config_keep_text(t, path);
	if (!empty)
		entry.value = config_keep_text(t, n->text);
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
	else if (!strcmp(n->key, "preset"))
		take_preset(t, n);
	else if (!strcmp(n->key, "presets"))
		return; /* taken already */
	else if (!strcmp(n->key, "keys") || !strcmp(n->key, "theme") || !strcmp(n->key, "ui") ||
		 !strcmp(n->key, "memory") || !strcmp(n->key, "scratch"))
		take_entries(t, n, n->key);
	else
		fields_fail(&t->f, n->key_line, "unknown section '%s': expected analysis, preset, presets, memory, "
			    "scratch, keys, theme or ui",
			    text_safe(safe, sizeof safe, n->key, SIZE_MAX, TEXT_UTF8));
}

static void take_document(struct taking *t)
{
	const struct yaml_node *root = t->f.y->root;

	if (!root || yaml_is_null(root))
		return;
	if (root->kind != YAML_MAP)
		fields_wrong_kind(&t->f, root, "the file", "the sections analysis, preset, presets, memory, scratch, keys, theme and ui");
	t->file = config_keep_text(t, t->f.y->name);
	/* First what is only named, so that `preset` finds it wherever it stands. */
	for (const struct yaml_node *n = root->first; n && !t->f.code; n = n->next)
		if (!strcmp(n->key, "presets"))
			take_presets(t, n);
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

static const struct preset *own_preset(const struct config *c, const char *name)
{
	for (size_t i = 0; c && i < c->preset_count; i++)
		if (!strcmp(c->presets[i].name, name))
			return &c->presets[i];
	return NULL;
}

const char *config_preset_name(const struct config *c, size_t i)
{
	size_t own = c ? c->preset_count : 0;
	struct preset p;
	const char *help;

	if (i < own)
		return c->presets[i].name;
	i -= own;
	for (size_t k = 0; preset_built_in(k, &p, &help); k++)
		if (!own_preset(c, p.name) && i-- == 0)
			return p.name;
	return NULL;
}

/* "a, b or c", as far as there is room. */
static void list_presets(const struct config *c, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; config_preset_name(c, i); i++) {
		bool last = !config_preset_name(c, i + 1);
		const char *between = !i ? "" : last ? " or " : ", ";
		char safe[64];

		text_safe(safe, sizeof safe, config_preset_name(c, i), SIZE_MAX, TEXT_UTF8);
		if (used + strlen(between) + strlen(safe) + sizeof ", ..." > size) {
			snprintf(buf + used, size - used, ", ...");
			return;
		}
		used += (size_t)snprintf(buf + used, size - used, "%s%s", between, safe);
	}
}

enum err_code config_preset(const struct config *c, const char *name, struct preset *to, struct err *e)
{
	const struct preset *own = own_preset(c, name);
	char safe[80], list[256];
	const char *help;

	if (own) {
		*to = *own;
		return ERR_OK;
	}
	for (size_t i = 0; preset_built_in(i, to, &help); i++)
		if (!strcmp(to->name, name))
			return ERR_OK;
	list_presets(c, list, sizeof list);
	return err_set(e, ERR_USAGE, "preset is '%s': expected %s", text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8), list);
}
