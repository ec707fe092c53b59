/* What is known of a kind of terminal, without one: for who only asks. */
#ifndef PAS2P_TUI_TERM_KNOWN_H
#define PAS2P_TUI_TERM_KNOWN_H

#include <stdbool.h>

/* Whether the kind of terminal (as in TERM) is known here and text can be placed on it, as term_open() needs it;
 * *colours that it has, 0: none. Before term_open() only. */
bool term_known(const char *name, int *colours);

#endif
