/* Exit codes: the one list behind the code, the man page and --help.
 *
 * EXIT_CODE(id, number, "in a few words", "when exactly")
 */
#ifndef PAS2P_EXIT_H
#define PAS2P_EXIT_H

#include "core/base/err.h"

#define EXIT_CODES(EXIT_CODE) \
	EXIT_CODE(OK, 0, "ok", "success") \
	EXIT_CODE(FINDING, 1, "finding", "the command found a problem, such as warnings, a failed condition, or runs that differ") \
	EXIT_CODE(USAGE, 2, "usage", "an option, a setting or an operand is wrong; nothing was done") \
	EXIT_CODE(CANNOT_READ, 3, "cannot read", "a file cannot be read, or its format is unknown") \
	EXIT_CODE(DAMAGED, 4, "damaged", "a trace is damaged; the results cover the readable part") \
	EXIT_CODE(NO_TERMINAL, 5, "no terminal", "the workbench cannot draw on this terminal: TERM is not set, or unknown") \
	EXIT_CODE(CANNOT_WRITE, 6, "cannot write", \
		  "the output cannot be written, for example because the disk is full; if another run took the name of a trace, the trace is kept " \
		  "under a different name") \
	EXIT_CODE(NO_ROOM, 7, "no room", "memory is exhausted, or the trace is too large") \
	EXIT_CODE(JOB_FAILED, 8, "job failed", \
		  "a started program failed, hung, or could not be checkpointed, or the MPI job of a parallel analysis failed; recorded parts of a trace " \
		  "are kept") \
	EXIT_CODE(INTERRUPTED, 130, "interrupted", "you pressed Ctrl-C; no file is left")

enum exit_code {
#define EXIT_CODE(id, number, words, when) EXIT_##id = number,
	EXIT_CODES(EXIT_CODE)
#undef EXIT_CODE
};

struct exit_info {
	int number;
	const char *words, *when;
};

/* The list as an array that ends with words NULL. */
extern const struct exit_info exit_infos[];

/* The exit code of an error met while reading and analysing. */
enum exit_code exit_of_err(enum err_code code);

/* The exit code of an error met while writing output: there, ERR_IO is the output's. */
enum exit_code exit_of_write(enum err_code code);

#endif
