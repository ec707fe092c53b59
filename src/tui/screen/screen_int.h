/* What a crash must not leave behind on a terminal, and what is written to stderr while a screen is up.
 *
 *     crash_save_modes()                      before anything is changed; false: stdin is no terminal
 *     crash_add(bytes, n) ...                 what the terminal is to be told, in this order
 *     crash_watch(true); crash_keep_stderr();
 *     ...
 *     crash_watch(false); crash_release_stderr();
 *
 * A crash then restores modes and screen from its handler, with the few calls that are allowed there, shows what was
 * kept of stderr, and dies as it would have. There is one terminal in a process, so the state is the process's. A
 * sanitizer has crashes, and stderr, to itself.
 */
#ifndef PAS2P_TUI_SCREEN_SCREEN_INT_H
#define PAS2P_TUI_SCREEN_SCREEN_INT_H

#include <stdbool.h>
#include <stddef.h>

bool crash_save_modes(void);
void crash_forget_modes(void); /* they are as they were */
void crash_clear(void);        /* of what has been added */
void crash_add(const char *bytes, size_t n); /* what is there already is not added again */
void crash_watch(bool on);

/* Kept from here on, if it is a terminal; then shown. */
void crash_keep_stderr(void);
void crash_release_stderr(void);

#endif
