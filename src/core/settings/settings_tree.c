#include "settings_tree.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

#define GROUP_TEXT 32

static void write_setting(struct tree_out *t, const struct settings *settings, enum setting_id id, const char *key)
{
	char value[64];

	switch (setting_info(id)->kind) {
	case SETTING_CHOICE:
	case SETTING_NAME:
		settings_get(settings, id, value, sizeof value);
		tree_put_text(t, key, value);
		break;
	case SETTING_WHOLE:
		tree_put_whole(t, key, (uint64_t)settings_number(settings, id));
		break;
	default:
		tree_put_real(t, key, settings_number(settings, id));
	}
}

/* The length of the group in a setting's place, 0: it is in none; *key: its name there. */
static size_t group_of(enum setting_id id, const char **key)
{
	const char *name = setting_info(id)->yaml, *dot = strchr(name, '.');

	*key = dot ? dot + 1 : name;
	return dot ? (size_t)(dot - name) : 0;
}

static void write_those(struct tree_out *t, const char *key, const struct settings *settings, const bool *wanted,
			bool flow)
{
	char group[GROUP_TEXT] = "";

	tree_put_map(t, key, false);
	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		const char *name;
		size_t n = group_of(id, &name);

		if (!wanted[id])
			continue;
		if (strlen(group) != n || memcmp(group, setting_info(id)->yaml, n) != 0) {
			if (*group)
				tree_end(t);
			memcpy(group, setting_info(id)->yaml, n);
			group[n] = '\0';
			if (n)
				tree_put_map(t, group, flow);
		}
		write_setting(t, settings, id, name);
	}
	if (*group)
		tree_end(t);
	tree_end(t);
}

void settings_write_tree(struct tree_out *t, const char *key, const struct settings *settings)
{
	bool wanted[SETTING_COUNT];
	struct settings defaults;

	settings_init(&defaults);
	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		enum setting_id opener = setting_info(id)->opener;

		wanted[id] = setting_info(id)->in_tables && (opener == SETTING_COUNT || !settings_same(settings, &defaults, opener));
	}
	write_those(t, key, settings, wanted, true);
}

void settings_write_changed(struct tree_out *t, const char *key, const struct settings *settings,
			    const struct settings *unless, const struct settings *and_unless)
{
	bool wanted[SETTING_COUNT];

	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		wanted[id] = !unless || !settings_same(settings, unless, id) || !settings_same(settings, and_unless, id);
	write_those(t, key, settings, wanted, false);
}

static void read_setting(struct fields *f, const struct fields_map *at, enum setting_id id, const char *key,
			 struct settings *settings)
{
	const struct setting_info *info = setting_info(id);
	struct err e;
	const char *name;
	double v;

	switch (info->kind) {
	case SETTING_NAME:
		name = fields_word(f, at, key);
		if (!f->code && settings_set(settings, id, name, &e))
			fields_fail(f, at->map->line, "%s", e.text);
		return;
	case SETTING_CHOICE:
		v = fields_choice(f, at, key, info->choices);
		break;
	case SETTING_WHOLE:
		v = (double)fields_whole(f, at, key, (uint64_t)info->min, (uint64_t)info->max);
		break;
	default:
		v = fields_real(f, at, key, info->min, info->max);
	}
	settings_set_number(settings, id, v);
}

void settings_read_tree(struct fields *f, const struct fields_map *map, bool whole, struct settings *settings)
{
	struct settings read = *settings;
	struct err e;

	for (enum setting_id id = 0; id < SETTING_COUNT && !f->code; id++) {
		struct fields_map in = *map;
		char group[GROUP_TEXT];
		const char *key;
		size_t n = group_of(id, &key);

		if (n) {
			snprintf(group, sizeof group, "%.*s", (int)n, setting_info(id)->yaml);
			if ((!whole || setting_info(id)->opener < SETTING_COUNT) && !fields_find(f, map, group))
				continue;
			in = fields_enter(f, map, group);
		}
		if ((whole && setting_info(id)->in_tables && setting_info(id)->opener != id) || fields_find(f, &in, key))
			read_setting(f, &in, id, key, &read);
	}
	if (!f->code && settings_check(&read, &e))
		fields_fail(f, map->map->line, "%s", e.text);
	if (!f->code)
		*settings = read;
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

static void setting_unknown(struct fields *f, const struct yaml_node *n, const char *in)
{
	char safe[64], in_safe[64];

	fields_fail(f, n->key_line, "'%s' is not a setting of %s", text_safe(safe, sizeof safe, n->key, SIZE_MAX, TEXT_UTF8),
		    text_safe(in_safe, sizeof in_safe, in, SIZE_MAX, TEXT_UTF8));
}

static void take_setting(struct fields *f, const struct yaml_node *n, int id, struct settings *settings, bool *given)
{
	struct err e;

	if (n->kind != YAML_SCALAR)
		fields_wrong_kind(f, n, setting_info((enum setting_id)id)->yaml, "a single value");
	else if (settings_set(settings, (enum setting_id)id, n->text, &e))
		fields_fail(f, n->line, "%s", e.text);
	else if (given)
		given[id] = true;
}

static void take_group(struct fields *f, const struct yaml_node *map, struct settings *settings, bool *given)
{
	for (const struct yaml_node *n = map->first; n && !f->code; n = n->next) {
		char path[64];
		bool group;
		int id;

		snprintf(path, sizeof path, "%.20s.%.40s", map->key, n->key);
		id = setting_at(path, &group);
		if (id < 0)
			setting_unknown(f, n, map->key);
		else
			take_setting(f, n, id, settings, given);
	}
}

void settings_read_given(struct fields *f, const struct yaml_node *map, const char *name, struct settings *into,
			 bool *given)
{
	static const char settings[] = "settings with their values";

	if (yaml_is_null(map))
		return;
	if (map->kind != YAML_MAP)
		fields_wrong_kind(f, map, name, settings);
	for (const struct yaml_node *n = map->first; n && !f->code; n = n->next) {
		bool group;
		int id = setting_at(n->key, &group);

		if (id >= 0)
			take_setting(f, n, id, into, given);
		else if (!group)
			setting_unknown(f, n, name);
		else if (n->kind == YAML_MAP)
			take_group(f, n, into, given);
		else if (!yaml_is_null(n))
			fields_wrong_kind(f, n, n->key, settings);
	}
}
