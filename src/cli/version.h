/* pas2p --version: which one it is, what it reads and writes where it was built, what it finds beside it, and how it
 * was built.
 *
 * Built from a git checkout there is the commit behind it, "0.1.0 (git 2cd3f0a1b2c3)";
 * a build from an archive of the sources has none, so that it is the same bytes each time.
 */
#ifndef PAS2P_VERSION_H
#define PAS2P_VERSION_H

#include <stdio.h>

/* The one place that says it. */
#define PAS2P_VERSION "0.1.0"

const char *version_text(void); /* "0.1.0", with the commit where it is known */

void version_print(FILE *to);

#endif
