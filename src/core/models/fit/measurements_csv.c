#include "measurements_csv.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/text.h"

#define DEFAULT_COLUMN "seconds"
#define SHOWN 64        /* bytes of a name in a sentence */
#define OFTEN 4096      /* lines between looks at progress */

/* A file's text, of which one line after the other is looked at. */
struct csv_file {
	const struct source *source;
	char *text;              /* owned */
	size_t size, next;       /* next: where the next line begins */
	uint64_t line;           /* of the last one, from 1 */
};

/* A line's cells: its text again, each cell ended by a NUL. */
struct cells {
	const char *text[CSV_COLUMNS];
	uint32_t count;          /* may be more than there is room for */
	char *buffer;            /* owned */
	size_t cap;
};

struct csv_reading {
	struct csv_file *table;
	uint32_t tables;
	struct cells head, cells;
	const char *measured_name; /* NULL: not given */
	uint32_t measured;         /* the column */
	bool group[CSV_COLUMNS];
	const struct progress *progress;
	struct err *e;
};

/* ---- lines and cells ---- */

static enum err_code csv_wrong(const struct csv_reading *r, const struct csv_file *t, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static enum err_code csv_wrong(const struct csv_reading *r, const struct csv_file *t, const char *fmt, ...)
{
	char name[ERR_TEXT / 2], what[ERR_TEXT / 2];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof what, fmt, args);
	va_end(args);
	return err_set(r->e, ERR_FORMAT, "%s: line %" PRIu64 ": %s", text_safe(name, sizeof name, t->source->name, SIZE_MAX, TEXT_UTF8), t->line, what);
}

static const char *csv_text_shown(char buf[SHOWN], const char *text)
{
	return text_safe(buf, SHOWN, text, SIZE_MAX, TEXT_UTF8);
}

/* The next line with something in it. */
static bool next_line(struct csv_file *t, const char **line, size_t *len)
{
	while (t->next < t->size) {
		const char *begin = t->text + t->next, *end = memchr(begin, '\n', t->size - t->next);
		size_t n = end ? (size_t)(end - begin) : t->size - t->next, blank = 0;

		t->next += n + (end != NULL);
		t->line++;
		while (blank < n && strchr(" \t\r", begin[blank]) && begin[blank])
			blank++;
		if (blank == n || begin[blank] == '#')
			continue;
		*line = begin;
		*len = n;
		return true;
	}
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* One cell from *from on into `to`; the place behind what it wrote. */
static char *cut_cell(const char **from, const char *end, char *to)
{
	const char *at = *from;
	char *begin = to;

	while (at < end && is_blank(*at))
		at++;
	if (at < end && *at == '"') {
		for (at++; at < end && (*at != '"' || (at + 1 < end && at[1] == '"')); at++) {
			at += *at == '"'; /* a doubled quote is one */
			*to++ = *at;
		}
		at += at < end;
		begin = to; /* blanks within quotes stay */
	}
	while (at < end && *at != ',')
		*to++ = *at++;
	while (to > begin && is_blank(to[-1]))
		to--;
	*to++ = '\0';
	*from = at;
	return to;
}

/* False: no memory. */
static bool cells_cut_line(struct cells *c, const char *line, size_t len)
{
	const char *end = line + len;
	char *to;

	c->count = 0;
	if (2 * len + 2 > c->cap) {
		char *moved = mem_resize(c->buffer, 2 * len + 2, 1);

		if (!moved)
			return false;
		c->buffer = moved;
		c->cap = 2 * len + 2;
	}
	to = c->buffer;
	for (;;) {
		if (c->count < CSV_COLUMNS)
			c->text[c->count] = to;
		c->count++;
		to = cut_cell(&line, end, to);
		if (line == end)
			return true;
		line++;
	}
}

/* A number of plain digits, finite. */
static bool is_number(const char *text, double *v)
{
	return number_parse(text, strlen(text), v);
}

/* ---- the header ---- */

static enum err_code check_head(struct csv_reading *r, const struct csv_file *t, const struct cells *c)
{
	char name[SHOWN];

	if (c->count > CSV_COLUMNS)
		return csv_wrong(r, t, "%u columns: the limit is %d", c->count, CSV_COLUMNS);
	for (uint32_t i = 0; i < c->count; i++) {
		if (!*c->text[i])
			return csv_wrong(r, t, "column %u has no name", i + 1);
		for (uint32_t k = 0; k < i; k++)
			if (!strcmp(c->text[i], c->text[k]))
				return csv_wrong(r, t, "two columns have the name "
						 "'%s'", csv_text_shown(name, c->text[i]));
	}
	return ERR_OK;
}

/* Which column was measured, of the first file. */
static enum err_code find_measured(struct csv_reading *r, const struct csv_file *t)
{
	const char *wanted = r->measured_name ? r->measured_name : DEFAULT_COLUMN;
	char name[SHOWN];
	enum err_code code;

	for (r->measured = 0; r->measured < r->head.count; r->measured++)
		if (!strcmp(r->head.text[r->measured], wanted))
			return ERR_OK;
	code = csv_wrong(r, t, "the column '%s' is missing%s", csv_text_shown(name, wanted), r->measured_name ? "" : "; "
									   "--y gives the column of the measured "
									   "values");
	if (!r->measured_name)
		return code;
	if (r->e)
		r->e->code = ERR_USAGE;
	return ERR_USAGE;
}

static enum err_code same_head(struct csv_reading *r, const struct csv_file *t)
{
	char name[SHOWN], other[SHOWN];

	if (r->cells.count != r->head.count)
		return csv_wrong(r, t, "%u columns, but the first file has %u", r->cells.count, r->head.count);
	for (uint32_t i = 0; i < r->head.count; i++)
		if (strcmp(r->cells.text[i], r->head.text[i]) != 0)
			return csv_wrong(r, t, "column %u is '%s', but '%s' in the first file", i + 1, csv_text_shown(name, r->cells.text[i]),
				     csv_text_shown(other, r->head.text[i]));
	return ERR_OK;
}

static enum err_code read_head(struct csv_reading *r, uint32_t number)
{
	struct csv_file *t = &r->table[number];
	struct cells *c = number ? &r->cells : &r->head;
	const char *line;
	size_t len;
	enum err_code code;

	t->next = t->size >= 3 && !memcmp(t->text, "\xef\xbb\xbf", 3) ? 3 : 0; /* the mark that some programs begin UTF-8 with */
	t->line = 0;
	if (!next_line(t, &line, &len)) {
		t->line = 1;
		return csv_wrong(r, t, "the header line is missing");
	}
	if (!cells_cut_line(c, line, len))
		return err_memory(r->e, "the measurements");
	code = check_head(r, t, c);
	if (!code)
		code = number ? same_head(r, t) : find_measured(r, t);
	return code;
}

/* ---- rows ---- */

typedef enum err_code each_row(struct csv_reading *r, struct csv_file *t, void *arg);

static enum err_code for_rows(struct csv_reading *r, each_row *each, void *arg)
{
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < r->tables; i++) {
		struct csv_file *t = &r->table[i];
		const char *line;
		size_t len;

		code = read_head(r, i);
		while (!code && next_line(t, &line, &len)) {
			if (t->line % OFTEN == 0 && progress_stopped(r->progress))
				code = err_set(r->e, ERR_CANCELLED, "stopped");
			else if (memchr(line, '\0', len))
				code = csv_wrong(r, t, "the file is not text");
			else if (!cells_cut_line(&r->cells, line, len))
				code = err_memory(r->e, "the measurements");
			else if (r->cells.count != r->head.count)
				code = csv_wrong(r, t, "%u cell%s, but the header has %u", r->cells.count, r->cells.count == 1 ? "" : "s", r->head.count);
			else
				code = each(r, t, arg);
		}
	}
	return code;
}

/* The first time: which columns are groups. arg counts rows. */
static enum err_code look(struct csv_reading *r, struct csv_file *t, void *arg)
{
	char name[SHOWN], found[SHOWN];
	double v;

	++*(uint64_t *)arg;
	for (uint32_t i = 0; i < r->head.count; i++) {
		if ((i == r->measured || !r->group[i]) && !is_number(r->cells.text[i], &v)) {
			if (i == r->measured)
				return csv_wrong(r, t, "%s is '%s': expected a finite number", csv_text_shown(name, r->head.text[i]), csv_text_shown(found, r->cells.text[i]));
			r->group[i] = true;
		}
	}
	return ERR_OK;
}

/* Where the second time puts the rows. */
struct filling {
	struct measurements *m;
	char *name;              /* of a group; owned */
	size_t cap;
};

/* A row's group: its values with blanks between them. */
static bool name_group(const struct csv_reading *r, struct filling *f)
{
	size_t room = 1, at = 0;

	for (uint32_t i = 0; i < r->head.count; i++)
		room += r->group[i] ? strlen(r->cells.text[i]) + 1 : 0;
	if (room > f->cap) {
		char *moved = mem_resize(f->name, 2 * room, 1);

		if (!moved)
			return false;
		f->name = moved;
		f->cap = 2 * room;
	}
	for (uint32_t i = 0; i < r->head.count; i++) {
		if (!r->group[i])
			continue;
		if (at)
			f->name[at++] = ' ';
		strcpy(f->name + at, r->cells.text[i]);
		at += strlen(r->cells.text[i]);
	}
	f->name[at] = '\0';
	return true;
}

static enum err_code csv_add_row(struct csv_reading *r, struct csv_file *t, void *arg)
{
	struct filling *f = arg;
	double at[CSV_COLUMNS], measured = 0;
	uint32_t n = 0;

	(void)t;
	for (uint32_t i = 0; i < r->head.count; i++) {
		if (i == r->measured)
			is_number(r->cells.text[i], &measured);
		else if (!r->group[i])
			is_number(r->cells.text[i], &at[n++]);
	}
	if (!name_group(r, f))
		return err_memory(r->e, "the measurements");
	return measurements_add(f->m, f->name, at, measured, r->e);
}

static enum err_code measurements_fill(struct csv_reading *r, struct measurements *m)
{
	const char *parameter[CSV_COLUMNS];
	struct filling f = {.m = m};
	uint32_t n = 0;
	enum err_code code;

	for (uint32_t i = 0; i < r->head.count; i++)
		if (i != r->measured && !r->group[i])
			parameter[n++] = r->head.text[i];
	code = measurements_init(m, parameter, n, r->e);
	if (code)
		return code;
	code = for_rows(r, csv_add_row, &f);
	mem_free(f.name);
	if (code)
		measurements_release(m);
	return code;
}

/* ---- files ---- */

static enum err_code csv_load(struct csv_file *t, const struct source *s, const struct progress *progress, struct err *e)
{
	uint64_t size;
	size_t got = 0;
	enum err_code code = source_find_size(s, &size, progress, e);

	*t = (struct csv_file){.source = s};
	if (code)
		return code;
	t->text = size < SIZE_MAX ? mem_alloc((size_t)size, 1) : NULL;
	if (!t->text)
		return err_memory(e, "the measurements");
	code = source_read(s, 0, t->text, (size_t)size, &got, e);
	t->size = got;
	return code;
}

enum err_code measurements_read(struct measurements *m, const struct source *files, uint32_t count, const char *measured,
				const struct progress *progress, struct err *e)
{
	struct csv_reading *r = mem_zero(1, sizeof *r);
	uint64_t rows = 0;
	enum err_code code = ERR_OK;

	if (r) {
		r->measured_name = measured;
		r->progress = progress;
		r->e = e;
		r->table = mem_zero(count, sizeof *r->table);
	}
	if (!r || !r->table)
		code = err_memory(e, "the measurements");
	for (uint32_t i = 0; !code && i < count; i++) {
		r->tables++;
		code = csv_load(&r->table[i], &files[i], progress, e);
	}
	if (!code)
		code = for_rows(r, look, &rows);
	if (!code && !rows)
		code = csv_wrong(r, &r->table[r->tables - 1], "no measurements found");
	if (!code)
		code = measurements_fill(r, m);
	for (uint32_t i = 0; r && i < r->tables; i++)
		mem_free(r->table[i].text);
	if (r) {
		mem_free(r->table);
		mem_free(r->head.buffer);
		mem_free(r->cells.buffer);
	}
	mem_free(r);
	return code;
}
