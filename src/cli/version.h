/* pas2p --version: which one it is, and what it reads and writes where it was built. */
#ifndef PAS2P_VERSION_H
#define PAS2P_VERSION_H

#include <stdio.h>

void version_print(FILE *to, const char *version);

#endif
