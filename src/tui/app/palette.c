#include "app_int.h"

#include <stdio.h>
#include <string.h>

#include "tui/screen/glyphs.h"

#define ROWS_MOST 12

static const struct palette_entry commands[] = {
#define COMMAND(id, name, arguments, least, most, options, help) {name, arguments, help, ACTION_NONE},
#include "tui/screen/prompt_commands.def"
};
#define COMMANDS ((int)(sizeof commands / sizeof *commands))

static void entry_at(int i, struct palette_entry *entry)
{
	const struct action_info *action;

	if (i < COMMANDS) {
		*entry = commands[i];
		return;
	}
	action = action_info((enum action)(i - COMMANDS + 1));
	*entry = (struct palette_entry){action->name, "", action->help, (enum action)(i - COMMANDS + 1)};
}

/* How well an entry fits: 0 best; -1: not at all. */
static int palette_entry_fit(const struct palette_entry *entry, const char *typed)
{
	if (!strncmp(entry->name, typed, strlen(typed)))
		return 0;
	return strstr(entry->name, typed) ? 1 : strcasestr(entry->help, typed) ? 2 : -1;
}

bool palette_entry(const char *typed, int nth, struct palette_entry *entry)
{
	for (int rank = 0; rank < 3; rank++)
		for (int i = 0; i < COMMANDS + ACTION_COUNT - 1; i++) {
			entry_at(i, entry);
			if (palette_entry_fit(entry, typed) == rank && nth-- == 0)
				return true;
		}
	return false;
}

/* What the prompt's text was before Tab went through its completions. */
static const char *typed_text(const struct prompt *p)
{
	return p->completion < 0 ? p->text : p->typed;
}

static void draw_row(const struct app *a, struct pane p, int y, const struct palette_entry *entry, bool chosen)
{
	int names = p.w >= 100 ? 34 : 26, keys = 10, x;
	char key[16];

	x = 1 + pane_text(p, 1, y, ROLE_KEY, chosen ? ATTR_BOLD : 0, entry->name);
	if (*entry->arguments && x + 1 < names)
		pane_text_in(p, x + 1, y, names - x - 1, ROLE_DIM, 0, entry->arguments);
	if (entry->action != ACTION_NONE && *keymap_first(&a->shell.keymap, entry->action, key))
		pane_text_in(p, names + 1, y, keys - 2, ROLE_VALUE, 0, key);
	pane_text_in(p, names + keys, y, p.w - names - keys - 1, ROLE_DEFAULT, 0, entry->help);
	if (chosen)
		pane_stress(p, 0, y, p.w, ATTR_REVERSE);
}

/* A row of the box from its top, whose own row 0 is the rule. */
static struct pane box_of(struct pane above, int rows)
{
	struct pane box = pane_part(above, 0, above.h - rows - 1, above.w, rows + 1);

	pane_fill(box, ' ', ROLE_DEFAULT, 0);
	pane_hline(box, 0, 0, box.w, GLYPH_HLINE, ROLE_RULE);
	return box;
}

static void draw_names(const struct app *a, struct pane above, const char *typed, int most)
{
	const struct prompt *p = &a->shell.prompt;
	struct palette_entry entry;
	int n = 0, first, rows;
	struct pane box;
	char title[96];

	while (palette_entry(typed, n, &entry))
		n++;
	if (!n)
		return;
	rows = n < most ? n : most;
	first = p->completion >= rows ? p->completion - rows + 1 : 0;
	box = box_of(above, rows);
	snprintf(title, sizeof title, " %d command%s · Tab completes · Enter runs ", n, n == 1 ? "" : "s");
	pane_text_in(box, 2, 0, box.w - 4, ROLE_DIM, 0, title);
	for (int i = 0; i < rows && palette_entry(typed, first + i, &entry); i++)
		draw_row(a, box, 1 + i, &entry, first + i == p->completion);
}

/* The setting that a value of `set` names; NULL: it is something else. */
static const struct setting_info *setting_of(const struct palette_entry *entry, const char *value)
{
	char key[64];

	if (strcmp(entry->name, "set") != 0)
		return NULL;
	snprintf(key, sizeof key, "%.*s", (int)strcspn(value, " "), value);
	return setting_find(key);
}

/* Behind the name: what the command takes, then the values that Tab goes through. */
static void draw_values(const struct app *a, struct pane above, const char *typed, size_t name, int most)
{
	const struct prompt *p = &a->shell.prompt;
	char values[ROWS_MOST][128], out[PROMPT_TEXT];
	struct palette_entry entry = {.name = NULL};
	struct pane box;
	int n = 0, at = 0, first;

	for (int i = 0; i < COMMANDS && !entry.name; i++)
		if (strlen(commands[i].name) == name && !strncmp(commands[i].name, typed, name))
			entry = commands[i];
	if (!entry.name)
		return;
	first = p->completion >= most - 1 ? p->completion - most + 2 : 0;
	while (n < most - 1 && n < ROWS_MOST && command_complete(a->shell.prompt.ctx, typed, first + n, out, sizeof out)) {
		snprintf(values[n], sizeof values[n], "%.120s", out + name + 1);
		n++;
	}
	box = box_of(above, n + 1);
	draw_row(a, box, 1, &entry, false);
	for (; at < n; at++) {
		const struct setting_info *setting = setting_of(&entry, values[at]);
		int x = 3 + pane_text_in(box, 3, 2 + at, box.w - 4, ROLE_VALUE, 0, values[at]);

		if (setting)
			pane_text_in(box, x < 24 ? 24 : x + 2, 2 + at, box.w - (x < 24 ? 24 : x + 2) - 1, ROLE_DEFAULT, 0, setting->help);
		if (first + at == p->completion)
			pane_stress(box, 0, 2 + at, box.w, ATTR_REVERSE);
	}
}

void palette_draw(const struct app *a, struct pane above)
{
	const char *typed = typed_text(&a->shell.prompt);
	size_t name;
	int most = above.h / 2 < ROWS_MOST ? above.h / 2 : ROWS_MOST;

	typed += strspn(typed, " ");
	name = strcspn(typed, " ");
	if (most < 2)
		return;
	if (typed[name])
		draw_values(a, above, typed, name, most);
	else
		draw_names(a, above, typed, most);
}
