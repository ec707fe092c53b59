/* The command line: tables of commands and options, and what was asked for.
 *
 *     struct options o;
 *     switch (options_parse(&o, argc, argv, &e)) ...   ERR_USAGE: e says what is wrong
 *     settings_init(&s); ... config files ...; options_apply(&o, &s, &e);
 *
 * Names follow getopt_long(): --name value, --name=value, -o FILE, -oFILE, -qf csv; options and operands
 * mix; "--" ends options. Names are not abbreviated, so that a new option never changes what a script
 * means; a wrong one is answered with the nearest right one. The first operand is a command if it is the
 * name of one, else the workbench is meant (a file of such a name: ./info).
 */
#ifndef PAS2P_OPTIONS_H
#define PAS2P_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/settings/settings.h"

#define PAS2P_VERSION "0.1.0"

enum command {
#define COMMAND(id, name, operands, help, example) COMMAND_##id,
#define OPTION(id, name, letter, argument, commands, help)
#include "options.def"
#undef COMMAND
#undef OPTION
	COMMAND_COUNT
};

enum option {
#define COMMAND(id, name, operands, help, example)
#define OPTION(id, name, letter, argument, commands, help) OPTION_##id,
#include "options.def"
#undef COMMAND
#undef OPTION
	OPTION_COUNT
};

struct command_info {
	const char *name, *operands, *help, *example;
};

struct option_info {
	const char *name;
	char letter;          /* 0: none */
	const char *argument; /* NULL: takes none */
	unsigned commands;    /* bit 1 << command: goes with it */
	const char *help;
	const struct setting_info *setting; /* NULL: not an analysis setting */
};

const struct command_info *command_info(enum command c);

/* All options, first those of options.def, then the analysis settings: number i of option_total(). */
unsigned option_total(void);
struct option_info option_info(unsigned i);
bool option_goes_with(const struct option_info *o, enum command c);

enum format { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON, FORMAT_YAML, FORMAT_COUNT };
extern const char *const format_names[FORMAT_COUNT + 1]; /* ends with NULL */

/* Of the commands that launch jobs. */
struct launch_options {
	const char *mechanism, *mpi, *cpus, *control, *trace, *label; /* NULL: not given */
	uint32_t runs;        /* 0: not given */
	double aet, timeout;  /* s; 0: not given */
	bool full, show_output, stop, dry_run, trust;
};

struct options {
	enum command command;
	const char *const *files; /* operands, into argv as it was reordered */
	uint32_t file_count;
	enum format format;
	const char *output, *match, *application, *config, *preset; /* NULL: not given */
	const char *color, *theme, *script;
	unsigned columns, rows; /* of --size; 0: not given */
	bool leaders, ascii, no_config, quiet, help, version;
	unsigned threads;
	struct launch_options launch;
	const char *const *words; /* what follows "--" of a command that launches, ends with NULL; NULL: nothing does */
	const char *setting[SETTING_COUNT]; /* text as given, checked; NULL: not given */
};

/* Reorders argv, whose strings must outlive o. o->command is set as far as it is known also on errors, so
 * that the usage of the right command can be shown. */
enum err_code options_parse(struct options *o, int argc, char **argv, struct err *e);

/* Set in s what the command line set. */
enum err_code options_apply(const struct options *o, struct settings *s, struct err *e);

#endif
