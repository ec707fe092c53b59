/* Rows: searching, filtering, sorting and exporting those of the view in front, and what goes on of that between
 * keys. */
#ifndef PAS2P_TUI_APP_LISTS_H
#define PAS2P_TUI_APP_LISTS_H

#include <stdbool.h>

#include "core/base/err.h"
#include "tui/screen/keys.h"

struct app;

void app_search(struct app *a, bool from_here, bool backwards);
/* ERR_USAGE: the view in front has nothing to search, to filter, to export. */
enum err_code app_can_search(const struct app *a, struct err *e);
enum err_code app_can_filter(const struct app *a, struct err *e);
enum err_code app_can_export(const struct app *a, struct err *e);
void app_say_sorted(struct app *a); /* by which column rows are sorted, and what that is */
bool app_sort(struct app *a, enum action action); /* by the next column that is seen, or the other way round */

/* Of the work: what it is (NULL: none), and how much of it is done. */
double app_work_progress(struct app *a, const char **what);
bool app_work(struct app *a); /* a slice of what is done between keys, after app_draw(); false: there was none */
void app_settle(struct app *a); /* all of it, and what goes on behind the screen, to its end, and drawn: for scripts and tests */
bool app_blinks(const struct app *a); /* what is drawn is of before a change, or dimmed until it is there again */
bool app_stop_work(struct app *a); /* Esc: leave it; false: there was none */

/* The rows of the view as a file, its format by its ending; all: without the filter; force: in place of one that is
 * there. */
enum err_code app_export(struct app *a, const char *path, bool all, bool force, struct err *e);
bool app_export_work(struct app *a);           /* a slice of it; false: nothing is being written */
double app_export_part(const struct app *a);   /* of what is being written, 0 to 1 */
void app_export_end(struct app *a);            /* leave it: what is not done is not written */

#endif
