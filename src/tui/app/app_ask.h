/* Keys that ask for text. Each opens its prompt wherever it is pressed; where nothing can come of it, the prompt says so
 * and takes what is typed all the same. Who types a key and a name in one go would else have the name run as keys.
 */
#ifndef PAS2P_TUI_APP_ASK_H
#define PAS2P_TUI_APP_ASK_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/screen/keys.h"

struct app;

/* Open the prompt of an action. False: it asks for nothing. */
bool app_ask(struct app *a, enum action action);
/* That of a key which has no meaning here, and elsewhere none but to ask. False: it has another. */
bool app_ask_by_key(struct app *a, uint32_t key);
/* Enter in a prompt of which nothing can come: it is closed, and says why. False: something can. */
bool app_ask_refused(struct app *a);

#endif
