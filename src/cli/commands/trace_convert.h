/* pas2p trace: the trace of a job, in another format or compressed when the job is over, as --to or the output's name says. */
#ifndef PAS2P_TRACE_CONVERT_H
#define PAS2P_TRACE_CONVERT_H

#include "cli/command.h"
#include "core/formats/convert.h"

/* The writer that --to or the output's name asks for (either may be NULL); NULL: it is as the ranks leave it. ERR_USAGE: they differ, or it
 * needs more than a trace. */
enum err_code trace_convert_writer(const struct format_writer **writer, const char *to, const char *path, struct err *e);

/* The trace at `own` into `output`; then it goes. Where that fails it stays, and that is said. */
enum exit_code trace_convert(const struct options *o, struct convert_output *output, const struct format_writer *writer, const char *path,
			     const char *own);

#endif
