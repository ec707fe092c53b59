/* Settings that are others than usual, for the head of the screen and for the question whether to give them up: who does
 * not see that thresholds were remembered, or turned, takes the figures for those of the plain command.
 */
#ifndef PAS2P_TUI_APP_CHANGED_H
#define PAS2P_TUI_APP_CHANGED_H

#include <stddef.h>
#include <stdint.h>

#include "core/settings/settings.h"

struct app;

/* How many there are, and as many of them as `room` columns hold, then how many more: "volume 7.0 %, events 65.0 %".
 * "": there is no room for the first. */
uint32_t changed_settings(const struct settings *s, const struct settings *usual, int room, char *text, size_t size);

/* Of the open trace, against those that pas2p was started with: "changed: events 65.0 %". Times that are corrected have
 * a mark of their own, and what has no effect needs none. "": there is none. */
void app_changed_title(const struct app *a, int room, char *text, size_t size);

/* The options of pas2p phases that make them: " --events 0.65". Returns false: they are too many to be typed. */
bool app_changed_options(const struct app *a, char *text, size_t size);

#endif
