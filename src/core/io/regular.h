/* Regular files: opened, or read whole.
 *
 * Whatever is none (a directory, a pipe, a socket, a device) is refused at once with ERR_IO and a sentence that says
 * what it is: opening it could block or have effects, and reading it might never end. A symbolic link is what it
 * stands for.
 */
#ifndef PAS2P_REGULAR_H
#define PAS2P_REGULAR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "core/base/err.h"

/* For reading; *st is of the open file. */
enum err_code regular_open(int *fd, struct stat *st, const char *path, struct err *e);

/* All bytes, with a NUL behind them that does not count; for mem_free(). ERR_LIMIT if there are more than `most`, by
 * what the file is or becomes while it is read. One that shrinks meanwhile is what was read of it. */
enum err_code regular_read(const char *path, size_t most, char **bytes, size_t *size, struct err *e);

/* The same of the file `name` in an open folder, without following a link; sentences call it `path`. */
enum err_code regular_read_in(int folder, const char *name, const char *path, size_t most, char **bytes, size_t *size,
			      struct err *e);

/* Is it one that can be read, and begins with this text? */
bool regular_begins(const char *path, const char *text);

#endif
