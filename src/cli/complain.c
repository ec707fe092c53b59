#include "complain.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "core/base/text.h"
#include "core/io/shell_words.h"

void complain(const char *fmt, ...)
{
	char line[4096];
	va_list ap;
	int n;

	/* In one piece, so that a launcher, which has lines of its own, does not cut it. */
	va_start(ap, fmt);
	n = vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	if (n >= 0 && n < (int)sizeof line) {
		fprintf(stderr, "pas2p: %s\n", line);
		return;
	}
	flockfile(stderr);
	fputs("pas2p: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	funlockfile(stderr);
}

void complain_hint(const char *fmt, ...)
{
	va_list ap;

	flockfile(stderr);
	fputs("hint: ", stderr);
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

enum exit_code complain_kind(const char *subject, const char *path, const char *kind, const char *expected)
{
	char safe[256];

	complain("%s: %s is %s; expected %s", subject, text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8), kind, expected);
	return EXIT_USAGE;
}

void command_line(struct out *to, const struct options *o, const char *command, const char *const *files, uint32_t count)
{
	shell_word(to, o->program);
	out_printf(to, " %s", command);
	for (uint32_t i = 0; i < count; i++) {
		out_str(to, " ");
		shell_file(to, files[i]);
	}
}

void complain_command(const struct options *o, const char *before, const char *command, const char *const *files, uint32_t count)
{
	struct out line;

	out_init(&line);
	command_line(&line, o, command, files, count);
	complain("%s%s", before, line.failed ? command : line.text);
	out_release(&line);
}

void hint_command(const struct options *o, const char *command, const char *const *files, uint32_t count)
{
	struct out line;

	out_init(&line);
	command_line(&line, o, command, files, count);
	if (!line.failed)
		complain_hint("%s", line.text);
	out_release(&line);
}

enum exit_code printed(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_OK;
	complain("cannot write to standard output: %s", strerror(errno));
	return EXIT_CANNOT_WRITE;
}

#define LONGEST 63

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned suggest_distance(const char *a, const char *b)
{
	size_t m = strlen(a), n = strlen(b);
	unsigned d[3][LONGEST + 1];

	if (m > LONGEST || n > LONGEST)
		return UINT_MAX;
	for (size_t j = 0; j <= n; j++)
		d[0][j] = (unsigned)j;
	for (size_t i = 1; i <= m; i++) {
		unsigned *row = d[i % 3], *above = d[(i - 1) % 3];
		const unsigned *two_above = d[(i + 1) % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= n; j++) {
			row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]), least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], two_above[j - 2] + 1);
		}
	}
	return d[m % 3][n];
}

const char *suggest_better(const char *given, const char *best, const char *name)
{
	unsigned d = suggest_distance(given, name);

	/* A third of the letters wrong is a typing error, more is another word. */
	if (d > 1 + strlen(given) / 4 || d >= strlen(given))
		return best;
	return !best || d < suggest_distance(given, best) ? name : best;
}
