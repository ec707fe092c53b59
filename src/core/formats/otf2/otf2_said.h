/* What libotf2 says when something goes wrong, instead of writing it to stderr.
 *
 * The library has one callback for the whole process; each thread keeps what it was told. Of a chain of messages the
 * first one is kept: it was written where the fault is.
 */
#ifndef PAS2P_OTF2_SAID_H
#define PAS2P_OTF2_SAID_H

#include <stdbool.h>

/* Before any other call of the library, in each thread that calls it; forgets what was said there. */
void otf_said_begin(void);

/* Safe text, one sentence without a period; "nothing more is known" if nothing was said. The thread's own. */
const char *otf_said(void);
bool otf_said_any(void);

#endif
