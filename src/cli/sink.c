#include "sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/io/wrap.h"
#include "complain.h"
#include "interrupt.h"

#define ENOUGH 65536 /* bytes gathered before they are written */
#define COLUMNS 80
#define MOST 100000 /* what COLUMNS can be */

enum err_code sink_open(struct sink *s, const char *path, struct err *e)
{
	memset(s, 0, sizeof *s);
	out_init(&s->out);
	if (path && out_file_begin(&s->file, path, &s->err)) {
		if (e)
			*e = s->err;
		return s->err.code;
	}
	s->to_file = path != NULL;
	return ERR_OK;
}

static void to_stdout(struct sink *s, const char *p, size_t left)
{
	while (left) {
		ssize_t n;

		/* A reader that has stopped reading must not make Ctrl-C wait; a signal ends a write in the middle. */
		if (interrupt_seen()) {
			err_set(&s->err, ERR_CANCELLED, "interrupted");
			return;
		}
		n = write(STDOUT_FILENO, p, left);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			s->pipe_closed = errno == EPIPE;
			err_set(&s->err, ERR_IO, "cannot write to standard output: %s", strerror(errno));
			return;
		}
		p += n;
		left -= (size_t)n;
	}
}

static void write_bytes(struct sink *s, const char *bytes, size_t n)
{
	if (s->to_file)
		out_file_write(&s->file, bytes, n, &s->err);
	else
		to_stdout(s, bytes, n);
}

/* What is written in one piece holds whole characters. */
static void fold_signs(struct sink *s, const char *bytes, size_t n)
{
	struct out folded;
	uint32_t c;

	out_init(&folded);
	for (size_t step; n; bytes += step, n -= step) {
		step = text_decode(bytes, n, &c);
		step = step ? step : 1;
		out_str(&folded, text_sign(c) ? text_sign(c) : "");
		out_add(&folded, bytes, text_sign(c) ? 0 : step);
	}
	if (folded.failed)
		err_memory(&s->err, "the output");
	else
		write_bytes(s, folded.text, folded.len);
	out_release(&folded);
}

static void write_out(struct sink *s, const char *bytes, size_t n)
{
	if (s->ascii && n)
		fold_signs(s, bytes, n);
	else
		write_bytes(s, bytes, n);
}

static enum err_code sink_error_told(const struct sink *s, struct err *e)
{
	if (s->err.code && e)
		*e = s->err;
	return s->err.code;
}

static enum err_code sink_flush(struct sink *s, size_t enough, struct err *e)
{
	if (!s->err.code && s->out.failed)
		err_memory(&s->err, "the output");
	if (!s->err.code && s->out.len && s->out.len >= enough) {
		write_out(s, s->out.text, s->out.len);
		s->out.len = 0;
	}
	return sink_error_told(s, e);
}

enum err_code sink_write(struct sink *s, const char *bytes, size_t n, struct err *e)
{
	if (!sink_flush(s, 0, e))
		write_out(s, bytes, n);
	return sink_error_told(s, e);
}

enum err_code sink_drain(struct sink *s, struct err *e)
{
	return sink_flush(s, ENOUGH, e);
}

enum err_code sink_finish(struct sink *s, struct err *e)
{
	enum err_code code = sink_flush(s, 0, e);

	if (!code && s->to_file)
		code = out_file_commit(&s->file, &s->err);
	s->to_file = s->to_file && code;
	if (code && e)
		*e = s->err;
	return code;
}

void sink_release(struct sink *s)
{
	if (s->to_file)
		out_file_abort(&s->file);
	out_release(&s->out);
	s->to_file = false;
}

enum exit_code sink_end(struct sink *s, enum err_code code, struct err *e)
{
	if (!code)
		code = sink_finish(s, e);
	sink_release(s);
	if (s->pipe_closed)
		interrupt_end_by_pipe();
	if (!code)
		return EXIT_OK;
	complain("%s", e->text);
	return exit_of_write(code);
}

uint32_t sink_width(const struct sink *s)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	uint64_t n;

	if (columns && number_parse_whole(columns, strlen(columns), &n) && n && n <= MOST)
		return (uint32_t)n;
	return s->to_file || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

uint32_t sink_columns(const struct sink *s)
{
	uint32_t width = sink_width(s);

	return width ? width : COLUMNS;
}

void sink_fit(struct sink *s, size_t from, size_t indent)
{
	uint32_t width = sink_width(s);
	struct out prose;

	if (!width || s->out.failed || s->out.len <= from)
		return;
	out_init(&prose);
	out_add(&prose, s->out.text + from, s->out.len - from);
	out_add(&prose, "", 1);
	if (prose.failed) {
		out_release(&prose);
		return;
	}
	s->out.len = from;
	for (char *line = prose.text, *end; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = 0;
		wrap_text(&s->out, line, indent, width);
	}
	out_release(&prose);
}
