/* Ctrl-C and its kin: the first one asks the running job to stop, so that nothing half-made is left behind. */
#ifndef PAS2P_INTERRUPT_H
#define PAS2P_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT, SIGTERM and SIGHUP only set a mark (unless they were ignored), and a write to a
 * closed pipe is an error of that write. */
void interrupt_catch(void);

bool interrupt_seen(void);

/* Until interrupt_catch() SIGINT ends the program with EXIT_INTERRUPTED, after last(EXIT_INTERRUPTED), which is called
 * within a signal handler: for code that cannot poll while it waits, and that leaves nothing to clean up. */
void interrupt_ends(void (*last)(int status));

/* End as the signal asks, if one was seen that is not SIGINT: the caller's parent then sees the signal. main() does it
 * after any command that was interrupted. */
void interrupt_pass_on(void);

/* End by SIGPIPE, as a filter does whose reader has gone. */
void interrupt_end_by_pipe(void);

#endif
