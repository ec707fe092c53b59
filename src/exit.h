/* Exit codes: the one list behind the code, the man page and --help.
 *
 * EXIT_CODE(id, number, "in a few words", "when exactly")
 */
#ifndef PAS2P_EXIT_H
#define PAS2P_EXIT_H

#include "core/base/err.h"

#define EXIT_CODES(EXIT_CODE) \
	EXIT_CODE(OK, 0, "ok", "success; nothing wrong was found") \
	EXIT_CODE(FINDING, 1, "no match or warnings", "no row matches --match; check found warnings or large clock offsets, but no errors; clocks found clock violations or could not verify its measurement; a condition of --fail-if holds or is undefined; diff found differences; study --check exceeds --tolerance; or doctor found a missing requirement") \
	EXIT_CODE(USAGE, 2, "usage", "an option, a setting or an argument is wrong; nothing was done") \
	EXIT_CODE(CANNOT_READ, 3, "cannot read", \
		  "a file cannot be opened or read, or pas2p cannot read its format") \
	EXIT_CODE(DAMAGED, 4, "damaged", "a trace is damaged; pas2p printed partial results") \
	EXIT_CODE(NO_TERMINAL, 5, "no terminal", "the workbench cannot draw on the terminal: TERM is not set, or unknown") \
	EXIT_CODE(CANNOT_WRITE, 6, "cannot write", \
		  "pas2p cannot write the output (disk full, or the name was taken by another run; the trace is then kept under a " \
		  "different name)") \
	EXIT_CODE(NO_ROOM, 7, "no room", "not enough memory, or the trace is too large for pas2p") \
	EXIT_CODE(JOB_FAILED, 8, "job failed", \
		  "a program that pas2p started failed, hung, or could not be checkpointed (trace keeps the recorded part, other commands keep nothing); " \
		  "or the MPI job of a parallel analysis failed") \
	EXIT_CODE(INTERRUPTED, 130, "interrupted", "stopped by Ctrl-C; pas2p left no file")

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
