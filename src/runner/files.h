/* Folders: making, measuring and removing them whole. Names are absolute or relative to where the runner is. */
#ifndef PAS2P_FILES_H
#define PAS2P_FILES_H

#include <limits.h>
#include <stdint.h>

#include "core/err.h"

/* "a/b", "c", ... joined into to, which holds PATH_MAX; ERR_LIMIT if it is too long. */
enum err_code files_join(char to[PATH_MAX], const char *folder, const char *name, struct err *e);

enum err_code files_make(const char *folder, struct err *e);

/* Remove the folder and all in it, following no links and crossing into no other file system. "" and a folder that is
 * not there are fine. */
enum err_code files_remove(const char *folder, struct err *e);

/* Bytes that the regular files in it take up (blocks, so that holes count for nothing). */
enum err_code files_size(const char *folder, uint64_t *bytes, struct err *e);

#endif
