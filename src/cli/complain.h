/* What the program says of itself, on stderr. */
#ifndef PAS2P_COMPLAIN_H
#define PAS2P_COMPLAIN_H

#include "core/io/out.h"
#include "exit.h"
#include "options.h"

/* A sentence with the program's name in front. */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A line after it: "hint: " and what to do, a command if there is one. */
void complain_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A sentence and the usage of the command that was misused: EXIT_USAGE. */
enum exit_code misused(const struct options *o, const char *text);

/* "run: x.clog2 is a trace; expected a phase table": a file of a kind (given.h) that the subject, a command or an
 * option, does not take. EXIT_USAGE. */
enum exit_code complain_kind(const char *subject, const char *path, const char *kind, const char *expected);

/* A command on these files, to be pasted into a shell, with the program as it was called:
 * "./pas2p check 'a b.clog2'". */
void command_line(struct out *to, const struct options *o, const char *command, const char *const *files, uint32_t count);
/* The same as a complaint, with `before` in front of it. */
void complain_command(const struct options *o, const char *before, const char *command, const char *const *files, uint32_t count);

/* "hint: " and the command, on a line by itself. */
void hint_command(const struct options *o, const char *command, const char *const *files, uint32_t count);

/* Help and version are output like any other: a full disk is an error. */
enum exit_code printed(void);

/* "Did you mean": the nearest of some names to a misspelt one. */

/* Insertions, deletions, substitutions and swaps of neighbours between a and b; names over 63 bytes are
 * far from everything. */
unsigned suggest_distance(const char *a, const char *b);

/* The better of two candidates for `given`: best (may be NULL) or name, if name is near enough at all. */
const char *suggest_better(const char *given, const char *best, const char *name);

#endif
