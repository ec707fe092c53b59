/* Converting a run: from its trace and record log into a format's files (docs/reference/formats.md, "Conversion
 * losses"). Who converts
 *
 *     convert_choose(&writer, "otf2", path, &e);              which format
 *     convert_output_new(&run.output, path, writer, ...);     it may be written there
 *     record_log_load(&log, &trace, ...);
 *     convert_write(&run, writer, &e);                        all of it, or nothing
 *
 * and says what run.events and run.losses have.
 */
#ifndef PAS2P_CONVERT_H
#define PAS2P_CONVERT_H

#include "core/records/format_write.h"

/* By the word that --to takes; NULL: there is none of that name. */
const struct format_writer *convert_writer(const char *to);

/* By the word, or without one (NULL) by the name, which may be NULL; *writer NULL: neither says it. ERR_USAGE:
 * they differ, or this build cannot write it. */
enum err_code convert_choose(const struct format_writer **writer, const char *to, const char *path, struct err *e);
/* For who writes nothing but CLOG2. ERR_USAGE: the name says something else. */
enum err_code convert_plain_clog2(const char *path, struct err *e);

/* trace, log, output, progress and what the format takes are given; the rest is zero. The output is committed. */
enum err_code convert_write(struct convert_run *run, const struct format_writer *writer, struct err *e);

#endif
