/* What comes with the program, found from where the program lies, so that an unpacked folder can be moved anywhere.
 *
 * A file is looked for in the tree, in the folders that the caller names from the program's, and then where make
 * install puts it: libraries and programs for MPI in LIBDIR/pas2p, data in DATADIR/pas2p, pages in MANDIR/man1. The build tells this
 * file how these lie from BINDIR (PLACE_LIBRARIES, PLACE_DATA, PLACE_MAN); the program's own place comes from /proc/self/exe, with links
 * followed.
 */
#ifndef PAS2P_BESIDE_H
#define PAS2P_BESIDE_H

#include <limits.h>
#include <stdbool.h>

enum beside_place { BESIDE_LIBRARIES, BESIDE_DATA, BESIDE_MAN };

/* The program's own path. False: it is not known (there is no /proc). */
bool beside_program(char path[PATH_MAX]);

/* The path of a plain file called `name` ("libpas2p-mpich.so", "sample-traces/lu.S.4.clog2") for which access() grants
 * `mode` (R_OK, X_OK): in one of the folders `built` (from the program's, up to a NULL), or else in the place. False:
 * there is none, and the path says nothing. */
bool beside_find(const char *const *built, enum beside_place place, const char *name, int mode, char path[PATH_MAX]);

/* The same of a library or program for MPI, to be read: first in the folder $PAS2P_LIBDIR, then in `preload` and
 * `build/preload`, as the tree has them, and then in its place. */
bool beside_library(const char *name, char path[PATH_MAX]);

/* The program that PATH has of this name: a plain file that may be executed. False: there is none, and the path says
 * nothing. */
bool path_find(const char *name, char path[PATH_MAX]);

#endif
