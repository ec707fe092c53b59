/* The program's functions as user states, where it is compiled with -finstrument-functions.
 *
 * Compiled so, it calls __cyg_profile_func_enter() and _exit() around every function. What is called between MPI_Init
 * and MPI_Finalize, by the thread that called MPI_Init and outside of MPI calls, becomes a state, but not calls that
 * are both shorter than `shortest` and make no MPI call: an entry waits on a stack until something inside it is logged,
 * or until it has lasted long enough, and goes unseen otherwise. So times rise in the stream, and there are at most two
 * records per `shortest` and call depth. A function of which nothing was logged in FUNCTION_TRIAL calls is not looked
 * at any more.
 */
#ifndef PAS2P_FUNCTIONS_H
#define PAS2P_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "preload.h"

#define FUNCTION_TRIAL 10000u

struct functions_dropped {
	uint64_t calls;      /* that were too short, as far as they were counted */
	uint32_t functions;  /* that were not looked at any more */
};

/* From now on, in this thread. shortest: seconds. */
void functions_start(double shortest);
/* No more: what is open ends here. */
struct functions_dropped functions_finish(void);

/* Did the program tell of any function, at any time? */
bool functions_called(void);

void functions_log_waiting(void);

/* Before anything else is logged by this thread: the functions that it is in. */
static inline void functions_settle(void)
{
	if (__builtin_expect(self.waiting, 0))
		functions_log_waiting();
}

#endif
