/* Going to an iteration of the main loop: by its number, to the next that stands out, and one after another. */
#ifndef PAS2P_TUI_APP_ITERATIONS_H
#define PAS2P_TUI_APP_ITERATIONS_H

#include "core/base/err.h"

struct app;

void app_ask_iteration(struct app *a); /* in a prompt */
enum err_code app_can_iterate(const struct app *a, struct err *e); /* ERR_USAGE: there is none */
/* What the prompt was given: a number from 1, or nothing for the next that stands out. */
enum err_code app_iteration(struct app *a, const char *text, struct err *e);
void app_next_iteration(struct app *a, int direction);

#endif
