/* Where a run in another format is written to: one file, a file with companions beside it, or a folder with files in
 * it. All of it appears, or nothing: files are written beside their names and renamed, a folder is made as
 * NAME.partial-N and renamed. A name that is there is refused unless it may be replaced; what is replaced stays until
 * the new one is whole. A folder is replaced only if it is one that a conversion made, and a name that is a link stays
 * one. Of a file with companions the old one goes before a companion is replaced, and the new one comes last: a kill between leaves companions
 * alone, and the old file as NAME.(digits).old. A file whose name ends in .gz, .xz or .zst is compressed, deterministically (no time, no name within). The name
 * - is standard output, for a format of one file.
 *
 *     convert_output_new(&o, "lu.prv", &prv_writer, false, job, &e);   nothing is there yet
 *     convert_output_begin(o, &e);
 *     convert_file_open(&file, o, "", &e); ... convert_file_close(file, &e);
 *     convert_output_commit(o, &e);
 *     convert_output_free(o);
 */
#ifndef PAS2P_CONVERT_OUTPUT_H
#define PAS2P_CONVERT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

struct convert_output;
struct convert_file;
struct format_writer;
struct job;

/* Can it be written there? ERR_IO: no, or it is there already. ERR_USAGE: this format, or build, does not compress
 * so. */
enum err_code convert_output_new(struct convert_output **out, const char *path, const struct format_writer *writer, bool replace,
				 const struct job *job, struct err *e);
/* ERR_USAGE: the file, a companion or the folder would replace what is read (inputs.h). */
enum err_code convert_output_refuse(const struct convert_output *o, const char *const *inputs, uint32_t count, struct err *e);
/* Before the first file. */
enum err_code convert_output_begin(struct convert_output *o, struct err *e);
/* All files are closed: they get their names. */
enum err_code convert_output_commit(struct convert_output *o, struct err *e);
void convert_output_free(struct convert_output *o); /* what was not committed is gone; NULL is fine */

/* The folder that is being filled, for a library that writes by itself. */
const char *convert_output_folder(const struct convert_output *o);

/* As given, safe for sentences. */
const char *convert_output_shown(const struct convert_output *o);

/* One more file. `name`: within the folder ("rank-3.txt"); else "" for the file itself, or the ending of a companion
 * (".pcf"), which has the file's name with that ending instead of its own. Companions are not compressed. Several may
 * be open at once; all are closed by who opened them, also after errors. */
enum err_code convert_file_open(struct convert_file **file, struct convert_output *o, const char *name, struct err *e);
/* Errors stick: after the first one nothing is written, and closing says it. */
void convert_file_write(struct convert_file *file, const void *bytes, size_t n);
void convert_file_printf(struct convert_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An error was met; so that who writes much can stop. */
bool convert_file_failed(const struct convert_file *file);
/* For who writes by descriptor, from byte 0 on, and seeks (the CLOG2 writer): instead of the above. -1: closing says
 * why. */
int convert_file_descriptor(struct convert_file *file);
enum err_code convert_file_close(struct convert_file *file, struct err *e); /* NULL is fine */

/* Of what was written, as it lies on the disk. Valid after the commit. */
uint32_t convert_output_files(const struct convert_output *o);
uint64_t convert_output_bytes(const struct convert_output *o);

#endif
