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
#include <stddef.h>
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

/* ---- states ---- */

/* User states: regions that the program marks (MPI_Pcontrol) and its functions (functions.h), by name.
 *
 * Each process numbers its own from 0, in the order in which they come; the merge gives one number to each name
 * (merge.c). In the local stream a state's event type comes from its name, so that the files of a run that broke off
 * agree without a merge; its number stands in the records' padding, for the merge.
 *
 * Names are cut to what a definition holds; a longer one ends in ~ and a number made of all of it. Those that would be
 * taken for something else (MPI_, PMPI_, MPE_, CLOG_, PAS2P_) make no state.
 */

#define STATE_NAME 32   /* with the NUL, as in a definition */
#define STATE_NONE (-1)
#define COLOUR_STATE "wheat"

struct user_state {
	char name[STATE_NAME]; /* zeroed behind the NUL */
	int32_t etype;         /* of its start in the local stream */
	int32_t number;        /* in the merged file; set by the merge */
	uint32_t open;         /* begun and not ended yet, as a region */
	bool defined;
};
extern struct user_state *user_states;
extern int32_t user_state_count;

/* STATE_NONE: the name makes no state, or there is no memory. */
int32_t state_named(const char *name, size_t n);

/* The records of its start and its end, at a time that has passed. */
void state_enter(int32_t state, double t);
void state_leave(int32_t state, double t);

/* Event types of the merged file: below MPE's solo events as long as there is room. */
int32_t state_merged_start(int32_t number);

/* Regions. An end without a begin is ignored. */
void region_begin(const char *name);
void region_end(const char *name);
void regions_finish(void); /* end all that are open */

#endif
