/* pas2p help [COMMAND]: what COMMAND --help prints. */
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/cli.h"
#include "core/base/text.h"

enum exit_code cmd_help(const struct options *o)
{
	int c = o->file_count ? command_find(o->files[0]) : COMMAND_WORKBENCH;
	const char *best;
	char safe[80], text[160];

	if (o->file_count > 1)
		return misused(o, "help takes one command");
	if (c < 0) {
		best = command_suggest(o->files[0]);
		text_safe(safe, sizeof safe, o->files[0], SIZE_MAX, TEXT_UTF8);
		snprintf(text, sizeof text, "there is no command %s%s%s%s", safe, best ? "; did you mean '" : "", best ? best : "",
			 best ? "'?" : "");
		return misused(o, text);
	}
	help_print(stdout, (enum command)c);
	return printed();
}
