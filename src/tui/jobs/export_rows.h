/* A listing of the workbench as a file, by the same code (core/table/rows.h) that writes those of the command line. Apart
 * from the views, whose columns and cells are things of the screen. */
#ifndef PAS2P_TUI_EXPORT_ROWS_H
#define PAS2P_TUI_EXPORT_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/table/rows.h"

/* A file that is being written, a slice at a time. Until it is done, what was there under its name stays. */
struct export_file;

/* What the rows point to must stay. The format is that of the name's ending: csv, json, yaml or yml, txt. ERR_USAGE: another one. */
enum err_code export_begin(struct export_file **out, const struct rows *rows, const char *path, struct err *e);
enum err_code export_step(struct export_file *f, unsigned ms, bool *done, struct err *e); /* for some milliseconds */
double export_part(const struct export_file *f); /* how much is written, 0 to 1 */
void export_end(struct export_file *f);          /* not done: nothing is written; NULL is fine */

#endif
