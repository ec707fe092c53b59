/* What the program says of itself, on stderr. */
#ifndef PAS2P_COMPLAIN_H
#define PAS2P_COMPLAIN_H

#include "core/io/out.h"
#include "exit.h"
#include "options.h"

/* A sentence with the program's name in front. */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same and the usage of the command that was misused: EXIT_USAGE. */
enum exit_code misused(const struct options *o, const char *text);

/* "run: x.clog2 is a trace; expected a phase table": a file of a kind (given.h) that the subject, a command or an
 * option, does not take. EXIT_USAGE. */
enum exit_code complain_kind(const char *subject, const char *path, const char *kind, const char *expected);

/* A command on these files, to be pasted into a shell, with the program as it was called: "./pas2p check 'a
 * b.clog2'". */
void command_line(struct out *to, const struct options *o, const char *command, const char *const *files, uint32_t count);
/* The same as a complaint: `before`, the command, `after`. */
void complain_command(const struct options *o, const char *before, const char *command, const char *const *files, uint32_t count,
		      const char *after);

/* "hint: " and the command, on a line by itself. */
void hint_command(const struct options *o, const char *command, const char *const *files, uint32_t count);

/* Help and version are output like any other: a full disk is an error. */
enum exit_code printed(void);

#endif
