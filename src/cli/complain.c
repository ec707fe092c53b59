#include "complain.h"

#include <stdarg.h>
#include <stdio.h>

#include "help.h"

void complain(const char *fmt, ...)
{
	va_list ap;

	flockfile(stderr);
	fputs("pas2p: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	funlockfile(stderr);
}

enum exit_code misused(const struct options *o, const char *text)
{
	complain("%s", text);
	help_usage(stderr, o->command);
	return EXIT_USAGE;
}
