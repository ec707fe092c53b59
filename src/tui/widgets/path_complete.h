/* Completing the name of a file that is to be opened. */
#ifndef PAS2P_TUI_PATH_COMPLETE_H
#define PAS2P_TUI_PATH_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

/* The nth name, in byte order, that goes on from what was typed: folders (with a slash), and files that end so (in one
 * of the endings, if there are several, with blanks between). Names that could not be shown as they are, and hidden
 * ones unless a dot was typed, are left out. False: there are not so many. */
bool path_complete(const char *typed, const char *endings, int nth, char *out, size_t size);

#endif
