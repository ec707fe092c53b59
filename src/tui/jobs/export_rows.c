#include "jobs.h"

#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/io/out_file.h"
#include "core/table/rows.h"
#include "core/base/text.h"

#define ROWS_AT_ONCE 16 /* between looks at the clock */

struct export_file {
	struct out_file file;
	struct rows_writer *writer; /* owned */
};

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

enum err_code export_begin(struct export_file **out, const struct rows *rows, const char *path, struct err *e)
{
	struct export_file *file;
	struct rows_sink sink = {.write = to_file};
	enum rows_format format;
	enum err_code code;
	char safe[256];

	*out = NULL;
	if (!format_of(path, &format))
		return err_set(e, ERR_USAGE, "'%s': expected a name that ends in .csv, .json, "
			       ".yaml or .txt", text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8));
	file = mem_zero(1, sizeof *file);
	if (!file)
		return err_memory(e, "the file");
	sink.arg = &file->file;
	code = out_file_begin(&file->file, path, e);
	if (code) {
		mem_free(file);
		return code;
	}
	code = rows_begin(&file->writer, rows, format, TEXT_UTF8, &sink, e);
	if (code)
		export_end(file);
	else
		*out = file;
	return code;
}

enum err_code export_step(struct export_file *f, unsigned ms, bool *done, struct err *e)
{
	double until = clock_ms() + ms;
	enum err_code code;

	do
		code = rows_step(f->writer, ROWS_AT_ONCE, done, e);
	while (!code && !*done && clock_ms() < until);
	return !code && *done ? out_file_commit(&f->file, e) : code;
}

double export_part(const struct export_file *f)
{
	return rows_part(f->writer);
}

void export_end(struct export_file *f)
{
	if (!f)
		return;
	out_file_abort(&f->file);
	rows_end(f->writer);
	mem_free(f);
}
