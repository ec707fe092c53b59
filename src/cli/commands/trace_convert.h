/* pas2p trace --to: the trace of a job, in another format when the job is over. */
#ifndef PAS2P_TRACE_CONVERT_H
#define PAS2P_TRACE_CONVERT_H

#include "cli/command.h"
#include "core/formats/convert.h"

/* The writer that --to asks for; ERR_USAGE: it needs more than a trace. */
enum err_code trace_convert_writer(const struct format_writer **writer, const char *to, struct err *e);

/* The trace at `own` into `output`; then it goes. Where that fails it stays, and that is said. */
enum exit_code trace_convert(const struct options *o, struct convert_output *output, const struct format_writer *writer, const char *path,
			     const char *own);

#endif
