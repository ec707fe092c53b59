/* Runs beside the open trace: those of the command line, more of them, fewer, and another one as the open trace. */
#ifndef PAS2P_TUI_APP_RUNS_H
#define PAS2P_TUI_APP_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

struct app;
struct settings;
struct tui_options;

enum err_code app_runs_begin(struct app *a, const struct tui_options *o, struct err *e);
void app_runs_news(struct app *a);

/* Add the runs of these files, and show the view of runs. */
enum err_code app_runs_add(struct app *a, const char *const *paths, uint32_t count, struct err *e);
/* Compare the open run with that of these files, which is added if it is new; of none: with the selected one. Shows the
 * comparison. */
enum err_code app_runs_compare(struct app *a, const char *const *paths, uint32_t count, struct err *e);
/* Take one out: that of a file, NULL: the selected one. */
enum err_code app_runs_remove(struct app *a, const char *path, struct err *e);

void app_runs_open(struct app *a); /* the selected one as the open trace */
/* A run by its index in the list, as the open trace, with these settings (NULL: those that it would begin with); added:
 * it is there to be opened alone, and goes again if it cannot be. False: it is not open, which has been said. */
bool app_runs_open_at(struct app *a, uint32_t index, bool added, const struct settings *settings);
/* The open trace could not be read, as *why says: the one before it again. False: there was none. */
bool app_runs_back(struct app *a, const struct err *why);

#endif
