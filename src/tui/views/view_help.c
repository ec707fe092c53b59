/* Help: the actions of the view that it was opened from, then all others, from the live key table; the commands; the
 * words. */
#include <stdio.h>
#include <string.h>

#include "core/table/terms.h"
#include "view.h"

/* The commands that take arguments. */
static const struct {
	const char *name, *arguments, *help;
} commands[] = {
#define COMMAND(id, name, arguments, least, most, options, help) {":" name, arguments, help},
#include "tui/screen/prompt_commands.def"
};
#define COMMANDS (sizeof commands / sizeof *commands)

/* The most lines that a term takes: its words in one column, its sentence in another one, both wrapped. */
#define TERM_LINES 5
enum {
	TERMS = 0
#define TERM(word, help) + 1
#include "core/table/terms.def"
};

#define LINES_MOST (ACTION_COUNT * 2 + COMMANDS + TERMS * TERM_LINES + 5)

struct help {
	struct view view;
	unsigned scope;                    /* whose keys come first */
	enum action lines[LINES_MOST];     /* ACTION_NONE: a blank line or a group's title */
	const char *titles[LINES_MOST];
	struct {
		uint16_t term;
		uint8_t part;                  /* which of its lines */
	} term_lines[TERMS * TERM_LINES];
	uint32_t count, actions, words;    /* lines; those before the commands, before the terms */
	int width;                         /* that terms are wrapped for */
};

enum { H_KEYS, H_WHAT, H_NAME, H_COLUMNS };

#define KEYS_WIDTH 18
#define WHAT_WIDTH 75

static const struct column_look columns[H_COLUMNS] = {
	{"keys", "", .width = KEYS_WIDTH},
	{"what", "", .width = WHAT_WIDTH},
	{"name", "", .width = 20, .priority = 1},
};

static void command_usage(uint32_t i, char *text, size_t size)
{
	snprintf(text, size, "%s%s%s", commands[i].name, *commands[i].arguments ? " " : "", commands[i].arguments);
}

/* Line `part` of a text in lines of `width`, into `line`; false: it has no such line. */
static bool wrapped_line(const char *text, int width, unsigned part, char *line, size_t size)
{
	for (;;) {
		size_t fits = strlen(text);

		if (fits > (size_t)width)
			for (fits = (size_t)width; fits && text[fits] != ' '; fits--) {}
		if (!fits)
			fits = strcspn(text, " ");
		if (!*text || !part) {
			snprintf(line, size, "%.*s", (int)fits, text);
			return *text;
		}
		text += fits + (text[fits] == ' ');
		part--;
	}
}

static int what_width(int width)
{
	int room = width - KEYS_WIDTH - 4;

	return room > WHAT_WIDTH ? WHAT_WIDTH : room > 20 ? room : 20;
}

static const struct term *term_at(const struct help *h, uint32_t row)
{
	size_t count;

	return &terms_list(&count)[h->term_lines[row - h->words].term];
}

static void field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct help *h = ctx;
	const struct action_info *i = action_info(h->lines[row]);

	if (row >= h->words) {
		const struct term *term = term_at(h, row);
		unsigned part = h->term_lines[row - h->words].part;

		if (column != H_NAME)
			wrapped_line(column == H_KEYS ? term->word : term->help, column == H_KEYS ? KEYS_WIDTH : what_width(h->width), part, f->text, sizeof f->text);
		f->role = column == H_KEYS ? ROLE_VALUE : ROLE_DEFAULT;
	} else if (row >= h->actions + COMMANDS) {
		snprintf(f->text, sizeof f->text, "%s", column == H_KEYS && h->titles[row] ? h->titles[row] : "");
		f->role = ROLE_TITLE;
	} else if (row >= h->actions && column == H_KEYS) {
		command_usage(row - h->actions, f->text, sizeof f->text);
		f->role = ROLE_KEY;
	} else if (row >= h->actions) {
		snprintf(f->text, sizeof f->text, "%s", column == H_WHAT ? commands[row - h->actions].help : commands[row - h->actions].name);
		f->role = column == H_NAME ? ROLE_DIM : ROLE_DEFAULT;
	} else if (!i) {
		if (column == H_KEYS && h->titles[row])
			snprintf(f->text, sizeof f->text, "%s", h->titles[row]);
		f->role = ROLE_TITLE;
	} else if (column == H_KEYS) {
		keymap_names(h->view.model->keymap, h->lines[row], f->text, sizeof f->text);
		f->role = ROLE_KEY;
	} else if (column == H_WHAT) {
		snprintf(f->text, sizeof f->text, "%s", i->help);
	} else {
		snprintf(f->text, sizeof f->text, ":%s", i->name);
		f->role = ROLE_DIM;
	}
}

static const struct row_source rows = {columns, H_COLUMNS, field, NULL, NULL};

static void help_add_action(struct help *h, enum action a, const char *title)
{
	h->lines[h->count] = a;
	h->titles[h->count++] = title;
}

/* All actions that are (or are not) of the view alone, by group in the order of the table. */
static void add_group(struct help *h, bool own)
{
	const char *group = NULL;

	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		const struct action_info *i = action_info((enum action)a);
		bool is_own = (i->scope & h->scope) && i->scope != IN_ALL;

		if (is_own != own)
			continue;
		if (!group || strcmp(group, i->group)) {
			if (h->count)
				help_add_action(h, ACTION_NONE, NULL);
			help_add_action(h, ACTION_NONE, i->group);
			group = i->group;
		}
		help_add_action(h, (enum action)a, NULL);
	}
}

static void add_terms(struct help *h)
{
	const struct term *terms;
	size_t count;
	char line[160];

	terms = terms_list(&count);
	h->words = h->count;
	for (size_t i = 0; i < count; i++)
		for (unsigned part = 0; part < TERM_LINES && (wrapped_line(terms[i].word, KEYS_WIDTH, part, line, sizeof line) ||
							      wrapped_line(terms[i].help, what_width(h->width), part, line, sizeof line)); part++) {
			h->term_lines[h->count - h->words].term = (uint16_t)i;
			h->term_lines[h->count - h->words].part = (uint8_t)part;
			help_add_action(h, ACTION_NONE, NULL);
		}
}

/* Lines of another width: the cursor stays at its action or term. */
static void wrap_again(struct help *s, int w)
{
	struct list *l = &s->view.list;
	uint32_t row = list_row(l), above = l->cur - l->top, first = s->words;
	bool is_term = row >= first && row < s->count;
	unsigned term = is_term ? s->term_lines[row - first].term : 0;

	s->width = w;
	s->count = first;
	add_terms(s);
	if (is_term)
		for (row = first; s->term_lines[row - first].term != term; row++) {}
	list_refresh(l, &rows, s, s->count, row);
	l->top = l->cur > above ? l->cur - above : 0;
}

static void update_help(struct view *v, int w, int h)
{
	struct help *s = (struct help *)v;

	if (s->count && s->scope == v->model->help_scope && s->width != w) {
		wrap_again(s, w);
	} else if (!s->count || s->scope != v->model->help_scope) {
		s->scope = v->model->help_scope;
		s->width = w;
		s->count = 0;
		add_group(s, true);
		add_group(s, false);
		help_add_action(s, ACTION_NONE, NULL);
		help_add_action(s, ACTION_NONE, "Commands");
		s->actions = s->count;
		for (size_t i = 0; i < COMMANDS; i++)
			help_add_action(s, ACTION_NONE, NULL);
		help_add_action(s, ACTION_NONE, NULL);
		help_add_action(s, ACTION_NONE, "Glossary");
		add_terms(s);
		v->list.top = 0;
		list_refresh(&v->list, &rows, s, s->count, UINT32_MAX);
		v->list.cur = 1; /* the first action: above it stands its group's title */
	}
	list_fit(&v->list, h);
	if (v->model->help_words) {
		list_select(&v->list, s->words);
		v->list.top = s->words - 1;
		list_fit(&v->list, h);
		v->model->help_words = false;
	}
}

static void draw_help(const struct view *v, struct pane p)
{
	const struct help *h = (const struct help *)v;

	/* The list's row of titles is empty here: draw from one row higher. */
	struct pane raised = {p.canvas, p.x, p.y - 1, p.w, p.h + 1};

	if (p.y > 0)
		list_draw(&v->list, &rows, h, raised);
}

static unsigned act_help(struct view *v, enum action a)
{
	if (list_act(&v->list, a))
		return REACT_DONE;
	return a == ACTION_BACK || a == ACTION_HELP ? REACT_CLOSE : REACT_IGNORED;
}

/* Its row of titles lies above the view. */
static struct pane pane_help(const struct view *v, struct pane p)
{
	(void)v;
	return (struct pane){p.canvas, p.x, p.y - 1, p.w, p.h + 1};
}

static const struct row_source *rows_help(const struct view *v)
{
	(void)v;
	return &rows;
}

static const struct hint hints[] = {
	{ACTION_BACK, ACTION_NONE, "back"},
	{ACTION_SEARCH, ACTION_NONE, "search"},
	{ACTION_SEARCH_NEXT, ACTION_NONE, "next match"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

static void status_help(const struct view *v, char *text, size_t size, int room)
{
	const struct help *h = (const struct help *)v;
	uint32_t row = list_row(&v->list);
	const struct action_info *i = row < h->count ? action_info(h->lines[row]) : NULL;
	char usage[64];
	(void)room;

	if (row >= h->words && row < h->count) {
		snprintf(text, size, "%s: %s", term_at(h, row)->word, term_at(h, row)->help);
	} else if (row >= h->actions && row < h->actions + COMMANDS) {
		command_usage(row - h->actions, usage, sizeof usage);
		snprintf(text, size, "%s: %s", usage, commands[row - h->actions].help);
	} else {
		snprintf(text, size, "%s", i ? i->help : "");
	}
}

const struct view_ops view_help = {
	.size = sizeof(struct help),
	.hints = hints,
	.update = update_help,
	.draw = draw_help,
	.act = act_help,
	.status = status_help,
	.list_pane = pane_help,
	.rows = rows_help,
};
