/* What is typed at the foot of the screen, and the commands among it. */
#ifndef PAS2P_TUI_APP_PROMPT_H
#define PAS2P_TUI_APP_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

struct app;

/* The prompt: a key for it, and opening it for a knob's value or the phase table's path. */
void app_prompt_key(struct app *a, uint32_t key);
void app_ask_value(struct app *a);
enum err_code app_can_turn(const struct app *a, struct err *e); /* ERR_USAGE: the view in front has no knob for it */
void app_ask_path(struct app *a);

/* What stands after a colon. ERR_OK, or what is wrong with it. */
enum err_code command_run(struct app *a, const char *line, struct err *e);
bool command_complete(void *app, const char *typed, int nth, char *out, size_t size);

/* Write the phase table to a path, `~` understood; asks before overwriting unless told. */
enum err_code app_write_table(struct app *a, const char *path, bool overwrite, struct err *e);

void app_full_path(const char *path, char *full, size_t size); /* with `~/` understood */
void app_make_directories(const char *path);                   /* those above it */

#endif
