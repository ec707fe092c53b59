#include "keys.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

static const char *const special[] = {
#define KEY(id, name) name,
	KEYS(KEY)
#undef KEY
};

static const struct {
	uint32_t key;
	const char *name;
} plain[] = {
	{KEYCODE_TAB, "Tab"},     {KEYCODE_ENTER, "Enter"},         {KEYCODE_ESC, "Esc"},
	{KEYCODE_SPACE, "Space"}, {KEYCODE_BACKSPACE, "Backspace"},
};

static const struct action_info actions[ACTION_COUNT] = {
#define ACTION(id, name, keys, scope, group, help) [ACTION_##id] = {name, keys, scope, group, help},
#include "actions.def"
};

const char *keycode_name(uint32_t key, char buf[16])
{
	char utf8[4];

	if (key & KEYCODE_ALT) {
		char rest[16];

		snprintf(buf, 16, "A-%.13s", keycode_name(key & ~(uint32_t)KEYCODE_ALT, rest));
		return buf;
	}
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (plain[i].key == key)
			return strcpy(buf, plain[i].name);
	if (key > KEYCODE_FIRST && key < KEYCODE_LAST)
		return strcpy(buf, special[key - KEYCODE_FIRST - 1]);
	if (key && key < 27)
		snprintf(buf, 16, "C-%c", (int)key + 'a' - 1);
	else if (key > 32)
		snprintf(buf, 16, "%.*s", (int)text_encode(key, utf8), utf8);
	else
		strcpy(buf, "?");
	return buf;
}

static bool key_name_same(const char *name, const char *text, size_t n)
{
	return strlen(name) == n && !strncmp(name, text, n);
}

uint32_t key_parse(const char *text, size_t n)
{
	uint32_t c;

	if (n > 2 && text[0] == 'A' && text[1] == '-') {
		c = text[2] == 'A' && n > 4 && text[3] == '-' ? 0 : key_parse(text + 2, n - 2);
		return c ? c | KEYCODE_ALT : 0;
	}
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (key_name_same(plain[i].name, text, n))
			return plain[i].key;
	for (size_t i = 0; i < sizeof special / sizeof *special; i++)
		if (key_name_same(special[i], text, n))
			return KEYCODE_FIRST + 1 + (uint32_t)i;
	if (n == 3 && text[0] == 'C' && text[1] == '-' && text[2] >= 'a' && text[2] <= 'z')
		return (uint32_t)(text[2] - 'a' + 1);
	if (n && text_decode(text, n, &c) == n && c > 32 && text_is_safe(c))
		return c;
	return 0;
}

const struct action_info *action_info(enum action a)
{
	return a > ACTION_NONE && a < ACTION_COUNT ? &actions[a] : NULL;
}

enum action action_find(const char *name)
{
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		const char *x = actions[a].name, *y = name;

		while (*x && (*x == *y || (*x == '-' && *y == '_'))) {
			x++;
			y++;
		}
		if (!*x && !*y)
			return (enum action)a;
	}
	return ACTION_NONE;
}

/* The keys named in text, up to ACTION_KEYS; returns how many, or -1 with where the bad name starts. */
static int parse_keys(const char *text, uint32_t keys[ACTION_KEYS], const char **bad)
{
	int count = 0;

	memset(keys, 0, ACTION_KEYS * sizeof *keys);
	while (*text) {
		size_t n = strcspn(text, " ");

		if (n) {
			uint32_t key = key_parse(text, n);

			*bad = text;
			if (!key || count == ACTION_KEYS)
				return -1;
			keys[count++] = key;
		}
		text += n + (text[n] == ' ');
	}
	return count;
}

void keymap_init(struct keymap *m)
{
	const char *bad;

	memset(m, 0, sizeof *m);
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++)
		parse_keys(actions[a].keys, m->keys[a], &bad);
}

enum err_code keymap_set(struct keymap *m, const char *action, const char *keys, struct err *e)
{
	enum action a = action_find(action);
	uint32_t list[ACTION_KEYS];
	char shown[64];
	const char *bad;

	if (a == ACTION_NONE)
		return err_set(e, ERR_USAGE, "no action is called '%s'; `:help` lists them all",
			       text_safe(shown, sizeof shown, action, SIZE_MAX, TEXT_UTF8));
	if (!strcmp(keys, "none"))
		keys = "";
	if (parse_keys(keys, list, &bad) < 0)
		return err_set(e, ERR_USAGE, "'%s' is not a key: expected at most %d names such as x, C-r, A-o, F5, PgDn, Enter",
			       text_safe(shown, sizeof shown, bad, strcspn(bad, " "), TEXT_UTF8), ACTION_KEYS);
	for (int b = ACTION_NONE + 1; b < ACTION_COUNT; b++) {
		if (actions[b].scope != actions[a].scope)
			continue;
		for (int i = 0; i < ACTION_KEYS; i++)
			for (int k = 0; k < ACTION_KEYS; k++)
				if (list[k] && m->keys[b][i] == list[k])
					m->keys[b][i] = 0;
	}
	memcpy(m->keys[a], list, sizeof list);
	return ERR_OK;
}

enum action keymap_find(const struct keymap *m, uint32_t key, unsigned scope)
{
	enum action best = ACTION_NONE;
	int best_places = 99;

	if (!key)
		return ACTION_NONE;
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		int places = __builtin_popcount(actions[a].scope);

		if (!(actions[a].scope & scope) || places >= best_places)
			continue;
		for (int i = 0; i < ACTION_KEYS; i++) {
			if (m->keys[a][i] == key) {
				best = (enum action)a;
				best_places = places;
			}
		}
	}
	return best;
}

enum action keymap_only(const struct keymap *m, uint32_t key)
{
	enum action only = ACTION_NONE;

	for (int a = ACTION_NONE + 1; key && a < ACTION_COUNT; a++)
		for (int i = 0; i < ACTION_KEYS; i++) {
			if (m->keys[a][i] != key)
				continue;
			if (only != ACTION_NONE)
				return ACTION_NONE;
			only = (enum action)a;
		}
	return only;
}

const char *keymap_names(const struct keymap *m, enum action a, char *buf, size_t size)
{
	char name[16];
	size_t len = 0;

	buf[0] = 0;
	for (int i = 0; i < ACTION_KEYS; i++)
		if (m->keys[a][i] && len < size)
			len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? ", " : "",
						keycode_name(m->keys[a][i], name));
	return buf;
}

const char *keymap_first(const struct keymap *m, enum action a, char buf[16])
{
	for (int i = 0; i < ACTION_KEYS; i++)
		if (m->keys[a][i])
			return keycode_name(m->keys[a][i], buf);
	return strcpy(buf, "");
}
