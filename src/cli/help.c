#include "cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/settings/settings.h"
#include "exit.h"

#define WIDTH 80
#define LINES 23  /* of 24: below it comes the prompt */
#define COLUMN 30 /* where what options do is said */

/* Print words from column `at` on, going on at `indent` where a line would pass WIDTH. */
static void help_wrap_words(FILE *to, size_t at, size_t indent, const char *words)
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

static void entry(FILE *to, const char *left, size_t column, const char *right)
{
	size_t n = strlen(left);

	fputs(left, to);
	if (n + 2 > column) {
		fputc('\n', to);
		n = 0;
	}
	fprintf(to, "%*s", (int)(column - n), "");
	help_wrap_words(to, column, column, right);
}

void help_default(const struct setting_info *s, char *buf, size_t size)
{
	struct settings defaults;

	settings_init(&defaults);
	settings_get(&defaults, s->id, buf, size);
}

static void option_entry(FILE *to, const struct option_info *o)
{
	char left[96], letter[8] = "    ", argument[64], right[256], def[32];

	if (o->letter)
		snprintf(letter, sizeof letter, "-%c, ", o->letter);
	snprintf(left, sizeof left, "  %s--%s%s", o->setting ? "" : letter, o->name, option_argument(o, argument, sizeof argument));
	if (o->setting) {
		help_default(o->setting, def, sizeof def);
		snprintf(right, sizeof right, "%s (%s)", o->help, def);
	} else {
		snprintf(right, sizeof right, "%s", o->help);
	}
	entry(to, left, COLUMN, right);
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

static void preset_entries(FILE *to)
{
	const char *name, *help;
	char values[512], left[64], right[640];

	fputs("\nPresets:\n", to);
	for (size_t i = 0; help_preset(i, &name, &help, values, sizeof values); i++) {
		snprintf(left, sizeof left, "  %s", name);
		snprintf(right, sizeof right, "%s: %s", help, values);
		entry(to, left, COLUMN, right);
	}
}

static void command_help(FILE *to, enum command c)
{
	const struct command_info *info = command_info(c);
	bool settings = false;

	fprintf(to, "Usage: pas2p %s [OPTION...]%s%s\n\n", info->name, info->operands[0] ? " " : "", info->operands);
	fputc(toupper((unsigned char)info->help[0]), to);
	fputs(info->help + 1, to);
	fputs(".\n\n", to);
	for (unsigned i = 0; i < option_total(); i++) {
		struct option_info o = option_info(i);

		if (!option_goes_with(&o, c))
			continue;
		if (o.setting && !settings)
			fputs("\nAnalysis settings (defaults in parentheses; a SHARE is written 0.05 or 5%):\n", to);
		settings = settings || o.setting;
		option_entry(to, &o);
	}
	if (settings)
		preset_entries(to);
	if (info->example[0])
		fprintf(to, "\nExample: pas2p %s\n", info->example);
}

/* The program's own help has to fit a screen however many options there are: theirs are in the man page. */
static void option_names(FILE *to)
{
	char names[1024];
	size_t n = 0;

	for (unsigned i = 0; i < OPTION_COUNT; i++) {
		struct option_info o = option_info(i);

		if (!option_goes_with(&o, COMMAND_WORKBENCH))
			continue;
		n += (size_t)snprintf(names + n, sizeof names - n, "%s--%s", n ? ", " : "", o.name);
	}
	fputs("\nOptions: ", to);
	help_wrap_words(to, 9, 9, names);
	fputs("and the analysis settings: see pas2p COMMAND --help and pas2p(1).\n", to);
}

static void exit_codes(FILE *to)
{
	size_t at = (size_t)fprintf(to, "Exit codes:");

	for (const struct exit_info *x = exit_infos; x->words; x++) {
		char exit[80];
		size_t n = (size_t)snprintf(exit, sizeof exit, " %d %s%s", x->number, x->words, x[1].words ? "," : "");

		if (at + n > WIDTH)
			at = (size_t)fprintf(to, "\n   ") - 1;
		fputs(exit, to);
		at += n;
	}
	fputc('\n', to);
}

/* The commands of a group, from `first` on, in two columns, of which the first is filled first. Returns the next
 * group's first. */
static int group_of_commands(FILE *to, int first)
{
	static const char *const titles[] = {NULL, "Understand a run", "Make traces and measurements", "Predict run times", "Compare runs"};
	enum command_group group = command_info((enum command)first)->group;
	int end = first, rows;

	while (end < COMMAND_COUNT && command_info((enum command)end)->group == group)
		end++;
	rows = (end - first + 1) / 2;
	fprintf(to, "%s\n", titles[group]);
	for (int c = first; c < first + rows; c++) {
		const struct command_info *left = command_info((enum command)c), *right =
			c + rows < end ? command_info((enum command)(c + rows)) : NULL;

		if (right)
			fprintf(to, "  %-9s%-29s%-9s%s\n", left->name, left->brief, right->name, right->brief);
		else
			fprintf(to, "  %-9s%s\n", left->name, left->brief);
	}
	return end;
}

static void program_help(FILE *to, bool names, bool exits, bool words)
{
	char left[32];
	int c;

	fputs("Usage: pas2p [COMMAND] [OPTION...] FILE...\n", to);
	if (words)
		fputs("Finds the phases that a parallel program repeats in a trace (CLOG2, OTF2, PRV),\n"
		      "and predicts its run time from them. Several FILEs are local files of one run.\n\n",
		      to);
	entry(to, "  pas2p FILE...", 18, command_info(COMMAND_WORKBENCH)->help);
	for (c = COMMAND_WORKBENCH + 1; command_info((enum command)c)->group == GROUP_START; c++) {
		snprintf(left, sizeof left, "  pas2p %s", command_info((enum command)c)->name);
		entry(to, left, 18, command_info((enum command)c)->help);
	}
	while (c < COMMAND_COUNT)
		c = group_of_commands(to, c);
	if (names)
		option_names(to);
	else
		fprintf(to, "Options%s: see pas2p COMMAND --help and pas2p(1).\n", exits ? "" : " and exit codes");
	if (exits)
		exit_codes(to);
	fprintf(to, "Example: pas2p %s\n", command_info(COMMAND_WORKBENCH)->example);
}

static unsigned lines_of(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

void help_program(FILE *to, unsigned lines)
{
	for (int left_out = 0; left_out < 4; left_out++) {
		char *text = NULL;
		size_t size;
		FILE *f = open_memstream(&text, &size);
		bool fits;

		if (!f)
			break;
		program_help(f, left_out < 1, left_out < 2, left_out < 3);
		fits = fclose(f) == 0 && lines_of(text) <= lines;
		if (fits)
			fwrite(text, 1, size, to);
		free(text);
		if (fits)
			return;
	}
	program_help(to, false, false, false);
}

void help_print(FILE *to, enum command c)
{
	if (c == COMMAND_WORKBENCH)
		help_program(to, LINES);
	else
		command_help(to, c);
}

void help_usage(FILE *to, enum command c)
{
	const struct command_info *info = command_info(c);

	if (c == COMMAND_WORKBENCH)
		fputs("usage: pas2p [COMMAND] [OPTION...] FILE...\n       pas2p --help lists commands and options\n", to);
	else
		fprintf(to, "usage: pas2p %s [OPTION...]%s%s\n       pas2p %s --help lists the options\n", info->name,
			info->operands[0] ? " " : "", info->operands, info->name);
}
