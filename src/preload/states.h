/* User states: regions that the program marks (MPI_Pcontrol) and its functions (functions.h), by name.
 *
 * Each process numbers its own from 0, in the order in which they come; the merge gives one number to each name
 * (merge.c). In the local stream a state's event type comes from its name, so that the files of a run that broke off
 * agree without a merge; its number stands in the records' padding, for the merge.
 *
 * Names are cut to what a definition holds; a longer one ends in ~ and a number made of all of it. Those that would be
 * taken for something else (MPI_, PMPI_, MPE_, CLOG_, PAS2P_) make no state.
 */
#ifndef PAS2P_STATES_H
#define PAS2P_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
