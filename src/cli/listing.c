#include "listing.h"

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
	code = rows_write(&filtered, formats[b->options->format], TEXT_UTF8, sink_width(&b->sink), &sink, b->job, e);
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
