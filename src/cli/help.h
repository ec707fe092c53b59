/* --help and usage, printed from the tables. */
#ifndef PAS2P_HELP_H
#define PAS2P_HELP_H

#include <stdio.h>

#include "options.h"

/* Help of the program (COMMAND_WORKBENCH; at most 24 lines of 80 columns) or of one command. */
void help_print(FILE *to, enum command c);

/* Of the program, within so many lines as far as the commands leave room: exit codes, then the names of options give
 * way, as the man page has them. */
void help_program(FILE *to, unsigned lines);

/* One or two lines of usage, for errors. */
void help_usage(FILE *to, enum command c);

/* A setting's default as it is given on the command line. */
void help_default(const struct setting_info *s, char *buf, size_t size);

/* Number i of the presets that pas2p has, and its settings with their values: "order pas2p, volume 0.05". False: there are no more. */
bool help_preset(size_t i, const char **name, const char **help, char *values, size_t size);

#endif
