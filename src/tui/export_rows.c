#include "export_rows.h"

#include <string.h>

#include "../core/out_file.h"
#include "../core/rows.h"
#include "../core/text.h"

struct writing {
	const struct export *x;
	struct value values[EXPORT_COLUMNS]; /* of the row at hand */
};

static enum err_code fill(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct writing *w = arg;
	(void)keep;
	(void)e;

	for (int c = 0; c < w->x->columns; c++) {
		struct value *v = &w->values[c];

		*v = (struct value){.kind = VALUE_TEXT};
		w->x->value(w->x->ctx, (uint32_t)i, c, v);
		switch (v->kind) {
		case VALUE_WHOLE: cells[c] = cell_whole((uint64_t)v->number); break;
		case VALUE_REAL: cells[c] = cell_real(v->number); break;
		case VALUE_BOOL: cells[c] = cell_bool(v->number != 0); break;
		default: cells[c] = cell_text(v->text[0] ? v->text : NULL);
		}
	}
	return ERR_OK;
}

static enum err_code to_file(void *arg, const char *bytes, size_t n, struct err *e)
{
	return out_file_write(arg, bytes, n, e);
}

static bool format_of(const char *path, enum rows_format *format)
{
	const char *dot = strrchr(path, '.');

	if (dot && !strcmp(dot, ".txt"))
		*format = ROWS_TABLE;
	else if (dot && !strcmp(dot, ".yml"))
		*format = ROWS_YAML;
	else
		return dot && strcmp(dot, ".table") && rows_format_find(dot + 1, format);
	return true;
}

enum err_code export_write(const struct export *x, const char *path, struct err *e)
{
	struct writing w = {.x = x};
	struct column columns[EXPORT_COLUMNS];
	struct rows rows = {columns, (size_t)x->columns, x->rows, fill, &w};
	struct out_file f;
	struct rows_sink sink = {to_file, &f};
	const struct job none = {0};
	enum rows_format format;
	enum err_code code;
	char safe[256];

	if (!format_of(path, &format))
		return err_set(e, ERR_USAGE, "the name of '%s' does not say which format: it should end in .csv, .json, .yaml or .txt",
			       text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8));
	for (int c = 0; c < x->columns; c++)
		columns[c] = (struct column){x->name[c], x->title[c], x->right[c] ? ROWS_RIGHT : ROWS_LEFT, ROWS_SHORTEST};
	code = out_file_begin(&f, path, e);
	if (!code) {
		code = rows_write(&rows, format, TEXT_UTF8, &sink, &none, e);
		if (code)
			out_file_abort(&f);
		else
			code = out_file_commit(&f, e);
	}
	return code;
}
