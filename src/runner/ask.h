/* Asking a program something short, such as its version. */
#ifndef PAS2P_ASK_H
#define PAS2P_ASK_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/base/job.h"

/* Start argv (ends with NULL) without input, its environment changed by env as nest_command says (NULL: not at all),
 * and put the first bytes of what it says on stdout and stderr into text, with a NUL. It runs in a nest: when this
 * returns, or the runner goes away, neither it nor anything that it started is left. It is given 10 s; *status is as
 * waitpid() gives it, and -1 for one that was ended. ERR_USAGE if it cannot be started, ERR_CANCELLED if the job (NULL:
 * none) says stop. */
enum err_code ask_program(const char *const *argv, const char *const *env, char *text, size_t size, int *status, const struct job *job,
			  struct err *e);

#endif
