/* What the program took where the sliders are, by a file of measurements that was named for it (docs/models.md 11): the
 * file is read with those that are fitted, and its columns are parameters of the model.
 */
#ifndef PAS2P_TUI_MODELS_MEASURED_H
#define PAS2P_TUI_MODELS_MEASURED_H

#include "models.h"

/* ERR_USAGE: it is no table of measurements. */
enum err_code models_open_measured(struct models *s, const char *path, struct err *e);
/* The mean of what was measured at these values, in seconds; NAN: nothing was, and *why says so. */
double models_measured_here(const struct models *s, const char **why);

#endif
