/* Windows of a planned signature: a plan for a budget, a design of it as settings, and going from window to window; and
 * thresholds that were looked for, as settings. */
#ifndef PAS2P_TUI_APP_WINDOWS_H
#define PAS2P_TUI_APP_WINDOWS_H

#include "core/base/err.h"

struct app;

/* Show the plan for a budget, "5%", where a checkpoint takes so many seconds to restore, "0.2"; NULL: as before. */
enum err_code app_plan(struct app *a, const char *budget, const char *restore, struct err *e);
void app_plan_taken(struct app *a); /* the model's planned settings become the settings */
void app_tune_taken(struct app *a); /* likewise, of thresholds */
void app_next_window(struct app *a);

#endif
