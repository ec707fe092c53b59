/* Makes the documents that come from the tables: man pages, the reference in Markdown, and the shells' completions.
 *
 *     doc-gen man FILE.in | config FILE.in      a page that is written by hand; a line such as `@commands@` or `@keys@` stands for a list
 *     doc-gen commands                          the names of all commands
 *     doc-gen command NAME                      the man page of one
 *     doc-gen topic NAME                        a man page of section 7: settings, glossary
 *     doc-gen reference NAME                    a page of docs/reference: commands, settings, exit-status, keys, glossary
 *     doc-gen bash | zsh | fish
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/manual.h"
#include "cli/options.h"
#include "cli/pages.h"
#include "doc_forms.h"
#include "tui/screen/keys.h"
#include "tui/screen/theme.h"

static void config_themes(void)
{
	for (const struct theme *t = theme_list(); t->name; t++)
		printf("#   %-8s  %s\n", t->name, t->help);
	printf("theme: %s\n", theme_list()->name);
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

/* ---- pages ---- */

static void man_head(const char *name, int section, const char *from)
{
	printf(".\\\" Made by tools/doc-gen.c from %s: do not edit.\n.Dd November 29, 2026\n.Dt ", from);
	for (const char *p = name; *p; p++)
		putchar(toupper((unsigned char)*p));
	printf(" %d\n.Os pas2p\n.Sh NAME\n.Nm %s\n", section, name);
}

static int man_command(const char *name)
{
	int c = command_find(name);
	char page[64], lower[160];
	struct manual m;

	if (c <= COMMAND_WORKBENCH) {
		fprintf(stderr, "doc-gen: there is no command %s\n", name);
		return 2;
	}
	snprintf(page, sizeof page, "pas2p-%s", command_info((enum command)c)->name);
	snprintf(lower, sizeof lower, "%s", command_info((enum command)c)->help);
	lower[0] = (char)tolower((unsigned char)lower[0]);
	man_head(page, 1, "the tables of src/cli");
	manual_mdoc(&m, stdout);
	fputs(".Nd ", stdout);
	mdoc_line(stdout, lower);
	putchar('\n');
	m.section(&m, "Synopsis");
	m.usage(&m, (enum command)c);
	manual_command(&m, (enum command)c);
	return 0;
}

static const struct {
	const char *name, *title, *first;
	void (*print)(struct manual *m);
} topics[] = {
	{"settings", "settings of the analysis", "This page is for users who want to change how pas2p analyses a trace: it lists every setting with its range and default.",
	 manual_settings},
	{"glossary", "terms of pas2p", "This page is for readers who meet an unknown term: it explains each one in a sentence.", manual_glossary},
	{"exit-status", "exit status of pas2p", "This page is for authors of scripts: it lists the exit statuses of pas2p.", manual_exits},
	{"keys", "keys of the workbench", "This page is for users of the workbench: it lists the keys and commands of its views.", manual_keys},
};
#define TOPICS (sizeof topics / sizeof *topics)

static int man_topic(const char *name)
{
	char page[64];
	struct manual m;

	for (size_t i = 0; i < TOPICS; i++)
		if (strcmp(topics[i].name, name) == 0) {
			snprintf(page, sizeof page, "pas2p-%s", name);
			man_head(page, 7, "the tables");
			printf(".Nd %s\n", topics[i].title);
			manual_mdoc(&m, stdout);
			m.section(&m, "Description");
			topics[i].print(&m);
			m.section(&m, "See also");
			m.see(&m, "", "");
			return 0;
		}
	return 2;
}

/* All commands on one page, or a topic. */
static int reference(const char *name)
{
	struct manual m;

	if (strcmp(name, "commands") == 0) {
		manual_markdown(&m, stdout, 3);
		puts("<!-- Made by tools/doc-gen.c: do not edit. -->\n# Commands\n\nThis page is for users who look up a command: it lists usage, options, columns and "
		     "exit status of each one. `pas2p COMMAND --help` prints a short form, and `pas2p help COMMAND` the long one.\n");
		for (int c = COMMAND_WORKBENCH + 1; c < COMMAND_COUNT; c++) {
			printf("## %s\n\n", command_info((enum command)c)->name);
			m.usage(&m, (enum command)c);
			manual_command(&m, (enum command)c);
		}
		puts("## Common options\n");
		manual_options(&m);
		return 0;
	}
	for (size_t i = 0; i < TOPICS; i++)
		if (strcmp(topics[i].name, name) == 0) {
			manual_markdown(&m, stdout, 2);
			printf("<!-- Made by tools/doc-gen.c: do not edit. -->\n# %c%s\n\n%s `pas2p help %s` prints the same.\n\n", toupper((unsigned char)topics[i].title[0]),
			       topics[i].title + 1, topics[i].first, name);
			topics[i].print(&m);
			return 0;
		}
	return 2;
}

/* ---- lists in pages that are written by hand ---- */

static void list_commands(struct manual *m)
{
	m->list(m, "command");
	for (int c = COMMAND_WORKBENCH + 1; c < COMMAND_COUNT; c++) {
		char text[160];

		snprintf(text, sizeof text, "%s.", command_info((enum command)c)->help);
		m->item(m, command_info((enum command)c)->name, NULL);
		m->text(m, text);
	}
	m->list(m, NULL);
}

static void list_common(struct manual *m)
{
	manual_list_options(m, page_common, page_common_count);
}

static void list_workbench(struct manual *m)
{
	for (const struct page_row *row = page_rows(COMMAND_WORKBENCH); row->kind != PAGE_END; row++)
		if (row->kind == PAGE_GROUP || row->kind == PAGE_MORE)
			manual_list_options(m, row->options, row->count);
}

static void list_settings(struct manual *m)
{
	manual_list_settings(m, true);
}

static void list_actions(struct manual *m)
{
	manual_list_actions(m, true);
}

static void list_keys(struct manual *m)
{
	manual_list_actions(m, false);
}

static void list_themes(struct manual *m)
{
	m->list(m, "theme");
	for (const struct theme *t = theme_list(); t->name; t++) {
		char text[160];

		snprintf(text, sizeof text, "%c%s.", toupper((unsigned char)t->help[0]), t->help + 1);
		m->item(m, t->name, NULL);
		m->text(m, text);
	}
	m->list(m, NULL);
}

static int fill(const char *path, const char *made)
{
	static const struct {
		const char *line;
		void (*list)(struct manual *m);
		void (*print)(void);
	} lists[] = {
		{"@commands@\n", list_commands, NULL}, {"@common@\n", list_common, NULL}, {"@workbench-options@\n", list_workbench, NULL},
		{"@exits@\n", manual_list_exits, NULL}, {"@actions@\n", list_keys, NULL}, {"@tui-commands@\n", manual_list_prompt, NULL},
		{"@presets@\n", manual_list_presets, NULL}, {"@config-settings@\n", list_settings, NULL}, {"@config-actions@\n", list_actions, NULL},
		{"@config-themes@\n", list_themes, NULL}, {"@themes@\n", NULL, config_themes}, {"@keys@\n", NULL, config_keys},
	};
	FILE *f = fopen(path, "r");
	char line[1024];
	struct manual m;

	if (!f) {
		perror(path);
		return 1;
	}
	manual_mdoc(&m, stdout);
	printf("%s Made by tools/doc-gen.c from %s and the tables: do not edit.\n", made, path);
	while (fgets(line, sizeof line, f)) {
		size_t i;

		for (i = 0; i < sizeof lists / sizeof *lists; i++)
			if (strcmp(line, lists[i].line) == 0)
				break;
		if (i == sizeof lists / sizeof *lists)
			fputs(line, stdout);
		else if (lists[i].list)
			lists[i].list(&m);
		else
			lists[i].print();
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
	return o->type == TYPE_INPUT || o->type == TYPE_OUTPUT;
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

/* What `pas2p help` takes: topics, then commands. */
static const char *help_words(char *buf, size_t size)
{
	size_t used = (size_t)snprintf(buf, size, "settings options keys exit-status glossary");

	for (int c = COMMAND_WORKBENCH + 1; c < COMMAND_COUNT; c++)
		used += (size_t)snprintf(buf + used, size - used, " %s", command_info((enum command)c)->name);
	return buf;
}

static void bash(void)
{
	char words[128], all[512];

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
	     "\tif [[ $command == help ]]; then");
	printf("\t\tmapfile -t COMPREPLY < <(compgen -W '%s'", help_words(all, sizeof all));
	puts(" -- \"$cur\")\n"
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
	char all[512];

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
	printf("\tesac\n\tif [[ $command == help ]]; then\n\t\t_arguments -s -S $options '*:topic:(%s)'\n\t\treturn\n\tfi\n", help_words(all, sizeof all));
	puts("\tif [[ -z $command ]]; then\n\t\toptions+=('1: :_pas2p_first')\n\tfi\n"
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
	char words[128], names[1024] = "", all[512];

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
	printf("complete -c pas2p -f -n '__fish_seen_subcommand_from help' -a '%s'\n", help_words(all, sizeof all));
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

static int names(void)
{
	for (int c = COMMAND_WORKBENCH + 1; c < COMMAND_COUNT; c++)
		puts(command_info((enum command)c)->name);
	return 0;
}

static int usage(void)
{
	fputs("usage: doc-gen man FILE.in | config FILE.in | commands | command NAME | topic NAME | reference NAME | bash | zsh | fish\n", stderr);
	return 2;
}

static int make_document(int argc, char **argv)
{
	static const struct {
		const char *word;
		int (*make)(const char *name);
	} of[] = {{"command", man_command}, {"topic", man_topic}, {"reference", reference}};

	for (size_t i = 0; argc == 3 && i < sizeof of / sizeof *of; i++)
		if (strcmp(argv[1], of[i].word) == 0)
			return of[i].make(argv[2]);
	if (argc == 3 && strcmp(argv[1], "man") == 0)
		return fill(argv[2], ".\\\"");
	if (argc == 3 && strcmp(argv[1], "config") == 0)
		return fill(argv[2], "#");
	if (argc != 2)
		return usage();
	if (strcmp(argv[1], "commands") == 0)
		return names();
	if (strcmp(argv[1], "bash") == 0)
		bash();
	else if (strcmp(argv[1], "zsh") == 0)
		zsh();
	else if (strcmp(argv[1], "fish") == 0)
		fish();
	else
		return usage();
	return 0;
}

int main(int argc, char **argv)
{
	int status = make_document(argc, argv);

	return fflush(stdout) == 0 && !ferror(stdout) ? status : 1;
}
