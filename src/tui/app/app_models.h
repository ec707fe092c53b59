/* Models beside or without a trace: opening their files, and what is typed and written. */
#ifndef PAS2P_TUI_APP_MODELS_H
#define PAS2P_TUI_APP_MODELS_H

#include "app.h"

/* What the command line gives. ERR_IO, ERR_FORMAT, ERR_USAGE: one of it is wrong. */
enum err_code app_models_begin(struct app *a, const struct tui_options *o, struct err *e);
void app_models_news(struct app *a);
const char *app_models_title(const struct app *a); /* of the header, where there is no trace */

enum err_code app_models_open(struct app *a, const char *const *paths, int count, struct err *e);
enum err_code app_models_machine(struct app *a, const char *path, struct err *e);
enum err_code app_models_measured(struct app *a, const char *path, struct err *e);
enum err_code app_models_vary(struct app *a, const char *text, struct err *e);
void app_models_ask(struct app *a); /* a value of the selected slider */

/* The fits as functions that models include, where a fit is selected; else what the program takes where the sliders
 * are. ERR_USAGE: there is neither, or the file is there already. */
enum err_code app_models_write(struct app *a, const char *path, bool force, struct err *e);

#endif
