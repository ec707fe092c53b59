/* Help: the actions of the view that it was opened from, then all others, from the live key table; the commands; the
 * words. */
#include <stdio.h>
#include <string.h>

#include "view.h"

/* The commands that take arguments. */
static const struct {
	const char *name, *arguments, *help;
} commands[] = {
#define COMMAND(id, name, arguments, least, most, options, help) {":" name, arguments, help},
#include "tui/screen/prompt_commands.def"
};
#define COMMANDS (sizeof commands / sizeof *commands)

/* What the screens' words mean, in the order of the alphabet. */
static const struct {
	const char *word, *help;
} words[] = {
	{"AET", "application execution time: from the traced run's first record to its last"},
	{"BBP", "parallel basic block: what all processes do between two ticks"},
	{"checkpoint", "the program's state saved before a phase: a signature starts from it"},
	{"collective", "an operation of all processes of a communicator, such as a broadcast"},
	{"communicator", "a group of processes that talk to each other; the world is that of all"},
	{"compute time", "what a process spends between its calls of MPI"},
	{"coverage", "share of the run in relevant phases: what a prediction stands on"},
	{"efficiency", "share of the total time spent computing: balance x communication"},
	{"entry", "where a phase begins, as counts of each process's sends and collectives"},
	{"event", "a send, a receive, or a process's part in a collective"},
	{"family", "in a study: the phases of several runs that correspond to each other"},
	{"ideal run", "the same run with a network that takes no time"},
	{"iteration", "one turn of a loop that the phases make"},
	{"knob", "a threshold in the panel: what counts as similar, what as relevant"},
	{"late sender", "a receive waits since its message was sent late; receivers, likewise"},
	{"load balance", "mean compute time by the largest: below 1, some wait for the slowest"},
	{"logical time", "when an event happens by its causes alone, whatever the machine"},
	{"moving data", "time in communication that is not waiting; metrics call it transfer"},
	{"occurrence", "one of the places in the run where a phase happens"},
	{"PET", "predicted execution time: phase time x weight, over relevant phases"},
	{"PETE", "prediction error: how far PET is from AET, as a share of AET"},
	{"phase", "a stretch of the run that is repeated: the same events on all processes"},
	{"process", "one rank of the program; they count from 0: rank 0, rank 1 (r1 in columns)"},
	{"relevant", "a phase whose share is at least the threshold: these are measured"},
	{"representative", "the occurrence of a phase that stands for all of them in a signature"},
	{"SET", "signature execution time: what running each relevant phase once takes"},
	{"share", "weight x time of a phase by AET; slowest times may pass 100 %"},
	{"signature", "the program's relevant phases, ready to be run alone elsewhere"},
	{"size", "bytes of a message, or that a process gives to a collective"},
	{"structure", "the phases folded into loops: 49 x (6 7 9) is 49 turns of three phases"},
	{"T-Graph*", "the structure of a program, in the literature on DP*Graph"},
	{"tick", "one step of logical time in which something happens: a column of the grid"},
	{"useful time", "time spent computing rather than in calls"},
	{"waiting", "time in a call before the other side was ready"},
	{"weight", "how often a phase occurs in the run"},
	{"window", "a stretch of the run that a planned signature measures"},
};
#define WORDS (sizeof words / sizeof *words)

#define LINES_MOST (ACTION_COUNT * 2 + COMMANDS + WORDS + 5)

struct help {
	struct view view;
	unsigned scope;                    /* whose keys come first */
	enum action lines[LINES_MOST];     /* ACTION_NONE: a blank line or a group's title */
	const char *titles[LINES_MOST];
	uint32_t count, actions, words;    /* lines; those before the commands, before the words */
};

enum { H_KEYS, H_WHAT, H_NAME, H_COLUMNS };

static const struct column_look columns[H_COLUMNS] = {
	{"keys", "", .width = 18},
	{"what", "", .width = 75},
	{"name", "", .width = 20, .priority = 1},
};

static void command_usage(uint32_t i, char *text, size_t size)
{
	snprintf(text, size, "%s%s%s", commands[i].name, *commands[i].arguments ? " " : "", commands[i].arguments);
}

static void field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct help *h = ctx;
	const struct action_info *i = action_info(h->lines[row]);

	if (row >= h->words) {
		snprintf(f->text, sizeof f->text, "%s", column == H_KEYS ? words[row - h->words].word : column == H_WHAT ? words[row - h->words].help : "");
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

static void update_help(struct view *v, int w, int h)
{
	struct help *s = (struct help *)v;
	(void)w;

	if (!s->count || s->scope != v->model->help_scope) {
		s->scope = v->model->help_scope;
		s->count = 0;
		add_group(s, true);
		add_group(s, false);
		help_add_action(s, ACTION_NONE, NULL);
		help_add_action(s, ACTION_NONE, "Commands");
		s->actions = s->count;
		for (size_t i = 0; i < COMMANDS; i++)
			help_add_action(s, ACTION_NONE, NULL);
		help_add_action(s, ACTION_NONE, NULL);
		help_add_action(s, ACTION_NONE, "Words");
		s->words = s->count;
		for (size_t i = 0; i < WORDS; i++)
			help_add_action(s, ACTION_NONE, NULL);
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
		snprintf(text, size, "%s: %s", words[row - h->words].word, words[row - h->words].help);
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
