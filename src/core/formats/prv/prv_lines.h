/* The lines of a Paraver trace as numbers: fields separated by ':', read in blocks from a range of a source.
 *
 *     prv_lines_init(&lines, source, begin, end);
 *     while ((got = prv_lines_next(&lines, &e)) != PRV_END) ...
 *     prv_lines_release(&lines);
 *
 * A line is of the range in which its first byte lies, so ranges that meet give each line once. Empty lines and
 * comments ('#') are passed over; any other line is told whole or as a bad one. Lines end with LF or CRLF. The hole in
 * which a sparse file ends is no line.
 */
#ifndef PAS2P_PRV_LINES_H
#define PAS2P_PRV_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

#define PRV_LINE_MOST (16u << 20) /* bytes; what is longer is no line */
#define PRV_WHOLE_FILE UINT64_MAX

struct source;

enum prv_got {
	PRV_LINE,
	PRV_BAD_LINE,  /* of no known first field, or not numbers: why, bad_at */
	PRV_ZEROS,     /* likewise, for it was never written */
	PRV_HUGE,      /* likewise, for a number that is 2^63 or more */
	PRV_END,
	PRV_FAILED     /* *e says why */
};

struct prv_lines {
	char kind;            /* the first field: '1', '2', '3', 'c', 'i' */
	const uint64_t *field; /* what follows it */
	size_t n;
	uint64_t number;      /* of the line, from 1 at the range's first */
	uint64_t offset;      /* of its first byte in the source */
	uint64_t bad_at;      /* PRV_BAD_LINE: the byte in the source */
	const char *why;      /* for ever: "an empty field" */
	bool cut;             /* the source's last line, and its end is missing */
	uint64_t done;        /* bytes of the range that were read */
	/* its own: */
	const struct source *source;
	uint64_t at, end;     /* the next byte to be read; where the range ends */
	uint64_t buffer_at;   /* the buffer's first byte in the source */
	char *buffer;
	size_t cap, have;     /* bytes it can hold, and has */
	size_t pos, whole;    /* the next line; whole lines end here */
	uint64_t *fields;
	size_t field_cap;
	bool source_ended, begun;
};

enum err_code prv_lines_init(struct prv_lines *lines, const struct source *source, uint64_t begin, uint64_t end, struct err *e);
void prv_lines_release(struct prv_lines *lines);

enum prv_got prv_lines_next(struct prv_lines *lines, struct err *e);

/* The first line as it is, without its end: of *n bytes, valid until the next call. NULL: it is too long, or cannot be
 * read. */
const char *prv_lines_text(struct prv_lines *lines, size_t *n, struct err *e);

#endif
