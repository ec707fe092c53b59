/* Opening the files of a trace, as a person names them: what is opened is what a format reads.
 *
 * Whoever loads traces, or looks what files are, opens them so. The sources are named as the person named them, or by
 * the file that was found instead; they are released as any others (core/io/source.h).
 */
#ifndef PAS2P_CORE_FORMATS_API_OPEN_H
#define PAS2P_CORE_FORMATS_API_OPEN_H

#include <stdint.h>

#include "core/base/err.h"

struct source;

/* A compressed file is a source of what is inside (core/io/unpack.h). What source_open_file() says, and ERR_FORMAT:
 * compressed twice, or in a way that this build does not know. */
enum err_code trace_file_open(struct source *source, const char *path, struct err *e);

/* All files of a run, or none: source_release_files(). */
enum err_code trace_files_open(struct source **sources, const char *const *paths, uint32_t count, struct err *e);

#endif
