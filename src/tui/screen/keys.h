/* Keys by name, and which action they mean where.
 *
 * A key is a character (its code point; Ctrl-A is 1 and so on) or one of the special ones below. Names are those of
 * the help and the config file: "x", "G", "C-r", "Enter", "PgDn", "F1", "S-Left", "A-o" (Alt and o).
 */
#ifndef PAS2P_TUI_KEYS_H
#define PAS2P_TUI_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "views.h"

/* KEY(id, "name") */
#define KEYS(KEY) \
	KEY(UP, "Up") KEY(DOWN, "Down") KEY(LEFT, "Left") KEY(RIGHT, "Right") \
	KEY(SHIFT_UP, "S-Up") KEY(SHIFT_DOWN, "S-Down") KEY(SHIFT_LEFT, "S-Left") KEY(SHIFT_RIGHT, "S-Right") \
	KEY(HOME, "Home") KEY(END, "End") KEY(PAGE_UP, "PgUp") KEY(PAGE_DOWN, "PgDn") \
	KEY(INSERT, "Insert") KEY(DELETE, "Delete") KEY(BACK_TAB, "S-Tab") \
	KEY(F1, "F1") KEY(F2, "F2") KEY(F3, "F3") KEY(F4, "F4") KEY(F5, "F5") KEY(F6, "F6") \
	KEY(F7, "F7") KEY(F8, "F8") KEY(F9, "F9") KEY(F10, "F10") KEY(F11, "F11") KEY(F12, "F12")

enum key {
	KEY_NONE_ = 0,
	KEYCODE_TAB = 9,
	KEYCODE_ENTER = 13,
	KEYCODE_ESC = 27,
	KEYCODE_SPACE = 32,
	KEYCODE_BACKSPACE = 127,
	KEYCODE_FIRST = 0x200000, /* past every character */
#define KEY(id, name) KEYCODE_##id,
	KEYS(KEY)
#undef KEY
	KEYCODE_LAST,
	KEYCODE_ALT = 0x400000 /* with any of these: Alt and that key */
};

/* The name of a key; buf must hold 16 bytes. */
const char *keycode_name(uint32_t key, char buf[16]);
/* The key with this name (one of them at the start of text, up to a blank); 0: there is none. */
uint32_t key_parse(const char *text, size_t n);

/* Where an action exists: a bit for each view. */
enum key_scope {
#define TAB(id, name, title, brief, keys, help) IN_##id = 1 << VIEW_##id,
#define OVERLAY(id, name, title, action) IN_##id = 1 << VIEW_##id,
#include "views.def"
	IN_PANEL = 1 << VIEWS, /* while the threshold panel has the keys */
	IN_ALL = (IN_PANEL << 1) - 1,
	IN_ALIKE = IN_BBPS | IN_PHASES,
	IN_MAPS = IN_GRID | IN_TIMELINE
};

enum action {
	ACTION_NONE,
#define ACTION(id, name, keys, scope, group, help) ACTION_##id,
#include "actions.def"
	ACTION_COUNT
};

struct action_info {
	const char *name, *keys; /* default keys */
	unsigned scope;
	const char *group, *help;
};
const struct action_info *action_info(enum action a); /* NULL for ACTION_NONE */
enum action action_find(const char *name);            /* '-' and '_' alike; ACTION_NONE: no such */

#define ACTION_KEYS 6

struct keymap {
	uint32_t keys[ACTION_COUNT][ACTION_KEYS]; /* 0: none */
};

void keymap_init(struct keymap *m); /* the defaults */

/* Give an action these keys, named and separated by blanks, in place of its own; "none": no key. Another action
 * of the same scope loses them. ERR_USAGE: no such action or key, or too many. */
enum err_code keymap_set(struct keymap *m, const char *action, const char *keys, struct err *e);

/* The action of a key in a scope; an action of this scope alone has precedence over one of several scopes. */
enum action keymap_find(const struct keymap *m, uint32_t key, unsigned scope);

/* The one action that a key means anywhere; ACTION_NONE: it means none, or several. */
enum action keymap_only(const struct keymap *m, uint32_t key);

/* The keys of an action as "x, F1"; "" if none. */
const char *keymap_names(const struct keymap *m, enum action a, char *buf, size_t size);
/* The first of them: for hints. */
const char *keymap_first(const struct keymap *m, enum action a, char buf[16]);

#endif
