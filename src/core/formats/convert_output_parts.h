/* What convert_output.c, where files get their names, and convert_file.c, where they are written, share. */
#ifndef PAS2P_CONVERT_OUTPUT_PARTS_H
#define PAS2P_CONVERT_OUTPUT_PARTS_H

#include <limits.h>

#include "convert_output.h"
#include "core/io/out_file.h"
#include "pack.h"

#define CONVERT_BUFFER ((size_t)65536)

struct convert_file {
	struct convert_output *output;
	char name[64];               /* within the folder, or what it is a companion by */
	struct out_file *file;       /* not in a folder: it gets its name at the commit */
	int fd;                      /* in a folder */
	int scratch;                 /* written by descriptor, to be copied; -1 */
	struct packer *packer;
	size_t used;
	struct err err;
	uint8_t bytes[];             /* CONVERT_BUFFER */
};

struct convert_output {
	char path[PATH_MAX];         /* as given, without slashes at the end */
	char shown[300];
	char target[PATH_MAX];       /* a folder's: links followed */
	char partial[PATH_MAX];      /* the folder that is being filled; "": there is none */
	int fd;                      /* open on it */
	bool folder, replace;
	const char *sign, *makes;
	const char *const *companions; /* NULL: none */
	size_t stem;                 /* of the path: what companions have in common */
	enum packing packing;
	const struct job *job;
	struct out_file *done[4];    /* the closed files, which wait for their names: the file itself first */
	uint32_t done_count;
	uint32_t files;
	uint64_t bytes;
};

/* ERR_IO: "cannot write PATH: why", or what errno says. */
enum err_code convert_refuse(const char *path, const char *why, struct err *e);
enum err_code convert_failed(const char *path, int error, struct err *e);
/* Devices and pipes are written to; nothing of them is replaced. */
enum err_code convert_look_at_file(const struct convert_output *o, const char *path, struct err *e);
/* The path of the file itself (""), or of a companion by its ending. False: it is too long. */
bool convert_name_file(const struct convert_output *o, const char *ending, char path[PATH_MAX]);

#endif
