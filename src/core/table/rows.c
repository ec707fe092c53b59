#include "rows.h"

#include <string.h>
#include <wchar.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/io/out.h"
#include "core/io/tree_out.h"
#include "core/io/yaml_in.h"

#define ENOUGH 65536    /* bytes before the sink is called */
#define OFTEN 4096      /* rows between looks at progress */
#define CUT_LEAST 12    /* columns of the screen that a text keeps which is cut, if its column does not say how many; or as many as its title takes */
#define CUT_MARK " ..."

static const char *const format_names[] = {"table", "csv", "json", "yaml"};

bool rows_format_find(const char *name, enum rows_format *format)
{
	for (int i = 0; i < 4; i++) {
		if (!strcmp(format_names[i], name)) {
			*format = (enum rows_format)i;
			return true;
		}
	}
	return false;
}

struct rows_writer {
	struct rows rows;
	enum rows_format format;
	enum text_flags flags;
	struct rows_sink sink;
	struct out out;
	char *safe;          /* the text of a cell, made safe */
	size_t safe_cap;
	struct cell *cells;
	bool *quote;         /* per column: its name needs quotes in YAML */
	bool *left_out;      /* per column: the table has no room for it */
	size_t width;        /* of the table at most; 0: any */
	size_t all;          /* columns of the screen that the table would take with nothing left out or cut */
	size_t *widths;      /* per column: of the table, in screen cells */
	struct out cut;      /* the text of a cell that was cut */
	bool begun, measuring; /* the head is written; the table's first time through the rows */
	uint64_t next;         /* the row to come */
	uint64_t kept;
	struct err *e;
};

static enum err_code drain(struct rows_writer *w, size_t enough)
{
	enum err_code code = ERR_OK;

	if (w->out.failed)
		return err_memory(w->e, "the output");
	if (w->out.len && w->out.len >= enough) {
		code = w->sink.write(w->sink.arg, w->out.text, w->out.len, w->e);
		w->out.len = 0;
	}
	return code;
}

/* NULL: no memory, remembered in the out. */
static const char *make_safe(struct rows_writer *w, const char *text)
{
	size_t want = 3 * strlen(text) + 1; /* one bad byte becomes three of U+FFFD */

	if (want > w->safe_cap) {
		char *moved = mem_resize(w->safe, want, 1);

		if (!moved) {
			w->out.failed = true;
			return "";
		}
		w->safe = moved;
		w->safe_cap = want;
	}
	return text_safe(w->safe, w->safe_cap, text, SIZE_MAX, w->format == ROWS_TABLE ? w->flags : TEXT_UTF8);
}

static size_t whole_text(const struct cell *c, char buf[NUMBER_TEXT])
{
	char digits[NUMBER_TEXT];
	size_t n;

	if (c->kind == CELL_WHOLE || c->i >= 0)
		return number_whole(c->kind == CELL_WHOLE ? c->whole : (uint64_t)c->i, buf);
	n = number_whole(-(uint64_t)c->i, digits);
	buf[0] = '-';
	memcpy(buf + 1, digits, n + 1);
	return n + 1;
}

const char *cell_plain(const struct cell *c, int decimals, char buf[512])
{
	switch (c->kind) {
	case CELL_EMPTY: return "";
	case CELL_TEXT: return cell_shown(c);
	case CELL_BOOL: return c->yes ? "true" : "false";
	case CELL_REAL:
		if (decimals < 0)
			number_format(c->real, buf);
		else
			number_fixed(c->real, decimals, buf, 512);
		return buf;
	default:
		whole_text(c, buf);
		return buf;
	}
}

/* A cell as bare text: in buf, or in the writing's safe text. */
static const char *cell_string(struct rows_writer *w, const struct cell *c, int decimals, char buf[512])
{
	if (c->kind == CELL_TEXT)
		return make_safe(w, w->format == ROWS_TABLE ? cell_shown(c) : c->text);
	return cell_plain(c, decimals, buf);
}

static void rows_csv_line(struct rows_writer *w)
{
	char buf[512];

	for (size_t i = 0; i < w->rows.column_count; i++) {
		if (i)
			out_add(&w->out, ",", 1);
		if (w->cells[i].kind == CELL_TEXT)
			out_csv(&w->out, cell_string(w, &w->cells[i], ROWS_SHORTEST, buf));
		else
			out_str(&w->out, cell_string(w, &w->cells[i], ROWS_SHORTEST, buf));
	}
	out_add(&w->out, "\n", 1);
}

static void object_row(struct rows_writer *w)
{
	bool json = w->format == ROWS_JSON;
	char buf[512];

	out_str(&w->out, !json ? "- {" : w->kept ? ",\n  {" : "\n  {");
	for (size_t i = 0; i < w->rows.column_count; i++) {
		const struct cell *c = &w->cells[i];
		const char *text = cell_string(w, c, ROWS_SHORTEST, buf);

		if (i)
			out_add(&w->out, ", ", 2);
		if (json || w->quote[i])
			json_string(&w->out, w->rows.columns[i].name);
		else
			out_str(&w->out, w->rows.columns[i].name);
		out_add(&w->out, ": ", 2);
		if (c->kind == CELL_EMPTY)
			out_str(&w->out, "null");
		else if (c->kind == CELL_TEXT && (json || yaml_needs_quotes(text)))
			json_string(&w->out, text);
		else
			out_str(&w->out, text);
	}
	out_str(&w->out, json ? "}" : "}\n");
}

/* The width of a text's first character on a screen, whatever the locale: what it does not know counts as one. */
static size_t width_of_first(const char *text, size_t n, size_t *length)
{
	uint32_t c;
	int cells;

	*length = text_decode(text, n, &c);
	cells = c < 0x7f ? 1 : wcwidth((wchar_t)c);
	return !*length ? 0 : cells < 0 ? 1 : (size_t)cells;
}

static size_t width_of(const char *text)
{
	size_t n = strlen(text), width = 0, length = 1;

	for (; n && length; text += length, n -= length)
		width += width_of_first(text, n, &length);
	return width;
}

static void blanks(struct out *out, size_t n)
{
	static const char blank[] = "                                ";

	for (; n > 32; n -= 32)
		out_add(out, blank, 32);
	out_add(out, blank, n);
}

/* One cell of the table. `owed` are blanks that are written only before more text, so that no line ends in any. */
static void table_cell(struct rows_writer *w, size_t i, const char *text, size_t *owed)
{
	size_t width = width_of(text), length = strlen(text), behind = 0;
	size_t pad = w->widths[i] > width ? w->widths[i] - width : 0;
	bool right = w->rows.columns[i].align == LOOK_RIGHT;

	while (behind < length && text[length - behind - 1] == ' ')
		behind++;
	if (right)
		*owed += pad;
	if (length > behind) {
		blanks(&w->out, *owed);
		*owed = 0;
		out_add(&w->out, text, length - behind);
	}
	*owed += behind + (right ? 0 : pad) + 2;
}

/* The words of a text that fit, and a mark that there are more. */
static const char *cut_text(struct rows_writer *w, const char *text, size_t width)
{
	size_t n = strlen(text), used = 0, kept = 0, length;

	if (width_of(text) <= width)
		return text;
	for (size_t at = 0; at < n && used + strlen(CUT_MARK) <= width; at += length) {
		if (text[at] == ' ')
			kept = at;
		used += width_of_first(text + at, n - at, &length);
		if (!length)
			break;
	}
	w->cut.len = 0;
	out_add(&w->cut, text, kept);
	out_str(&w->cut, &CUT_MARK[!kept]);
	w->out.failed = w->out.failed || w->cut.failed;
	return w->cut.failed ? "" : w->cut.text;
}

static void table_row(struct rows_writer *w)
{
	char buf[512];
	size_t owed = 0;

	for (size_t i = 0; i < w->rows.column_count; i++) {
		const char *text;

		if (w->left_out[i])
			continue;
		text = cell_string(w, &w->cells[i], w->rows.columns[i].decimals, buf);
		table_cell(w, i, w->rows.columns[i].align == LOOK_WORDS ? cut_text(w, text, w->widths[i]) : text, &owed);
	}
	out_add(&w->out, "\n", 1);
}

static void measure_row(struct rows_writer *w)
{
	char buf[512];

	for (size_t i = 0; i < w->rows.column_count; i++) {
		size_t width = width_of(cell_string(w, &w->cells[i], w->rows.columns[i].decimals, buf));

		if (width > w->widths[i])
			w->widths[i] = width;
	}
}

static void write_row(struct rows_writer *w)
{
	if (w->measuring)
		measure_row(w);
	else if (w->format == ROWS_CSV)
		rows_csv_line(w);
	else if (w->format == ROWS_TABLE)
		table_row(w);
	else
		object_row(w);
}

static void begin_table(struct rows_writer *w)
{
	for (size_t i = 0; i < w->rows.column_count; i++)
		w->widths[i] = width_of(w->rows.columns[i].title);
	w->measuring = true;
}

/* What a column takes at least. */
static size_t least_width(const struct rows_writer *w, size_t i)
{
	size_t title = width_of(w->rows.columns[i].title), least = w->rows.columns[i].least ? (size_t)w->rows.columns[i].least : CUT_LEAST;

	least = title > least ? title : least;
	return w->rows.columns[i].align == LOOK_WORDS && w->widths[i] > least ? least : w->widths[i];
}

/* The columns that give way, once all widths are known. The first one stays. Returns what the others take at least. */
static size_t fit_columns(struct rows_writer *w)
{
	const struct column_look *k = w->rows.columns;
	size_t n = w->rows.column_count, total = n ? 2 * (n - 1) : 0;

	w->all = total;
	for (size_t i = 0; i < n; i++) {
		total += least_width(w, i);
		w->all += w->widths[i];
	}
	while (w->width && total > w->width) {
		size_t first = 0;

		for (size_t i = 1; i < n; i++)
			if (!w->left_out[i] && (!first || k[i].priority >= k[first].priority))
				first = i;
		if (!first)
			return total;
		/* A first and a last, a least and a most say little alone: what yields alike goes together. */
		for (size_t i = 1; i < n; i++)
			if (!w->left_out[i] && (i == first || (k[first].priority && k[i].priority == k[first].priority))) {
				w->left_out[i] = true;
				total -= least_width(w, i) + 2;
			}
	}
	return total;
}

/* Texts that may be cut get what the others leave. */
static void fit_texts(struct rows_writer *w, size_t total)
{
	size_t left = w->width > total ? w->width - total : 0;

	for (size_t i = 0; w->width && i < w->rows.column_count; i++) {
		size_t least = least_width(w, i), more = w->widths[i] - least;

		if (w->left_out[i])
			continue;
		w->widths[i] = least + (more < left ? more : left);
		left -= w->widths[i] - least;
	}
}

static void say_left_out(struct rows_writer *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->rows.column_count; i++)
		n += w->left_out[i];
	if (n)
		out_printf(&w->out, "(%zu of %zu columns are left out; COLUMNS=%zu or --format json shows them)\n", n, w->rows.column_count,
			   w->all);
}

static void table_head(struct rows_writer *w)
{
	size_t owed = 0;

	fit_texts(w, fit_columns(w));
	for (size_t i = 0; i < w->rows.column_count; i++)
		if (!w->left_out[i])
			table_cell(w, i, w->rows.columns[i].title, &owed);
	out_str(&w->out, "\n");
}

static void csv_head(struct rows_writer *w)
{
	for (size_t i = 0; i < w->rows.column_count; i++) {
		out_str(&w->out, i ? "," : "");
		out_csv(&w->out, w->rows.columns[i].name);
	}
	out_str(&w->out, "\n");
}

static void rows_head(struct rows_writer *w)
{
	w->begun = true;
	if (w->format == ROWS_CSV)
		csv_head(w);
	else if (w->format == ROWS_JSON)
		out_str(&w->out, "[");
	else if (w->format == ROWS_TABLE)
		begin_table(w);
}

static void rows_foot(struct rows_writer *w)
{
	if (w->format == ROWS_JSON)
		out_str(&w->out, w->kept ? "\n]\n" : "]\n");
	else if (w->format == ROWS_YAML && !w->kept)
		out_str(&w->out, "[]\n");
	else if (w->format == ROWS_TABLE)
		say_left_out(w);
}

enum err_code rows_begin(struct rows_writer **out, const struct rows *r, enum rows_format format, enum text_flags flags,
			 const struct rows_sink *sink, struct err *e)
{
	struct rows_writer *w = mem_zero(1, sizeof *w);

	*out = NULL;
	if (!w)
		return err_memory(e, "the output");
	w->rows = *r;
	w->format = format;
	w->flags = flags;
	w->sink = *sink;
	out_init(&w->out);
	out_init(&w->cut);
	w->cells = mem_zero(r->column_count, sizeof *w->cells);
	w->widths = mem_zero(r->column_count, sizeof *w->widths);
	w->quote = mem_zero(r->column_count, sizeof *w->quote);
	w->left_out = mem_zero(r->column_count, sizeof *w->left_out);
	if (!w->cells || !w->widths || !w->quote || !w->left_out) {
		rows_end(w);
		return err_memory(e, "the output");
	}
	for (size_t i = 0; i < r->column_count; i++)
		w->quote[i] = yaml_needs_quotes(r->columns[i].name);
	*out = w;
	return ERR_OK;
}

enum err_code rows_step(struct rows_writer *w, uint64_t count, bool *done, struct err *e)
{
	const struct rows *r = &w->rows;
	enum err_code code;

	*done = false;
	w->e = e;
	if (!w->begun)
		rows_head(w);
	for (; count && w->next < r->row_count; count--, w->next++) {
		bool keep = true;

		for (size_t k = 0; k < r->column_count; k++)
			w->cells[k] = cell_empty();
		code = r->row(r->arg, w->next, w->cells, &keep, e);
		if (!code && keep) {
			write_row(w);
			w->kept++;
			code = drain(w, ENOUGH);
		}
		if (code)
			return code;
	}
	if (w->next < r->row_count)
		return ERR_OK;
	if (w->measuring) {
		w->measuring = false;
		w->next = 0;
		table_head(w);
		return ERR_OK;
	}
	rows_foot(w);
	*done = true;
	return drain(w, 0);
}

double rows_part(const struct rows_writer *w)
{
	double part = w->rows.row_count ? (double)w->next / (double)w->rows.row_count : 1;

	return w->format != ROWS_TABLE ? part : w->measuring ? part / 2 : 0.5 + part / 2;
}

void rows_end(struct rows_writer *w)
{
	if (!w)
		return;
	mem_free(w->cells);
	mem_free(w->widths);
	mem_free(w->quote);
	mem_free(w->left_out);
	mem_free(w->safe);
	out_release(&w->out);
	out_release(&w->cut);
	mem_free(w);
}

enum err_code rows_write(const struct rows *r, enum rows_format format, enum text_flags flags, size_t width,
			 const struct rows_sink *sink, const struct progress *progress, struct err *e)
{
	struct rows_writer *w;
	enum err_code code = rows_begin(&w, r, format, flags, sink, e);

	if (!code)
		w->width = width;
	for (bool done = false; !code && !done;) {
		progress_report(progress, PROGRESS_WRITE, w->next, r->row_count);
		if (progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "stopped at row %llu of %llu", (unsigned long long)w->next,
				       (unsigned long long)r->row_count);
		else
			code = rows_step(w, OFTEN, &done, e);
	}
	if (!code)
		progress_report(progress, PROGRESS_WRITE, r->row_count, r->row_count);
	rows_end(w);
	return code;
}

static enum err_code add_to_out(void *arg, const char *bytes, size_t n, struct err *e)
{
	struct out *o = arg;

	out_add(o, bytes, n);
	return o->failed ? err_memory(e, "the output") : ERR_OK;
}

struct rows_sink rows_to_out(struct out *o)
{
	return (struct rows_sink){add_to_out, o};
}
