/* A study beside or without a trace: opening it, its keys that concern more than its view. */
#ifndef PAS2P_TUI_APP_STUDY_H
#define PAS2P_TUI_APP_STUDY_H

#include "app.h"

/* What the command line gives. ERR_IO, ERR_FORMAT: it cannot be read, or is wrong. */
enum err_code app_study_begin(struct app *a, const struct tui_options *o, struct err *e);
void app_study_news(struct app *a);

enum err_code app_study_open(struct app *a, const char *path, struct err *e);
/* The place that is asked for: "n=14000,p=8". ERR_USAGE: no study is open, or it has no such place. */
enum err_code app_study_ask(struct app *a, const char *text, struct err *e);
/* The phases of the selected run, as the open trace. */
void app_study_open_run(struct app *a);
/* Which of the two views of several runs is meant: where there are no runs but a study's that, and from each the
 * other. */
enum view_id app_study_or_runs(const struct app *a);
bool app_study_alone(const struct app *a); /* it is shown, and there is nothing to go back to */

#endif
