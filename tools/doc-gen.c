/* Makes the documents that come from the tables: the man page's lists and the shells' completions.
 *
 *     doc-gen man FILE.in | doc-gen config FILE.in | doc-gen bash | doc-gen zsh | doc-gen fish
 *
 * In the source of a man page or of the config file a line such as `@commands@` or `@keys@` stands for a list.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "exit.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "core/lists/lists.h"
#include "core/lists/clocks.h"
#include "core/lists/metrics.h"
#include "core/trace/notes.h"
#include "tui/screen/keys.h"
#include "tui/screen/theme.h"

/* Text for mdoc: '-' stays a minus, and a leading dot or quote is no request. */
static void roff(const char *s)
{
	if (*s == '.' || *s == '\'')
		fputs("\\&", stdout);
	for (; *s; s++) {
		if (*s == '-')
			fputs("\\-", stdout);
		else if (*s == '\\')
			fputs("\\e", stdout);
		else
			putchar(*s);
	}
}

/* A text of the tables as a sentence of its own. */
static void sentence(const char *s)
{
	char first[2] = {(char)toupper((unsigned char)*s), 0};

	roff(first);
	roff(s + (*s != 0));
	puts(".");
}

static void man_commands(void)
{
	puts(".Bl -tag -width Ds");
	for (int c = 0; c < COMMAND_COUNT; c++) {
		const struct command_info *info = command_info((enum command)c);

		fputs(".It Nm pas2p", stdout);
		if (info->name[0])
			printf(" Cm %s", info->name);
		puts(" Oo Ar OPTION ... Oc");
		if (info->operands[0]) {
			fputs(".Ar ", stdout);
			roff(info->operands);
			putchar('\n');
		}
		sentence(info->help);
	}
	puts(".El");
}

/* The columns of a list as a sentence: names without a text of their own share the next one's. */
static void man_columns(const struct list_table *t, unsigned in)
{
	struct list_pick pick = {.count = 0};

	list_pick(&pick, t, in);
	for (int i = 0; i < pick.count; i++) {
		const char *help = pick.column[i]->help;

		printf("%s%s ,", i && !*pick.column[i - 1]->help ? " " : ".Va ", pick.column[i]->name);
		if (!*help)
			continue;
		putchar('\n');
		roff(help);
		puts(i + 1 < pick.count ? ";" : ".");
	}
}

static void man_phases(void)
{
	man_columns(&phases_columns, PHASES_BATCH);
}

static void man_windows(void)
{
	man_columns(&phases_columns, PHASES_WINDOWS);
}

static void man_phase_blocks(void)
{
	man_columns(&phases_columns, PHASES_BLOCKS);
}

static void man_loops(void)
{
	man_columns(&loops_columns, LOOPS_FILE);
}

static void man_plan(void)
{
	man_columns(&plan_columns, PLAN_ALL);
}

static void man_tune(void)
{
	man_columns(&tune_columns, TUNE_ALL);
}

static void man_results(void)
{
	man_columns(&results_columns, RESULTS_ALL);
}

static void man_bbps(void)
{
	man_columns(&bbps_columns, BBPS_BATCH);
}

static void man_bbp_processes(void)
{
	man_columns(&bbp_processes_columns, BBP_PROCESSES_ALL);
}

static void man_metrics_run(void)
{
	man_columns(&metrics_runs_columns, METRICS_ALL);
}

static void man_metrics_process(void)
{
	man_columns(&metrics_processes_columns, METRICS_OWN);
}

static void man_metrics_state(void)
{
	man_columns(&metrics_states_columns, METRICS_OWN | METRICS_PATH);
}

static void man_metrics_phase(void)
{
	man_columns(&metrics_phases_columns, METRICS_OWN);
}

static void man_metrics_cause(void)
{
	man_columns(&metrics_causes_columns, METRICS_OWN);
}

static void man_clocks_process(void)
{
	man_columns(&clocks_processes_columns, CLOCKS_ALL);
}

static void man_clocks_pair(void)
{
	man_columns(&clocks_pairs_columns, CLOCKS_ALL);
}

static void man_clocks_time(void)
{
	man_columns(&clocks_times_columns, CLOCKS_ALL);
}

static void man_clocks_unit(void)
{
	man_columns(&clocks_units_columns, CLOCKS_UNIT_ALL);
}

static void man_checks(void)
{
	static const struct {
		const char *name, *what, *mend;
	} checks[] = {
#define CHECK(id, name, what, mend) {name, what, mend},
#include "doctor/checks.def"
	};

	puts(".Bl -tag -width Ds");
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
		printf(".It %s\n", checks[i].name);
		sentence(checks[i].what);
		if (checks[i].mend[0]) {
			fputs("Fix: ", stdout);
			roff(checks[i].mend);
			puts(".");
		}
	}
	puts(".El");
}

static void man_metrics_notes(void)
{
	puts(".Bl -tag -width Ds");
	for (int n = 0; n < METRIC_NOTES; n++) {
		printf(".It %s\n", metric_note_kind((enum metric_note)n));
		sentence(metric_note_meaning((enum metric_note)n));
	}
	puts(".El");
}

static unsigned bits(unsigned set)
{
	unsigned n = 0;

	for (; set; set &= set - 1)
		n++;
	return n;
}

/* The commands that an option goes with, or those that it does not, whichever are fewer. */
static void man_goes_with(const struct option_info *o)
{
	const unsigned all = (1u << COMMAND_COUNT) - 1;
	bool most = bits(o->commands) > COMMAND_COUNT / 2;
	unsigned named = most ? all & ~o->commands : o->commands;
	const char *between = "";

	if (!named)
		return;
	fputs(most ? "Not with " : "With ", stdout);
	for (int c = 0; c < COMMAND_COUNT; c++)
		if (named & 1u << c) {
			printf("%s%s", between, c == COMMAND_WORKBENCH ? "the workbench" : command_info((enum command)c)->name);
			between = ", ";
		}
	puts(".");
}

static void man_options(void)
{
	puts(".Bl -tag -width Ds");
	for (unsigned i = 0; i < option_total(); i++) {
		struct option_info o = option_info(i);

		if (o.setting)
			continue;
		fputs(".It ", stdout);
		if (o.letter)
			printf("Fl %c , ", o.letter);
		printf("Fl Fl %s", o.name);
		if (option_stands_alone(&o))
			printf(" Ns Op = Ns Ar %s", o.argument);
		else if (o.argument)
			printf(" Ar %s", o.argument);
		putchar('\n');
		sentence(o.help);
		man_goes_with(&o);
	}
	puts(".El");
}

static void man_settings(void)
{
	puts(".Bl -tag -width Ds");
	for (int i = 0; i < SETTING_COUNT; i++) {
		struct option_info o = option_info(OPTION_COUNT + (unsigned)i);
		char def[32];

		help_default(o.setting, def, sizeof def);
		printf(".It Fl Fl %s Ar %s\n", o.name, o.argument);
		sentence(o.help);
		if (o.setting->kind == SETTING_CHOICE)
			printf("Default: %s.\n", def);
		else if (o.setting->kind == SETTING_NAME)
			printf("A name, or %s, the default.\n", def);
		else
			printf("From %.10g to %.10g; default: %s.\n", o.setting->min, o.setting->max, def);
		printf("In a config file: analysis: %s.\n", o.setting->yaml);
	}
	puts(".El");
}

static void man_exits(void)
{
	puts(".Bl -tag -width Ds");
	for (const struct exit_info *x = exit_infos; x->words; x++) {
		printf(".It %d\n", x->number);
		sentence(x->when);
	}
	puts(".El");
}

static void man_notes(void)
{
	puts(".Bl -tag -width Ds");
	for (int k = 0; k < NOTE_KIND_COUNT; k++) {
		printf(".It %s Pq %s\n", note_name((enum note_kind)k),
		       note_level_name(note_level((enum note_kind)k)));
		sentence(note_meaning((enum note_kind)k));
	}
	puts(".El");
}

static void man_config_settings(void)
{
	puts(".Bl -tag -width Ds");
	for (int i = 0; i < SETTING_COUNT; i++) {
		const struct setting_info *s = setting_info((enum setting_id)i);
		char def[32];

		help_default(s, def, sizeof def);
		printf(".It Cm %s\n", s->yaml);
		sentence(s->help);
		if (s->kind == SETTING_CHOICE) {
			fputs("One of ", stdout);
			for (const char *c = s->choices; *c; c++)
				*c == '|' ? fputs(", ", stdout) : putchar(*c);
			printf("; default: %s.\n", def);
		} else if (s->kind == SETTING_NAME) {
			printf("A name, or %s, the default.\n", def);
		} else {
			printf("From %.10g to %.10g; default: %s.\n", s->min, s->max, def);
		}
	}
	puts(".El");
}

static void man_presets(void)
{
	const char *name, *help;
	char values[512];

	puts(".Bl -tag -width Ds");
	for (size_t i = 0; help_preset(i, &name, &help, values, sizeof values); i++) {
		printf(".It Cm %s\n", name);
		sentence(help);
		fputs("Sets ", stdout);
		roff(values);
		puts(".");
	}
	puts(".El");
}

static void man_keys_of(const struct keymap *m, enum action a)
{
	char name[16];

	for (int k = 0; k < ACTION_KEYS && m->keys[a][k]; k++) {
		fputs(k ? " , " : " ", stdout);
		keycode_name(m->keys[a][k], name);
		/* A lone mark of punctuation is none of the text's, and quotes and backslashes are none of roff's. */
		if (!name[1])
			fputs("\\&", stdout);
		if (!strcmp(name, "\""))
			fputs("\\(dq", stdout);
		else if (!strcmp(name, "'"))
			fputs("\\(aq", stdout);
		else if (!strcmp(name, "`"))
			fputs("\\(ga", stdout);
		else if (!strcmp(name, "^"))
			fputs("\\(ha", stdout);
		else if (!strcmp(name, "~"))
			fputs("\\(ti", stdout);
		else
			roff(name);
	}
}

/* The actions by group: with their keys in front for who reads on, with their names for who writes a file. */
static void man_actions(bool by_name)
{
	const char *group = "";
	struct keymap m;

	keymap_init(&m);
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		const struct action_info *i = action_info((enum action)a);

		if (strcmp(group, i->group)) {
			if (*group)
				puts(".El");
			printf(".Pp\n%s:\n.Bl -tag -width Ds -compact\n", i->group);
			group = i->group;
		}
		if (by_name)
			printf(".It Cm %s%s", i->name, m.keys[a][0] ? " Pq Ic" : "");
		else
			fputs(m.keys[a][0] ? ".It Ic" : ".It Cm", stdout);
		if (!by_name && !m.keys[a][0])
			printf(" :%s", i->name);
		man_keys_of(&m, (enum action)a);
		putchar('\n');
		sentence(i->help);
	}
	puts(".El");
}

static void man_keys(void)
{
	man_actions(false);
}

static void man_config_themes(void)
{
	puts(".Bl -tag -width Ds -compact");
	for (const struct theme *t = theme_list(); t->name; t++) {
		printf(".It Cm %s\n", t->name);
		sentence(t->help);
	}
	puts(".El");
	printf("The usual one is\n.Cm %s .\n", theme_list()->name);
}

static void config_themes(void)
{
	for (const struct theme *t = theme_list(); t->name; t++)
		printf("#   %-8s  %s\n", t->name, t->help);
	printf("theme: %s\n", theme_list()->name);
}

static void man_config_actions(void)
{
	man_actions(true);
}

static void config_keys(void)
{
	const char *group = "";
	struct keymap m;

	keymap_init(&m);
	puts("keys:");
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		const struct action_info *i = action_info((enum action)a);
		char line[256], name[16];
		int n;

		if (strcmp(group, i->group))
			printf("%s  # %s\n", *group ? "\n" : "", i->group);
		group = i->group;
		n = snprintf(line, sizeof line, "  %s: [", i->name);
		for (int k = 0; k < ACTION_KEYS && m.keys[a][k]; k++) {
			keycode_name(m.keys[a][k], name);
			n += snprintf(line + n, sizeof line - (size_t)n, "%s\"%s%s\"", k ? ", " : "",
				      *name == '"' || *name == '\\' ? "\\" : "", name);
		}
		printf("%s]%*s # %s\n", line, n < 40 ? 40 - n : 0, "", i->help);
	}
}

/* ".Ar FILE Op Fl Fl all" */
static void man_arguments(const char *arguments)
{
	while (*arguments) {
		size_t n = strcspn(arguments, " ");
		bool optional = *arguments == '[', option = !strncmp(arguments + optional, "--", 2);
		size_t skip = optional + (option ? 2u : 0u);

		printf(" %s%s%.*s", optional ? "Op " : "", option ? "Fl Fl " : "Ar ", (int)(n - skip - optional), arguments + skip);
		arguments += n + (arguments[n] == ' ');
	}
	putchar('\n');
}

static void man_tui_commands(void)
{
	static const struct {
		const char *name, *arguments, *help;
	} commands[] = {
#define COMMAND(id, name, arguments, least, most, options, help) {name, arguments, help},
#include "tui/screen/prompt_commands.def"
	};

	puts(".Bl -tag -width Ds -compact");
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		printf(".It Cm :%s", commands[i].name);
		man_arguments(commands[i].arguments);
		sentence(commands[i].help);
	}
	puts(".El");
}

static int fill(const char *path, const char *made)
{
	static const struct {
		const char *line;
		void (*list)(void);
	} lists[] = {
		{"@commands@\n", man_commands}, {"@options@\n", man_options}, {"@settings@\n", man_settings},
		{"@presets@\n", man_presets},   {"@exits@\n", man_exits},       {"@notes@\n", man_notes},
		{"@actions@\n", man_keys},      {"@config-settings@\n", man_config_settings},
		{"@config-actions@\n", man_config_actions}, {"@config-themes@\n", man_config_themes}, {"@themes@\n", config_themes},
		{"@checks@\n", man_checks},            {"@tui-commands@\n", man_tui_commands}, {"@keys@\n", config_keys},
		{"@columns-phases@\n", man_phases}, {"@columns-windows@\n", man_windows}, {"@columns-phase-blocks@\n", man_phase_blocks}, {"@columns-loops@\n", man_loops}, {"@columns-tune@\n", man_tune},
		{"@columns-plan@\n", man_plan}, {"@columns-results@\n", man_results}, {"@columns-bbps@\n", man_bbps}, {"@columns-bbp-processes@\n", man_bbp_processes},
		{"@columns-clocks-process@\n", man_clocks_process}, {"@columns-clocks-pair@\n", man_clocks_pair},
		{"@columns-clocks-time@\n", man_clocks_time}, {"@columns-clocks-unit@\n", man_clocks_unit},
		{"@columns-metrics-run@\n", man_metrics_run}, {"@columns-metrics-process@\n", man_metrics_process},
		{"@columns-metrics-state@\n", man_metrics_state}, {"@columns-metrics-phase@\n", man_metrics_phase},
		{"@columns-metrics-cause@\n", man_metrics_cause}, {"@metrics-notes@\n", man_metrics_notes},
	};
	FILE *f = fopen(path, "r");
	char line[1024];

	if (!f) {
		perror(path);
		return 1;
	}
	printf("%s Made by tools/doc-gen.c from %s and the tables: do not edit.\n", made, path);
	while (fgets(line, sizeof line, f)) {
		size_t i;

		for (i = 0; i < sizeof lists / sizeof *lists; i++)
			if (strcmp(line, lists[i].line) == 0)
				break;
		if (i < sizeof lists / sizeof *lists)
			lists[i].list();
		else
			fputs(line, stdout);
	}
	fclose(f);
	return 0;
}

/* The words that complete an option's argument, blank-separated into buf; "" if it is no list of words. */
static const char *words_of(const struct option_info *o, char *buf, size_t size)
{
	snprintf(buf, size, "%s", o->offered ? o->offered : "");
	for (char *p = buf; *p; p++)
		if (*p == '|')
			*p = ' ';
	return buf;
}

static bool is_file(const struct option_info *o)
{
	return o->argument && strcmp(o->argument, "FILE") == 0;
}

/* Rows of one name are told apart by the command. */
static bool is_shared(const struct option_info *o)
{
	unsigned n = 0;

	for (unsigned i = 0; i < option_total(); i++)
		n += strcmp(option_info(i).name, o->name) == 0;
	return n > 1;
}

/* Which "COMMAND:WORD" has the option as its word. */
static void bash_pattern(const struct option_info *o)
{
	const char *between = "";

	if (!is_shared(o)) {
		if (o->letter)
			printf("*:-%c|", o->letter);
		printf("*:--%s) ", o->name);
		return;
	}
	for (int c = 0; c < COMMAND_COUNT; c++)
		if (option_goes_with(o, (enum command)c)) {
			printf("%s%s:--%s", between, command_info((enum command)c)->name, o->name);
			between = "|";
		}
	fputs(") ", stdout);
}

static void bash(void)
{
	char words[128];

	puts("# bash completion for pas2p. Made by tools/doc-gen.c: do not edit.\n"
	     "_pas2p()\n"
	     "{\n"
	     "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command='' word options\n"
	     "\tCOMPREPLY=()\n"
	     "\tif [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
	     "\tfor word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
	     "\t\tcase $word in");
	fputs("\t\t", stdout);
	for (int c = 1; c < COMMAND_COUNT; c++)
		printf("%s%s", c > 1 ? "|" : "", command_info((enum command)c)->name);
	puts(") command=$word; break ;;\n\t\tesac\n\tdone\n\tcase $command:$prev in");
	for (unsigned i = 0; i < option_total(); i++) {
		struct option_info o = option_info(i);

		if (!o.argument)
			continue;
		fputs("\t", stdout);
		bash_pattern(&o);
		if (option_stands_alone(&o))
			printf("compopt -o filenames; mapfile -t COMPREPLY < <(compgen -W '%s' -f -- \"$cur\"); return ;;\n",
			       words_of(&o, words, sizeof words));
		else if (*words_of(&o, words, sizeof words))
			printf("mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$cur\"); return ;;\n", words);
		else if (is_file(&o))
			puts("compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return ;;");
		else
			puts("return ;;");
	}
	puts("\tesac\n\tcase $command in");
	for (int c = COMMAND_COUNT - 1; c >= 0; c--) {
		printf("\t%s) options='", c ? command_info((enum command)c)->name : "*");
		for (unsigned i = 0, n = 0; i < option_total(); i++) {
			struct option_info o = option_info(i);

			if (option_goes_with(&o, (enum command)c))
				printf("%s--%s", n++ ? " " : "", o.name);
		}
		puts("' ;;");
	}
	puts("\tesac\n"
	     "\tif [[ $cur == -* ]]; then\n"
	     "\t\tmapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
	     "\t\treturn\n"
	     "\tfi\n"
	     "\tcompopt -o filenames\n"
	     "\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")");
	fputs("\tif [[ -z $command ]]; then\n\t\tmapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W '", stdout);
	for (int c = 1; c < COMMAND_COUNT; c++)
		printf("%s%s", c > 1 ? " " : "", command_info((enum command)c)->name);
	puts("' -- \"$cur\")\n\tfi\n}\ncomplete -F _pas2p pas2p");
}

/* In zsh's _arguments, brackets and colons of a text are escaped. */
static void zsh_text(const char *s)
{
	for (; *s; s++) {
		if (strchr("[]:\\", *s))
			putchar('\\');
		if (*s == '\'')
			fputs("'\\'", stdout);
		putchar(*s);
	}
}

static void zsh_option(const struct option_info *o)
{
	char words[128];

	fputs("\t\t", stdout);
	if (o->letter)
		printf("'(-%c --%s)'{-%c%s,--%s%s}'[", o->letter, o->name, o->letter, o->argument ? "+" : "", o->name,
		       o->argument ? "=" : "");
	else
		printf("'--%s%s[", o->name, o->argument ? "=" : "");
	zsh_text(o->help);
	putchar(']');
	if (o->argument) {
		printf("%s:%s:", option_stands_alone(o) ? ":" : "", o->name);
		if (*words_of(o, words, sizeof words))
			printf("(%s)", words);
		else if (is_file(o))
			fputs("_files", stdout);
	}
	puts("'");
}

static void zsh(void)
{
	puts("#compdef pas2p\n# zsh completion for pas2p. Made by tools/doc-gen.c: do not edit.\n"
	     "_pas2p() {\n"
	     "\tlocal command word\n"
	     "\tlocal -a options\n"
	     "\tfor word in ${words[2,CURRENT-1]}; do\n"
	     "\t\tcase $word in");
	fputs("\t\t", stdout);
	for (int c = 1; c < COMMAND_COUNT; c++)
		printf("%s%s", c > 1 ? "|" : "", command_info((enum command)c)->name);
	puts(") command=$word; break ;;\n\t\tesac\n\tdone\n\tcase $command in");
	for (int c = COMMAND_COUNT - 1; c >= 0; c--) {
		printf("\t%s) options=(\n", c ? command_info((enum command)c)->name : "*");
		for (unsigned i = 0; i < option_total(); i++) {
			struct option_info o = option_info(i);

			if (option_goes_with(&o, (enum command)c))
				zsh_option(&o);
		}
		puts("\t\t) ;;");
	}
	puts("\tesac\n\tif [[ -z $command ]]; then\n\t\toptions+=('1: :_pas2p_first')\n\tfi\n"
	     "\t_arguments -s -S $options '*:trace:_files'\n}\n\n_pas2p_first() {\n\tlocal -a commands=(");
	for (int c = 1; c < COMMAND_COUNT; c++) {
		printf("\t\t'%s:", command_info((enum command)c)->name);
		zsh_text(command_info((enum command)c)->help);
		puts("'");
	}
	puts("\t)\n\t_alternative 'commands:command:(($commands))' 'files:trace:_files'\n}\n\n_pas2p \"$@\"");
}

static void fish_text(const char *s)
{
	for (; *s; s++) {
		if (*s == '\'' || *s == '\\')
			putchar('\\');
		putchar(*s);
	}
}

static void fish(void)
{
	char words[128], names[1024] = "";

	for (int c = 1; c < COMMAND_COUNT; c++)
		snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", c > 1 ? " " : "",
			 command_info((enum command)c)->name);
	puts("# fish completion for pas2p. Made by tools/doc-gen.c: do not edit.");
	for (int c = 1; c < COMMAND_COUNT; c++) {
		printf("complete -c pas2p -n 'not __fish_seen_subcommand_from %s' -a %s -d '", names,
		       command_info((enum command)c)->name);
		fish_text(command_info((enum command)c)->help);
		puts("'");
	}
	for (unsigned i = 0; i < option_total(); i++) {
		struct option_info o = option_info(i);

		fputs("complete -c pas2p", stdout);
		if (o.commands != (1u << COMMAND_COUNT) - 1) {
			char with[1024] = "";

			for (int c = 1; c < COMMAND_COUNT; c++)
				if (option_goes_with(&o, (enum command)c))
					snprintf(with + strlen(with), sizeof with - strlen(with), " %s",
						 command_info((enum command)c)->name);
			if (option_goes_with(&o, COMMAND_WORKBENCH))
				printf(" -n '%s%s%snot __fish_seen_subcommand_from %s'",
				       with[0] ? "__fish_seen_subcommand_from" : "", with, with[0] ? "; or " : "", names);
			else
				printf(" -n '__fish_seen_subcommand_from%s'", with);
		}
		if (o.letter)
			printf(" -s %c", o.letter);
		printf(" -l %s", o.name);
		if (o.argument && !option_stands_alone(&o))
			fputs(is_file(&o) ? " -r -F" : " -x", stdout);
		if (*words_of(&o, words, sizeof words))
			printf(" -a '%s'", words);
		fputs(" -d '", stdout);
		fish_text(o.help);
		puts("'");
	}
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "man") == 0)
		return fill(argv[2], ".\\\"");
	if (argc == 3 && strcmp(argv[1], "config") == 0)
		return fill(argv[2], "#");
	if (argc == 2 && strcmp(argv[1], "bash") == 0)
		bash();
	else if (argc == 2 && strcmp(argv[1], "zsh") == 0)
		zsh();
	else if (argc == 2 && strcmp(argv[1], "fish") == 0)
		fish();
	else {
		fputs("usage: doc-gen man FILE.in | config FILE.in | bash | zsh | fish\n", stderr);
		return 2;
	}
	return fflush(stdout) == 0 ? 0 : 1;
}
