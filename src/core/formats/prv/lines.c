#include "prv_int.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/io/source.h"

#define PIECE (1u << 18)
#define FIELDS 64
#define TOO_LONG "longer than 16 MiB"
#define UNKNOWN "it does not begin with \"1:\", \"2:\", \"3:\", \"c:\", \"i:\" or \"#\""
#define ZEROS "zeros instead of a record"
#define FAST_DIGITS 18 /* as many make no number of 2^63 */

enum err_code prv_lines_init(struct prv_lines *lines, const struct source *source, uint64_t begin, uint64_t end, struct err *e)
{
	*lines = (struct prv_lines){.source = source, .at = begin ? begin - 1 : 0, .end = end, .cap = 2 * PIECE, .field_cap = FIELDS,
				   .begun = !begin};
	lines->buffer_at = lines->at;
	lines->buffer = mem_alloc(lines->cap + 1, 1);
	lines->fields = mem_alloc(lines->field_cap, sizeof *lines->fields);
	if (!lines->buffer || !lines->fields) {
		prv_lines_release(lines);
		return err_memory(e, "the trace's lines");
	}
	lines->field = lines->fields;
	return ERR_OK;
}

void prv_lines_release(struct prv_lines *lines)
{
	mem_free(lines->buffer);
	mem_free(lines->fields);
	lines->buffer = NULL;
	lines->fields = NULL;
}

/* ---- bytes ---- */

/* Room behind the rest of a line. False: no memory. */
static bool make_way(struct prv_lines *lines)
{
	if (lines->pos) {
		memmove(lines->buffer, lines->buffer + lines->pos, lines->have - lines->pos);
		lines->have -= lines->pos;
		lines->buffer_at += lines->pos;
		lines->pos = 0;
	}
	if (lines->cap - lines->have < PIECE) {
		char *more = mem_resize(lines->buffer, lines->cap * 2 + 1, 1);

		if (!more)
			return false;
		lines->buffer = more;
		lines->cap *= 2;
	}
	return true;
}

/* Of as many bytes read at `at`: a hole at the file's end, which can be terabytes, is not read. */
static size_t before_hole(const struct prv_lines *lines, size_t got)
{
	uint64_t end = lines->source->file_size - lines->source->hole;

	return lines->at >= end ? 0 : got < end - lines->at ? got : (size_t)(end - lines->at);
}

/* More bytes, up to the end of a line at least, or of the source, whose last line gets its end here. */
static bool read_more(struct prv_lines *lines, struct err *e)
{
	const char *last = NULL;

	lines->whole = lines->pos;
	while (!last && !lines->source_ended && lines->have - lines->pos <= PRV_LINE_MOST) {
		size_t got;

		if (!make_way(lines)) {
			err_memory(e, "the trace's lines");
			return false;
		}
		if (source_read(lines->source, lines->at, lines->buffer + lines->have, PIECE, &got, e))
			return false;
		if (lines->source->hole)
			got = before_hole(lines, got);
		last = memrchr(lines->buffer + lines->have, '\n', got);
		lines->have += got;
		lines->at += got;
		lines->source_ended = got < PIECE;
	}
	if (last)
		lines->whole = (size_t)(last + 1 - lines->buffer);
	else
		lines->whole = lines->pos;
	return true;
}

/* The bytes up to the end of a line are none of ours, or no line. */
static bool skip_rest(struct prv_lines *lines, struct err *e)
{
	for (;;) {
		const char *end = memchr(lines->buffer + lines->pos, '\n', lines->have - lines->pos);

		if (end) {
			lines->pos = (size_t)(end + 1 - lines->buffer);
			return true;
		}
		lines->pos = lines->whole = lines->have;
		if (lines->source_ended) {
			lines->cut = true;
			return true;
		}
		if (!make_way(lines))
			return err_memory(e, "the trace's lines") == ERR_OK;
		if (!read_more(lines, e))
			return false;
	}
}

/* A whole line begins at pos. *end: the range or the source has no more. */
static bool next_start(struct prv_lines *lines, bool *end, struct err *e)
{
	*end = false;
	if (lines->pos >= lines->whole) {
		if (!read_more(lines, e))
			return false;
		if (lines->pos >= lines->whole && lines->source_ended) {
			*end = lines->pos >= lines->have;
			if (!*end) {
				lines->buffer[lines->have++] = '\n';
				lines->whole = lines->have;
				lines->cut = true;
			}
		}
	}
	lines->offset = lines->buffer_at + lines->pos;
	lines->done = lines->offset;
	*end = *end || lines->offset >= lines->end;
	return true;
}

/* The range's first bytes are of a line that begins before it. */
static bool begin_range(struct prv_lines *lines, struct err *e)
{
	if (lines->begun)
		return true;
	lines->begun = true;
	return read_more(lines, e) && skip_rest(lines, e);
}

const char *prv_lines_text(struct prv_lines *lines, size_t *n, struct err *e)
{
	const char *text;
	bool end;

	*n = 0;
	if (!next_start(lines, &end, e))
		return NULL;
	if (end || lines->pos >= lines->whole) {
		err_set(e, ERR_FORMAT, "its first line does not end");
		return NULL;
	}
	text = lines->buffer + lines->pos;
	*n = (size_t)((const char *)memchr(text, '\n', lines->whole - lines->pos) - text);
	lines->pos += *n + 1;
	lines->number++;
	if (*n && text[*n - 1] == '\r')
		--*n;
	return text;
}

/* ---- fields ---- */

static bool more_fields(struct prv_lines *lines)
{
	uint64_t *more = mem_resize(lines->fields, lines->field_cap * 2, sizeof *more);

	if (!more)
		return false;
	lines->fields = more;
	lines->field = more;
	lines->field_cap *= 2;
	return true;
}

static void skip_line(struct prv_lines *lines, const char *at)
{
	lines->pos = (size_t)((const char *)memchr(at, '\n', lines->whole - (size_t)(at - lines->buffer)) + 1 - lines->buffer);
}

static enum prv_got line_set_bad(struct prv_lines *lines, enum prv_got got, const char *at, const char *why)
{
	lines->bad_at = lines->buffer_at + (uint64_t)(at - lines->buffer);
	lines->why = why;
	skip_line(lines, at);
	return got;
}

/* The same number once more, whatever its length. False: 2^63 or more. */
static bool read_long(const char *p, const char *end, uint64_t *v)
{
	*v = 0;
	for (; p < end; p++) {
		unsigned digit = (unsigned)(*p - '0');

		if (*v > ((uint64_t)INT64_MAX - digit) / 10)
			return false;
		*v = *v * 10 + digit;
	}
	return true;
}

/* The numbers from p on, up to the end of the line, which is there. */
static enum prv_got read_fields(struct prv_lines *lines, const char *p, struct err *e)
{
	size_t n = 0;
	bool huge = false;

	for (;;) {
		const char *begin = p;
		uint64_t v = 0;
		unsigned digit;

		while ((digit = (unsigned)(unsigned char)*p - '0') < 10) {
			v = v * 10 + digit;
			p++;
		}
		if (__builtin_expect((size_t)(p - begin) - 1 >= FAST_DIGITS, 0)) {
			if (p == begin)
				return line_set_bad(lines, PRV_BAD_LINE, p,
					   *p == ':' || *p == '\n' || *p == '\r' ? "an empty field" : "a field that is "
					   	"not a number");
			huge = !read_long(begin, p, &v) || huge;
		}
		if (__builtin_expect(n == lines->field_cap, 0) && !more_fields(lines)) {
			err_memory(e, "the trace's lines");
			return PRV_FAILED;
		}
		lines->fields[n++] = v;
		if (*p != ':')
			break;
		p++;
	}
	if (*p == '\r' && p[1] == '\n')
		p++;
	if (*p != '\n')
		return line_set_bad(lines, PRV_BAD_LINE, p, "a field that is not a number");
	lines->n = n;
	if (__builtin_expect((size_t)(p - lines->buffer) - lines->pos > PRV_LINE_MOST, 0))
		return line_set_bad(lines, PRV_BAD_LINE, p, TOO_LONG);
	if (__builtin_expect(huge, 0))
		return line_set_bad(lines, PRV_HUGE, p, "a number of 2^63 or more");
	lines->pos = (size_t)(p + 1 - lines->buffer);
	return PRV_LINE;
}

static bool is_known(const char *p)
{
	return (*p == '1' || *p == '2' || *p == '3' || *p == 'c' || *p == 'i') && p[1] == ':';
}

/* No record, nor the rest of one: empty, or a comment. A bit makes '#' of '3' and 'c', but no comment begins as their
 * lines then do. */
static bool is_remark(const char *p)
{
	return *p == '\n' || (*p == '\r' && p[1] == '\n') || (*p == '#' && !(p[1] == ':' && p[2] >= '0' && p[2] <= '9'));
}

static enum prv_got too_long(struct prv_lines *lines, struct err *e)
{
	bool remark = is_remark(lines->buffer + lines->pos), zeros = !lines->buffer[lines->have - 1];

	lines->number++;
	lines->bad_at = zeros ? lines->offset : lines->offset + PRV_LINE_MOST;
	lines->why = zeros ? ZEROS : TOO_LONG;
	if (!skip_rest(lines, e))
		return PRV_FAILED;
	return remark ? PRV_LINE : zeros ? PRV_ZEROS : PRV_BAD_LINE;
}

enum prv_got prv_lines_next(struct prv_lines *lines, struct err *e)
{
	if (!begin_range(lines, e))
		return PRV_FAILED;
	for (;;) {
		enum prv_got got;
		const char *p;
		bool end;

		if (__builtin_expect(lines->pos >= lines->whole, 0)) {
			if (!next_start(lines, &end, e))
				return PRV_FAILED;
			if (end)
				return PRV_END;
			if (lines->pos >= lines->whole) {
				got = too_long(lines, e);
				if (got != PRV_LINE)
					return got;
				continue;
			}
		}
		p = lines->buffer + lines->pos;
		lines->offset = lines->buffer_at + lines->pos;
		if (lines->offset >= lines->end)
			return PRV_END;
		lines->number++;
		if (__builtin_expect(is_known(p), 1)) {
			lines->kind = *p;
			return read_fields(lines, p + 2, e);
		}
		if (!is_remark(p))
			return *p ? line_set_bad(lines, PRV_BAD_LINE, p, UNKNOWN) : line_set_bad(lines, PRV_ZEROS, p, ZEROS);
		skip_line(lines, p);
	}
}
