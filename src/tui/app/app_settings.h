/* Settings, many at once or back as they were: undo, presets, A and B, a config file; and marks, set by the same kind
 * of key. */
#ifndef PAS2P_TUI_APP_SETTINGS_H
#define PAS2P_TUI_APP_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/settings/settings.h"

struct app;

/* Undo (app_undo.c): from how all is now on; taking a step back, or making it again. */
void app_undo_begin(struct app *a);
void app_undo(struct app *a, bool forward);

/* Ask whether the settings are to be those of a preset, or all the defaults, if any differs; and take them after a y. */
enum err_code app_ask_preset(struct app *a, const char *name, struct err *e);
void app_ask_defaults(struct app *a);
void app_take_offered(struct app *a);

/* A and B, marks, and saving what differs from the defaults ("": to be used from now on). */
void app_pin(struct app *a);
void app_flip(struct app *a);
void app_mark_key(struct app *a, uint32_t letter);
enum err_code app_save_config(struct app *a, const char *path, struct err *e);

#endif
