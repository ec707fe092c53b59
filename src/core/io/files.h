/* Folders: making, measuring and removing them whole. Names are absolute or relative to where the runner is. What is
 * removed is held by descriptors (walk.h), never found by its name alone: others may write beside it. */
#ifndef PAS2P_FILES_H
#define PAS2P_FILES_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

/* "a/b", "c", ... joined into to, which holds PATH_MAX and is none of them; ERR_LIMIT if it is too long. */
enum err_code files_join(char to[PATH_MAX], const char *folder, const char *name, struct err *e);

/* A new folder that is the caller's alone (mode 0700); `name` ends with XXXXXX, which is replaced. *fd is open on it.
 * On errors name is "" and *fd -1. */
enum err_code files_make(char *name, int *fd, struct err *e);

/* Open on a folder and not on what a link leads to; -1 and errno if that is not what is there. */
int files_open_folder(int in, const char *name);

/* A new file in the folder `in`, the caller's alone (mode 0600). Goes through no link; sentences call it `shown`. */
enum err_code files_write(int in, const char *name, const char *shown, const char *bytes, size_t size, struct err *e);

/* Remove the folder that fd is open on and that has this name (in the folder `in`, as for openat()), and all in it. It
 * follows no links and enters no other file system. A folder that is private to its owner is removed with all its
 * content, since no other user can have put it there. In any other folder only files of the caller are removed; files
 * of others are an error, as is a name that now belongs to something else. */
enum err_code files_remove(int in, const char *name, int fd, struct err *e);

/* Bytes that the regular files in it take up (blocks, so that holes count for nothing). */
enum err_code files_size(const char *folder, uint64_t *bytes, struct err *e);

#endif
