/* pas2p help [COMMAND | TOPIC]: the man page of a command, or its text where no page can be opened; a topic as text. */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/manual.h"
#include "core/base/text.h"
#include "core/io/beside.h"

static const struct {
	const char *name;
	void (*print)(struct manual *m);
} topics[] = {
	{"settings", manual_settings}, {"options", manual_options}, {"keys", manual_keys}, {"exit-status", manual_exits}, {"glossary", manual_glossary},
};
#define TOPICS (sizeof topics / sizeof *topics)

/* Packages compress man pages. */
static bool find_page(const char *command, char path[PATH_MAX])
{
	static const char *const built[] = {"man", "../man", NULL};
	char name[96];

	snprintf(name, sizeof name, "pas2p-%s.1", command);
	if (beside_find(built, BESIDE_MAN, name, R_OK, path))
		return true;
	snprintf(name, sizeof name, "pas2p-%s.1.gz", command);
	return beside_find(built, BESIDE_MAN, name, R_OK, path);
}

/* Becomes man(1). Returns where there is no terminal, no man(1) or no page. */
static void open_page(const char *command)
{
	char man[PATH_MAX], page[PATH_MAX], word[] = "man";
	char *const words[] = {word, page, NULL};

	if (isatty(STDOUT_FILENO) && find_page(command, page) && path_find("man", man))
		execv(man, words);
}

static enum exit_code print_page(enum command c)
{
	const struct command_info *info = command_info(c);
	char line[160];
	struct manual m;

	open_page(info->name);
	manual_text(&m, stdout);
	m.section(&m, "Name");
	snprintf(line, sizeof line, "pas2p-%s - %s", info->name, info->help);
	m.text(&m, line);
	m.section(&m, "Synopsis");
	m.usage(&m, c);
	manual_command(&m, c);
	return printed();
}

static enum exit_code refuse_topic(const struct options *o)
{
	const char *given = o->files[0], *best = command_suggest(given);
	char safe[80], text[256];

	for (size_t i = 0; i < TOPICS; i++)
		best = suggest_better(given, best, topics[i].name);
	text_safe(safe, sizeof safe, given, SIZE_MAX, TEXT_UTF8);
	if (best)
		snprintf(text, sizeof text, "help: unknown command or topic '%s'\nhint: did you mean '%s'?", safe, best);
	else
		snprintf(text, sizeof text, "help: unknown command or topic '%s'\nhint: topics: settings, options, keys, exit-status, glossary", safe);
	return misused(o, text);
}

enum exit_code cmd_help(const struct options *o)
{
	struct manual m;
	int c = o->file_count ? command_find(o->files[0]) : COMMAND_WORKBENCH;

	if (o->file_count > 1)
		return misused(o, "help: expected one command or topic, found several");
	if (c > COMMAND_WORKBENCH)
		return print_page((enum command)c);
	if (c == COMMAND_WORKBENCH) {
		help_print(stdout, COMMAND_WORKBENCH);
		return printed();
	}
	for (size_t i = 0; i < TOPICS; i++)
		if (strcmp(topics[i].name, o->files[0]) == 0) {
			manual_text(&m, stdout);
			topics[i].print(&m);
			return printed();
		}
	return refuse_topic(o);
}
