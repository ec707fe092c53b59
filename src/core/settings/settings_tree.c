#include "settings_tree.h"

#include <stdio.h>
#include <string.h>

static void write_setting(struct tree_out *t, const struct settings *s, enum setting_id id, const char *key)
{
	char value[64];

	switch (setting_info(id)->kind) {
	case SETTING_CHOICE:
		settings_get(s, id, value, sizeof value);
		tree_put_text(t, key, value);
		break;
	case SETTING_WHOLE:
		tree_put_whole(t, key, (uint64_t)settings_number(s, id));
		break;
	default:
		tree_put_real(t, key, settings_number(s, id));
	}
}

/* Settings that share the part before the dot of their YAML name stand in one mapping of that name. */
void settings_write_tree(struct tree_out *t, const char *key, const struct settings *s)
{
	char group[32] = "";

	tree_put_map(t, key, false);
	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		const char *name = setting_info(id)->yaml;
		const char *dot = strchr(name, '.');
		size_t n = dot ? (size_t)(dot - name) : 0;

		if (setting_info(id)->sparing && settings_number(s, id) == setting_info(id)->def)
			continue;
		if (strlen(group) != n || memcmp(group, name, n) != 0) {
			if (*group)
				tree_end(t);
			memcpy(group, name, n);
			group[n] = '\0';
			if (n)
				tree_put_map(t, group, true);
		}
		write_setting(t, s, id, dot ? dot + 1 : name);
	}
	if (*group)
		tree_end(t);
	tree_end(t);
}

bool settings_read_tree(const struct yaml_node *map, struct settings *s)
{
	struct settings read = *s;
	struct err e;

	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		const char *name = setting_info(id)->yaml;
		const char *dot = strchr(name, '.');
		const struct yaml_node *in = map, *n;
		char group[32];

		if (dot) {
			snprintf(group, sizeof group, "%.*s", (int)(dot - name), name);
			in = yaml_get(map, group);
		}
		n = in ? yaml_get(in, dot ? dot + 1 : name) : NULL;
		if (n && (n->kind != YAML_SCALAR || settings_set(&read, id, n->text, &e)))
			return false;
	}
	*s = read;
	return true;
}
