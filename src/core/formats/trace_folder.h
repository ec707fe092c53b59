/* A folder's traces: the files in it that a format recognises, those of one run together, and the folders in it, which
 * nobody looks into. Only names, sizes and the beginnings of files are read.
 *
 *     trace_folder_read(&f, "runs", progress, &e);
 *     f.list[i].paths ...
 *     trace_folder_release(&f);
 *
 * A part that does not say which run it is of, such as a file that was cut short, goes with a part that does and whose
 * name differs in its numbers alone; otherwise it is a run by itself. Folders come first, then traces, each by name in
 * byte order; hidden ones are left out. A file that is named as a trace and is none that can be recognised is there,
 * too: whoever opens it is told why.
 */
#ifndef PAS2P_TRACE_FOLDER_H
#define PAS2P_TRACE_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/base/mem.h"

struct found_run {
	bool folder;
	bool gone;             /* a file of it is not there, or cannot be read as a file (trace_folder_add()) */
	const char *name;      /* of the folder, or of its first file, without what lies before; as it is (no safe text) */
	const char **paths;    /* the folder's, or its files' */
	uint32_t path_count;
	const char *format;    /* NULL: no format knows it */
	uint32_t processes;    /* 0: not known by a glance */
	uint64_t size;         /* bytes of all files, of an archive those in its folder */
	uint64_t device, inode; /* of the first path, so that it is known by any name; both 0: it is not known */
	int64_t changed;       /* the latest of them, seconds since 1970 */
};

struct trace_folder {
	struct found_run *list;
	uint32_t count, folders; /* so many of them are folders */
	uint32_t others;         /* files that are no traces */
	size_t room;
	struct arena arena;      /* of all that the list points to */
};

/* Is it a folder to choose traces from? */
bool trace_folder_is(const char *path);

/* ERR_IO: the folder cannot be read; ERR_CANCELLED. After an error there is nothing in it. */
enum err_code trace_folder_read(struct trace_folder *f, const char *path, const struct progress *progress, struct err *e);

/* One more run, of files that are known to be that, and of so many processes (0: that is not known). look: for the
 * rest, on the disk. */
void trace_folder_init(struct trace_folder *f);
enum err_code trace_folder_add(struct trace_folder *f, const char *const *paths, uint32_t count, uint32_t processes, bool look,
			       struct err *e);
void trace_folder_release(struct trace_folder *f);

#endif
