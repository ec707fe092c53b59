/* Opening traces beside those that are open, and going from one to another. */
#ifndef PAS2P_TUI_APP_OPEN_H
#define PAS2P_TUI_APP_OPEN_H

#include "app.h"

enum err_code app_open_begin(struct app *a, const struct tui_options *o, struct err *e);
void app_open_news(struct app *a);
bool app_open_alone(const struct app *a); /* the list of traces is shown, and there is nothing to go back to */

/* Files are added to the runs, and the first of them is opened; a folder is shown, to choose from. */
enum err_code app_open_files(struct app *a, const char *const *paths, uint32_t count, struct err *e);
void app_open_selected(struct app *a); /* the row under the cursor */
void app_open_next(struct app *a, int by); /* 1 or -1: another of the runs */

/* What was opened so cannot be read: back to the trace before, or to the list of traces. False: neither is there. */
bool app_open_failed(struct app *a, const struct err *why);

/* The open trace is left, and kept: its workspace ends. */
void app_open_leave(struct app *a);

/* Which of the open traces it is, from 1, and how many there are. False: there are no two. */
bool app_open_place(const struct app *a, uint32_t *place, uint32_t *of);

#endif
