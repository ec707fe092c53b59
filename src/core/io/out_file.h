/* A file that is replaced whole or not at all, written piece by piece.
 *
 *     out_file_begin(&f, "cg.yaml", &e);      a file without a name, on the target's file system
 *     out_file_write(&f, bytes, n, &e);       any number of times
 *     out_file_commit(&f, &e);                synced, and given the target's name
 *
 * Until the commit the target is untouched; after any failure, or out_file_abort(), or a kill, nothing is beside it.
 * Where the system has no files without names, or does not let them be given one, it is a temporary file beside the
 * target, which a kill leaves. The new file has the old one's mode and, where allowed, owner; a symbolic link stays one
 * and its target is replaced. What is no regular file (a terminal, a pipe, /dev/stdout, /dev/null) is written straight
 * to.
 */
#ifndef PAS2P_OUT_FILE_H
#define PAS2P_OUT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

struct out_file {
	int fd;                      /* -1: not open */
	bool straight;               /* no temporary file */
	char path[PATH_MAX];         /* as given, made safe for sentences */
	char target[PATH_MAX];       /* links followed */
	char temporary[PATH_MAX];    /* "": it has no name yet */
};

enum err_code out_file_begin(struct out_file *f, const char *path, struct err *e);
enum err_code out_file_write(struct out_file *f, const char *bytes, size_t n, struct err *e); /* aborts on failure */
enum err_code out_file_commit(struct out_file *f, struct err *e);
void out_file_abort(struct out_file *f); /* nothing to do after a commit or a failure, and harmless then */

/* A name in the target's folder that nobody can guess: what is given, around the target's and digits. 0, or errno. */
int out_file_beside(const struct out_file *f, const char *before, const char *behind, char name[PATH_MAX]);

#endif
