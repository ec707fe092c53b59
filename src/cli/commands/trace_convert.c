#include "commands_int.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/complain.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/unit.h"
#include "core/io/packing.h"
#include "core/io/source.h"

#define CLOG2 "clog2" /* what ranks write anyway */
#define PIECE ((size_t)1 << 20)

enum err_code trace_convert_writer(const struct format_writer **writer, const char *to, const char *path, struct err *e)
{
	bool packed = path && packing_of_name(path) != PACKING_NONE;

	if (convert_choose(writer, to, path, e))
		return e->code;
	if (*writer && (*writer)->takes)
		return err_set(e, ERR_USAGE, "--to: trace cannot write %s\nhint: trace to FILE.clog2, then: pas2p convert --to %s FILE.clog2 OUT",
			       (*writer)->to, (*writer)->to);
	if (*writer && strcmp((*writer)->to, CLOG2) != 0)
		return ERR_OK;
	*writer = packed ? convert_writer(CLOG2) : NULL;
	return ERR_OK;
}

/* The same bytes, compressed as the output's name says. */
static enum err_code output_pack_file(struct convert_output *output, const char *own, struct err *e)
{
	struct convert_file *file = NULL;
	struct source source;
	struct err closing;
	uint8_t *bytes;
	size_t got = PIECE;
	enum err_code code = source_open_file(&source, own, e), closed;

	if (code)
		return code;
	bytes = mem_alloc(PIECE, 1);
	code = bytes ? convert_output_begin(output, e) : err_memory(e, "a part of the trace");
	if (!code)
		code = convert_file_open(&file, output, "", e);
	for (uint64_t at = 0; !code && got == PIECE && !convert_file_failed(file); at += got) {
		code = source_read(&source, at, bytes, PIECE, &got, e);
		if (!code)
			convert_file_write(file, bytes, got);
	}
	closed = convert_file_close(file, &closing);
	if (!code && closed) {
		*e = closing;
		code = closed;
	}
	mem_free(bytes);
	source_release(&source);
	return code ? code : convert_output_commit(output, e);
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
	char safe[PATH_MAX], bytes[UNIT_TEXT];
	struct err e = {0};
	enum err_code code = strcmp(writer->to, CLOG2) ? convert(output, writer, own, &e) : output_pack_file(output, own, &e);

	if (code) {
		complain("%s", e.text);
		complain("the trace of this run is kept as %s", text_safe(safe, sizeof safe, own, SIZE_MAX, TEXT_UTF8));
		return exit_of_err(code);
	}
	unlink(own);
	if (!o->quiet)
		fprintf(stderr, "pas2p: %s: %s\n", text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8),
			unit_bytes(bytes, convert_output_bytes(output)));
	return EXIT_OK;
}
