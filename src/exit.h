/* Exit codes: the one list behind the code, the man page and --help.
 *
 * EXIT_CODE(id, number, "in a few words", "when exactly")
 */
#ifndef PAS2P_EXIT_H
#define PAS2P_EXIT_H

#include "core/base/err.h"

#define EXIT_CODES(EXIT_CODE) \
	EXIT_CODE(OK, 0, "ok", "everything was done and nothing wrong was found") \
	EXIT_CODE(FINDING, 1, "no match or warnings", "no row matches --match, check found warnings, or clocks that are far apart, but no damage, clocks found violations or could not verify what it measured, a condition of --fail-if holds or cannot be told, diff found that two runs differ, study --check is off by more than --tolerance, or doctor misses what is needed") \
	EXIT_CODE(USAGE, 2, "usage", "an option, a setting or an argument is wrong; nothing was done") \
	EXIT_CODE(CANNOT_READ, 3, "cannot read", \
		  "a file cannot be opened or read, or its format is not one that pas2p reads") \
	EXIT_CODE(DAMAGED, 4, "damaged", "a trace is damaged; the result covers what could be read") \
	EXIT_CODE(NO_TERMINAL, 5, "no terminal", "the workbench cannot draw on the terminal: TERM is not set, or not known") \
	EXIT_CODE(CANNOT_WRITE, 6, "cannot write", \
		  "the output cannot be written, for example to a full disk, and no file is left; or another run has taken a trace's " \
		  "name meanwhile, and the trace is kept under a name of its own") \
	EXIT_CODE(NO_ROOM, 7, "no room", "out of memory, or the trace is too large for the program") \
	EXIT_CODE(JOB_FAILED, 8, "job failed", \
		  "a program that was started failed, got stuck, or could not be checkpointed: of one that was traced, what it recorded is kept, of others " \
		  "nothing is left; or the MPI job that shares an analysis broke") \
	EXIT_CODE(INTERRUPTED, 130, "interrupted", "stopped by Ctrl-C; no file is left")

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
