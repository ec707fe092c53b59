/* The workbench without a terminal, for tests of its views: keys go in, and what it shows comes out. Linked by t/tui
 * alone.
 *
 *     type(&a, "4vv");
 *     ok(strstr(screen(&a), "arrows"), "...");
 *     spending_forget(&m->spending);                     what a test says of work that is not done yet must hold on any machine:
 *     spending_update(m);                                it is asked for again,
 *     background_park(m->background, m->spending.run.slot);    and does not come to an end until it is stopped
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

/* What was asked for last in this slot is made, and lost; something that ends only when it is stopped is at it instead. It
 * must not have been taken yet: nothing is drawn, and no news are taken, between asking and parking. */
void background_park(struct background *b, int slot);

#endif
