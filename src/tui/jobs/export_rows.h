/* A listing of the workbench as a file, by the same code (core/rows.h) that writes those of the command line. Apart
 * from the views, whose columns and cells are things of the screen. */
#ifndef PAS2P_TUI_EXPORT_ROWS_H
#define PAS2P_TUI_EXPORT_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/table/cell.h"

#define EXPORT_COLUMNS 64

enum value_kind { VALUE_TEXT, VALUE_WHOLE, VALUE_REAL, VALUE_BOOL, VALUE_CELL };

struct value {
	enum value_kind kind;
	double number;   /* of all kinds but text and cell */
	char text[128];  /* "": an empty cell */
	struct cell cell; /* as a column of core/lists gives it; a text of it stays while rows are written */
	const char *longer; /* a text that stays while rows are written; NULL: the one above */
};

struct export {
	int columns;
	const char *name[EXPORT_COLUMNS], *title[EXPORT_COLUMNS];
	bool right[EXPORT_COLUMNS];
	uint32_t rows;
	void (*value)(const void *ctx, uint32_t row, int column, struct value *v);
	const void *ctx;
};

/* A file that is being written, a slice at a time. Until it is done, what was there under its name stays. */
struct export_file;

/* The format is that of the name's ending: csv, json, yaml or yml, txt. ERR_USAGE: another one. */
enum err_code export_begin(struct export_file **out, const struct export *x, const char *path, struct err *e);
enum err_code export_step(struct export_file *f, unsigned ms, bool *done, struct err *e); /* for some milliseconds */
double export_part(const struct export_file *f); /* how much is written, 0 to 1 */
void export_end(struct export_file *f);          /* not done: nothing is written; NULL is fine */

#endif
