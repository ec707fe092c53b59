#include "listing.h"

#include <string.h>

#include "cli.h"
#include "core/base/query.h"
#include "core/base/text.h"

struct matching {
	struct batch *batch;
	const struct rows *rows;
	struct out text;
	uint64_t matched;
};

void listing_text(struct out *o, const struct column_look *columns, const struct cell *cells, size_t n)
{
	char buf[512], safe[512];

	for (size_t i = 0; i < n; i++) {
		if (cells[i].kind == CELL_EMPTY)
			continue;
		if (o->len)
			out_add(o, " ", 1);
		out_str(o, text_safe(safe, sizeof safe, cell_plain(&cells[i], columns[i].decimals, buf), SIZE_MAX, TEXT_UTF8));
	}
}

static enum err_code matching_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct matching *m = arg;
	enum err_code code = m->rows->row(m->rows->arg, i, cells, keep, e);

	if (code || !*keep)
		return code;
	m->text.len = 0;
	listing_text(&m->text, m->rows->columns, cells, m->rows->column_count);
	if (m->text.failed)
		return err_memory(e, "a row");
	switch (query_match(m->batch->query, m->text.text ? m->text.text : "", m->text.len, NULL, NULL)) {
	case QUERY_YES:
		m->matched++;
		break;
	case QUERY_NO:
		*keep = false;
		break;
	case QUERY_GAVE_UP:
		return query_gave_up(m->batch->query, e);
	}
	return ERR_OK;
}

static enum err_code listing_to_sink(void *arg, const char *bytes, size_t n, struct err *e)
{
	return sink_write(arg, bytes, n, e);
}

enum err_code listing_write(struct batch *b, const struct rows *rows, struct err *e)
{
	static const enum rows_format formats[] = {
		[FORMAT_TABLE] = ROWS_TABLE, [FORMAT_CSV] = ROWS_CSV, [FORMAT_JSON] = ROWS_JSON, [FORMAT_YAML] = ROWS_YAML,
	};
	const struct rows_sink sink = {listing_to_sink, &b->sink};
	struct matching m = {.batch = b, .rows = rows};
	struct rows filtered = *rows;
	enum err_code code;

	if (b->query) {
		out_init(&m.text);
		filtered.row = matching_row;
		filtered.arg = &m;
	}
	code = rows_write(&filtered, formats[b->options->format], TEXT_UTF8, sink_width(&b->sink), &sink, b->progress, e);
	out_release(&m.text);
	if (!code && b->query && !m.matched)
		b->finding = EXIT_FINDING;
	return code;
}

enum err_code listing_write_list(struct batch *b, const struct list_table *t, unsigned in, const void *list, uint64_t count, struct err *e)
{
	struct shown_table s = {.list = list, .rows = count, .people = b->options->format == FORMAT_TABLE};
	struct rows rows;

	shown_pick(&s, t, in, true);
	rows = shown_rows(&s);
	return listing_write(b, &rows, e);
}

struct rows_sharing {
	const struct rows *rows;
	const struct shared_slices *slices;
	uint64_t next;  /* the slice of the next collective step */
	bool agreed;    /* the error that ends it is all ranks' */
};

/* The table goes through its rows twice (rows.h). */
static unsigned passes(enum format format)
{
	return format == FORMAT_TABLE ? 2 : 1;
}

static enum err_code shared_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct rows_sharing *s = arg;

	if (i == 0)
		s->next = 0;
	while (s->next == 0 || i >= s->slices->end(s->slices->arg, s->next - 1)) {
		enum err_code code = s->slices->meet(s->slices->arg, s->next++, e);

		s->agreed = code != ERR_OK;
		if (code)
			return code;
	}
	return s->rows->row(s->rows->arg, i, cells, keep, e);
}

enum err_code shared_rows_write(struct batch *b, const struct team *team, const struct rows *rows,
				const struct shared_slices *slices, struct err *e)
{
	struct rows_sharing s = {.rows = rows, .slices = slices};
	struct rows shared = *rows;
	enum err_code code = ERR_OK;

	if (team_size(team) == 1)
		return listing_write(b, rows, e);
	for (unsigned pass = 0; team_rank(team) && pass < passes(b->options->format); pass++)
		for (uint64_t slice = 0; !code && slice < slices->count; slice++)
			code = slices->meet(slices->arg, slice, e);
	if (team_rank(team))
		return code ? code : team_agree(team, ERR_OK, e);
	shared.row = shared_row;
	shared.arg = &s;
	code = listing_write(b, &shared, e);
	return s.agreed ? code : team_agree(team, code, e);
}

/* Of each cell one byte, its kind; then its text with a NUL and what is shown instead, with another; or eight bytes. */

void cell_bytes_add(struct out *to, const struct cell *cells, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct cell *c = &cells[i];
		char kind = (char)c->kind;
		uint64_t value = c->kind == CELL_BOOL ? c->yes : c->kind == CELL_TEXT ? 0 : c->whole;

		out_add(to, &kind, 1);
		if (c->kind == CELL_TEXT) {
			out_add(to, c->text, strlen(c->text) + 1);
			out_add(to, c->shown ? c->shown : "", (c->shown ? strlen(c->shown) : 0) + 1);
		} else if (c->kind != CELL_EMPTY)
			out_add(to, (const char *)&value, sizeof value);
	}
}

size_t cell_bytes_take(const char *bytes, struct cell *cells, size_t n)
{
	const char *at = bytes;

	for (size_t i = 0; i < n; i++) {
		struct cell *c = &cells[i];

		*c = (struct cell){.kind = (enum cell_kind)*at++};
		if (c->kind == CELL_TEXT) {
			c->text = at;
			at += strlen(at) + 1;
			c->shown = *at ? at : NULL;
			at += strlen(at) + 1;
		} else if (c->kind != CELL_EMPTY) {
			uint64_t value;

			memcpy(&value, at, sizeof value);
			at += sizeof value;
			if (c->kind == CELL_BOOL)
				c->yes = value;
			else
				c->whole = value;
		}
	}
	return (size_t)(at - bytes);
}
