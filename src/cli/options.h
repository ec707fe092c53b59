/* The command line: tables of commands (commands.def) and options (options.def), and what was asked for.
 *
 *     struct options o;
 *     switch (options_parse(&o, argc, argv, &e)) ...   ERR_USAGE: e says what is wrong
 *     prepare_settings(&o, ...);                       cli.h: the settings that follow from them
 *
 * Names follow getopt_long(): --name value, --name=value, -o FILE, -oFILE, -qf csv; options and operands mix; "--" ends
 * options. Names are not abbreviated, so that a new option never changes what a script means; a wrong one is answered
 * with the nearest right one. The first operand is a command if it is the name of one, otherwise the workbench is meant
 * (a file of such a name: ./info). A value that may be left out follows after "=", or as the next argument if that is
 * one of its words (a file of such a name: ./exact).
 */
#ifndef PAS2P_OPTIONS_H
#define PAS2P_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/number.h"
#include "core/clocks/correct/correct.h"
#include "core/models/graph/contention.h"
#include "core/models/fit/fit.h"
#include "core/settings/settings.h"
#include "core/reports/metrics_report.h"

enum command {
#define COMMAND(id, name, operands, group, options, runs, help, brief) COMMAND_##id,
#include "commands.def"
	COMMAND_COUNT
};

/* What a command is for, in the order in which the table has them. */
enum command_group { GROUP_START, GROUP_ANALYSE, GROUP_TRACE, GROUP_PREDICT, GROUP_COMPARE, GROUP_MODEL, GROUP_SETUP };

struct command_info {
	const char *name, *operands, *help, *brief;
	enum command_group group;
	bool takes_words; /* what follows "--" is a launch command */
	uint32_t before_words; /* operands before "--" */
	bool shared;      /* by the ranks of an MPI job */
};

enum option {
#define OPTION(id, name, letter, argument, commands, type, help, more) OPTION_##id,
#include "options.def"
	OPTION_COUNT
};

enum option_type { /* see options.def */
	TYPE_FLAG, TYPE_TEXT, TYPE_INPUT, TYPE_OUTPUT, TYPE_TEXTS, TYPE_ANY_TEXT, TYPE_WHOLE, TYPE_SECONDS, TYPE_SHARE, TYPE_PART, TYPE_CHOICE, TYPE_MAYBE, TYPE_WORD, TYPE_SIZE, TYPE_BYTES,
	TYPE_SETTING /* as settings.h says */
};

struct option_info {
	const char *name;
	char letter;          /* 0: none */
	const char *argument; /* NULL: takes none */
	unsigned commands;    /* bit 1 << command: goes with it */
	const char *help, *more; /* a line, with the default in brackets; sentences that follow it in pages */
	enum option_type type;
	const char *words;    /* "a|b|...", the only values; NULL: others */
	const char *offered;  /* the same of completion, which may offer words if there are others; NULL: none */
	double min, max;      /* of numbers */
	const struct setting_info *setting; /* NULL: not an analysis setting */
};

const struct command_info *command_info(enum command c);
/* By its name, or an older one; -1: there is none of it. */
int command_find(const char *name);
/* The command whose name is nearest to a misspelt one; NULL: none is near. */
const char *command_suggest(const char *name);

/* All options, first those of options.def, then the analysis settings: number i of option_total(). */
unsigned option_total(void);
struct option_info option_info(unsigned i);
/* The value may be left out. */
static inline bool option_stands_alone(const struct option_info *o)
{
	return o->type == TYPE_MAYBE;
}
/* The text after the option's name in help: " FORMAT", "[=KIND]" or nothing. */
char *option_argument(const struct option_info *o, char *buf, size_t size);
bool option_goes_with(const struct option_info *o, enum command c);

/* What an option that may be given several times was given, in order. */
#define TEXTS_MOST 16
struct texts {
	const char *text[TEXTS_MOST];
	uint32_t count;
};

enum format { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON, FORMAT_YAML };
enum convert_report { CONVERT_TABLE, CONVERT_JSON };
enum page_kind { PAGE_HTML, PAGE_MD };
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
struct screen_size { uint32_t columns, rows; };
enum structure_asked { STRUCTURE_NOT_ASKED, STRUCTURE_ALONE, STRUCTURE_EXACT_ASKED, STRUCTURE_RELEVANT_ASKED, STRUCTURE_WORDS_ASKED };
enum clocks_by { CLOCKS_BY_PROCESS, CLOCKS_BY_PAIR, CLOCKS_BY_TIME };
enum rooted { ROOTED_OBSERVED, ROOTED_ALL };

struct team;

struct options {
	enum command command;
	const char *program;      /* argv[0]: how commands that are printed begin */
	const char *const *files; /* operands, into argv as it was reordered */
	uint32_t file_count;
	const char *const *words; /* what follows "--" of a command that launches, ends with NULL; NULL: nothing does */
	const char *setting[SETTING_COUNT]; /* text as given, checked; NULL: not given */
	uint32_t presets_before[SETTING_COUNT]; /* how many of `preset` were given before that */
	const struct team *team;            /* not from the command line: of the job that this is a rank of (cli.h); NULL: of none */
	bool named[OPTION_COUNT];           /* given, be it as what holds anyway */
	/* A member for each row of options.def, by its id. */
#define FLAG bool
#define TEXT const char *
#define INPUT const char *
#define OUTPUT const char *
#define TEXTS struct texts
#define TEXTS_LIKE(words) struct texts
#define ANY_TEXT const char *
#define WHOLE(min, max) uint32_t
#define SECONDS(max) double
#define SHARE(max) double
#define PART(max) double
#define CHOICE(type, words) type
#define MAYBE(type, words) type
#define WORD(words) const char *
#define SIZE(max) struct screen_size
#define BYTES(min, max) double
#define OPTION(id, name, letter, argument, commands, type, help, more) type id;
#include "options.def"
};

/* Reorders argv, whose strings must outlive o. o->command is set as far as it is known also on errors, so
 * that the usage of the right command can be shown. */
enum err_code options_parse(struct options *o, int argc, char **argv, struct err *e);

/* Where the value of option number i is, by its type; of a setting its text (const char *). */
const void *option_member(const struct options *o, unsigned i);

/* Put a value where the option's member is; false: it is none of the type. */
bool option_value_put(unsigned i, const struct option_info *o, const char *value, void *member);

/* ERR_USAGE: what was expected of such a value. */
enum err_code option_value_refuse(const struct option_info *o, const char *value, struct err *e);

/* Which of an option's words the value is, in any spelling; -1: none. */
int option_word_index(unsigned option, const char *words, const char *value);

/* The spelling of an option's word in struct options, and of such a word on the command line. */
const char *option_word_stored(unsigned option, const char *word);
const char *option_word_shown(unsigned option, const char *stored);

/* ERR_USAGE: "--rate is 'x': expected ...". */
enum err_code option_wrong_value(struct err *e, const char *option, const char *value, const char *expected);

/* Whether option number i was given, and its value as text (in `number` or where it was given; NULL: it takes none).
 * Not for what has a choice of words for an enum, or a size: false. */
bool option_given(const struct options *o, unsigned i, char number[NUMBER_TEXT], const char **value);

/* The same of any option but a size of the screen, added to `to`. False: it was not given. */
struct out;
bool option_said(const struct options *o, unsigned i, struct out *to);

#endif
