#include "listing.h"

#include <inttypes.h>
#include <math.h>

#include "core/base/query.h"
#include "core/base/number.h"
#include "core/base/text.h"

struct matching {
	struct batch *batch;
	const struct rows *rows;
	struct out text;
	uint64_t matched;
};

/* In a table; elsewhere numbers have as many digits as they need. */
static int decimals(enum column_kind kind)
{
	return kind == COLUMN_SECONDS ? 9 : kind == COLUMN_SHARE ? 4 : 0;
}

static enum look_align align_of(const struct column *c)
{
	return column_is_right(c) ? LOOK_RIGHT : c->kind == COLUMN_LONG_TEXT ? LOOK_WORDS : LOOK_LEFT;
}

void listing_pick(struct listing *l, const struct list_table *t, unsigned in)
{
	l->pick.count = 0;
	list_pick(&l->pick, t, in);
	for (int i = 0; i < l->pick.count; i++) {
		const struct column *c = l->pick.column[i];

		l->columns[i] = (struct column_look){c->name, column_title(c, l->title[i]), align_of(c), decimals(c->kind),
						     .priority = column_yields(c)};
	}
}

void listing_title(struct listing *l, const struct column *c, const char *title)
{
	for (int i = 0; i < l->pick.count; i++)
		if (l->pick.column[i] == c)
			l->columns[i].title = title;
}

void listing_cells(const struct listing *l, const void *list, uint32_t row, struct cell *cells)
{
	for (int i = 0; i < l->pick.count; i++) {
		cells[i] = l->pick.column[i]->value(list, row);
		if (l->for_people && cells[i].kind == CELL_BOOL)
			cells[i] = cell_text(cells[i].yes ? "yes" : "no");
		else if (l->for_people && cells[i].kind == CELL_EMPTY)
			cells[i] = cell_text("-");
	}
}

void listing_text(struct out *o, const struct column_look *columns, const struct cell *cells, size_t n)
{
	char buf[512];

	for (size_t i = 0; i < n; i++) {
		const struct cell *c = &cells[i];

		if (c->kind == CELL_EMPTY)
			continue;
		if (o->len)
			out_add(o, " ", 1);
		if (c->kind == CELL_TEXT)
			out_str(o, text_safe(buf, sizeof buf, cell_shown(c), SIZE_MAX, TEXT_UTF8));
		else if (c->kind == CELL_WHOLE)
			out_add(o, buf, number_whole(c->whole, buf));
		else if (c->kind == CELL_INT)
			out_printf(o, "%" PRId64, c->i);
		else if (c->kind == CELL_BOOL)
			out_str(o, c->yes ? "true" : "false");
		else if (columns[i].decimals < 0)
			out_add(o, buf, number_format(c->real, buf));
		else
			out_add(o, buf, number_fixed(c->real, columns[i].decimals, buf, sizeof buf));
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

static enum err_code to_sink(void *arg, const char *bytes, size_t n, struct err *e)
{
	return sink_write(arg, bytes, n, e);
}

enum err_code listing_write(struct batch *b, const struct rows *rows, struct err *e)
{
	static const enum rows_format formats[] = {
		[FORMAT_TABLE] = ROWS_TABLE, [FORMAT_CSV] = ROWS_CSV, [FORMAT_JSON] = ROWS_JSON, [FORMAT_YAML] = ROWS_YAML,
	};
	const struct rows_sink sink = {to_sink, &b->sink};
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

struct plain_list {
	struct listing listing;
	const void *list;
};

static enum err_code plain_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	const struct plain_list *l = arg;

	(void)keep;
	(void)e;
	listing_cells(&l->listing, l->list, (uint32_t)i, cells);
	return ERR_OK;
}

enum err_code listing_write_list(struct batch *b, const struct list_table *t, unsigned in, const void *list, uint64_t count, struct err *e)
{
	struct plain_list l = {.listing.for_people = b->options->format == FORMAT_TABLE, .list = list};
	struct rows rows = {.columns = l.listing.columns, .row_count = count, .row = plain_row, .arg = &l};

	listing_pick(&l.listing, t, in);
	rows.column_count = (size_t)l.listing.pick.count;
	return listing_write(b, &rows, e);
}
