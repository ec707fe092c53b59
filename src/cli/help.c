/* --help: short pages, made from the tables. */
#include "cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/settings/settings.h"
#include "manual.h"
#include "pages.h"

#define WIDTH 80
#define TEXT_AT 25     /* where the text of an option begins */
#define COMMENT_AT 51  /* and the comment of an example, if all of them fit */
#define GROUP_AT 11    /* commands in the list of all */
#define NAME_WIDTH 10
#define BRIEF_WIDTH 26 /* of the left column */
#define PAIR_MOST 23   /* in the right one */
#define BRIEF_AT (NAME_WIDTH + BRIEF_WIDTH + NAME_WIDTH) /* of the right column, from the names on */

void help_wrap(FILE *to, size_t at, size_t indent, const char *words)
{
	bool first = true;

	for (; *words; first = false) {
		size_t n = strcspn(words, " ");

		if (!first && at + n + 1 > WIDTH) {
			fprintf(to, "\n%*s", (int)indent, "");
			at = indent;
		} else if (!first) {
			fputc(' ', to);
			at++;
		}
		fwrite(words, 1, n, to);
		at += n;
		words += n + (words[n] == ' ');
	}
	fputc('\n', to);
}

void help_default(const struct setting_info *s, char *buf, size_t size)
{
	struct settings defaults;

	settings_init(&defaults);
	if (s->kind == SETTING_FRACTION)
		snprintf(buf, size, "%g%%", settings_number(&defaults, s->id) * 100);
	else
		settings_get(&defaults, s->id, buf, size);
}

bool help_preset(size_t i, const char **name, const char **help, char *values, size_t size)
{
	struct preset p;
	size_t used = 0;

	if (!preset_built_in(i, &p, help))
		return false;
	*name = p.name;
	for (enum setting_id id = 0; id < SETTING_COUNT && used < size; id++) {
		char value[SETTING_NAME_SIZE];

		if (!p.given[id])
			continue;
		settings_get(&p.settings, id, value, sizeof value);
		used += (size_t)snprintf(values + used, size - used, "%s%s %s", used ? ", " : "", setting_info(id)->key, value);
	}
	return true;
}

/* "  -f, --format FORMAT    table, csv ... [table]" */
static void option_entry(FILE *to, unsigned i)
{
	struct option_info o = option_info(i);
	char left[96], argument[64], right[256], def[SETTING_NAME_SIZE], letter[8] = "    ";
	size_t n;

	if (o.letter)
		snprintf(letter, sizeof letter, "-%c, ", o.letter);
	n = (size_t)snprintf(left, sizeof left, "  %s--%s%s", letter, o.name, option_argument(&o, argument, sizeof argument));
	if (o.setting) {
		help_default(o.setting, def, sizeof def);
		snprintf(right, sizeof right, "%s [%s]", o.help, def);
	} else {
		snprintf(right, sizeof right, "%s", o.help);
	}
	fputs(left, to);
	if (n >= TEXT_AT) {
		fputc('\n', to);
		n = 0;
	}
	fprintf(to, "%*s", (int)(TEXT_AT - n), "");
	help_wrap(to, TEXT_AT, TEXT_AT, right);
}

/* As many of the common options as a line has room for. */
static void common_options(FILE *to, enum command c)
{
	const struct page_row *more = page_first(c, PAGE_COMMON);
	const unsigned after_preset = 3;
	char line[128] = "  ";
	size_t used = 2;

	for (unsigned k = 0; k < page_common_count + (more ? more->count : 0); k++) {
		bool of_page = more && k >= after_preset && k < after_preset + more->count;
		unsigned i = of_page ? more->options[k - after_preset] : page_common[more && k >= after_preset ? k - more->count : k];
		struct option_info o = option_info(i);
		char name[64], argument[64];
		size_t n;

		if (!option_goes_with(&o, c) || i == OPTION_scratch)
			continue;
		option_argument(&o, argument, sizeof argument);
		if (i == OPTION_COUNT + SETTING_clocks)
			snprintf(argument, sizeof argument, " corrected");
		if (o.letter)
			n = (size_t)snprintf(name, sizeof name, "-%c%s", o.letter, argument);
		else
			n = (size_t)snprintf(name, sizeof name, "--%s%s", o.name, argument);
		if (used + n + 2 > WIDTH)
			break;
		used += (size_t)snprintf(line + used, sizeof line - used, "%s%s", used > 2 ? ", " : "", name);
	}
	fprintf(to, "\nCommon options (pas2p help options):\n%s\n", line);
}

static void examples(FILE *to, enum command c)
{
	size_t longest = 0, comment = 0, at = COMMENT_AT;

	for (const struct page_row *row = page_rows(c); row->kind != PAGE_END; row++)
		if (row->kind == PAGE_EXAMPLE) {
			size_t n = strlen("  pas2p ") + strlen(row->more), k = strlen(row->text);

			longest = n > longest ? n : longest;
			comment = k > comment ? k : comment;
		}
	if (longest + 2 > at && longest + 2 + comment <= WIDTH)
		at = longest + 2;
	fputs("\nExamples:\n", to);
	for (const struct page_row *row = page_rows(c); row->kind != PAGE_END; row++)
		if (row->kind == PAGE_EXAMPLE) {
			size_t n = (size_t)fprintf(to, "  pas2p %s", row->more);

			if (n + 1 > at && n + 2 + strlen(row->text) > WIDTH) {
				fputc('\n', to);
				n = 0;
			}
			fprintf(to, "%*s%s\n", n + 1 > at ? 2 : (int)(at - n), "", row->text);
		}
}

static void see_also(FILE *to, enum command c)
{
	const struct page_row *see = page_first(c, PAGE_SEE);
	const char *others = see ? see->text : "";
	char line[256], word[64], note[96];
	size_t used = 0;

	while ((others = manual_see_next(others, word, sizeof word, note, sizeof note)))
		used += (size_t)snprintf(line + used, sizeof line - used, "%spas2p %s%s%s%s", used ? ", " : "", word, note[0] ? " (" : "", note,
					 note[0] ? ")" : "");
	if (!used)
		return;
	fputs("See also: ", to);
	help_wrap(to, strlen("See also: "), 2, line);
}

static void command_help(FILE *to, enum command c)
{
	const struct command_info *info = command_info(c);

	fprintf(to, "Usage: pas2p %s [OPTION...]%s%s\n\n", info->name, info->operands[0] ? " " : "", info->operands);
	help_wrap(to, 0, 0, page_first(c, PAGE_ABOUT)->text);
	for (const struct page_row *row = page_rows(c); row->kind != PAGE_END; row++) {
		if (row->kind != PAGE_GROUP && row->kind != PAGE_SETTINGS)
			continue;
		fprintf(to, "\n%s%s:\n", row->text, row->kind == PAGE_SETTINGS ? " (all: pas2p help settings)" : "");
		for (unsigned i = 0; i < row->count; i++)
			option_entry(to, row->options[i]);
	}
	common_options(to, c);
	examples(to, c);
	see_also(to, c);
}

static bool shares_brief(int c, const struct command_info *with)
{
	const struct command_info *info = c < COMMAND_COUNT ? command_info((enum command)c) : NULL;

	return info && info->group == with->group && info->brief && with->brief && strcmp(info->brief, with->brief) == 0;
}

/* A line of the list of all commands, from `first` on: commands that share their few words, or one, or two side by side. Returns the next. */
static int line_of_commands(FILE *to, int first, const char *title)
{
	const struct command_info *left = command_info((enum command)first), *right = left;
	int next = first + 1, room = BRIEF_AT;

	fprintf(to, "%-*s", GROUP_AT, title);
	if (next < COMMAND_COUNT)
		right = command_info((enum command)next);
	if (right->group != left->group || !right->brief)
		right = left;
	if (shares_brief(next, left)) {
		room -= fprintf(to, "%s", left->name);
		for (; shares_brief(next, left); next++)
			room -= fprintf(to, ", %s", command_info((enum command)next)->name);
		fprintf(to, "%*s%s\n", room, "", left->brief);
	} else if (right == left || strlen(left->brief) >= BRIEF_WIDTH || strlen(right->brief) > PAIR_MOST || shares_brief(next + 1, right)) {
		fprintf(to, "%-*s%s\n", NAME_WIDTH, left->name, left->brief);
	} else {
		fprintf(to, "%-*s%-*s%-*s%s\n", NAME_WIDTH, left->name, BRIEF_WIDTH, left->brief, NAME_WIDTH, right->name, right->brief);
		next++;
	}
	return next;
}

static void program_help(FILE *to)
{
	static const char *const titles[] = {NULL, "Analyse", "Trace", "Predict", "Compare", "Model", "Setup"};
	enum command_group group = GROUP_START;

	fputs("pas2p - analyse MPI traces, predict run times\n\n"
	      "Usage:  pas2p TRACE                  open the workbench, or print an overview\n"
	      "        pas2p COMMAND [OPTION...]    run one command\n"
	      "        pas2p --tutorial             learn the workbench\n\n",
	      to);
	for (int c = COMMAND_WORKBENCH + 1; c < COMMAND_COUNT;) {
		const struct command_info *info = command_info((enum command)c);

		if (!info->brief) {
			c++;
			continue;
		}
		c = line_of_commands(to, c, info->group != group ? titles[info->group] : "");
		group = info->group;
	}
	fputs("\nExamples:\n"
	      "  pas2p sample-traces/lu.S.4.clog2                     look at a run\n"
	      "  pas2p metrics --by cause sample-traces/lu.S.4.clog2  find who causes waiting\n"
	      "  pas2p trace -o app.clog2 -- mpirun -np 4 ./app\n"
	      "Help:  pas2p help COMMAND | settings | options | keys | exit-status | glossary\n",
	      to);
}

void help_print(FILE *to, enum command c)
{
	if (c == COMMAND_WORKBENCH)
		program_help(to);
	else
		command_help(to, c);
}

void help_usage(FILE *to, enum command c)
{
	const struct command_info *info = command_info(c);

	if (c == COMMAND_WORKBENCH)
		fputs("usage: pas2p [COMMAND] [OPTION...] TRACE...\n       pas2p --help lists the commands\n", to);
	else
		fprintf(to, "usage: pas2p %s [OPTION...]%s%s\n       pas2p %s --help lists the options\n", info->name,
			info->operands[0] ? " " : "", info->operands, info->name);
}
