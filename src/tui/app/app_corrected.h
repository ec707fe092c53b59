/* Corrected times (docs/clocks.md 4): saying so at the head of the screen, and writing the trace with them to a file,
 * behind the screen. */
#ifndef PAS2P_TUI_APP_CORRECTED_H
#define PAS2P_TUI_APP_CORRECTED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

struct app;

/* "corrected: linear + clc, largest shift 8.2 us", or as much of it as has room; "" while times are as recorded. */
void app_corrected_title(const struct app *a, int room, char *text, size_t size);

/* They are wanted, and not shown yet. */
bool app_correcting(const struct app *a);

void app_ask_corrected(struct app *a); /* where to */
enum err_code app_can_correct(const struct app *a, struct err *e); /* ERR_USAGE: there is no trace */
/* Begins it; force: in place of a file that is there, but never of the trace's own. What came of it is said by
 * app_corrected_news(). */
enum err_code app_write_corrected(struct app *a, const char *path, bool force, struct err *e);
void app_corrected_news(struct app *a);
bool app_corrected_stop(struct app *a);             /* Esc: leave it; false: nothing is being written */
bool app_corrected_busy(const struct app *a);
double app_corrected_part(const struct app *a);     /* of it, 0 to 1 */

#endif
