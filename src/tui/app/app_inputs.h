/* What the workbench reads stays (core/formats/inputs.h). */
#ifndef PAS2P_TUI_APP_INPUTS_H
#define PAS2P_TUI_APP_INPUTS_H

#include "core/base/err.h"

struct app;

/* ERR_USAGE: what is at that path is open, or a part of what is: the trace, other runs, results, models with what they include, a
 * machine, measurements, a study and its runs, the script. */
enum err_code app_refuse_open(const struct app *a, const char *path, struct err *e);
/* Or a config file, which only settings are saved to. */
enum err_code app_refuse_inputs(const struct app *a, const char *path, struct err *e);

#endif
