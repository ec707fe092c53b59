#include "trace_convert.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/complain.h"
#include "core/base/text.h"

enum err_code trace_convert_writer(const struct format_writer **writer, const char *to, struct err *e)
{
	*writer = convert_writer(to);
	if (!*writer)
		return err_set(e, ERR_USAGE, "this build of pas2p cannot write %s: the library for it was not there", to);
	if ((*writer)->takes)
		return err_set(e, ERR_USAGE, "--to %s is for pas2p convert, after the run", to);
	return ERR_OK;
}

static enum err_code convert(struct convert_output *output, const struct format_writer *writer, const char *own, struct err *e)
{
	struct convert_run run = {.output = output, .to = INFINITY, .last_rank = UINT32_MAX};
	struct record_log *log;
	struct trace *trace;
	enum err_code code = record_log_load(&log, &trace, &own, 1, NULL, 0, NULL, e);

	if (!code || (code == ERR_DAMAGED && log)) {
		run.trace = trace;
		run.log = log;
		code = convert_write(&run, writer, e);
	}
	record_log_free(log);
	trace_free(trace);
	return code;
}

enum exit_code trace_convert(const struct options *o, struct convert_output *output, const struct format_writer *writer, const char *path,
			     const char *own)
{
	char safe[PATH_MAX];
	struct err e = {0};
	enum err_code code = convert(output, writer, own, &e);

	if (code) {
		complain("%s; this run's trace is %s", e.text, text_safe(safe, sizeof safe, own, SIZE_MAX, TEXT_UTF8));
		return exit_of_err(code);
	}
	unlink(own);
	if (!o->quiet)
		fprintf(stderr, "pas2p: %s: %.1f MB\n", text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8),
			(double)convert_output_bytes(output) / 1e6);
	return EXIT_OK;
}
