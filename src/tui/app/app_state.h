/* What is remembered of each trace between visits: app_state.c says what and where. */
#ifndef PAS2P_TUI_APP_STATE_H
#define PAS2P_TUI_APP_STATE_H

#include <stdbool.h>
#include <stddef.h>

struct app;
struct out;
struct tui_options;

/* Taken up before the first wish, and written at the end. */
void app_state_load(struct app *a);
void app_state_save(struct app *a);

/* The same in memory, for as long as the workbench is open: all but settings and typed commands, which are kept as they
 * are. False: there is nothing to remember yet, or no memory. */
bool app_state_write(const struct app *a, struct out *o);
void app_state_read(struct app *a, const char *text, size_t size);

/* Where a file of that name belongs; false: nothing is to be remembered, or there is no such place. */
bool app_state_file(const struct tui_options *o, const char *name, char *path, size_t size);

#endif
