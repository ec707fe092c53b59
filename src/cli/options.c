#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/text.h"
#include "suggest.h"

#define ON(c) (1u << COMMAND_##c)
#define ON_ALL ((1u << COMMAND_COUNT) - 1)
#define ON_BATCH (ON_ALL & ~ON(WORKBENCH))
#define ON_LAUNCH (ON(SIGN) | ON(RUN))
#define ON_WORDS (ON_LAUNCH | ON(TRACE))
#define ON_ANALYSIS (ON_ALL & ~(ON_WORDS | ON(COMPARE)))

static const struct command_info commands[COMMAND_COUNT] = {
#define COMMAND(id, name, operands, help, example) {name, operands, help, example},
#define OPTION(id, name, letter, argument, commands, help)
#include "options.def"
#undef COMMAND
#undef OPTION
};

static const struct option_info fixed[OPTION_COUNT] = {
#define COMMAND(id, name, operands, help, example)
#define OPTION(id, name, letter, argument, commands, help) {name, letter, argument, commands, help, NULL},
#include "options.def"
#undef COMMAND
#undef OPTION
};

const char *const format_names[FORMAT_COUNT + 1] = {"table", "csv", "json", "yaml", NULL};

const struct command_info *command_info(enum command c)
{
	return &commands[c];
}

unsigned option_total(void)
{
	return OPTION_COUNT + SETTING_COUNT;
}

struct option_info option_info(unsigned i)
{
	const struct setting_info *s;
	const char *argument = "N";

	if (i < OPTION_COUNT)
		return fixed[i];
	s = setting_info((enum setting_id)(i - OPTION_COUNT));
	if (s->kind == SETTING_CHOICE)
		argument = s->choices;
	else if (s->kind == SETTING_FRACTION)
		argument = "SHARE";
	else if (s->kind == SETTING_SECONDS)
		argument = "SECONDS";
	return (struct option_info){s->key, 0, argument, ON_ANALYSIS, s->help, s};
}

bool option_goes_with(const struct option_info *o, enum command c)
{
	return (o->commands & 1u << c) != 0;
}

static int find_command(const char *name)
{
	for (int c = 0; c < COMMAND_COUNT; c++)
		if (commands[c].name[0] && strcmp(commands[c].name, name) == 0)
			return c;
	return -1;
}

static enum err_code unknown(const char *given, enum command c, struct err *e)
{
	const char *best = NULL;
	char safe[80];

	for (unsigned i = 0; i < option_total(); i++) {
		struct option_info o = option_info(i);

		if (option_goes_with(&o, c))
			best = suggest_better(given, best, o.name);
	}
	text_safe(safe, sizeof safe, given, SIZE_MAX, TEXT_UTF8);
	if (best)
		return err_set(e, ERR_USAGE, "there is no option --%s; did you mean --%s?", safe, best);
	return err_set(e, ERR_USAGE, "there is no option --%s", safe);
}

static enum err_code parse_format(struct options *o, const char *value, struct err *e)
{
	const char *best = NULL;
	char safe[80];

	for (int f = 0; f < FORMAT_COUNT; f++) {
		if (strcmp(value, format_names[f]) == 0) {
			o->format = (enum format)f;
			return ERR_OK;
		}
		best = suggest_better(value, best, format_names[f]);
	}
	text_safe(safe, sizeof safe, value, SIZE_MAX, TEXT_UTF8);
	return err_set(e, ERR_USAGE, "--format is '%s': expected table, csv, json or yaml%s%s%s", safe,
		       best ? "; did you mean " : "", best ? best : "", best ? "?" : "");
}

static enum err_code parse_threads(struct options *o, const char *value, struct err *e)
{
	char *end;
	unsigned long n = strtoul(value, &end, 10);
	char safe[80];

	if (value[0] < '0' || value[0] > '9' || *end || n > 1024) {
		text_safe(safe, sizeof safe, value, SIZE_MAX, TEXT_UTF8);
		return err_set(e, ERR_USAGE, "--threads is '%s': expected a number from 0 to 1024", safe);
	}
	o->threads = (unsigned)n;
	return ERR_OK;
}

/* A positive number of seconds. */
static enum err_code parse_seconds(double *to, const char *name, const char *value, struct err *e)
{
	char safe[80];

	if (number_parse(value, strlen(value), to) && *to > 0 && *to <= 1e9)
		return ERR_OK;
	return err_set(e, ERR_USAGE, "--%s is '%s': expected seconds, more than 0", name,
		       text_safe(safe, sizeof safe, value, SIZE_MAX, TEXT_UTF8));
}

static enum err_code parse_runs(struct options *o, const char *value, struct err *e)
{
	char safe[80];
	uint64_t n;

	if (!number_parse_whole(value, strlen(value), &n) || n < 1 || n > 1000)
		return err_set(e, ERR_USAGE, "--runs is '%s': expected a number from 1 to 1000",
			       text_safe(safe, sizeof safe, value, SIZE_MAX, TEXT_UTF8));
	o->launch.runs = (uint32_t)n;
	return ERR_OK;
}

/* Names must not be empty: "-o ''" is a script's unset variable. */
static enum err_code parse_text(const char **to, const char *name, const char *value, struct err *e)
{
	if (!value[0])
		return err_set(e, ERR_USAGE, "--%s is empty", name);
	*to = value;
	return ERR_OK;
}

static enum err_code parse_color(struct options *o, const char *value, struct err *e)
{
	char safe[80];

	o->color = value;
	if (strcmp(value, "auto") == 0 || strcmp(value, "always") == 0 || strcmp(value, "never") == 0)
		return ERR_OK;
	text_safe(safe, sizeof safe, value, SIZE_MAX, TEXT_UTF8);
	return err_set(e, ERR_USAGE, "--color is '%s': expected auto, always or never", safe);
}

static enum err_code parse_size(struct options *o, const char *value, struct err *e)
{
	char *end, safe[80];
	unsigned long columns = strtoul(value, &end, 10), rows = 0;
	bool good = value[0] >= '0' && value[0] <= '9' && *end == 'x' && end[1] >= '0' && end[1] <= '9';

	if (good)
		rows = strtoul(end + 1, &end, 10);
	if (!good || *end || !columns || columns > 1000 || !rows || rows > 1000) {
		text_safe(safe, sizeof safe, value, SIZE_MAX, TEXT_UTF8);
		return err_set(e, ERR_USAGE, "--size is '%s': expected columns and rows from 1 to 1000, such as 80x24",
			       safe);
	}
	o->columns = (unsigned)columns;
	o->rows = (unsigned)rows;
	return ERR_OK;
}

static enum err_code take(struct options *o, unsigned i, const char *value, struct err *e)
{
	struct settings scratch;

	if (i >= OPTION_COUNT) {
		settings_init(&scratch);
		o->setting[i - OPTION_COUNT] = value;
		return settings_set(&scratch, (enum setting_id)(i - OPTION_COUNT), value, e);
	}
	switch ((enum option)i) {
	case OPTION_FORMAT:
		return parse_format(o, value, e);
	case OPTION_OUTPUT:
		return parse_text(&o->output, "output", value, e);
	case OPTION_MATCH:
		o->match = value;
		return ERR_OK;
	case OPTION_APPLICATION:
		return parse_text(&o->application, "application", value, e);
	case OPTION_CONFIG:
		return parse_text(&o->config, "config", value, e);
	case OPTION_COLOR:
		return parse_color(o, value, e);
	case OPTION_THEME:
		return parse_text(&o->theme, "theme", value, e);
	case OPTION_SCRIPT:
		return parse_text(&o->script, "script", value, e);
	case OPTION_SIZE:
		return parse_size(o, value, e);
	case OPTION_PRESET:
		return parse_text(&o->preset, "preset", value, e);
	case OPTION_THREADS:
		return parse_threads(o, value, e);
	case OPTION_LEADERS:
		o->leaders = true;
		return ERR_OK;
	case OPTION_ASCII:
		o->ascii = true;
		return ERR_OK;
	case OPTION_NO_CONFIG:
		o->no_config = true;
		return ERR_OK;
	case OPTION_MECHANISM:
		return parse_text(&o->launch.mechanism, "mechanism", value, e);
	case OPTION_MPI:
		return parse_text(&o->launch.mpi, "mpi", value, e);
	case OPTION_RUNS:
		return parse_runs(o, value, e);
	case OPTION_AET:
		return parse_seconds(&o->launch.aet, "aet", value, e);
	case OPTION_FULL:
		o->launch.full = true;
		return ERR_OK;
	case OPTION_CPUS:
		return parse_text(&o->launch.cpus, "cpus", value, e);
	case OPTION_TIMEOUT:
		return parse_seconds(&o->launch.timeout, "timeout", value, e);
	case OPTION_CONTROL:
		return parse_text(&o->launch.control, "control", value, e);
	case OPTION_SHOW_OUTPUT:
		o->launch.show_output = true;
		return ERR_OK;
	case OPTION_DRY_RUN:
		o->launch.dry_run = true;
		return ERR_OK;
	case OPTION_TRUST:
		o->launch.trust = true;
		return ERR_OK;
	case OPTION_STOP:
		o->launch.stop = true;
		return ERR_OK;
	case OPTION_TRACE_FILE:
		return parse_text(&o->launch.trace, "trace-file", value, e);
	case OPTION_LABEL:
		return parse_text(&o->launch.label, "label", value, e);
	case OPTION_QUIET:
		o->quiet = true;
		return ERR_OK;
	case OPTION_HELP:
		o->help = true;
		return ERR_OK;
	case OPTION_VERSION:
		o->version = true;
		return ERR_OK;
	case OPTION_COUNT:
		break;
	}
	return ERR_OK;
}

static int find_long(const char *name, size_t n)
{
	for (unsigned i = 0; i < option_total(); i++) {
		struct option_info o = option_info(i);

		if (strlen(o.name) == n && memcmp(o.name, name, n) == 0)
			return (int)i;
	}
	return -1;
}

static int find_short(char letter)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (fixed[i].letter == letter)
			return i;
	return -1;
}

/* One argument that starts with '-', and its value if that is the next one. Errors are found in two passes:
 * `given` only marks and measures, so that the command is known before an option is called wrong for it. */
struct walk {
	struct options *o;
	int argc, at;
	char **argv;
	bool apply; /* second pass */
};

static enum err_code one(struct walk *w, int i, const char *shown, const char *value, struct err *e)
{
	struct option_info info = option_info((unsigned)i);

	if (info.argument && !value) {
		if (w->at + 1 >= w->argc)
			return err_set(e, ERR_USAGE, "%s needs a value: %s %s", shown, shown, info.argument);
		value = w->argv[++w->at];
	}
	if (!w->apply)
		return ERR_OK;
	if (!option_goes_with(&info, w->o->command))
		return err_set(e, ERR_USAGE, "--%s cannot be used with %s", info.name,
			       w->o->command == COMMAND_WORKBENCH ? "the workbench" : commands[w->o->command].name);
	return take(w->o, (unsigned)i, value, e);
}

static enum err_code long_option(struct walk *w, struct err *e)
{
	const char *name = w->argv[w->at] + 2;
	const char *equals = strchr(name, '=');
	size_t n = equals ? (size_t)(equals - name) : strlen(name);
	int i = find_long(name, n);
	char shown[80];

	text_safe(shown, sizeof shown, name, n, TEXT_UTF8);
	if (i < 0)
		return w->apply ? unknown(shown, w->o->command, e) : ERR_OK;
	if (equals && !option_info((unsigned)i).argument)
		return w->apply ? err_set(e, ERR_USAGE, "--%s takes no value", shown) : ERR_OK;
	text_safe(shown, sizeof shown, name - 2, n + 2, TEXT_UTF8);
	return one(w, i, shown, equals ? equals + 1 : NULL, e);
}

static enum err_code short_options(struct walk *w, struct err *e)
{
	for (const char *p = w->argv[w->at] + 1; *p; p++) {
		int i = find_short(*p);
		char shown[3] = {'-', *p, 0};
		enum err_code err;

		if (i < 0 && !w->apply)
			continue;
		if (i < 0) {
			if (*p < 0x21 || *p > 0x7e)
				shown[1] = '?';
			return err_set(e, ERR_USAGE, "there is no option %s", shown);
		}
		if (fixed[i].argument && p[1])
			return one(w, i, shown, p + 1, e);
		err = one(w, i, shown, NULL, e);
		if (err || fixed[i].argument)
			return err;
	}
	return ERR_OK;
}

/* Walk over all arguments; operands go to `operands` if it is not NULL. Returns how many through *n, and where "--"
 * is through *dashes (argc: nowhere). */
static enum err_code walk(struct options *o, int argc, char **argv, bool apply, char **operands, int *n, bool *dashed,
			  int *dashes, struct err *e)
{
	struct walk w = {o, argc, 1, argv, apply};
	bool only_operands = false;

	*n = 0;
	*dashed = false;
	*dashes = argc;
	for (; w.at < argc; w.at++) {
		char *a = argv[w.at];
		enum err_code err = ERR_OK;

		if (!only_operands && strcmp(a, "--") == 0) {
			only_operands = true;
			*dashes = w.at;
		} else if (only_operands || a[0] != '-' || !a[1]) {
			if (!*n)
				*dashed = only_operands;
			operands[(*n)++] = a;
		} else if (a[1] == '-') {
			err = long_option(&w, e);
		} else {
			err = short_options(&w, e);
		}
		if (err)
			return err;
	}
	return ERR_OK;
}

/* Like an option's: what is empty is a script's unset variable. */
static enum err_code check_operands(const struct options *o, struct err *e)
{
	for (uint32_t i = 0; i < o->file_count; i++)
		if (!o->files[i][0])
			return err_set(e, ERR_USAGE, "a file's name is empty");
	if (o->words && o->words[0] && !o->words[0][0])
		return err_set(e, ERR_USAGE, "the first word after -- is empty: it must name the program to start");
	return ERR_OK;
}

enum err_code options_parse(struct options *o, int argc, char **argv, struct err *e)
{
	char **operands;
	int n, first = 0, c = -1, dashes;
	bool dashed;
	enum err_code err;

	*o = (struct options){.command = COMMAND_WORKBENCH};
	operands = malloc(((size_t)argc + 1) * sizeof *operands);
	if (!operands)
		return err_memory(e, "the arguments");
	err = walk(o, argc, argv, false, operands, &n, &dashed, &dashes, e);
	if (n && !dashed)
		c = find_command(operands[0]);
	if (c >= 0) {
		o->command = (enum command)c;
		first = 1;
	}
	/* A launch command is kept whole and apart: its words are not ours. */
	if (1u << o->command & ON_WORDS && dashes < argc) {
		o->words = (const char *const *)(argv + dashes + 1);
		argc = dashes;
	}
	if (!err)
		err = walk(o, argc, argv, true, operands, &n, &dashed, &dashes, e);
	if (!err) {
		n -= first;
		memcpy(argv + 1, operands + first, (size_t)n * sizeof *argv);
		o->files = (const char *const *)(argv + 1);
		o->file_count = (uint32_t)n;
		err = check_operands(o, e);
	}
	free(operands);
	return err;
}

enum err_code options_apply(const struct options *o, struct settings *s, struct err *e)
{
	for (int i = 0; i < SETTING_COUNT; i++)
		if (o->setting[i]) {
			enum err_code err = settings_set(s, (enum setting_id)i, o->setting[i], e);

			if (err)
				return err;
		}
	return ERR_OK;
}
