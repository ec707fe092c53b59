/* The workbench by lines, without a screen: what --plain is. For screen readers, terminals that can only add text, and
 * pipes.
 *
 * Each line of standard input is keys by name, a command or a word (plain_help() says it all); what that changed is
 * told in lines of plain text, and nothing that was told is ever drawn over. Lines instead of single keys, since the
 * terminal itself then echoes and edits what is typed, which screen readers follow, and since a pipe has nothing else.
 */
#ifndef PAS2P_TUI_PLAIN_H
#define PAS2P_TUI_PLAIN_H

#include <stdbool.h>

#include "app.h"

/* Until Q or the end of the input; ascii: say nothing else. Returns the exit status. */
int plain_run(struct app *a, bool ascii);

#endif
