/* Scripts: the workbench driven by a file, on a screen in memory. After each key the script waits until the worker
 * is idle, so what follows never depends on speed.
 *
 * A line is one of
 *     # a comment
 *     j j Enter C-r PgDn     keys by name, separated by blanks
 *     "volume"               characters, typed one by one
 *     :set volume 5%         a command, as after a colon
 *     :resize 40x10          the screen's size, from here on
 *     :click 10,4 / :wheel 10,4 / :wheel-up 10,4    the mouse, at column and row from 0
 *     :screen FILE           the screen and its roles go to FILE
 *     :looks FILE            what its roles look like in each theme, on a dark and on a light ground, goes to FILE
 *     :expect TEXT           fails, with a sentence, unless the screen holds TEXT
 */
#ifndef PAS2P_TUI_SCRIPT_H
#define PAS2P_TUI_SCRIPT_H

#include "app.h"

/* The keys of a line, and characters. ERR_USAGE: one of them is none; those before it were pressed. */
enum err_code script_press(struct app *a, const char *line, struct err *e);

/* Returns the exit status. */
int script_run(struct app *a, const char *path);

#endif
