/* The tutorial in the application: `--tutorial`, the command `:tutorial`, and what of its steps a key has done. */
#ifndef PAS2P_TUI_APP_TUTORIAL_H
#define PAS2P_TUI_APP_TUTORIAL_H

#include "core/base/err.h"
#include "tui/model/model.h"
#include "tui/screen/keys.h"
#include "tui/screen/views.h"

struct app;

/* Show it, or end it; where it was, it goes on when it is shown again. `step` is a number from 1, or NULL. */
enum err_code app_tutorial(struct app *a, const char *step, struct err *e);
void app_tutorial_end(struct app *a);

/* Something has happened: an action in a view, or ACTION_NONE for all else. Goes on by what that has done. */
void app_tutorial_see(struct app *a, enum action action, enum view_id from, struct trace_place was);

#endif
