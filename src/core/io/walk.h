/* Walks through all that a folder holds, by descriptors instead of names: nobody who may write there can lead the walk
 * elsewhere by exchanging a folder for a symbolic link while it is under way.
 *
 *     walk_folder(fd, visit, arg, &e);       fd is open on the folder; what is in it is visited, it itself is not
 *
 * Links are entries like others, never followed; other file systems are not entered. A folder is looked at through its
 * own descriptor before the walk goes into it, and on the way back the folder that it was found in must still be the
 * one above it. Each level costs its names in memory and no descriptor, so depth is limited by WALK_DEPTH alone.
 */
#ifndef PAS2P_WALK_H
#define PAS2P_WALK_H

#include <stdbool.h>
#include <sys/stat.h>

#include "core/base/err.h"

#define WALK_DEPTH 4096

struct walk_entry {
	int folder;             /* the folder that it is in; the walk's */
	const char *name;       /* in that folder */
	const struct stat *st;  /* of the entry itself, of a folder through its descriptor */
	bool left;              /* a folder that the walk comes back from: its entries have been visited */
	bool *skip;             /* set it, and the walk does not go into this folder */
};

/* Anything but ERR_OK ends the walk. */
typedef enum err_code walk_visit(void *arg, const struct walk_entry *entry, struct err *e);

/* "cannot look at x: ..." with what errno says. */
enum err_code walk_failed(const char *name, const char *doing, struct err *e);

/* Entries that vanish meanwhile are left out. A folder that cannot be read is ERR_IO, unless visit skipped it. */
enum err_code walk_folder(int fd, walk_visit *visit, void *arg, struct err *e);

#endif
