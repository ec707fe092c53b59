/* The workbench without a terminal, for tests of its views: keys go in, and what it shows comes out. Linked by t/tui
 * alone.
 *
 *     type(&a, "4vv");
 *     ok(strstr(screen(&a), "arrows"), "...");
 *     background_ask(b, slot, &(struct task){until_stopped, free_nothing});     a task that stands in the way
 */
#ifndef PAS2P_APP_CASE_H
#define PAS2P_APP_CASE_H

#include "tui/app/app_int.h"
#include "tui/jobs/background.h"

/* All that it shows now, line by line; until the next call. */
const char *screen(struct app *a);

/* Each character is a key; it is drawn after each, or waits until nothing is being made any more. */
void type(struct app *a, const char *keys);
void type_and_settle(struct app *a, const char *keys);

/* A task that ends when it is stopped, as one would that takes long. */
enum err_code until_stopped(struct task *t, const struct job *job, struct err *e);
void free_nothing(struct task *t);

#endif
