/* A listing of the workbench as a file, by the same code (core/rows.h) that writes those of the command line. Apart
 * from the views, whose columns and cells are things of the screen. */
#ifndef PAS2P_TUI_EXPORT_ROWS_H
#define PAS2P_TUI_EXPORT_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "../core/err.h"

#define EXPORT_COLUMNS 32

enum value_kind { VALUE_TEXT, VALUE_WHOLE, VALUE_REAL, VALUE_BOOL };

struct value {
	enum value_kind kind;
	double number;   /* of all kinds but text */
	char text[128];  /* "": an empty cell */
};

struct export {
	int columns;
	const char *name[EXPORT_COLUMNS], *title[EXPORT_COLUMNS];
	bool right[EXPORT_COLUMNS];
	uint32_t rows;
	void (*value)(const void *ctx, uint32_t row, int column, struct value *v);
	const void *ctx;
};

/* The format is that of the file's ending: csv, json, yaml or yml, txt. ERR_USAGE: another one. */
enum err_code export_write(const struct export *x, const char *path, struct err *e);

#endif
