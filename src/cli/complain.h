/* What the program says of itself, on stderr. */
#ifndef PAS2P_COMPLAIN_H
#define PAS2P_COMPLAIN_H

#include "exit.h"
#include "options.h"

/* A sentence with the program's name in front. */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same and the usage of the command that was misused: EXIT_USAGE. */
enum exit_code misused(const struct options *o, const char *text);

#endif
