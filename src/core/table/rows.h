/* Rows: one table model behind every listing, on the command line and exported by the workbench.
 *
 * A listing is its columns and a function that fills the cells of row i. rows_write() asks for the rows in order
 * and writes them in one of four formats through a sink, a piece at a time, so that millions of rows need
 * no more memory than one. Only the aligned table needs them twice: once to measure, once to write.
 *
 *     csv    RFC 4180 with a header line, lines end in \n; an empty cell is empty
 *     json   an array of objects, one a line; an empty cell is null
 *     yaml   a list of flow mappings, one a line; an empty cell is null; text that reads as a number is quoted
 *     table  aligned columns under their titles; an empty cell is blank; columns that find no room are left out, which a
 *            line below says
 *
 * Text cells are made safe (text.h) in all four.
 */
#ifndef PAS2P_ROWS_H
#define PAS2P_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "columns.h"
#include "core/io/out.h"

enum rows_format { ROWS_TABLE, ROWS_CSV, ROWS_JSON, ROWS_YAML };

/* "table", "csv", "json", "yaml"; false: none of them. */
bool rows_format_find(const char *name, enum rows_format *format);

struct rows {
	const struct column_look *columns; /* name, title, align, decimals, priority */
	size_t column_count;
	uint64_t row_count;
	/* Fill all cells of row i (they are CELL_EMPTY before); *keep false leaves the row out (it is true before).
	 * Asked for in order from 0, by the table twice with the same answer. */
	enum err_code (*row)(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e);
	void *arg;
};

/* A cell as a table has it, not yet safe: its own text, or in buf. */
const char *cell_plain(const struct cell *c, int decimals, char buf[512]);

/* Where the bytes go; called every some ten thousand bytes. */
struct rows_sink {
	enum err_code (*write)(void *arg, const char *bytes, size_t n, struct err *e);
	void *arg;
};

struct rows_sink rows_to_out(struct out *o);

/* flags: TEXT_ASCII replaces all that is not ASCII in the table. A table is at most `width` columns of the screen
 * wide, as far as one column of its own is (0: any width): those of the largest priority are left out first, and
 * together; of those with 0, which go last, the rightmost. */
enum err_code rows_write(const struct rows *r, enum rows_format format, enum text_flags flags, size_t width,
			 const struct rows_sink *sink, const struct progress *progress, struct err *e);

/* The same a few rows at a time, for whoever has other things to do between:
 *
 *     rows_begin(&w, &rows, ROWS_CSV, TEXT_UTF8, &sink, &e);   copies both structs, not what they point to
 *     while (!done) rows_step(w, 100, &done, &e);              `done` once all is written
 *     rows_end(w);                                             at any time; NULL is fine
 */
struct rows_writer;

enum err_code rows_begin(struct rows_writer **out, const struct rows *r, enum rows_format format, enum text_flags flags,
			 const struct rows_sink *sink, struct err *e);
enum err_code rows_step(struct rows_writer *w, uint64_t count, bool *done, struct err *e);
double rows_part(const struct rows_writer *w); /* how much is written, 0 to 1 */
void rows_end(struct rows_writer *w);

#endif
