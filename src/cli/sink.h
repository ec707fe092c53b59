/* Where a command's output goes: standard output, or a file that appears whole or not at all.
 *
 *     sink_open(&s, path or NULL, &e);
 *     out_printf(&s.out, ...); sink_drain(&s, &e);      often: writes what has gathered
 *     sink_finish(&s, &e);                               the file takes its name now
 *     sink_release(&s);                                  without finish: nothing is left behind
 *
 * Errors stick: after the first one all is a no-op that repeats it.
 */
#ifndef PAS2P_SINK_H
#define PAS2P_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/io/out.h"
#include "core/io/out_file.h"
#include "exit.h"

struct sink {
	struct out out;       /* gathered, not yet written */
	struct out_file file;
	bool to_file;         /* else standard output */
	bool ascii;           /* signs such as "µ" are written as text_sign() has them; names stay as they are */
	struct err err;
	bool pipe_closed;     /* the reader has gone: end quietly */
};

enum err_code sink_open(struct sink *s, const char *path, struct err *e);
enum err_code sink_drain(struct sink *s, struct err *e);
enum err_code sink_write(struct sink *s, const char *bytes, size_t n, struct err *e); /* past the gathering */
enum err_code sink_finish(struct sink *s, struct err *e);
void sink_release(struct sink *s);
/* All of that at the end of a command that did as `code` says: what is left is written, and a failure is told. */
enum exit_code sink_end(struct sink *s, enum err_code code, struct err *e);

/* How wide lines may be: COLUMNS of the environment, otherwise the terminal's columns; 0: any width, since the output
 * goes to none. */
uint32_t sink_width(const struct sink *s);
uint32_t sink_columns(const struct sink *s); /* the same, and 80 there */
/* Prose that was gathered since `from`, made to fit: what follows of a line stands `indent` columns from the left. */
void sink_fit(struct sink *s, size_t from, size_t indent);

#endif
