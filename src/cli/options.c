#include "options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/io/beside.h"
#include "core/base/text.h"
#include "core/io/shell_words.h"
#include "complain.h"

/* What an option goes with: commands by their bits, and what rows of commands take. */
#define ON(c) (UINT64_C(1) << COMMAND_##c)
#define ON_ALL (ON(COUNT) - 1)
#define TAKES(n) (UINT64_C(1) << (32 + (n)))
#define TAKES_OUTPUT TAKES(0)
#define TAKES_FORMAT TAKES(1)
#define TAKES_ANALYSIS TAKES(2)
#define TAKES_WORDS TAKES(3)
#define TAKES_LAUNCH TAKES(4)
#define SHARED_BY_RANKS TAKES(5)

_Static_assert(COMMAND_COUNT < 32, "a bit for each command");

static const struct command_info commands[COMMAND_COUNT] = {
#define COMMAND(id, name, operands, group, options, runs, help, brief) \
	{name, operands, help, brief, GROUP_##group, ((options) & TAKES_WORDS) != 0, \
	 ((options) & TAKES_LAUNCH) != 0, ((options) & SHARED_BY_RANKS) != 0},
#include "commands.def"
};

static const uint64_t taken[COMMAND_COUNT] = {
#define COMMAND(id, name, operands, group, options, runs, help, brief) options,
#include "commands.def"
};

static const char themes[] =
#define THEME(name, colours, help) "|" name
#include "tui/screen/themes.def"
	;
#define THEMES (themes + 1)

static const char writers[] =
#define WRITER(name) "|" #name
#define WRITER_LEFT_OUT(name) "|" #name
#include "core/formats/writers.def"
	;
#define WRITERS (writers + 1)

static const char presets[] =
#define PRESET(id, name, help, values) "|" name
#include "core/settings/presets.def"
	;
#define PRESETS (presets + 1)

static const struct {
	const char *name, *argument, *help, *more;
	char letter;
	uint64_t goes_with;
	size_t member; /* of struct options */
	enum option_type type;
	const char *words;
	double min, max;
} rows[OPTION_COUNT] = {
#define FLAG TYPE_FLAG, NULL, 0, 0
#define TEXT TYPE_TEXT, NULL, 0, 0
#define INPUT TYPE_INPUT, NULL, 0, 0
#define OUTPUT TYPE_OUTPUT, NULL, 0, 0
#define TEXTS TYPE_TEXTS, NULL, 0, TEXTS_MOST
#define TEXTS_LIKE(words) TYPE_TEXTS, words, 0, TEXTS_MOST
#define ANY_TEXT TYPE_ANY_TEXT, NULL, 0, 0
#define WHOLE(min, max) TYPE_WHOLE, NULL, min, max
#define SECONDS(max) TYPE_SECONDS, NULL, 0, max
#define SHARE(max) TYPE_SHARE, NULL, 0, max
#define PART(max) TYPE_PART, NULL, 0, max
#define CHOICE(type, words) TYPE_CHOICE, words, 0, 0
#define MAYBE(type, words) TYPE_MAYBE, words, 0, 0
#define WORD(words) TYPE_WORD, words, 0, 0
#define SIZE(max) TYPE_SIZE, NULL, 1, max
#define BYTES(min, max) TYPE_BYTES, NULL, min, max
#define OPTION(id, name, letter, argument, commands, type, help, more) \
	{name, argument, help, more, letter, commands, offsetof(struct options, id), type},
#include "options.def"
};

/* Other spellings, of which nothing is shown: of options (word NULL), and of words of their values. */
static const struct {
	unsigned option;
	const char *old, *word;
} aliases[] = {
#define ALIAS(id, name) {OPTION_##id, name, NULL},
#define WORD_ALIAS(id, old, word) {OPTION_##id, old, word},
#include "options.def"
};
#define ALIASES (sizeof aliases / sizeof *aliases)

static const struct {
	enum command command;
	const char *old;
} old_commands[] = {
#define ALIAS(id, name) {COMMAND_##id, name},
#include "commands.def"
};

const struct command_info *command_info(enum command c)
{
	return &commands[c];
}

unsigned option_total(void)
{
	return OPTION_COUNT + SETTING_COUNT;
}

static unsigned commands_of(uint64_t goes_with)
{
	unsigned set = 0;

	for (unsigned c = 0; c < COMMAND_COUNT; c++)
		if (goes_with & (UINT64_C(1) << c | taken[c]))
			set |= 1u << c;
	return set;
}

static struct option_info setting_option(enum setting_id id)
{
	const struct setting_info *s = setting_info(id);
	const char *argument = "N";

	if (s->kind == SETTING_CHOICE)
		argument = s->choices;
	else if (s->kind == SETTING_FRACTION)
		argument = "SHARE";
	else if (s->kind == SETTING_SECONDS)
		argument = "SECONDS";
	else if (s->kind == SETTING_NAME)
		argument = "NAME";
	return (struct option_info){.name = s->key, .argument = argument, .commands = commands_of(TAKES_ANALYSIS),
				    .help = s->help, .more = s->more, .type = TYPE_SETTING, .words = s->choices, .offered = s->choices, .min = s->min,
				    .max = s->max, .setting = s};
}

struct option_info option_info(unsigned i)
{
	if (i >= OPTION_COUNT)
		return setting_option((enum setting_id)(i - OPTION_COUNT));
	return (struct option_info){.name = rows[i].name, .letter = rows[i].letter, .argument = rows[i].argument,
				    .commands = commands_of(rows[i].goes_with), .help = rows[i].help, .more = rows[i].more, .type = rows[i].type,
				    .words = rows[i].type == TYPE_TEXTS ? NULL : rows[i].words, .offered = rows[i].words, .min = rows[i].min, .max = rows[i].max};
}

const void *option_member(const struct options *o, unsigned i)
{
	return i < OPTION_COUNT ? (const char *)o + rows[i].member : (const char *)&o->setting[i - OPTION_COUNT];
}

char *option_argument(const struct option_info *o, char *buf, size_t size)
{
	bool alone = option_stands_alone(o);

	snprintf(buf, size, "%s%s%s", !o->argument ? "" : alone ? "[=" : " ", o->argument ? o->argument : "", alone ? "]" : "");
	return buf;
}

bool option_goes_with(const struct option_info *o, enum command c)
{
	return (o->commands & 1u << c) != 0;
}

int command_find(const char *name)
{
	for (int c = 0; c < COMMAND_COUNT; c++)
		if (commands[c].name[0] && strcmp(commands[c].name, name) == 0)
			return c;
	for (size_t i = 0; i < sizeof old_commands / sizeof *old_commands; i++)
		if (strcmp(old_commands[i].old, name) == 0)
			return (int)old_commands[i].command;
	return -1;
}

const char *command_suggest(const char *name)
{
	const char *best = NULL;

	for (int c = 0; c < COMMAND_COUNT; c++)
		if (commands[c].name[0])
			best = suggest_better(name, best, commands[c].name);
	return best;
}

static enum err_code option_unknown(const char *given, enum command c, struct err *e)
{
	const char *best = NULL;
	char safe[80];

	for (unsigned i = 0; i < option_total(); i++) {
		struct option_info o = option_info(i);

		if (option_goes_with(&o, c))
			best = suggest_better(given, best, o.name);
	}
	text_safe(safe, sizeof safe, given, SIZE_MAX, TEXT_UTF8);
	err_set(e, ERR_USAGE, "--%s: unknown option", safe);
	if (best)
		err_hint(e, "did you mean --%s?", best);
	return ERR_USAGE;
}

const char *option_word_stored(unsigned option, const char *word)
{
	for (size_t i = 0; i < ALIASES; i++)
		if (aliases[i].option == option && aliases[i].word && strcmp(aliases[i].word, word) == 0)
			return aliases[i].old;
	return word;
}

const char *option_word_shown(unsigned option, const char *stored)
{
	for (size_t i = 0; i < ALIASES; i++)
		if (aliases[i].option == option && aliases[i].word && strcmp(aliases[i].old, stored) == 0)
			return aliases[i].word;
	return stored;
}

/* value NULL: none was given, and none is needed. */
static enum err_code take_value(struct options *o, unsigned i, const char *value, struct err *e)
{
	static const int alone = 1;
	struct option_info info = option_info(i);
	struct settings scratch;
	void *member;

	if (info.setting) {
		settings_init(&scratch);
		o->setting[info.setting->id] = value;
		o->presets_before[info.setting->id] = o->preset.count;
		return settings_set(&scratch, info.setting->id, value, e);
	}
	o->named[i] = true;
	member = (char *)o + rows[i].member;
	if (!value && info.type == TYPE_MAYBE) {
		memcpy(member, &alone, sizeof alone);
		return ERR_OK;
	}
	value = value ? value : "";
	return option_value_put(i, &info, value, member) ? ERR_OK : option_value_refuse(&info, value, e);
}

static bool is_called(const char *of, const char *name, size_t n)
{
	return strlen(of) == n && memcmp(of, name, n) == 0;
}

static bool has_name(unsigned option, const char *name, size_t n)
{
	if (is_called(option_info(option).name, name, n))
		return true;
	for (size_t i = 0; i < ALIASES; i++)
		if (aliases[i].option == option && !aliases[i].word && is_called(aliases[i].old, name, n))
			return true;
	return false;
}

/* Of rows with one name the command's own, otherwise the first. */
static int find_long(const char *name, size_t n, enum command c)
{
	int found = -1;

	for (unsigned i = 0; i < option_total(); i++) {
		struct option_info o = option_info(i);

		if (!has_name(i, name, n))
			continue;
		if (option_goes_with(&o, c))
			return (int)i;
		if (found < 0)
			found = (int)i;
	}
	return found;
}

static int find_short(char letter, enum command c)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (rows[i].letter == letter)
			return find_long(rows[i].name, strlen(rows[i].name), c);
	return -1;
}

/* The walk over the arguments. They are walked twice: first only to find the command and "--", then to take the values, so that no option is
 * called wrong before the command is known. */
struct argument_walk {
	struct options *o;
	int argc, at;
	char **argv;
	bool apply; /* second pass */
};

/* The commands that do have it, of all rows of its name. */
static enum err_code option_misplaced(const char *name, enum command c, struct err *e)
{
	char list[160];
	size_t used = 0;
	unsigned set = 0, count = 0;

	for (unsigned i = 0; i < option_total(); i++)
		if (strcmp(option_info(i).name, name) == 0)
			set |= option_info(i).commands;
	for (unsigned i = COMMAND_WORKBENCH + 1; i < COMMAND_COUNT && used < sizeof list; i++)
		if (set & 1u << i)
			used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", count++ ? ", " : "", commands[i].name);
	if (c == COMMAND_WORKBENCH)
		err_set(e, ERR_USAGE, "--%s needs a command in front of the trace", name);
	else
		err_set(e, ERR_USAGE, "--%s: not an option of pas2p %s", name, commands[c].name);
	if (!count)
		err_hint(e, "pas2p --%s TRACE, without a command", name);
	else if (used < sizeof list)
		err_hint(e, "command%s with --%s: %s", count > 1 ? "s" : "", name, list);
	return ERR_USAGE;
}

static enum err_code option_take_one(struct argument_walk *w, int i, const char *shown, const char *value, struct err *e)
{
	struct option_info info = option_info((unsigned)i);

	if (option_stands_alone(&info) && !value) {
		if (w->at + 1 < w->argc && option_word_index((unsigned)i, info.words, w->argv[w->at + 1]) >= 0)
			value = w->argv[++w->at];
	} else if (info.argument && !value) {
		if (w->at + 1 >= w->argc)
			return err_set(e, ERR_USAGE, "%s: the value is missing: expected %s %s", shown, shown, info.argument);
		value = w->argv[++w->at];
	}
	if (!w->apply)
		return ERR_OK;
	if (!option_goes_with(&info, w->o->command))
		return option_misplaced(info.name, w->o->command, e);
	return take_value(w->o, (unsigned)i, value, e);
}

static enum err_code long_option(struct argument_walk *w, struct err *e)
{
	const char *name = w->argv[w->at] + 2;
	const char *equals = strchr(name, '=');
	size_t n = equals ? (size_t)(equals - name) : strlen(name);
	int i = find_long(name, n, w->o->command);
	char shown[80], value[40];

	text_safe(shown, sizeof shown, name, n, TEXT_UTF8);
	if (i < 0)
		return w->apply ? option_unknown(shown, w->o->command, e) : ERR_OK;
	if (equals && !option_info((unsigned)i).argument)
		return w->apply ? err_set(e, ERR_USAGE, "--%s takes no value, found '%s'", shown, text_safe(value, sizeof value, equals + 1, SIZE_MAX, TEXT_UTF8)) : ERR_OK;
	text_safe(shown, sizeof shown, name - 2, n + 2, TEXT_UTF8);
	return option_take_one(w, i, shown, equals ? equals + 1 : NULL, e);
}

static enum err_code short_options(struct argument_walk *w, struct err *e)
{
	for (const char *p = w->argv[w->at] + 1; *p; p++) {
		int i = find_short(*p, w->o->command);
		char shown[3] = {'-', *p, 0};
		enum err_code code;

		if (i < 0 && !w->apply)
			continue;
		if (i < 0) {
			if (*p < 0x21 || *p > 0x7e)
				shown[1] = '?';
			return err_set(e, ERR_USAGE, "%s: unknown option", shown);
		}
		if (option_info((unsigned)i).argument && p[1])
			return option_take_one(w, i, shown, p + 1, e);
		code = option_take_one(w, i, shown, NULL, e);
		if (code || option_info((unsigned)i).argument)
			return code;
	}
	return ERR_OK;
}

/* What stands among the arguments. */
struct option_operands {
	char **list;
	int count;
	int dashes; /* where "--" is; argc: nowhere */
	int before; /* how many operands stand before that */
};

/* Walk over all arguments. */
static enum err_code arguments_walk(struct options *o, int argc, char **argv, bool apply, struct option_operands *operands, struct err *e)
{
	struct argument_walk w = {o, argc, 1, argv, apply};
	bool only_operands = false;

	operands->count = operands->before = 0;
	operands->dashes = argc;
	for (; w.at < argc; w.at++) {
		char *a = argv[w.at];
		enum err_code code = ERR_OK;

		if (!only_operands && strcmp(a, "--") == 0) {
			only_operands = true;
			operands->dashes = w.at;
		} else if (only_operands || a[0] != '-' || !a[1]) {
			if (!operands->count && !only_operands && command_find(a) >= 0)
				o->command = (enum command)command_find(a); /* whose options are meant from here on */
			operands->list[operands->count++] = a;
			operands->before += !only_operands;
		} else if (a[1] == '-') {
			code = long_option(&w, e);
		} else {
			code = short_options(&w, e);
		}
		if (code)
			return code;
	}
	return ERR_OK;
}

/* Is it a program by its name, as a launcher is? */
static bool is_program(const char *word)
{
	char path[PATH_MAX];

	return strchr(word, '/') ? access(word, X_OK) == 0 : path_find(word, path);
}

/* A launch command without "--" in front would be read as operands and options of ours. words: its first word, of argv.
 * file: what the command needs before it, and does not have; NULL: nothing. */
static enum err_code dashes_missing(const struct options *o, int argc, char **argv, const char *words, const char *file, struct err *e)
{
	const char *name = commands[o->command].name;
	struct out out;
	enum err_code code;

	/* Behind a launcher's option, or where the launcher is forgotten, too. */
	if (!words[strspn(words, "0123456789")]) {
		err_set(e, ERR_USAGE, "%s: expected -- in front of the launch command, found '%s'", name, words);
		err_hint(e, "pas2p %s%s -- mpirun -np 2 program", name, commands[o->command].before_words ? " TABLE" : "");
		return ERR_USAGE;
	}
	out_init(&out);
	for (int i = 0; i < argc; i++) {
		if (argv[i] == words)
			out_printf(&out, "%s%s --", file ? " " : "", file ? file : "");
		out_str(&out, i ? " " : "");
		shell_word(&out, i ? argv[i] : o->program);
	}
	if (out.failed)
		code = err_memory(e, "the launch command");
	else
		code = err_set(e, ERR_USAGE, "%s: expected %s-- in front of the launch command", name, file ? "a table and " : "");
	if (code == ERR_USAGE && out.len < ERR_TEXT - 128) /* half a command would mislead */
		err_hint(e, "%s", out.text);
	out_release(&out);
	return code;
}

/* Of what the first walk found. `clocks` reads traces, unless it measures. */
static const char *words_without_dashes(const struct options *o, int argc, char **argv, const struct option_operands *operands, const char **file)
{
	const struct command_info *c = &commands[o->command];
	uint32_t before = 1 + c->before_words;
	bool launches = c->takes_words;
	struct stat st;

	if (o->command == COMMAND_CLOCKS) {
		launches = false;
		for (int i = 1; i < argc; i++)
			launches |= strcmp(argv[i], "--measure") == 0;
	}
	if (!launches || (uint32_t)operands->before <= before)
		return NULL;
	if (before == 2 && stat(operands->list[1], &st) != 0 && is_program(operands->list[1])) {
		*file = "TABLE";
		before = 1;
	}
	return operands->list[before];
}

/* Like an option's: what is empty is a script's unset variable. */
static enum err_code check_operands(const struct options *o, struct err *e)
{
	for (uint32_t i = 0; i < o->file_count; i++)
		if (!o->files[i][0])
			return err_set(e, ERR_USAGE, "expected a file name, found an empty argument");
	if (o->words && o->words[0] && !o->words[0][0])
		return err_set(e, ERR_USAGE, "expected a launch command after --, found an empty argument");
	return ERR_OK;
}

/* - is standard output, where lists go by themselves. What has to lie somewhere under a name cannot be put there. */
static enum err_code check_output(struct options *o, struct err *e)
{
	bool lies = o->command == COMMAND_TRACE || o->command == COMMAND_SIGN || o->command == COMMAND_RUN || o->correct;

	if (!o->output || strcmp(o->output, "-") != 0)
		return ERR_OK;
	if (lies) {
		err_set(e, ERR_USAGE, "-o -: %s cannot write to standard output", commands[o->command].name);
		err_hint(e, "give -o a file name");
		return ERR_USAGE;
	}
	o->output = NULL;
	return ERR_OK;
}

enum err_code options_parse(struct options *o, int argc, char **argv, struct err *e)
{
	struct option_operands operands = {.count = 0};
	const char *words, *file = NULL;
	int first, dashes, all = argc;
	enum err_code code;

	*o = (struct options){.command = COMMAND_WORKBENCH, .program = argc && argv[0][0] ? argv[0] : "pas2p"};
	operands.list = malloc(((size_t)argc + 1) * sizeof *operands.list);
	if (!operands.list)
		return err_memory(e, "the arguments");
	code = arguments_walk(o, argc, argv, false, &operands, e);
	first = o->command != COMMAND_WORKBENCH;
	/* A launch command is kept whole and apart: its words are not ours. */
	words = words_without_dashes(o, argc, argv, &operands, &file);
	dashes = operands.dashes;
	if (words && dashes == argc) {
		free(operands.list);
		return dashes_missing(o, argc, argv, words, file, e);
	}
	if (commands[o->command].takes_words && operands.dashes < argc) {
		o->words = (const char *const *)(argv + operands.dashes + 1);
		argc = dashes;
	}
	if (!code)
		code = arguments_walk(o, argc, argv, true, &operands, e);
	/* The -- may be the program's own: then options of the launcher were read before it. */
	if (code && words)
		code = dashes_missing(o, all, argv, words, file, e);
	if (!code) {
		operands.count -= first;
		memcpy(argv + 1, operands.list + first, (size_t)operands.count * sizeof *argv);
		o->files = (const char *const *)(argv + 1);
		o->file_count = (uint32_t)operands.count;
		code = check_operands(o, e);
	}
	if (!code)
		code = check_output(o, e);
	free(operands.list);
	return code;
}
