/* What arrives from behind the screen about a trace: results of a run, and what a signature would measure. */
#ifndef PAS2P_TUI_APP_RESULTS_H
#define PAS2P_TUI_APP_RESULTS_H

#include "core/base/err.h"

struct app;

/* Results of a run: those of the command line, one that is asked for, the next one, its settings. */
enum err_code app_results_open(struct app *a, struct err *e);
enum err_code app_result(struct app *a, const char *path, struct err *e);
void app_result_next(struct app *a);
void app_result_settings(struct app *a);
void app_results_news(struct app *a);

/* What a signature would measure: of a new analysis, and once it is known. */
void app_measure_ask(struct app *a);
void app_measure_news(struct app *a);

#endif
